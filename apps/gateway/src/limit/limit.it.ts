import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { errorCatalogue } from '@carillon/contracts/errors';
import { Redis, RedisCache } from '@carillon/service';
import { testRedis } from '@carillon/testing/redis';
import { startGateway, type GatewayUnderTest } from '../gateway-test.ts';
import { Limit } from './limit.ts';

let gateway: GatewayUnderTest | undefined;
afterEach(async () => {
  await gateway?.close();
  gateway = undefined;
});
const list = '/api/f/device/device/list';
const login = '/api/f/auth/oauth/token';

describe('limits of the API gateway', () => {
  // Fixes the clock, because the next minute would start its count at 0.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('a session above its limit gets a translated 429 with Retry-After; other sessions go on', async () => {
    gateway = await startGateway({ sessionCallsPerMinute: 10 });
    const [one, other] = [await gateway.person(), await gateway.person()];
    for (let left = 9; left >= 0; left--) {
      const answer = await gateway.request(list, { headers: { 'carillon-token': one.token } });
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit']).toMatch(new RegExp(`^"session";r=${left};t=\\d+$`));
      expect(answer.headers['ratelimit-policy']).toBe('"session";q=10;w=60');
    }
    const came = gateway.received.length;
    for (const language of ['en_US', 'zh_CN', 'ko', 'pt_BR'] as const) {
      const { status, headers, json } = await gateway.request(list, {
        headers: { 'carillon-token': one.token, 'carillon-language': language },
      });
      const seconds = Number(headers['retry-after']);
      expect([status, json.error, json.msg]).toEqual([
        429,
        'common.tooMany',
        errorCatalogue['common.tooMany'][language].replace('{seconds}', String(seconds)),
      ]);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(headers['ratelimit']).toBe(`"session";r=0;t=${seconds}`);
    }
    expect(gateway.received).toHaveLength(came);
    expect((await gateway.request(list, { headers: { 'carillon-token': other.token } })).status).toBe(200);
  });

  it('a session and a company have a limit of calls in flight', async () => {
    const gate = (gateway = await startGateway({ callsAtOnce: 3, companyCallsAtOnce: 5 }));
    const one = await gate.person();
    const colleague = await gate.person({ companyId: one.view.companyId });
    const other = await gate.person();
    const held: (() => void)[] = [];
    gate.answer((_, response) => {
      held.push(() => response.end('{}'));
    });
    const ask = async ({ token }: typeof one) => {
      const { status, json } = await gate.request(list, { headers: { 'carillon-token': token } });
      return status === 200 ? status : json.error;
    };
    const begin = async (calls: number, who: typeof one) => {
      const from = held.length;
      const asked = Array.from({ length: calls }, () => ask(who));
      await vi.waitFor(() => expect(held).toHaveLength(from + calls));
      return asked;
    };
    const waiting = await begin(3, one);
    expect(await ask(one)).toBe('common.tooMany');
    waiting.push(...(await begin(2, colleague)));
    expect(await ask(colleague)).toBe('common.tooMany');
    waiting.push(...(await begin(1, other)));
    for (const answer of held) answer();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
    const [again] = await begin(1, one);
    held.at(-1)!();
    expect(await again).toBe(200);
  });

  it('all sessions of a company share a limit, and another company goes on', async () => {
    const gate = (gateway = await startGateway({ companyCallsPerMinute: 3 }));
    const one = await gate.person();
    const colleague = await gate.person({ companyId: one.view.companyId });
    const other = await gate.person();
    const from = async ({ token }: typeof one) =>
      (await gate.request(list, { headers: { 'carillon-token': token } })).status;
    expect([await from(one), await from(colleague), await from(one)]).toEqual([200, 200, 200]);
    expect([await from(colleague), await from(one), await from(other)]).toEqual([429, 429, 200]);
  });

  it('paths that are no call have a limit per address', async () => {
    gateway = await startGateway({ filesPerMinute: 3 });
    const from = async (path: string) => (await gateway!.request(path)).status;
    expect([await from('/api/openapi.json'), await from('/'), await from('/api/none')]).not.toContain(429);
    expect([await from('/api/docs'), await from('/'), await from('/api/f/none')]).toEqual([429, 429, 429]);
    expect(await from('/api/f/auth/oauth/showCaptcha')).not.toBe(429);
  });

  it('logins are counted per address, IPv6 per /64, and a claimed address does not count', async () => {
    gateway = await startGateway({ loginsPerMinute: 5, publicCallsPerMinute: 8, trustedProxies: '127.0.0.1' });
    const from = async (path: string, address: string, method = 'POST'): Promise<number> =>
      (await gateway!.request(path, { method, headers: { 'x-forwarded-for': address } })).status;
    const statuses = async (times: number, call: () => Promise<number>): Promise<number[]> => {
      const all = [];
      for (let i = 0; i < times; i++) all.push(await call());
      return all;
    };
    expect(await statuses(7, () => from(login, '192.0.2.1'))).toEqual([200, 200, 200, 200, 200, 429, 429]);
    expect(await from(login, '192.0.2.2')).toBe(200);
    let host = 0;
    expect(await statuses(6, () => from(login, `2001:db8:1:2::${++host}`))).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await from(login, '2001:db8:1:3::1')).toBe(200);
    expect(await statuses(9, () => from('/api/f/auth/oauth/showCaptcha', '192.0.2.1', 'GET'))).toEqual([
      ...Array.from({ length: 8 }, () => 200),
      429,
    ]);
    await gateway.close();
    gateway = await startGateway({ loginsPerMinute: 2 });
    expect(await statuses(3, () => from(login, `192.0.2.${++host}`))).toEqual([200, 200, 429]);
  });

  it('0 means no limit and sends no headers', async () => {
    gateway = await startGateway({ sessionCallsPerMinute: 0 });
    const person = await gateway.person();
    const { status, headers } = await gateway.request(list, { headers: { 'carillon-token': person.token } });
    expect([status, headers['ratelimit']]).toEqual([200, undefined]);
  });

  it('gateways share their counts through Redis, and count alone while Redis is away', async () => {
    const server = await testRedis();
    const connections = await Promise.all(['a', 'b'].map(() => Redis.open({ url: server.url, prefix: 'limits' })));
    try {
      const at = Date.now();
      const limits = await Promise.all(
        connections.map(async (redis) => new Limit(await RedisCache.open(redis), () => at)),
      );
      const rule = { name: 'few', perMinute: 20 };
      const take = async (times: number, who: string): Promise<number> => {
        let allowed = 0;
        for (let i = 0; i < times; i++) if ((await limits[i % 2]!.take(rule, who)).allowed) allowed++;
        return allowed;
      };
      expect(await take(60, 'a')).toBe(20);
      await server.kill();
      expect(await take(80, 'b')).toBe(40);
      expect(await take(10, 'a')).toBe(0);
    } finally {
      for (const redis of connections) await redis.close();
      await server.stop();
    }
  });
});
