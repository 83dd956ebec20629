import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTracing } from '@carillon/observability';
import { contextHeader } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { bytesType } from '@carillon/contracts/constants';
import { allRoutes } from '@carillon/contracts/routes';
import { startGateway, type GatewayUnderTest, type Person } from '../gateway-test.ts';

let gateway: GatewayUnderTest;
let person: Person;
let stopTracing: () => Promise<void>;
const list = '/api/f/device/device/list';
const add = '/api/f/device/device';
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  stopTracing = startTracing('gateway', {});
  gateway = await startGateway({ headersSeconds: 1, bodyIdleSeconds: 1 });
});
afterAll(async () => {
  await gateway.close();
  await stopTracing();
});
beforeEach(async () => {
  person = await gateway.person();
  gateway.received.length = 0;
  gateway.answer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
});

const session = (): Record<string, string> => ({ 'carillon-token': person.token });

/** Sends raw bytes and returns all that comes back until the server closes (or has answered once). */
function raw(text: string, { keepOpenMs = 0 } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(gateway.port, '127.0.0.1', () => {
      socket.write(text);
    });
    let answer = '';
    socket
      .setEncoding('latin1')
      .on('data', (part: string) => {
        answer += part;
      })
      .on('close', () => {
        resolve(answer);
      })
      .on('error', reject);
    if (keepOpenMs > 0)
      setTimeout(() => {
        socket.destroy();
      }, keepOpenMs);
  });
}

test('every route of the contracts reaches its service with its path and query', async () => {
  for (const { route, owner } of allRoutes) {
    if (owner === 'gateway') continue;
    // A new user each time, because one of the calls is the logout.
    person = await gateway.person();
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

test('a body over the limit of its route is 413, announced or not, and the service gets no whole of it', async () => {
  const big = Buffer.alloc(262_145, 32);
  const announced = await gateway.request(add, {
    method: 'POST',
    headers: { ...session(), ...json, 'content-length': String(big.length) },
    body: big,
  });
  const chunked = await gateway.request(add, {
    method: 'POST',
    headers: { ...session(), ...json, 'transfer-encoding': 'chunked' },
    body: big,
  });
  for (const answer of [announced, chunked])
    expect([answer.status, answer.json.error, answer.json.msg]).toEqual([
      413,
      'common.tooLarge',
      'The request is larger than 262144 bytes.',
    ]);
  expect(gateway.received).toEqual([]);
  const most = await gateway.request(add, {
    method: 'POST',
    headers: { ...session(), ...json },
    body: big.subarray(1),
  });
  expect(most.status).toBe(200);
  const task = await gateway.request('/api/f/task/task', {
    method: 'POST',
    headers: { ...session(), ...json },
    body: Buffer.alloc(1_048_576, 32),
  });
  expect(task.status).toBe(200);
});

test('refuses a body that is not JSON in UTF-8 with 415, and a form except for the token call', async () => {
  const body = '{}';
  for (const type of [
    'text/plain',
    'application/json; charset=latin1',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ]) {
    const answer = await gateway.request(add, {
      method: 'POST',
      headers: { ...session(), ...(type ? { 'content-type': type } : {}) },
      body,
    });
    expect([answer.status, answer.json.error], type).toEqual([415, 'common.mediaType']);
  }
  for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])
    expect(
      (await gateway.request(add, { method: 'POST', headers: { ...session(), 'content-type': type }, body })).status,
      type,
    ).toBe(200);
  expect(
    (
      await gateway.request('/api/f/auth/oauth/token', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      })
    ).status,
  ).toBe(200);
});

test('an unknown call is 404 and a known one with another method 405, as JSON and without a session [SYS-06/unknown]', async () => {
  for (const path of ['/api/f/nothing', '/api', '/api/', '/api/f/device/device/list/', '/api/f/mc/orgs/']) {
    const answer = await gateway.request(path);
    expect([answer.status, answer.json.error, answer.json.code], path).toEqual([404, 'common.routeUnknown', 404]);
  }
  const answer = await gateway.request(list, { method: 'DELETE' });
  expect([answer.status, answer.json.error, answer.headers['allow']]).toEqual([405, 'common.methodNotAllowed', 'GET']);
  expect(
    (
      await gateway.request(list, {
        method: 'OPTIONS',
        headers: { origin: 'http://evil.example', 'access-control-request-method': 'GET' },
      })
    ).headers['access-control-allow-origin'],
  ).toBeUndefined();
  for (const method of ['TRACE', 'QUERY', 'PROPFIND']) {
    const refused = await gateway.request(list, { method });
    expect([method, refused.status, refused.json.error, refused.headers['allow']]).toEqual([
      method,
      405,
      'common.methodNotAllowed',
      'GET',
    ]);
    expect([method, (await gateway.request('/api/f/nothing', { method })).status]).toEqual([method, 404]);
  }
  // A literal path takes precedence over one with a placeholder.
  expect((await gateway.request('/api/f/auth/role/restore', { method: 'OPTIONS' })).headers['allow']).toBe('POST');
  expect((await gateway.request('/api/f/auth/role/restore')).status).toBe(405);
  const file = await gateway.request('/api/f/device/export/01920000-0000-7000-8000-00000000c001/file');
  expect([file.status, file.json.success, file.json.msg.length > 5]).toEqual([401, false, true]);
  expect((await gateway.request(list, { method: 'HEAD' })).status).toBe(405);
});

