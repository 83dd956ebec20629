import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadFile, loadFiles, loadSignedFile, type LoadOptions } from './index.ts';
import { TestFiles, TestKey } from './test-files.ts';

let files: TestFiles;
beforeEach(async () => {
  files = await TestFiles.start(randomBytes(400_000));
});
afterEach(() => files.stop());

/** Simulates the flash memory of a device. */
function flash() {
  const parts: Buffer[] = [];
  let begun = 0;
  return {
    begin: () => {
      begun++;
      parts.length = 0;
    },
    write: (bytes: Buffer) => void parts.push(Buffer.from(bytes)),
    get sha256() {
      return createHash('sha256').update(Buffer.concat(parts)).digest('hex');
    },
    get begun() {
      return begun;
    },
  };
}
const backOff = { firstMs: 1, mostMs: 5 };
const load = (options: LoadOptions = {}) => loadFile(files.linked('2.4.10'), { backOff, ...options });

describe('a device that loads a file', () => {
  it('gets it completely', async () => {
    const sink = flash();
    expect([await load({ sink }), sink.sha256, files.asked]).toEqual([null, files.sha256, ['']]);
  });

  it('resumes where it broke off, any number of times, and gets each byte once', async () => {
    files.answer = (request, response, nth) => (nth < 20 ? files.send(request, response, 20_000) : undefined);
    const sink = flash();
    expect([await load({ sink }), sink.sha256, sink.begun]).toEqual([null, files.sha256, 1]);
    expect(files.asked.slice(0, 3)).toEqual(['', 'bytes=20000-', 'bytes=40000-']);
  });

  it('restarts when the file on the server has changed', async () => {
    const before = files.bytes;
    const answer = files.linked('2.4.10');
    files.bytes = randomBytes(before.length);
    files.answer = (request, response, nth) => {
      if (nth > 1) return undefined;
      files.send(request, response, 20_000);
      files.bytes = before;
      return 'answered';
    };
    const sink = flash();
    expect(await loadFile(answer, { backOff, sink })).toBeNull();
    expect([sink.sha256, sink.begun]).toEqual([answer.sha256, 2]);
  });

  it('restarts when the server does not support ranges', async () => {
    files.answer = (request, response, nth) => {
      delete request.headers.range;
      return nth === 1 ? files.send(request, response, 20_000) : undefined;
    };
    const sink = flash();
    expect([await load({ sink }), sink.sha256, sink.begun]).toEqual([null, files.sha256, 2]);
  });

  it('gives up after a number of tries without new bytes, and not before', async () => {
    files.answer = (request, response) => {
      delete request.headers.range;
      return files.send(request, response, 20_000);
    };
    expect(await load({ tries: 4 })).toBe('download');
    // The first try brings bytes, the four behind it bring nothing new.
    expect(files.asked).toHaveLength(5);
  });

  it('gives up when nothing listens, and at an invalid address', async () => {
    const { url } = files;
    await files.stop();
    expect(await loadFile({ url, size: 1, sha256: '' }, { backOff, tries: 2 })).toBe('download');
    expect(await loadFile({ url: 'file:///etc/hostname', size: 1, sha256: '' }, { backOff })).toBe('download');
    files = await TestFiles.start(Buffer.alloc(1));
  });

  it.each([404, 410, 403])('takes %i for the end of the link', async (status) => {
    files.answer = (_request, response) => (response.writeHead(status).end(), 'answered');
    expect([await load(), files.asked]).toEqual(['download', ['']]);
  });

  it('disconnects from a silent server, and resumes', async () => {
    files.answer = (request, response, nth) => {
      if (nth > 1) return undefined;
      response.writeHead(200, { etag: files.etag, 'content-length': files.bytes.length });
      response.write(files.bytes.subarray(0, 1_000));
      return 'answered';
    };
    expect(await load({ silenceMs: 300 })).toBeNull();
    expect(files.asked).toEqual(['', 'bytes=1000-']);
  });

  it('obeys Retry-After of a busy server without counting a failure, but not forever', async () => {
    const came: number[] = [];
    files.answer = (_request, response, nth) => {
      came.push(performance.now());
      if (nth > 3) return undefined;
      response.writeHead(503, { 'retry-after': nth === 1 ? '1' : '0' }).end();
      return 'answered';
    };
    expect(await load({ tries: 1 })).toBeNull();
    expect(came[1]! - came[0]!).toBeGreaterThanOrEqual(999);
    files.answer = (_request, response) => (response.writeHead(503, { 'retry-after': '60' }).end(), 'answered');
    expect(await load({ patienceMs: 30_000 })).toBe('download');
  });

  it.each([
    ['a byte that differs', () => files.bytes.fill(files.bytes[7]! ^ 1, 7, 8)],
    ['a byte too few', () => (files.bytes = files.bytes.subarray(1))],
    ['a byte too many', () => (files.bytes = Buffer.concat([files.bytes, Buffer.alloc(1)]))],
  ])('finds %s', async (_, damage) => {
    const answer = files.linked('2.4.10');
    damage();
    expect(await loadFile(answer, { backOff })).toBe('checksum');
    files.answer = (_request, response) => {
      response.flushHeaders();
      response.end(files.bytes);
      return 'answered';
    };
    // Without a content length an early end counts as a broken connection.
    expect(await loadFile(answer, { backOff, tries: 2 })).toBe(
      files.bytes.length < answer.size ? 'download' : 'checksum',
    );
  });

  it('reports its progress in limited steps, and loads no faster than allowed', async () => {
    const published: [number, number][] = [];
    const began = performance.now();
    const progress = (percent: number) => void published.push([percent, performance.now()]);
    expect(await load({ bytesPerSecond: 80_000, progress })).toBeNull();
    expect(performance.now() - began).toBeGreaterThan(4_500);
    expect(published.length).toBeGreaterThan(0);
    published.reduce(
      ([before, at], [percent, now]) => {
        expect(percent).toBeGreaterThanOrEqual(before + 10);
        expect(now - at).toBeGreaterThanOrEqual(1_999);
        return [percent, now];
      },
      [0, began] as [number, number],
    );
    expect(published.at(-1)![0]).toBeLessThan(100);
  });

  it('ends when aborted, and when its own storage fails', async () => {
    const end = new AbortController();
    const sink = { begin: () => undefined, write: () => end.abort() };
    await expect(load({ sink, signal: end.signal })).rejects.toThrow(/abort/i);
    const full = { begin: () => undefined, write: () => Promise.reject(new Error('no room')) };
    await expect(load({ sink: full })).rejects.toThrow('no room');
    expect(files.asked).toHaveLength(2);
  });
});

