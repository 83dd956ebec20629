import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { live, type EventData } from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { Redis } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { testRedis } from '@carillon/testing/redis';
import { startGateway, type GatewayUnderTest, type Person } from '../gateway-test.ts';

type Changed = EventData<typeof live, 'changed'>;
interface Seen {
  at: number;
  event: string;
  data: { kind?: string; ids?: string[] | 'many'; state?: string };
}

let gateway: GatewayUnderTest;
const open: { destroy(): void }[] = [];
beforeAll(async () => {
  gateway = await startGateway({ streamsPerSession: 2 });
});
afterAll(async () => {
  for (const one of open) one.destroy();
  await gateway.close();
});

interface Stream {
  events: Seen[];
  text(): string;
  ended: Promise<void>;
  response: IncomingMessage;
}

/** Opens a stream like a browser and collects its events. */
function watch(person: Person, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port: gateway.port,
        path: '/api/f/gateway/live',
        headers: { 'carillon-token': person.token, ...headers },
      },
      (response) => {
        const events: Seen[] = [];
        let text = '';
        let done = (): void => undefined;
        const ended = new Promise<void>((r) => {
          done = r;
        });
        response
          .setEncoding('utf8')
          .on('data', (part: string) => {
            text += part;
            for (const [, event, data] of part.matchAll(/event: (\w+)\ndata: (.*)\n\n/g))
              events.push({ at: Date.now(), event: event!, data: JSON.parse(data!) });
          })
          .on('end', done)
          .on('error', () => {
            done();
          });
        open.push(request);
        resolve({ events, text: () => text, ended, response });
      },
    );
    request.on('error', reject);
    request.end();
  });
}

const publish = (companyId: string, ...changes: Changed[]): Promise<void> =>
  gateway.bus.publish(changes.map((data) => toRecord(live, companyId, data, envelope('changed', { companyId }))));
const device = (ids: Changed['ids'], orgIds: string[] | null): Changed => ({ kind: 'device', ids, orgIds });

test("a stream reports changes of the user's company and organizations, of the kinds that they may see", async () => {
  const [own, foreign] = [randomUUID(), randomUUID()];
  const person = await gateway.person({ orgIds: [own], defaultOrgId: own, permissions: ['device'] });
  const { events, response } = await watch(person);
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(response.headers['content-security-policy']).toBeDefined();
  await publish(randomUUID(), device(['other-company'], [own]));
  await publish(
    person.view.companyId,
    device(['foreign-org'], [foreign]),
    { kind: 'task', ids: ['no-right'], orgIds: null },
    device(['mine'], [own]),
  );
  await eventually(() => {
    expect(events).toHaveLength(1);
  });
  expect(events[0]).toMatchObject({ event: 'changed', data: { kind: 'device', ids: ['mine'] } });
});

test('a new stream repeats the changes of the last seconds that the user may see', async () => {
  const [own, foreign] = [randomUUID(), randomUUID()];
  const person = await gateway.person({ orgIds: [own], defaultOrgId: own, permissions: ['device'] });
  const first = await watch(person);
  await publish(randomUUID(), device(['other-company'], [own]));
  await publish(
    person.view.companyId,
    device(['foreign-org'], [foreign]),
    { kind: 'task', ids: ['no-right'], orgIds: null },
    device(['mine'], [own]),
  );
  await eventually(() => {
    expect(first.events).toHaveLength(1);
  });
  const second = await watch(person);
  await eventually(() => {
    expect(second.events.map((e) => e.data)).toEqual([{ kind: 'device', ids: ['mine'] }]);
  });
  first.response.destroy();
  second.response.destroy();
  await eventually(async () => {
    const { events, response } = await watch(person);
    const marker = randomUUID();
    await publish(person.view.companyId, device([marker], [own]));
    await eventually(() => {
      expect(events.flatMap((e) => e.data.ids)).toContain(marker);
    });
    response.destroy();
    expect(events.flatMap((e) => e.data.ids)).not.toContain('mine');
  }, 20_000);
}, 240_000);

test('a change that also concerns foreign organizations does not reveal ids', async () => {
  const [own, foreign] = [randomUUID(), randomUUID()];
  const person = await gateway.person({ orgIds: [own], defaultOrgId: own });
  const { events } = await watch(person);
  await publish(person.view.companyId, device(['a', 'b'], [own, foreign]));
  await eventually(() => {
    expect(events.map((e) => e.data)).toEqual([{ kind: 'device', ids: 'many' }]);
  });
});

test('a client that selects one organization gets only its events', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const person = await gateway.person({ orgIds: [one, two], defaultOrgId: one });
  const { events } = await watch(person, { 'carillon-org': two });
  await publish(person.view.companyId, device(['in-one'], [one]), device(['in-two'], [two]));
  await eventually(() => {
    expect(events.map((e) => e.data.ids)).toEqual([['in-two']]);
  });
});

test('a right taken away silences the stream from the next message on, and one given back opens it', async () => {
  const person = await gateway.person();
  const { events } = await watch(person);
  await gateway.publishAccess({ ...person.view, permissions: ['task'] }, 2);
  await publish(person.view.companyId, device(['hidden'], person.view.orgIds), {
    kind: 'task',
    ids: ['seen'],
    orgIds: null,
  });
  await eventually(() => {
    expect(events.map((e) => e.data.ids)).toEqual([['seen']]);
  });
  await gateway.publishAccess({ ...person.view, permissions: ['device'] }, 3);
  await publish(person.view.companyId, device(['again'], person.view.orgIds));
  await eventually(() => {
    expect(events.map((e) => e.data.ids)).toEqual([['seen'], ['again']]);
  });
});

