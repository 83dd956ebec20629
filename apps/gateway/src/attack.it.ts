import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { licenseConfig } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { cookieNames } from '@carillon/tenancy';
import { eventually } from '@carillon/testing';
import { startGateway, type GatewayUnderTest } from './gateway-test.ts';
import { list, startAttack } from './attack-test.ts';

/** Attacks on everything that strangers can reach; docs/attack-cases.md lists each. */
const { gateway } = await startAttack();

test('E1: a call that changes something cannot be made by a frame, an image or a new tab', async () => {
  const changing = [
    '/api/f/auth/oauth/logout?html',
    '/api/f/mc/message/clear/-1?html',
    '/api/blade-auth/oauth/clear-cache?html',
  ];
  for (const path of changing) {
    const who = await gateway.person();
    const own = {
      cookie: `${cookieNames(gateway.tokenKey, false).access}=${who.token}`,
      'sec-fetch-site': 'same-origin',
    };
    const ask = async (dest: string, at: string) =>
      (await gateway.request(at, { headers: { ...own, 'sec-fetch-dest': dest } })).status;
    for (const dest of ['iframe', 'image', 'document', 'embed', 'object', 'script', 'style'])
      expect(await ask(dest, path), dest).toBe(401);
    // Calls that only read are allowed, and a script of ours may do both.
    expect(await ask('document', list)).toBe(200);
    expect(await ask('empty', path), path).toBe(200);
  }
});

test('A5: a thousand claimed addresses count as one, and behind a proxy only its own entry counts', async () => {
  const limited = await startGateway({ loginsPerMinute: 5 }, 'claimed');
  const behind = await startGateway({ loginsPerMinute: 5, trustedProxies: '127.0.0.1' }, 'behind');
  try {
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / 60_000) * 60_000 + 1_000 });
    const log = (server: GatewayUnderTest, headers: Record<string, string>) =>
      server.request('/api/f/auth/oauth/token', { method: 'POST', headers }).then((a) => a.status);
    const claimed = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        log(limited, {
          'x-forwarded-for': `198.51.100.${i}`,
          forwarded: `for=198.51.100.${i}`,
          'x-real-ip': `198.51.100.${i}`,
          'carillon-address': `198.51.100.${i}`,
        }),
      ),
    );
    expect(claimed.filter((s) => s === 200)).toHaveLength(5);
    const answer = await Promise.all(
      Array.from({ length: 40 }, (_, i) => log(behind, { 'x-forwarded-for': `198.51.100.${i}, 203.0.113.9` })),
    );
    expect(answer.filter((s) => s === 200)).toHaveLength(5);
    expect(await log(behind, { 'x-forwarded-for': '198.51.100.1, 203.0.113.10' })).toBe(200);
    // Some proxies write the client's port: it is the same address.
    const ports = await Promise.all(
      Array.from({ length: 25 }, (_, i) => log(behind, { 'x-forwarded-for': `203.0.113.11:${50_000 + i}` })),
    );
    expect(ports.filter((s) => s === 200)).toHaveLength(5);
  } finally {
    vi.useRealTimers();
    await limited.close();
    await behind.close();
  }
});

test('C7: names of object prototype members are read from no header, cookie or query', async () => {
  const who = await gateway.person();
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const answer = await gateway.request(`${list}?${name}=x&${name}[polluted]=1&a[__proto__][polluted]=1`, {
      headers: {
        'carillon-token': who.token,
        [name]: 'polluted',
        cookie: `${name}=polluted; x=1`,
        'carillon-org': '1',
      },
    });
    expect(answer.status, name).toBe(200);
    expect((await gateway.request(list, { headers: { 'carillon-token': name } })).status).toBe(401);
    expect(
      (await gateway.request(list, { headers: { 'carillon-token': who.token, 'carillon-org': name } })).status,
    ).toBe(404);
    expect(
      (await gateway.request(list, { headers: { 'carillon-token': who.token, 'carillon-language': name } })).status,
    ).toBe(200);
    expect((await gateway.request(`/assets/${name}`)).status).toBe(404);
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('C19: bytes after a refused request are not a request, and a header of 100 KB closes the connection', async () => {
  const who = await gateway.person();
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
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
        .on('error', (e: NodeJS.ErrnoException) => {
          if (e.code === 'ECONNRESET' || e.code === 'EPIPE') resolve(answer);
          else reject(e);
        });
    });
  const smuggled = `GET ${list} HTTP/1.1\r\nHost: x\r\nCarillon-Token: ${who.token}\r\n\r\n`;
  const head = 'POST /api/f/device/device HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  for (const framing of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: identity, chunked\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
    'Content-Length: +5\r\n\r\nhello',
    'Content-Length: 5, 5\r\n\r\nhello',
    'Content-Length: 0x5\r\n\r\nhello',
    'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n',
    'Transfer-Encoding: chunked\r\n\r\n5;a=b\nhello\r\n0\r\n\r\n',
    'Content-Length: -1\r\n\r\n',
  ]) {
    const answer = await raw(`${head}${framing}${smuggled}`);
    expect(answer, JSON.stringify(framing)).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.match(/HTTP\/1\.1 /g), JSON.stringify(framing)).toHaveLength(1);
    expect(answer, JSON.stringify(framing)).toMatch(/\r\nconnection: close\r\n/i);
  }
  expect(await raw(`GET ${list} HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(102_400)}\r\n\r\n${smuggled}`)).toMatch(
    /^(HTTP\/1\.1 431 |$)/,
  );
  expect(gateway.received).toEqual([]);
});