describe('a device that loads several files', () => {
  it('gets all of them in turn, and a broken connection of one does not affect the others', async () => {
    files.answer = (request, response, nth) => (nth === 2 ? files.send(request, response, 20_000) : undefined);
    const sinks = [flash(), flash(), flash()];
    const all = sinks.map(() => files.linked('2.4.10'));
    expect(await loadFiles(all, { backOff, sinkOf: (nth) => sinks[nth]! })).toBeNull();
    expect(sinks.map(({ sha256, begun }) => [sha256, begun])).toEqual(sinks.map(() => [files.sha256, 1]));
    expect(files.asked).toEqual(['', '', 'bytes=20000-', '']);
  });

  it('stops at the first faulty one', async () => {
    const file = files.linked('2.4.10');
    const sinks = [flash(), flash(), flash()];
    const wrong = await loadFiles([file, { ...file, sha256: '0'.repeat(64) }, file], {
      backOff,
      sinkOf: (nth) => sinks[nth]!,
    });
    expect([wrong, sinks.map(({ begun }) => begun), files.asked.length]).toEqual(['checksum', [1, 1, 0], 2]);
  });

  it('reports the progress over all of them', async () => {
    const said: number[] = [];
    const file = files.linked('2.4.10');
    await loadFiles([file, file], { backOff, bytesPerSecond: 80_000, progress: (percent) => said.push(percent) });
    // 10 s of loading, reported every 2 s: the first file alone would end at a half.
    expect(said).toEqual(said.toSorted((a, b) => a - b));
    expect(said.at(-1)).toBeGreaterThan(50);
    expect(said.every((percent) => percent >= 10 && percent < 100)).toBe(true);
  });
});

describe('a device that checks who signed', () => {
  let pinned: string | null;
  const pin = { read: () => pinned, write: (key: string) => void (pinned = key) };
  beforeEach(() => {
    pinned = null;
  });
  const signed = (version: string, file = files.linked(version)) => loadSignedFile(file, version, pin, { backOff });

  it('pins the first key, and accepts no other', async () => {
    expect(await signed('2.4.10')).toBeNull();
    expect(pinned).toBe(files.key.name);
    const first = files.key;
    files.key = new TestKey();
    expect([await signed('2.4.11'), pinned]).toEqual(['signature', first.name]);
    files.key = first;
    expect(await signed('2.4.11')).toBeNull();
  });

  it('accepts a key that the pinned one endorses, and pins that instead', async () => {
    await signed('2.4.10');
    const [old, fresh, stranger] = [files.key, new TestKey(), new TestKey()];
    files.key = fresh;
    const file = files.linked('2.4.11');
    const by = (...endorsements: { key: string; signature: string }[]) =>
      signed('2.4.11', { ...file, endorsements } as never);
    expect(await by(stranger.endorse(fresh))).toBe('signature');
    expect(await by(old.endorse(stranger))).toBe('signature');
    expect(await by({ ...stranger.endorse(fresh), key: old.name })).toBe('signature');
    expect(pinned).toBe(old.name);
    expect(await by(stranger.endorse(fresh), old.endorse(fresh))).toBeNull();
    expect(pinned).toBe(fresh.name);
    files.key = old;
    expect(await signed('2.4.12')).toBe('signature');
  });

  it('refuses a file whose version, size, checksum or signature differs, without loading it', async () => {
    const file = files.linked('2.4.10');
    const wrong = [
      await signed('2.4.11', file),
      await signed('2.4.10', { ...file, size: file.size + 1 }),
      await signed('2.4.10', { ...file, sha256: '0'.repeat(64) }),
      await signed('2.4.10', { ...file, signature: files.key.sign('another text') }),
      await signed('2.4.10', { ...file, signature: '' }),
      await signed('2.4.10', { ...file, signedBy: '' }),
      await signed('2.4.10', { ...file, signedBy: `${file.signedBy}=` }),
    ];
    expect([wrong, files.asked, pinned]).toEqual([wrong.map(() => 'signature'), [], null]);
  });

  it('pins no key when the file is incomplete', async () => {
    files.answer = (_request, response) => (response.writeHead(410).end(), 'answered');
    expect([await signed('2.4.10'), pinned]).toEqual(['download', null]);
  });
});