test('a storm sends each kind at most twice a second with 200 ids, else many; other kinds need not wait', async () => {
  const person = await gateway.person();
  const { events } = await watch(person);
  const started = Date.now();
  for (let burst = 0; burst < 30; burst += 1) {
    await publish(
      person.view.companyId,
      ...Array.from({ length: 10 }, (_, i) => device([`d${burst}-${i}`], person.view.orgIds)),
      { kind: 'task', ids: [`t${burst % 3}`], orgIds: null },
    );
  }
  await eventually(() => {
    expect(events.flatMap((e) => (e.data.kind === 'task' ? e.data.ids : []))).toEqual(
      expect.arrayContaining(['t0', 't1', 't2']),
    );
    expect(events.some((e) => e.data.ids === 'many')).toBe(true);
  });
  const seconds = (Date.now() - started) / 1_000;
  const first = (kind: string) => events.find((e) => e.data.kind === kind)!.at;
  expect(first('task') - first('device')).toBeLessThan(450);
  for (const ofKind of Map.groupBy(events, (e) => e.data.kind).values()) {
    expect(ofKind.length).toBeLessThanOrEqual(Math.ceil(seconds * 2) + 1);
    // Sent 500 ms apart, but one message may be delayed on the way and the next not. So this compares every other one:
    // never three in a second, minus the jitter of a busy machine.
    for (let i = 2; i < ofKind.length; i += 1) expect(ofKind[i]!.at - ofKind[i - 2]!.at).toBeGreaterThanOrEqual(900);
  }
  for (const { data } of events) expect(data.ids === 'many' || data.ids!.length <= 200).toBe(true);
});

test('the stream ends with an event when its session ends, and at once for a user who is disabled', async () => {
  const person = await gateway.person();
  const { events, ended } = await watch(person);
  await gateway.publishSession('ended', person);
  await ended;
  expect(events).toEqual([expect.objectContaining({ event: 'session', data: { state: 'ended' } })]);
  const other = await gateway.person();
  const second = await watch(other);
  await gateway.publishAccess({ ...other.view, status: 'disabled' }, 2);
  await second.ended;
  expect(second.events.at(-1)!.event).toBe('session');
});

test('the stream ends with an event when its session is locked, and opens again only after the unlock', async () => {
  const person = await gateway.person();
  const { events, ended } = await watch(person);
  const answers = (path: string, code: number): Promise<void> =>
    eventually(async () => {
      expect((await gateway.request(path, { headers: { 'carillon-token': person.token } })).status).toBe(code);
    });
  await gateway.publishSession('locked', person);
  await ended;
  expect(events).toEqual([expect.objectContaining({ event: 'session', data: { state: 'locked' } })]);
  await answers('/api/f/gateway/live', 423);
  await gateway.publishSession('unlocked', person);
  await answers('/api/f/mc/org', 200);
  const again = await watch(person);
  await publish(person.view.companyId, device(['after'], null));
  await eventually(() => {
    expect(again.events.map((e) => e.data.ids)).toEqual([['after']]);
  });
});

test('a request without a session gets 401, and a session has a limit of streams', async () => {
  expect((await gateway.request('/api/f/gateway/live')).status).toBe(401);
  const person = await gateway.person();
  await watch(person);
  await watch(person);
  const third = await gateway.request('/api/f/gateway/live', { headers: { 'carillon-token': person.token } });
  expect([third.status, third.json.error]).toEqual([429, 'common.tooMany']);
});

test('a browser that does not read costs no memory and gets `many` when it reads again', async () => {
  const person = await gateway.person();
  const stream = await watch(person);
  stream.response.pause();
  const before = process.memoryUsage().heapUsed;
  for (let i = 0; i < 200; i += 1)
    await publish(
      person.view.companyId,
      device(
        Array.from({ length: 200 }, () => randomUUID()),
        person.view.orgIds,
      ),
    );
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(60_000_000);
  stream.response.resume();
  await eventually(() => {
    expect(stream.events.some((e) => e.data.ids === 'many')).toBe(true);
  });
});

test('a client that leaves while its stream is admitted takes none of its session’s streams', async () => {
  const server = await testRedis();
  const redis = await Redis.open({ url: server.url, prefix: 'live' });
  const shared = await startGateway({ streamsPerSession: 1, sessionCallsPerMinute: 10 }, 'shared', redis);
  const { token } = await shared.person();
  const ask = () =>
    httpRequest({
      host: '127.0.0.1',
      port: shared.port,
      path: '/api/f/gateway/live',
      headers: { 'carillon-token': token },
    })
      .on('error', () => undefined)
      .end();
  const http = shared.hosted.app.getHttpServer() as Server;
  const connections = () => new Promise<number>((resolve) => http.getConnections((_, n) => resolve(n)));
  try {
    // The count of calls waits for Redis.
    await server.freeze();
    const came = once(http, 'request');
    const left = ask();
    await came;
    await setImmediate();
    left.destroy();
    await eventually(async () => expect(await connections()).toBe(0));
    await server.thaw();
    const next = ask();
    const [{ statusCode }] = (await once(next, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(200);
    next.destroy();
  } finally {
    await shared.close();
    await redis.close();
    await server.stop();
  }
});