test('E9: no other origin may read an answer, with or without a session, in a preflight or a call', async () => {
  const who = await gateway.person();
  const host = `127.0.0.1:${gateway.port}`;
  for (const origin of [
    'https://evil.example',
    'null',
    `http://${host}.evil.example`,
    `http://evil.example?${host}`,
    `https://${host}`,
    'file://',
    `http://${host}:80`,
    'http://localhost',
  ]) {
    for (const [method, path] of [
      ['OPTIONS', list],
      ['GET', list],
      ['GET', '/carillon.json'],
      ['GET', '/api/openapi.json'],
      ['GET', '/api/f/mc/sysConfig/sys_info'],
      ['POST', '/api/f/auth/oauth/token'],
      ['GET', '/login'],
    ] as const) {
      const { headers } = await gateway.request(path, {
        method,
        headers: {
          origin,
          'carillon-token': who.token,
          'access-control-request-method': 'GET',
          'access-control-request-headers': 'carillon-token',
        },
      });
      expect(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        `${method} ${path} ${origin}`,
      ).toEqual([]);
      expect(headers['cross-origin-resource-policy'], path).toBe('same-origin');
    }
  }
});

test('E3, E10: https answers set HSTS, forbid inline scripts and framing, and frame only allowed hosts', async () => {
  const secured = await startGateway({ trustedProxies: '127.0.0.1' }, 'secured');
  try {
    const who = await secured.person();
    for (const path of [
      list,
      '/api/f/nothing',
      '/',
      '/api/docs',
      '/carillon.json',
      '/api/f/%zz',
      '/assets/none.js',
      '/livez',
    ]) {
      const { headers } = await secured.request(path, {
        headers: { 'carillon-token': who.token, 'x-forwarded-proto': 'https' },
      });
      expect(headers['strict-transport-security'], path).toMatch(/^max-age=\d{8,}/);
      const policy = new Map(
        String(headers['content-security-policy'])
          .split('; ')
          .map((part) => [part.split(' ')[0], part.split(' ').slice(1)]),
      );
      expect(
        [
          policy.get('default-src'),
          policy.get('script-src'),
          policy.get('style-src'),
          policy.get('object-src'),
          policy.get('base-uri'),
          policy.get('frame-ancestors'),
        ],
        path,
      ).toEqual([["'none'"], ["'self'"], ["'self'"], ["'none'"], ["'none'"], ["'none'"]]);
      expect(policy.get('frame-src'), path).toEqual(["'self'"]);
      expect(
        [headers['x-content-type-options'], headers['referrer-policy'], headers['x-powered-by'], headers['server']],
        path,
      ).toEqual(['nosniff', 'no-referrer', undefined, undefined]);
    }
    // Over plain http the header for staying with https must be absent.
    expect((await secured.request(list)).headers['strict-transport-security']).toBeUndefined();
    await secured.bus.publish([
      toRecord(
        licenseConfig,
        'frameHosts',
        ['wiki.example.com:8443'],
        envelope('frameHosts', { companyId: null, version: 1 }),
      ),
    ]);
    await eventually(async () => {
      expect((await secured.request('/')).headers['content-security-policy']).toContain(
        "frame-src 'self' https://wiki.example.com:8443 http://wiki.example.com:8443;",
      );
    });
  } finally {
    await secured.close();
  }
});

test('a host that was written by hand into the hosts of frames turns into nothing else of the policy', async () => {
  const { securityHeaders } = await import('./edge/security.ts');
  for (const host of ['x; script-src *', "x' 'unsafe-inline'", 'x\r\nset-cookie: a=b', '*', "'self' *"]) {
    const policy = securityHeaders(true, [host, 'good.example'])['content-security-policy']!;
    expect(policy, host).toContain("script-src 'self';");
    expect(policy, host).toContain("frame-src 'self' https://good.example http://good.example;");
  }
});
