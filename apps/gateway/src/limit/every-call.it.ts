import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fillPath } from '@carillon/contracts';
import { bytesType } from '@carillon/contracts/constants';
import { allRoutes, type NamedRoute } from '@carillon/contracts/routes';
import { startGateway, type GatewayUnderTest, type Person } from '../gateway-test.ts';
import { defaultBodyLimit } from '../proxy/proxy.service.ts';

/** No limit but the one under test. */
const unlimited = {
  loginsPerMinute: 0,
  publicCallsPerMinute: 0,
  sessionCallsPerMinute: 0,
  companyCallsPerMinute: 0,
  callsAtOnce: 10_000,
  companyCallsAtOnce: 10_000,
  slowPerAddress: 10_000,
  slowPerSession: 10_000,
  slowPerCompany: 10_000,
};
const open = allRoutes.filter(({ route }) => route.permission === 'public');
const ofSessions = allRoutes.filter(({ route }) => route.permission !== 'public');
/** A stream counts by the streams of its session (live.it.ts), not by calls that wait. */
const answered = ofSessions.filter(({ route }) => route.stream !== true);
const plain = answered.find(({ name }) => name === 'listDevices')!;
const upload = answered.find(({ route }) => route.bytes === true)!;

let gate: GatewayUnderTest;
/** Answers that the service behind the gateway holds back, and the calls that wait for them. */
let held: ServerResponse[];
let waiting: Promise<number>[];
const start = async (config: object) => {
  [held, waiting] = [[], []];
  gate = await startGateway({ ...unlimited, ...config });
};
const persons = async (): Promise<[own: Person, colleague: Person]> => {
  const own = await gate.person();
  return [own, await gate.person({ companyId: own.view.companyId })];
};
const ask = async ({ route }: NamedRoute, person?: Person, headers: Record<string, string> = {}) => {
  const places = Object.keys(route.params?.shape ?? {});
  const { status } = await gate.request(
    fillPath(route.path, Object.fromEntries(places.map((p) => [p, randomUUID()]))),
    {
      method: route.method,
      headers: {
        ...(person ? { 'carillon-token': person.token } : {}),
        ...(route.bytes ? { 'content-type': bytesType } : {}),
        ...headers,
      },
    },
  );
  return status;
};
/** Asks each call and returns the answers, by name, that are not this one. */
const others = async (
  expected: number,
  routes: readonly NamedRoute[],
  asked: (named: NamedRoute) => Promise<number>,
) => {
  const all = await Promise.all(routes.map(async (named) => [named.name, await asked(named)] as const));
  return all.filter(([, answer]) => answer !== expected);
};
/** Leaves a call and an upload of this person without an answer. */
const occupy = async (person: Person) => {
  gate.answer((_, response) => held.push(response));
  waiting = [ask(plain, person), ask(upload, person)];
  await vi.waitFor(() => expect(held).toHaveLength(2));
};
const end = async () => {
  for (const response of held) response.end('{}');
  await Promise.all(waiting);
  await gate.close();
};

beforeEach(() => {
  // Fixes the clock, because the next minute would start its count at 0.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await end();
});

describe('every call has a limit', () => {
  it('of its rate for a session and for its company', async () => {
    await start({ sessionCallsPerMinute: 1 });
    const [own, colleague] = await persons();
    expect(await ask(plain, own)).toBe(200);
    expect(await others(429, ofSessions, (named) => ask(named, own))).toEqual([]);
    expect(await ask(plain, colleague)).toBe(200);
    await end();
    await start({ companyCallsPerMinute: 1 });
    const [first, second] = await persons();
    expect(await ask(plain, first)).toBe(200);
    expect(await others(429, ofSessions, (named) => ask(named, second))).toEqual([]);
  });

  it('of its rate for an address, when it needs no session', async () => {
    await start({ loginsPerMinute: 1, publicCallsPerMinute: 1 });
    for (const name of ['token', 'showCaptcha']) await ask(open.find((named) => named.name === name)!);
    expect(await others(429, open, (named) => ask(named))).toEqual([]);
  });

  it('of the number in flight for a session and for its company', async () => {
    await start({ callsAtOnce: 1, slowPerSession: 1 });
    const [own] = await persons();
    await occupy(own);
    expect(await others(429, answered, (named) => ask(named, own))).toEqual([]);
    await end();
    await start({ companyCallsAtOnce: 1, slowPerCompany: 1 });
    const [first, second] = await persons();
    await occupy(first);
    expect(await others(429, answered, (named) => ask(named, second))).toEqual([]);
  });

  it('of the size of its body', async () => {
    await start({});
    const [own] = await persons();
    const tooLarge = ({ route }: NamedRoute) => ({
      'content-length': String((route.bodyLimit ?? defaultBodyLimit) + 1),
    });
    const withBody = allRoutes.filter(({ route }) => route.stream !== true && route.method !== 'GET');
    expect(await others(413, withBody, (named) => ask(named, own, tooLarge(named)))).toEqual([]);
  });

  it('of the time until a service answers', async () => {
    vi.useRealTimers();
    await start({ answerSeconds: 1 });
    const [own] = await persons();
    gate.answer((_, response) => held.push(response));
    expect(await others(503, [...open, ...answered], (named) => ask(named, own))).toEqual([]);
  });
});
