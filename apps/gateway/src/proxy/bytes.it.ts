import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest, type Person } from '../gateway-test.ts';

let gateway: GatewayUnderTest;
let person: Person;
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  gateway = await startGateway({ bodyIdleSeconds: 1 }, 'gateway_bytes');
});
afterAll(() => gateway.close());
beforeEach(async () => {
  person = await gateway.person();
  gateway.received.length = 0;
  gateway.answer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
});

const session = (): Record<string, string> => ({ 'carillon-token': person.token });
const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1', () => {
      socket.write(text);
    });
    let answer = '';
    socket
      .setEncoding('latin1')
      .on('data', (one: string) => {
        answer += one;
      })
      .on('close', () => {
        resolve(answer);
      })
      .on('error', reject);
  });

const part = '/api/f/resource/resourceFile/upload/01920000-0000-7000-8000-00000000c001';
const bytesHeaders = (): Record<string, string> => ({
  ...session(),
  'content-type': 'application/offset+octet-stream',
});

test('streams a part of an upload to its service, and never holds it whole', async () => {
  const arrived: number[] = [];
  const seen = Promise.withResolvers<void>();
  gateway.arriving((request) => {
    if (request.method !== 'PATCH') return;
    request.on('data', (bytes: Buffer) => {
      arrived.push(bytes.length);
      seen.resolve();
    });
  });
  gateway.answer((_, response) => {
    response.writeHead(204, { 'upload-offset': '6', 'tus-resumable': '1.0.0' }).end();
  });
  const answered = new Promise<{ status: number; offset: unknown }>((resolve, reject) => {
    const request = httpRequest(
      { port: gateway.port, path: part, method: 'PATCH', headers: { ...bytesHeaders(), 'upload-offset': '0' } },
      (response) => {
        response.resume();
        resolve({ status: response.statusCode!, offset: response.headers['upload-offset'] });
      },
    );
    request.on('error', reject);
    request.write('abc');
    // The rest is sent only after the service has received the beginning.
    void seen.promise.then(() => request.end('def'));
  });
  expect(await answered).toEqual({ status: 204, offset: '6' });
  expect(arrived.length).toBeGreaterThan(1);
  expect(gateway.received.map((r) => [r.method, r.body, r.headers['upload-offset'], r.context?.userId])).toEqual([
    ['PATCH', 'abcdef', '0', person.view.userId],
  ]);
  gateway.arriving(undefined);
});

test('a part of an upload passes the same guards as every call: session, right, type and limit', async () => {
  const send = (headers: Record<string, string>) => gateway.request(part, { method: 'PATCH', headers, body: 'abc' });
  expect((await send({ 'content-type': 'application/offset+octet-stream' })).status).toBe(401);
  expect((await send({ ...session(), ...json })).json.error).toBe('common.mediaType');
  const large = await send({ ...bytesHeaders(), 'content-length': String(1_073_741_825) });
  expect([large.status, large.json.error]).toEqual([413, 'common.tooLarge']);
  expect(gateway.received).toEqual([]);
});

test('a part that stops arriving is ended with 408, and its service is released', async () => {
  let left = false;
  gateway.arriving((request) => {
    request.once('close', () => {
      left = true;
    });
  });
  const answer = await raw(
    `PATCH ${part} HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${person.token}\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 100\r\n\r\nabc`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"error":"common.tooSlow"/);
  await eventually(() => expect(left).toBe(true));
  expect(gateway.received).toEqual([]);
  gateway.arriving(undefined);
});

test("passes the service's refusal of a part unchanged", async () => {
  gateway.answer((_, response) => {
    response.writeHead(415, { 'content-type': 'application/json' }).end('{"error":"upload.contentWrong"}');
  });
  const answer = await gateway.request(part, { method: 'PATCH', headers: bytesHeaders(), body: 'abc' });
  expect([answer.status, answer.json.error]).toEqual([415, 'upload.contentWrong']);
});
