import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { authApiToken, fillPath, permissionKeys } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { envelope, toRecord } from '@carillon/messaging';
import { cookieNames, createAccessToken } from '@carillon/tenancy';
import { eventually, rawRequest } from '@carillon/testing';
import type { Person } from './gateway-test.ts';
import { list, startAttack } from './attack-test.ts';

/** Attacks by tokens, and the matrix of every call by every kind of actor; docs/attack-cases.md lists each. */
const { gateway } = await startAttack();
const json = { 'content-type': 'application/json' };

const refused = (status: number, error: string) => ({ status, error });
type Expected = 'passes' | ReturnType<typeof refused>;
const dead = refused(401, 'common.tokenInvalid');

/** Creates an API token and waits until the gateway knows it. */
async function developer(maker: Person, scopes: readonly string[], more: object = {}): Promise<string> {
  const token = `carillon_${randomBytes(32).toString('base64url')}`;
  const tokenId = randomUUID();
  const publish = (change: object) =>
    gateway.bus.publish([
      toRecord(
        authApiToken,
        tokenId,
        {
          tokenId,
          hash: createHash('sha256').update(token).digest('base64url'),
          userId: maker.view.userId,
          name: 'Program',
          scopes: [...scopes] as never,
          expiresAt: Date.now() + 600_000,
          revoked: false,
          ...change,
        },
        envelope('apiToken', { companyId: maker.view.companyId }),
      ),
    ]);
  await publish({});
  await eventually(async () => {
    expect((await gateway.request(list, { headers: { 'carillon-token': token } })).status).toBe(200);
  });
  if (Object.keys(more).length > 0) {
    await publish(more);
    await eventually(async () => {
      expect((await gateway.request(list, { headers: { 'carillon-token': token } })).status).not.toBe(200);
    });
  }
  return token;
}

