import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { setLogDestination, startTracing } from '@carillon/observability';
import { downloadKey, downloadPath, downloadToken } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest } from '../gateway-test.ts';

let gateway: GatewayUnderTest;
/** Enough downloads that the rest of this process weighs little for each. */
const few = 400;
beforeAll(async () => {
  gateway = await startGateway({ downloads: few }, 'gateway_download');
});
afterAll(() => gateway?.close());
beforeEach(() => {
  gateway.received.length = 0;
});

const tokenOf = (key = gateway.contextKey): string =>
  downloadToken(downloadKey(key), {
    companyId: randomUUID(),
    deviceId: randomUUID(),
    taskId: randomUUID(),
    commandId: randomUUID(),
    fileId: randomUUID(),
    ownerEpoch: 1,
    beginBy: Date.now() + 60_000,
    until: Date.now() + 60_000,
  });
const link = ({ contextKey } = gateway): string => downloadPath(tokenOf(contextKey), 'X7A 2.0;a.bin');
/** Sends one buffer again and again, so that all other memory of this process is the gateway's. */
const block = Buffer.alloc(16_384, 'carillon');
const endless = (request: IncomingMessage, response: ServerResponse): void => {
  const length = 1_073_741_824;
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': length });
  let left = length;
  const next = (): void => {
    if (response.destroyed) return;
    left -= block.length;
    response.write(block, () => (left > 0 ? next() : response.end()));
  };
  next();
};
function ask(path: string, { port } = gateway): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return socket;
}
/** Reads the beginning, then nothing more, and buffers nothing itself. */
async function stall(path: string, { port } = gateway): Promise<Socket> {
  const begun = Promise.withResolvers<void>();
  const onread = {
    buffer: Buffer.alloc(64),
    callback: () => {
      begun.resolve();
      return false;
    },
  };
  const socket = connect({ port, host: '127.0.0.1', onread }).on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await begun.promise;
  return socket;
}

test("passes a file with the device's range headers only, and no session data in either direction", async () => {
  const bytes = Buffer.alloc(3_000_001, 'a file that is no text \u0000');
  gateway.answer((request, response) => {
    response.writeHead(request.headers.range ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': bytes.length,
      etag: '"sum"',
      'set-cookie': 'a=b',
      'content-range': 'bytes 0-1/2',
      'x-powered-by': 'nobody',
    });
    response.end(request.method === 'HEAD' ? undefined : bytes);
  });
  const path = link();
  const who = await gateway.person();
  const loaded = await gateway.request(path, {
    headers: {
      range: 'bytes=0-',
      'if-range': '"sum"',
      'if-none-match': '"other"',
      cookie: 'a=b',
      authorization: 'Basic YTpi',
      'carillon-token': who.token,
      'carillon-context': 'x',
      'x-forwarded-for': '1.2.3.4',
      'user-agent': 'a device',
      'accept-language': 'ko',
    },
  });
  expect([loaded.status, loaded.text]).toEqual([206, bytes.toString()]);
  expect(loaded.headers).toMatchObject({
    'content-length': '3000001',
    etag: '"sum"',
    'content-range': 'bytes 0-1/2',
    'x-content-type-options': 'nosniff',
  });
  expect(loaded.headers['set-cookie']).toBeUndefined();
  expect(loaded.headers['x-powered-by']).toBeUndefined();
  const [got] = gateway.received;
  expect([got!.method, got!.url, got!.context]).toEqual(['GET', path, undefined]);
  expect(Object.keys(got!.headers).toSorted()).toEqual(
    ['carillon-language', 'carillon-request-id', 'connection', 'host', 'if-none-match', 'if-range', 'range'].toSorted(),
  );
  expect(got!.headers['carillon-language']).toBe('ko');
  const head = await gateway.request(path, { method: 'HEAD' });
  expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', '3000001']);
  expect(gateway.received[1]!.method).toBe('HEAD');
});

test('an unknown link, another method or a neighbouring path reaches no service', async () => {
  const other = tokenOf(Buffer.alloc(32));
  const good = link();
  for (const path of [
    `/f/${other}/a.bin`,
    '/f/x/a.bin',
    '/f/',
    '/f/x',
    `${good}/more`,
    `/f/${tokenOf()}!/a.bin`,
    '/f/%zz/a',
  ])
    expect((await gateway.request(path)).status, path).toBe(404);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const answer = await gateway.request(good, { method });
    expect([answer.status, answer.json.error, answer.headers['allow']], method).toEqual([
      405,
      'common.methodNotAllowed',
      'GET, HEAD',
    ]);
  }
  expect(gateway.received).toEqual([]);
});