// docs/attack-cases.md, C21
test('no spelling of a path reaches a service without the guard of its route', async () => {
  const tricks = [
    '/api//f/device/device/list',
    '/api/f/device/..;/device/list',
    '/API/F/DEVICE/DEVICE/LIST',
    '/api/f/device/device/list.',
    '/api/f/device/device/list;jsessionid=1',
    '/api/f/device/device/./list',
    '/api/f/../f/device/device/list',
    '/api/f/%2e%2e/device/device/list',
    '/api/f/device%2fdevice/list',
    '/api/f/device/device/list%00',
    '//api/f/device/device/list',
    '/%61pi/f/device/device/list',
    '/api/f/device/device/list%20',
    '/api\\f\\device',
    '/api/f/device/device/%zz',
    'http://evil.example/api/f/device/device/list',
    '/api/f/task/task/..%2f..%2fdevice',
    '/api/f/device/device/%2e%2e',
    '*',
  ];
  for (const path of tricks) {
    const { status } = await gateway.request(path);
    expect([400, 401, 404], `${path} ${status}`).toContain(status);
  }
  expect(gateway.received).toEqual([]);
  await gateway.request('/api/f/task/task/..%2f..%2fdevice', { headers: session() });
  expect(gateway.received.map((r) => r.url)).toEqual(['/api/f/task/task/..%2F..%2Fdevice']);
});

// docs/attack-cases.md, C19; RFC 9112 sections 2.2, 3.2, 5.1, 6.1, 6.3
test.each([
  [
    'both lengths',
    'POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'two different lengths',
    'POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    400,
  ],
  [
    'a strange transfer coding',
    'POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n',
    400,
  ],
  ['a folded header', 'GET /api/f/mc/org HTTP/1.1\r\nHost: x\r\nCarillon-Token: a\r\n b\r\n\r\n', 400],
  ['a blank before the colon', 'GET /api/f/mc/org HTTP/1.1\r\nHost : x\r\n\r\n', 400],
  ['no host', 'GET /api/f/mc/org HTTP/1.1\r\n\r\n', 400],
  ['two hosts', 'GET /api/f/mc/org HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
  ['a bare line feed', 'GET /api/f/mc/org HTTP/1.1\nHost: x\n\n', 400],
  ['no HTTP at all', '\x16\x03\x01\x02\x00\x01', 400],
  ['headers over 16 KiB', `GET /api/f/mc/org HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
] as const)('a request with %s is refused and its connection closed', async (_, text, code) => {
  const answer = await raw(text);
  expect(answer.startsWith(`HTTP/1.1 ${code} `), answer.slice(0, 60)).toBe(true);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer).toMatch(new RegExp(`"code":${code}`));
  expect(gateway.received).toEqual([]);
});

test('cuts off headers and bodies that arrive too slowly with 408', async () => {
  const headers = await raw('GET /api/f/mc/org HTTP/1.1\r\nHost: x\r\nX-A:');
  expect(headers).toMatch(/^HTTP\/1\.1 408 [^]*"code":408.*"error":"common.tooSlow"/);
  const body = await raw(
    `POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${person.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`,
  );
  expect(body).toMatch(/^HTTP\/1\.1 408 [^]*"code":408.*"error":"common.tooSlow"/);
  expect(gateway.received).toEqual([]);
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
  const going = raw(`GET ${list} HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${person.token}\r\n\r\n`, { keepOpenMs: 200 });
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

test('a path that is no text is no call, in the form of every answer and without being repeated in it', async () => {
  for (const path of ['/api/f/device/device/%zz', '/%', '/api/f/device/device/%ff<b>']) {
    const answer = await gateway.request(path, { headers: session() });
    expect([answer.status, answer.json?.error], path).toEqual([404, 'common.routeUnknown']);
    expect(answer.headers['content-security-policy'], path).toContain("default-src 'none'");
    expect(answer.text, path).not.toContain('device');
  }
  expect(gateway.received).toEqual([]);
});

test('does not pass on a call whose client has left, because its log entry would lack an address', async () => {
  const path = '/api/f/task/task/01920000-0000-7000-8000-000000000001/stop';
  const text = `POST ${path} HTTP/1.1\r\nHost: a\r\ncarillon-token: ${person.token}\r\ncontent-length: 0\r\n\r\n`;
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