describe('the matrix of every call by every kind of actor, generated from the contracts (B1 to B8)', () => {
  type Route = (typeof allRoutes)[number]['route'];
  const actors: Record<
    string,
    {
      headers(): Promise<Record<string, string>>;
      expected(route: Route): Expected;
      permissions?(route: Route): readonly string[];
    }
  > = {
    'a stranger': { headers: async () => ({}), expected: () => dead },
    'someone with a forged token': {
      headers: async () => {
        const { view, sessionId } = await gateway.person();
        const now = Date.now();
        return {
          'carillon-token': createAccessToken(
            {
              userId: view.userId,
              companyId: view.companyId,
              sessionId,
              issuedAt: now,
              expiresAt: now + 60_000,
              activeAt: now,
            },
            randomBytes(32),
          ),
        };
      },
      expected: () => dead,
    },
    'someone whose session has ended': {
      headers: async () => {
        const who = await gateway.person();
        await gateway.publishSession('ended', who);
        await eventually(async () =>
          expect((await gateway.request(list, { headers: { 'carillon-token': who.token } })).status).toBe(401),
        );
        return { 'carillon-token': who.token };
      },
      expected: () => dead,
    },
    'a user who is disabled, or whose company is closed': {
      headers: async () => {
        const who = await gateway.person();
        await gateway.publishAccess({ ...who.view, status: 'disabled' }, 2);
        return { 'carillon-token': who.token };
      },
      expected: () => dead,
    },
    'a user who was never activated': {
      headers: async () => {
        const who = await gateway.person({ status: 'inactive' });
        return { 'carillon-token': who.token };
      },
      expected: () => dead,
    },
    'someone whose session is locked': {
      headers: async () => {
        const who = await gateway.person();
        await gateway.publishSession('locked', who);
        await eventually(async () =>
          expect((await gateway.request(list, { headers: { 'carillon-token': who.token } })).status).toBe(423),
        );
        return { 'carillon-token': who.token };
      },
      expected: (route) => ('whileLocked' in route ? 'passes' : refused(423, 'common.locked')),
    },
    'someone with a one-time password': {
      headers: async () => ({ 'carillon-token': (await gateway.person({ mustChangePassword: true })).token }),
      expected: (route) => ('beforePasswordChange' in route ? 'passes' : refused(403, 'auth.passwordChangeRequired')),
    },
    'someone who asks for an organization that is not theirs': {
      headers: async () => ({ 'carillon-token': (await gateway.person()).token, 'carillon-org': randomUUID() }),
      expected: () => refused(404, 'common.notFound'),
    },
    'a program of someone who has every right': {
      headers: async () => ({ 'carillon-token': await developer(await gateway.person(), permissionKeys) }),
      expected: (route) =>
        route.permission === 'session' && !route.programs ? refused(403, 'common.forbidden') : 'passes',
      permissions: () => permissionKeys,
    },
    'a program whose token names one right': {
      headers: async () => ({ 'carillon-token': await developer(await gateway.person(), ['device']) }),
      expected: (route) =>
        route.permission === 'session' && !route.programs ? refused(403, 'common.forbidden') : 'passes',
      permissions: () => ['device'],
    },
    'a program whose token is revoked': {
      headers: async () => ({
        'carillon-token': await developer(await gateway.person(), permissionKeys, { revoked: true }),
      }),
      expected: () => dead,
    },
    'a program whose maker is disabled': {
      headers: async () => {
        const maker = await gateway.person();
        const token = await developer(maker, permissionKeys);
        await gateway.publishAccess({ ...maker.view, status: 'disabled' }, 2);
        return { 'carillon-token': token };
      },
      expected: () => dead,
    },
    'a program whose maker is locked by failed logins': {
      headers: async () => {
        const maker = await gateway.person();
        const token = await developer(maker, permissionKeys);
        await gateway.publishAccess({ ...maker.view, lockedUntil: Date.now() + 600_000 }, 2);
        return { 'carillon-token': token };
      },
      expected: () => refused(400, 'auth.accountLocked'),
    },
    'someone with one right': {
      headers: async () => ({ 'carillon-token': (await gateway.person({ permissions: ['task'] })).token }),
      expected: () => 'passes',
      permissions: () => ['task'],
    },
    // Calls that end or lock a session come last, each with a session of its own.
    'someone with every right': {
      headers: async () => ({ 'carillon-token': (await gateway.person()).token }),
      expected: () => 'passes',
      permissions: () => permissionKeys,
    },
  };

  test.each(Object.keys(actors))('%s', async (name) => {
    const { headers, expected, permissions } = actors[name]!;
    const wrong: string[] = [];
    let own = await headers();
    // Calls that end or change the caller's session, by the same table.
    const last = ['logout', 'logoutWithLogs', 'lockSession', 'unlockSession', 'changePassword'];
    for (const { name: call, route } of [...allRoutes].sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name))) {
      const wanted = route.permission === 'public' ? 'passes' : expected(route);
      if ('stream' in route && wanted === 'passes') continue;
      if (last.includes(call)) own = await headers();
      gateway.received.length = 0;
      const path = fillPath(
        route.path,
        Object.fromEntries(Object.keys(route.params?.shape ?? {}).map((p) => [p, randomUUID()])),
      );
      // The body is a part of a file.
      const isPart = (route.method as string) === 'PATCH';
      const answer = await gateway.request(path, {
        method: route.method,
        headers: {
          ...own,
          ...(isPart ? { 'content-type': 'application/offset+octet-stream' } : route.body ? json : {}),
        },
        ...(isPart || route.body ? { body: '{}' } : {}),
      });
      const came = gateway.received[0];
      const seen = `${call}: ${answer.status} ${answer.json?.error ?? ''}`;
      if (wanted === 'passes') {
        if (answer.status !== 200 || !came) wrong.push(seen);
        // The service decides by the context that it gets.
        else if (
          route.permission === 'public'
            ? came.context?.userId !== null
            : permissions && JSON.stringify(came.context?.permissions) !== JSON.stringify(permissions(route))
        )
          wrong.push(`${seen} with ${came.context?.permissions.join(' ')}`);
      } else if (
        answer.status !== wanted.status ||
        // An answer to HEAD has no body.
        ((route.method as string) !== 'HEAD' &&
          (answer.json?.error !== wanted.error || answer.json.code !== wanted.status)) ||
        came
      )
        wrong.push(seen);
    }
    expect(wrong).toEqual([]);
  });
});