test("passes a service's refusal unchanged, and cuts the device off when the service is cut off", async () => {
  gateway.answer((_, response) => {
    response.writeHead(410, { 'content-type': 'application/json' }).end('{"error":"file.linkOver"}');
  });
  const answer = await gateway.request(link());
  expect([answer.status, answer.json.error]).toEqual([410, 'file.linkOver']);
  gateway.answer((_, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 });
    response.write(block, () => response.destroy());
  });
  const socket = ask(link());
  let heard = 0;
  socket.on('data', (part: Buffer) => (heard += part.length));
  await once(socket, 'close');
  expect(heard).toBeGreaterThan(16_000);
  expect(heard).toBeLessThan(20_000);
  gateway.answer((request) => void request.socket.destroy());
  const broken = await gateway.request(link());
  expect([broken.status, broken.json.error]).toEqual([503, 'common.unavailable']);
});

test(
  'a slow device holds less than 32 KiB, and too many downloads must retry [STORE-04/edge]',
  { tags: 'slow' },
  async () => {
    gateway.answer(endless);
    // Without a collection, memory that nothing holds would still count.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const held = (): number => {
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    const before = held();
    const sockets = await Promise.all(Array.from({ length: few }, () => stall(link())));
    try {
      const more = await gateway.request(link());
      expect([more.status, more.json.error, more.headers['retry-after']]).toEqual([503, 'common.unavailable', '10']);
      gateway.answer((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
      const who = await gateway.person();
      const call = await gateway.request('/api/f/device/device/list', { headers: { 'carillon-token': who.token } });
      expect(call.status).toBe(200);
      await eventually(() => expect((held() - before) / few).toBeLessThan(32_768));
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  },
);

test('a device that leaves or stops reading releases its service', async () => {
  const impatient = await startGateway({ downloadIdleSeconds: 2 }, 'gateway_download_idle');
  try {
    let open = 0;
    impatient.answer((request, response) => {
      open++;
      response.once('close', () => open--);
      endless(request, response);
    });
    const [first] = await Promise.all([stall(link(impatient), impatient), stall(link(impatient), impatient)]);
    const busy = ask(link(impatient), impatient);
    // Reading a little now and then counts as progress.
    let read = 0;
    busy.on('data', (part: Buffer) => {
      read += part.length;
      busy.pause();
      setTimeout(() => busy.resume(), 50);
    });
    await eventually(() => expect(open).toBe(3));
    first.resetAndDestroy();
    await eventually(() => expect(open).toBe(2));
    // The idle limit is two seconds here.
    await eventually(() => expect(open).toBe(1), 20_000);
    const before = read;
    await eventually(() => expect(read).toBeGreaterThan(before));
    busy.destroy();
    await eventually(() => expect(open).toBe(0));
  } finally {
    await impatient.close();
  }
});

test('passes bytes unchanged, in whatever parts they arrive', async () => {
  const bytes = Buffer.alloc(5_000_000);
  for (let at = 0; at + 4 <= bytes.length; at += 4) bytes.writeUInt32LE(at, at);
  gateway.answer((_, response) => {
    response.writeHead(200, { 'content-length': bytes.length });
    let at = 0;
    const next = (): void => {
      const part = bytes.subarray(at, (at += 1 + ((at * 7919) % 70_000)));
      if (part.length === 0) response.end();
      else response.write(part, next);
    };
    next();
  });
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(`GET ${link()} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await once(socket, 'close');
  const all = Buffer.concat(parts);
  expect(all.subarray(all.indexOf('\r\n\r\n') + 4).equals(bytes)).toBe(true);
});

test('what a link carries is in no log and no trace, whatever goes wrong', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-secret-'));
  const lines: string[] = [];
  setLogDestination({ write: (line: string) => void lines.push(line) }, 'trace');
  const stopTracing = startTracing('gateway', { file: join(folder, 'spans.jsonl') });
  const links = [link(), link(), link()];
  try {
    gateway.answer((_, response) => void response.end('{}'));
    await gateway.request(links[0]!);
    await gateway.request(links[0]!, { method: 'POST' });
    await gateway.request(`${links[0]}/more`);
    await gateway.request(links[0]!.replace('/f/', '/api/f/'));
    await gateway.request('/api/f/auth/oauth/token', { method: 'POST' });
    gateway.answer((request) => void request.socket.destroy());
    await gateway.request(links[1]!);
    gateway.answer((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('a', () => response.destroy());
    });
    await once(ask(links[2]!).resume(), 'close');
    await stopTracing();
    expect(lines.some((line) => line.includes('a service did not answer'))).toBe(true);
    const spans = readFileSync(join(folder, 'spans.jsonl'), 'utf8');
    expect(spans).toContain('/api/f/auth/oauth/token');
    for (const one of links) expect(lines.join('\n') + spans).not.toContain(one.split('/')[2]!.slice(0, 40));
  } finally {
    setLogDestination(undefined);
    rmSync(folder, { recursive: true });
  }
});
