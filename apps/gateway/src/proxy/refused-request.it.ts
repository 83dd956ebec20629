import { expect, test } from 'vitest';
import { list, add, json, startProxy } from './proxy-test.ts';

const { gateway, caller, session, raw } = await startProxy();

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

test('an unknown call is 404 and a wrong method 405, as JSON and without a session [SYS-06/unknown]', async () => {
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
    `POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${caller.person.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a`,
  );
  expect(body).toMatch(/^HTTP\/1\.1 408 [^]*"code":408.*"error":"common.tooSlow"/);
  expect(gateway.received).toEqual([]);
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
