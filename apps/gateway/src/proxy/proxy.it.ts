import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { contextHeader } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { bytesType } from '@carillon/contracts/constants';
import { allRoutes } from '@carillon/contracts/routes';
import { list, add, json, startProxy } from './proxy-test.ts';

const { gateway, caller, session, raw } = await startProxy();

test('every route of the contracts reaches its service with its path and query', async () => {
  for (const { route, owner } of allRoutes) {
    if (owner === 'gateway') continue;
    // A new user each time, because one of the calls is the logout.
    caller.person = await gateway.person();
    gateway.received.length = 0;
    const path = route.path.replace(/\{\w+\}/g, '01a1ff23-da4c-7060-8222-c2bc7cc6ed0e');
    const { status } = await gateway.request(`${path}?page=1&tag=a&tag=b`, {
      method: route.method,
      headers: { ...session(), ...(route.bytes ? { 'content-type': bytesType } : {}) },
    });
    expect([status, gateway.received.map((r) => [r.method, r.url])], path).toEqual([
      200,
      [[route.method, `${path}?page=1&tag=a&tag=b`]],
    ]);
  }
});

test("a service gets the user's zone and country, for schedules by their clock", async () => {
  const user = await gateway.person({ timezoneId: 17, countryId: 566 });
  await gateway.request(list, { headers: { 'carillon-token': user.token } });
  expect(gateway.received[0]!.context).toMatchObject({ timezoneId: 17, countryId: 566 });
});

