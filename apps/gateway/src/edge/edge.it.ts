import { randomUUID } from 'node:crypto';
import type { Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { Health } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { startGateway } from '../gateway-test.ts';
import { token, open, startEdge } from './edge-test.ts';

/** What clients without a login can do, each on its own sockets (docs/attack-cases.md, D). */
const { gateway } = await startEdge();
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

test.each([
  ['GET', '/readyz', 200],
  // This gateway has no console.
  ['GET', '/login', 404],
  ['OPTIONS', '/', 404],
])('a load balancer that asks %s %s in HTTP/1.0 without a host is answered %i', async (method, path, status) => {
  const { heard, closed } = open(gateway.port, `${method} ${path} HTTP/1.0\r\n\r\n`);
  await closed;
  expect(heard.text).toMatch(new RegExp(`^HTTP/1\\.[01] ${status} `));
});

test('HTTP/1.1 without a host stays refused', async () => {
  const { heard, closed } = open(gateway.port, 'GET /readyz HTTP/1.1\r\n\r\n');
  await closed;
  expect(heard.text).toMatch(/^HTTP\/1\.1 400 /);
});

test('a DELETE may have a thousand ids in its path, and headers keep their own limit', async () => {
  const who = await gateway.person();
  const ids = Array.from({ length: 1_000 }, () => randomUUID());
  const path = `/api/f/device/device?${ids.map((id) => `ids=${id}`).join('&')}`;
  const headers = { 'carillon-token': who.token };
  expect((await gateway.request(path, { method: 'DELETE', headers })).status).toBe(200);
  expect(gateway.received[0]!.url).toBe(path);
  const large = await gateway.request(path, { method: 'DELETE', headers: { ...headers, 'x-a': 'a'.repeat(16_384) } });
  expect([large.status, large.json.error]).toEqual([431, 'common.headersTooLarge']);
  expect((await gateway.request(`/api/none?a=${'a'.repeat(70_000)}`)).status).toBe(431);
});

test('an expectation that nobody can meet is 417 in the form of every answer, in the language of who asks', async () => {
  for (const [language, msg] of [
    ['en_US', 'The header Expect takes nothing but 100-continue.'],
    ['pt_BR', 'O cabeçalho Expect aceita somente 100-continue.'],
  ] as const) {
    const answer = await gateway.request(token, {
      method: 'POST',
      headers: { expect: 'x', 'carillon-language': language },
    });
    expect([answer.status, answer.json.error, answer.json.msg]).toEqual([417, 'common.expectation', msg]);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect([answer.headers['x-content-type-options'], answer.headers['cache-control']]).toEqual([
      'nosniff',
      'no-store',
    ]);
  }
  expect(gateway.received).toEqual([]);
});

describe('concurrent readiness checks share one check of the parts', () => {
  test('of connections that are opened and kept one address has so many, and another one is answered', async () => {
    const small = await startGateway({ connectionsPerAddress: 50 });
    const sockets: Socket[] = [];
    try {
      for (let i = 0; i < 120; i++) {
        const socket = connect({ port: small.port, host: '127.0.0.1', localAddress: '127.0.0.9' });
        socket.on('error', () => undefined).resume();
        sockets.push(socket);
      }
      await eventually(() => expect(sockets.filter((socket) => socket.destroyed)).toHaveLength(70));
      expect((await small.request('/readyz')).status).toBe(200);
      for (const socket of sockets) socket.destroy();
      await eventually(async () => {
        const socket = connect({ port: small.port, host: '127.0.0.1', localAddress: '127.0.0.9' });
        sockets.push(socket);
        const answered = new Promise<string>((done) => {
          socket.once('data', (head: Buffer) => done(head.toString()));
          socket.once('close', () => done(''));
        });
        socket.on('error', () => undefined).write('GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n');
        expect(await answered).toContain('200 OK');
      });
    } finally {
      for (const socket of sockets) socket.destroy();
      await small.close();
    }
  });

  test('2,500 who ask at once get 200 and make one check of each part', async () => {
    const health = gateway.hosted.app.get(Health, { strict: false });
    let asked = 0;
    health.add('counted', async () => {
      asked++;
      await wait(20);
      return null;
    });
    const statuses: number[] = [];
    for (let round = 0; round < 5; round++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 500 }, async () => (await gateway.request('/readyz')).status))),
      );
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(asked).toBeLessThan(25);
    health.add('counted', () => 'is away');
    await eventually(async () => {
      const { status, json } = await gateway.request('/readyz');
      expect([status, json.checks.counted]).toEqual([503, 'is away']);
    });
    health.add('counted', () => null);
  });
});

test('answers calls on kept connections while the process closes, then ends these [OPS-01/closing]', async () => {
  const closing = await startGateway({}, 'gateway_closing');
  try {
    const held = Promise.withResolvers<ServerResponse>();
    closing.answer((_, response) => held.resolve(response));
    const who = await closing.person();
    const call = `GET /api/f/device/device/list HTTP/1.1\r\nhost: x\r\ncarillon-token: ${who.token}\r\n\r\n`;
    const { socket, heard, closed } = open(closing.port, call);
    const first = await held.promise;
    const over = closing.hosted.close();
    const server = closing.hosted.app.getHttpServer() as Server;
    await eventually(() => expect(server.listening).toBe(false));
    closing.answer((_, response) => void response.end('{"second":true}'));
    socket.write(call);
    first.end('{"first":true}');
    await closed;
    await over;
    expect(heard.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(heard.text).toMatch(/\{"first":true\}[^]*connection: close[^]*\{"second":true\}$/i);
  } finally {
    await closing.close().catch(() => undefined);
  }
});