test('A14, A15, A16: no forged token opens a call, whatever its header says, and none causes a fetch', async () => {
  const asked: string[] = [];
  const trap = createServer((request, response) => {
    asked.push(request.url!);
    response.end('{"keys":[]}');
  });
  await new Promise<void>((done) => {
    trap.listen(0, '127.0.0.1', done);
  });
  const at = `http://127.0.0.1:${(trap.address() as { port: number }).port}`;
  try {
    const who = await gateway.person();
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      sub: who.view.userId,
      userId: who.view.userId,
      companyId: who.view.companyId,
      sessionId: who.sessionId,
      user_name: 'admin',
      aud: 'carillon',
      iss: at,
      iat: now,
      nbf: now,
      exp: now + 3_600,
    };
    const jwt = (head: object, key: string | Buffer | null, body: object = claims): string => {
      const text = [head, body].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${text}.${key === null ? '' : createHmac('sha256', key).update(text).digest('base64url')}`;
    };
    const keys = [
      'bladexisapowerfulmicroservicearchitectureupgradedandoptimizedfromacommercialproject',
      'thingsboardDefaultSigningKey',
      'secret',
      'changeme',
      '',
    ];
    const forged = [
      ...keys.map((key) => jwt({ alg: 'HS256', typ: 'JWT' }, key)),
      jwt({ alg: 'HS256', typ: 'JWT' }, gateway.tokenKey),
      jwt({ alg: 'HS256' }, gateway.tokenKey.toString('base64url')),
      jwt({ alg: 'none' }, null),
      jwt({ alg: 'None', typ: 'JWT' }, null),
      jwt({ alg: 'HS256', kid: '../../../dev/null' }, ''),
      jwt({ alg: 'HS256', kid: randomUUID() }, 'x'),
      jwt({ alg: 'RS256', jku: `${at}/jku` }, 'x'),
      jwt({ alg: 'RS256', x5u: `${at}/x5u` }, 'x'),
      jwt({ alg: 'HS256', jwk: { kty: 'oct', k: Buffer.from('mine').toString('base64url') } }, 'mine'),
      jwt({ alg: 'HS256' }, gateway.tokenKey, { ...claims, nbf: now + 60 }),
      'null',
      'undefined',
      '[object Object]',
      `two-step.${randomBytes(16).toString('base64url')}`,
      randomBytes(32).toString('base64url'),
      randomBytes(99).toString('base64url'),
      `carillon_${randomBytes(32).toString('base64url')}`,
      'carillon_',
      'carillon_null',
      // Valid except for one bit of the claims, with the original signature.
      ...[20, 60, 70].map((byte) => {
        const bytes = Buffer.from(who.token, 'base64url');
        bytes[byte]! ^= 1;
        return bytes.toString('base64url');
      }),
    ];
    for (const token of forged) {
      for (const headers of [
        { 'carillon-token': token },
        { authorization: `Bearer ${token}` },
        { cookie: `${cookieNames(gateway.tokenKey, false).access}=${token}`, 'sec-fetch-site': 'same-origin' },
      ] as Record<string, string>[]) {
        const answer = await gateway.request(list, { headers });
        expect([answer.status, answer.json.error], token.slice(0, 60)).toEqual([401, 'common.tokenInvalid']);
      }
    }
    expect((await gateway.request(list, { headers: { 'carillon-token': who.token } })).status).toBe(200);
    expect(asked).toEqual([]);
  } finally {
    trap.close();
  }
});

test('A29: a refresh cookie alone opens no call, nor do cookies from another origin or a sandboxed frame', async () => {
  const who = await gateway.person();
  const names = cookieNames(gateway.tokenKey, false);
  const ask = async (headers: Record<string, string>, method = 'GET') =>
    (
      await gateway.request(method === 'GET' ? list : '/api/f/device/device', {
        method,
        headers: { ...headers, ...(method === 'POST' ? json : {}) },
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
    ).status;
  expect(await ask({ cookie: `${names.refresh}=${who.token}`, 'sec-fetch-site': 'same-origin' })).toBe(401);
  for (const method of ['GET', 'POST']) {
    const cookie = `${names.access}=${who.token}`;
    expect(await ask({ cookie, 'sec-fetch-site': 'same-origin' }, method)).toBe(200);
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site', 'carillon-language': 'en_US' },
      { 'sec-fetch-site': 'none' },
    ] as Record<string, string>[])
      expect(await ask({ cookie, ...headers }, method), JSON.stringify(headers)).toBe(401);
  }
});

test('B12, B25: a revoked permission or organization stops the stream and each of a hundred requests', async () => {
  const who = await gateway.person({ permissions: ['device', 'task'] });
  await gateway.publishAccess({ ...who.view, permissions: ['task'] }, 2);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => gateway.request(list, { headers: { 'carillon-token': who.token } })),
  );
  expect(answers.every((a) => a.status === 200)).toBe(true);
  expect(new Set(gateway.received.map((r) => JSON.stringify(r.context?.permissions)))).toEqual(new Set(['["task"]']));
  const address = { port: gateway.port };
  expect(
    (
      await rawRequest(address, {
        path: list,
        headers: { 'carillon-token': who.token, 'carillon-org': who.view.orgIds[0]! },
      })
    ).status,
  ).toBe(200);
  await gateway.publishAccess({ ...who.view, orgIds: [randomUUID()], defaultOrgId: randomUUID() }, 3);
  expect(
    (
      await rawRequest(address, {
        path: list,
        headers: { 'carillon-token': who.token, 'carillon-org': who.view.orgIds[0]! },
      })
    ).status,
  ).toBe(404);
});
