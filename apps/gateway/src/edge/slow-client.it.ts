import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { describe, expect, test } from 'vitest';
import { addDeviceImport, fillPath } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest } from '../gateway-test.ts';
import { token, type Client, open, startEdge } from './edge-test.ts';

/** What clients without a login can do, each on its own sockets (docs/attack-cases.md, D). */
const { uncaught, gateway } = await startEdge();

const publicCalls = [
  ...allRoutes
    .filter(({ route }) => route.permission === 'public')
    .map(({ route }) => ({ method: route.method as string, path: fillPath(route.path, { key: 'a', id: 'a' }) })),
  ...['/', '/livez', '/readyz', '/carillon.json', '/api/openapi.json', '/api/docs', '/api/none', '/f/none/a.bin'].map(
    (path) => ({
      method: 'GET',
      path,
    }),
  ),
];
const connectionsOf = ({ hosted }: GatewayUnderTest): Promise<number> =>
  new Promise((resolve) => {
    (hosted.app.getHttpServer() as Server).getConnections((_, count) => resolve(count));
  });
const head = ({ method, path }: { method: string; path: string }, framing: string): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
const chunked = 'Transfer-Encoding: chunked';
const chunk = '5\r\n{"a":\r\n';
/** Opens 140 sockets in a separate process, sends this on each, and ends the process. */
async function leave(port: number, text: string): Promise<void> {
  const script = `
    let sent = 0;
    for (let i = 0; i < 140; i++) {
      const socket = require('node:net').connect(${port}, '127.0.0.1', () => {
        socket.write(${JSON.stringify(text)}, () => ++sent === 140 && process.exit());
      });
    }`;
  await once(spawn(process.execPath, ['-e', script]), 'exit');
  // Wait until only kept-alive connections are left.
  const server = gateway.hosted.app.getHttpServer();
  await eventually(async () =>
    expect(await new Promise((done) => server.getConnections((_, count: number) => done(count)))).toBeLessThan(20),
  );
}

describe('no call without a login can end the process, whatever its client does', () => {
  test.each(publicCalls)(
    '$method $path: cut at any byte, left by 140 sockets in the middle of a body, flooded',
    async (call) => {
      const whole = head(call, chunked) + chunk;
      const half = head(call, 'Content-Length: 100000') + '{"a":';
      const clients: Client[] = [];
      for (let i = 0; i < 12; i++) {
        const seed = createHash('sha256').update(`${call.method} ${call.path} ${i}`).digest().readUInt16BE(0);
        const text = i % 2 === 0 ? whole : half;
        clients.push(open(gateway.port, i < 6 ? text : text.slice(0, seed % text.length)));
      }
      await Promise.all(clients.map((c) => c.sent));
      for (const [i, { socket }] of clients.entries()) {
        if (i % 3 === 0) socket.resetAndDestroy();
        else if (i % 3 === 1) socket.destroy();
        else socket.end();
      }
      // More than the limit of any body, from a client that reads no answer and leaves.
      const flood = open(gateway.port, head(call, chunked));
      for (let i = 0; i < 40; i++) flood.socket.write(`4000\r\n${'a'.repeat(16_384)}\r\n`);
      await Promise.race([new Promise((sent) => flood.socket.once('drain', sent)), flood.closed]);
      flood.socket.resetAndDestroy();
      await Promise.all([...clients, flood].map((c) => c.closed));
      // More than there are connections to a service, and all leave at once.
      await leave(gateway.port, whole);
      // The service breaks off in the middle of its answer, and so does the client.
      gateway.answer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
        response.write('{"data":');
        setTimeout(() => response.destroy(), 5);
      });
      await gateway.request(call.path, { method: call.method }).catch(() => undefined);
      const leaving = open(gateway.port, head(call, 'Content-Length: 0'));
      await leaving.sent;
      leaving.socket.resetAndDestroy();
      await leaving.closed;
      expect((await gateway.request('/livez')).status).toBe(200);
      expect(uncaught).toEqual([]);
    },
  );
});

test('130 slow bodies reach no service, delay no login and end after their time', async () => {
  const slow = Array.from({ length: 130 }, () => open(gateway.port, head({ method: 'POST', path: token }, chunked)));
  const begun = performance.now();
  const drip = setInterval(() => {
    for (const { socket } of slow) if (socket.writable) socket.write('1\r\n \r\n');
  }, 200);
  try {
    await Promise.all(slow.map((c) => c.sent));
    for (let i = 0; i < 5; i++) {
      const at = performance.now();
      expect((await gateway.request(token, { method: 'POST' })).status).toBe(200);
      expect(performance.now() - at).toBeLessThan(2_000);
    }
    expect(gateway.received).toHaveLength(5);
    await Promise.all(slow.map((c) => c.closed));
    expect(performance.now() - begun).toBeLessThan(6_000);
    for (const { heard } of slow) expect(heard.text).toMatch(/^HTTP\/1\.1 408 [^]*"error":"common.tooSlow"/);
    expect(gateway.received).toHaveLength(5);
  } finally {
    clearInterval(drip);
    for (const { socket } of slow) socket.destroy();
  }
});

