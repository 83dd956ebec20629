import { describe, expect, it } from 'vitest';
import { configAnswer } from './config-answer.ts';

const file = { bytes: Buffer.from('0123456789'), contentType: 'text/xml; charset=utf-8', etag: '"t1.1"' };
const answer = (headers: Record<string, string> = {}, method = 'GET') => {
  const { status, headers: given, body, outcome } = configAnswer(method, headers, file);
  return { status, length: given['content-length'], range: given['content-range'], body: body?.toString(), outcome };
};
const whole = { status: 200, length: 10, range: undefined, body: '0123456789', outcome: 'loaded' };

describe('the answer with a configuration file', () => {
  it('has length, type and version, and is stored by no cache', () => {
    expect(answer()).toEqual(whole);
    expect(configAnswer('GET', {}, file).headers).toEqual({
      etag: '"t1.1"',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-type': 'text/xml; charset=utf-8',
      'content-length': 10,
    });
  });

  it('to HEAD has the headers of the whole file, no body, and counts as no load', () => {
    expect(answer({ range: 'bytes=0-1' }, 'HEAD')).toEqual({ ...whole, body: undefined, outcome: 'partial' });
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ])('to the range %s is that part, which counts as no load', (range, body, seen) => {
    expect(answer({ range })).toEqual({ status: 206, length: body.length, range: seen, body, outcome: 'partial' });
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('to the range %s beyond the file is 416', (range) => {
    expect(answer({ range })).toEqual({
      status: 416,
      length: 0,
      range: 'bytes */10',
      body: undefined,
      outcome: 'partial',
    });
  });

  it.each(['bytes=0-1,3-4', 'bytes=5-2', 'bytes=-', 'items=0-1', 'bytes=a-b', `bytes=${'9'.repeat(40)}-`])(
    'ignores the range %s',
    (range) => {
      expect(answer({ range })).toEqual(whole);
    },
  );

  it('is a part only of the version that If-Range names', () => {
    expect(answer({ range: 'bytes=0-1', 'if-range': '"t1.1"' }).status).toBe(206);
    for (const other of ['"t1.2"', 'W/"t1.1"', 'Wed, 21 Oct 2026 07:28:00 GMT'])
      expect(answer({ range: 'bytes=0-1', 'if-range': other }), other).toEqual(whole);
  });

  it('is 304 for a device that has the version, also with a range', () => {
    for (const known of ['"t1.1"', 'W/"t1.1"', '"t0.9", "t1.1"', '*'])
      expect(answer({ 'if-none-match': known, range: 'bytes=0-1' }), known).toMatchObject({
        status: 304,
        outcome: 'unchanged',
      });
    expect(answer({ 'if-none-match': '"t1.1"' }, 'HEAD')).toMatchObject({ status: 304, outcome: 'partial' });
    expect(answer({ 'if-none-match': '"t1.2"' })).toEqual(whole);
  });
});