test("drops a client's claims about itself and the headers of one connection", async () => {
  const forged = {
    [contextHeader]: 'forged',
    'carillon-address': '6.6.6.6',
    'carillon-request-id': 'chosen',
    'x-forwarded-for': '6.6.6.6',
    'x-forwarded-proto': 'https',
    'x-real-ip': '6.6.6.6',
    forwarded: 'for=6.6.6.6',
    cookie: 'a=b',
    authorization: 'Basic d2ViOndlYg==',
    connection: 'close, x-once',
    'x-once': '1',
    te: 'trailers',
    'proxy-authorization': 'x',
    'x-kept': 'yes',
  };
  await gateway.request(list, { headers: { ...session(), ...forged } });
  const { headers, context } = gateway.received[0]!;
  expect(context).toMatchObject({ address: '127.0.0.1', requestId: headers['carillon-request-id'] });
  expect(headers['carillon-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers['x-forwarded-proto']).toBe('http');
  for (const name of [
    'carillon-address',
    'carillon-token',
    'x-forwarded-for',
    'x-real-ip',
    'forwarded',
    'cookie',
    'authorization',
    'x-once',
    'te',
    'proxy-authorization',
  ])
    expect(headers[name], name).toBeUndefined();
  expect(headers['x-kept']).toBe('yes');
  expect(headers.host).toBe('device');
});

test('a service gets the time of a call: its arrival or an earlier claim, never a later one', async () => {
  const askedAt = async (said?: string): Promise<number> => {
    gateway.received.length = 0;
    await gateway.request(list, {
      headers: { ...session(), ...(said === undefined ? {} : { 'carillon-asked-at': said }) },
    });
    return Date.now() - gateway.received[0]!.context!.askedAt!;
  };
  for (const said of [undefined, '', 'yesterday', '-1', '1e3', String(Date.now() + 60_000)])
    expect(await askedAt(said), said).toBeLessThan(5_000);
  const ago = await askedAt(String(Date.now() - 11_000));
  expect(ago).toBeGreaterThanOrEqual(11_000);
  expect(ago).toBeLessThan(16_000);
});

test('only auth sees the client authorization and the cookies, and only auth sets one', async () => {
  gateway.answer((_, response) => {
    response.setHeader('set-cookie', 'a=b');
    response.setHeader('x-powered-by', 'x');
    response.setHeader('server', 'x');
    response.end('{}');
  });
  const token = await gateway.request('/api/f/auth/oauth/token?grant_type=captcha', {
    method: 'POST',
    headers: { authorization: 'Basic d2ViOndlYg==', cookie: 'a=b' },
  });
  expect(gateway.received[0]!.headers).toMatchObject({ authorization: 'Basic d2ViOndlYg==', cookie: 'a=b' });
  expect(gateway.received[0]!.context).toMatchObject({ userId: null, permissions: [], orgIds: [] });
  expect(token.headers['set-cookie']).toEqual(['a=b']);
  const other = await gateway.request(list, { headers: session() });
  for (const name of ['set-cookie', 'x-powered-by', 'server']) expect(other.headers[name], name).toBeUndefined();
});

test('continues a valid trace, and replaces an invalid one', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  for (const traceparent of [
    `00-${traceId}-00f067aa0ba902b7-01`,
    'x',
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${traceId}-00f067aa0ba902b7-01\tx`,
  ])
    await gateway.request(list, { headers: { ...session(), traceparent } });
  const ids = gateway.received.map((r) => String(r.headers['traceparent'] ?? '').slice(3, 35));
  expect(ids[0]).toBe(traceId);
  for (const id of ids.slice(1)) expect(id).not.toBe(traceId);
});

test('a body passes unchanged in both directions', async () => {
  const name = 'Ünïcode 世界';
  const answer = JSON.stringify({ data: name.repeat(5_000) });
  gateway.answer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(answer);
  });
  const body = JSON.stringify({ name: name.repeat(1_000) });
  const { status, text } = await gateway.request(add, { method: 'POST', headers: { ...session(), ...json }, body });
  expect([status, text, gateway.received[0]!.body]).toEqual([200, answer, body]);
});

test('answers 503 with Retry-After while a service is away, and works again afterwards', async () => {
  gateway.answer((request) => {
    request.socket.destroy();
  });
  const away = await gateway.request(add, { method: 'POST', headers: { ...session(), ...json }, body: '{}' });
  expect([away.status, away.json.error, away.headers['retry-after']]).toEqual([503, 'common.unavailable', '2']);
  gateway.answer((_, response) => {
    response.end('{}');
  });
  expect((await gateway.request(list, { headers: session() })).status).toBe(200);
});

test('a client that leaves cancels its request at the service', async () => {
  let left = false;
  gateway.answer((request) => {
    request.socket.once('close', () => {
      left = true;
    });
  });
  const going = raw(`GET ${list} HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${caller.person.token}\r\n\r\n`, {
    keepOpenMs: 200,
  });
  await eventually(() => {
    expect(gateway.received).toHaveLength(1);
  });
  await going;
  await eventually(() => {
    expect(left).toBe(true);
  });
});

test('every answer carries the security headers and none tells what made it', async () => {
  for (const [path, headers] of [
    [list, session()],
    [list, {}],
    ['/api/f/nothing', {}],
    ['/api/docs', {}],
    ['/carillon.json', {}],
    ['/livez', {}],
    ['/readyz', {}],
    ['/wel/home', {}],
  ] as const) {
    const answer = await gateway.request(path, { headers });
    expect(answer.headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    });
    expect(answer.headers['content-security-policy'], path).toMatch(
      /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
    expect(answer.headers['x-powered-by'], path).toBeUndefined();
    expect(answer.headers['carillon-request-id'], path).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect((await gateway.request(list, { headers: session() })).headers['cache-control']).toBe('no-store');
});

test('does not pass on a call whose client has left, because its log entry would lack an address', async () => {
  const path = '/api/f/task/task/01920000-0000-7000-8000-000000000001/stop';
  const text = `POST ${path} HTTP/1.1\r\nHost: a\r\ncarillon-token: ${caller.person.token}\r\ncontent-length: 0\r\n\r\n`;
  await Promise.all(
    Array.from(
      { length: 400 },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(gateway.port, '127.0.0.1', () => {
            socket.write(text, () => {
              socket.resetAndDestroy();
            });
          })
            .on('error', () => undefined)
            .on('close', () => {
              resolve();
            });
        }),
    ),
  );
  // The earlier requests have been answered.
  expect((await gateway.request(path, { method: 'POST', headers: session() })).status).toBe(200);
  expect(new Set(gateway.received.map((r) => r.context?.address))).toEqual(new Set(['127.0.0.1']));
});