test('slow bodies are limited per address, and a complete body does not count', async () => {
  const capped = await startGateway({ slowPerAddress: 3, loginsPerMinute: 0 }, 'capped');
  const call = head({ method: 'POST', path: token }, chunked) + chunk;
  const clients: Client[] = [];
  const finishes = async (client: Client): Promise<void> => {
    await client.sent;
    client.socket.write('2\r\n1}\r\n0\r\n\r\n');
    await eventually(() => expect(client.heard.text).not.toBe(''));
    expect(client.heard.text).toMatch(/^HTTP\/1\.1 200 /);
  };
  try {
    clients.push(...Array.from({ length: 5 }, () => open(capped.port, call)));
    await eventually(() => {
      expect(
        clients.filter((c) => /^HTTP\/1\.1 429 [^]*retry-after: 1\r\n[^]*common.tooMany/.test(c.heard.text)),
      ).toHaveLength(2);
    });
    const whole = () =>
      capped.request(token, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect((await Promise.all(Array.from({ length: 20 }, whole))).map((a) => a.status)).toEqual(Array(20).fill(200));
    const other = open(capped.port, call, '127.0.0.9');
    clients.push(other);
    await finishes(other);
    for (const { socket } of clients.splice(0)) socket.destroy();
    await eventually(async () => {
      const next = open(capped.port, call);
      clients.push(next);
      await finishes(next);
    });
  } finally {
    for (const { socket } of clients) socket.destroy();
    await capped.close();
  }
});

test('a request that does not arrive within its time is cut off, also on a call that reads no body', async () => {
  const short = await startGateway({ requestSeconds: 1, headersSeconds: 1 }, 'short');
  try {
    expect(short.hosted.app.getHttpServer()).toMatchObject({ requestTimeout: 1_000 });
    const who = await short.person();
    const began = performance.now();
    const client = open(
      short.port,
      `POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${who.token}\r\nContent-Type: application/json\r\n${chunked}\r\n\r\n`,
    );
    const drip = setInterval(() => {
      if (client.socket.writable) client.socket.write('1\r\n \r\n');
    }, 200);
    await client.closed;
    clearInterval(drip);
    expect(client.heard.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    await short.close();
  }
});

test('who reads a long answer slowly holds no connection to a service without a login, and few with one', async () => {
  const big = JSON.stringify({ data: 'x'.repeat(6_000_000) });
  gateway.answer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(big);
  });
  const who = await gateway.person();
  const clients: Client[] = [];
  const lazy = (text: string): Client => {
    const client = open(gateway.port, text);
    client.socket.once('data', () => client.socket.pause());
    clients.push(client);
    return client;
  };
  try {
    for (let i = 0; i < 24; i++)
      lazy(`GET /api/f/device/device/list HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${who.token}\r\n\r\n`);
    await eventually(() => {
      expect(gateway.received).toHaveLength(24);
    });
    await eventually(() => {
      expect(clients.filter((c) => c.heard.text.startsWith('HTTP/1.1 429 '))).toHaveLength(8);
      expect(clients.filter((c) => c.heard.text.startsWith('HTTP/1.1 200 '))).toHaveLength(16);
    });
  } finally {
    for (const { socket } of clients) socket.destroy();
  }
});

test('a client that takes nothing of an answer is closed, on every path', async () => {
  const short = await startGateway({ answerIdleSeconds: 1 }, 'stalled');
  try {
    const who = await short.person();
    short.answer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: 'x'.repeat(20_000_000) }));
    });
    for (const head of [
      `GET /api/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(6),
      `GET /api/f/device/device/list HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${who.token}\r\n\r\n`,
    ]) {
      const client = open(short.port, head);
      client.socket.pause();
      await eventually(async () => expect(await connectionsOf(short)).toBe(1));
      await eventually(async () => expect(await connectionsOf(short)).toBe(0));
      client.socket.destroy();
    }
  } finally {
    await short.close();
  }
});

test('large bodies share a limited memory for each session, and a small one does not count', async () => {
  const megabyte = 1_048_576;
  const small = await startGateway({ bodyBytesPerSession: 2 * megabyte }, 'bodies');
  const { path } = addDeviceImport;
  const who = await small.person();
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${who.token}\r\nContent-Type: application/json\r\nContent-Length: ${megabyte}\r\n\r\n{`;
  const send = async (bytes: number) => {
    const headers = { 'carillon-token': who.token, 'content-type': 'application/json' };
    return (await small.request(path, { method: 'POST', headers, body: Buffer.alloc(bytes, ' ') })).status;
  };
  const slow = [open(small.port, head), open(small.port, head)];
  try {
    await eventually(async () => expect(await send(megabyte)).toBe(429));
    expect(await send(2)).toBe(200);
    slow[0]!.socket.destroy();
    await eventually(async () => expect(await send(megabyte)).toBe(200));
  } finally {
    for (const { socket } of slow) socket.destroy();
    await small.close();
  }
});

test('all sessions of a company share a number of slow bodies, and another company has its own', async () => {
  const few = await startGateway({ slowPerSession: 2, slowPerCompany: 3 }, 'slow-company');
  const one = await few.person();
  const colleague = await few.person({ companyId: one.view.companyId });
  const other = await few.person();
  const begin = ({ token }: typeof one) => {
    const client = open(
      few.port,
      `POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
    );
    clients.push(client);
    // The server asks for the body.
    return eventually(() => expect(client.heard.text).toMatch(/^HTTP\/1\.1 100 /));
  };
  const clients: Client[] = [];
  try {
    for (const who of [one, one, colleague, colleague]) await begin(who);
    const refused = () => clients.filter(({ heard }) => heard.text.includes('HTTP/1.1 429 '));
    await eventually(() => expect(refused()).toHaveLength(1));
    await begin(other);
    expect(refused()).toHaveLength(1);
  } finally {
    for (const { socket } of clients) socket.destroy();
    await few.close();
  }
});
