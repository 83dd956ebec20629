import { expect, test } from 'vitest';
import { editWebhook, getWebhook, getWebhookDelivery, listOperationLog, sendWebhookAgain } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, testService } from '@carillon/testing';
import { notificationService } from '../notification.module.ts';
import { jitter, pauseAfter, retryPausesMs } from '@carillon/service';
import { settings, bodyOf, startWebhooks } from './webhook-test.ts';

const { rig, receiver, add, say, genuine, deliveries, delivery } = await startWebhooks();
/** Ends the pause. */
const goOn = () => rig.sql(`update webhook_delivery set next_at = now() where state = 'waiting'`);

test('a receiver that answers 500 and then 200 gets the event again after a pause [NOTE-05/retried]', async () => {
  const there = await receiver();
  const { id, secret } = await add(there.url);
  there.answer((call, response) => response.writeHead(there.calls.length === 1 ? 500 : 200).end(`try ${call.method}`));
  await say();
  const waiting = await eventually(async () => {
    const [one] = await deliveries();
    expect(one).toMatchObject({ state: 'waiting', tries: 1, status: 500, fault: 'status', answer: 'try POST' });
    return one!;
  });
  const pause = Date.parse(waiting.nextAt!) - there.calls[0]!.at;
  expect(pause).toBeGreaterThanOrEqual(retryPausesMs[0] - 100);
  expect(pause).toBeLessThanOrEqual(retryPausesMs[0] * (1 + jitter) + 2_000);
  expect(await rig.call(getWebhook, { params: { id } })).toMatchObject({ state: 'failing' });
  await goOn();
  expect(await delivery('delivered')).toMatchObject({ tries: 2, status: 200, fault: null, nextAt: null });
  const [first, second] = [there.calls[0]!, await there.nth(2)];
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(second.body).toBe(first.body);
  expect(genuine(secret, second)).toBe(true);
  expect(await rig.call(getWebhook, { params: { id } })).toMatchObject({ state: 'working', failingSince: null });
  const { attempts, body } = await rig.call(getWebhookDelivery, { params: { id: waiting.id } });
  expect(attempts.map((a) => a.status)).toEqual([500, 200]);
  expect(body).toBe(first.body);
});

test('pauses add up to about a day, then the delivery fails until a user sends it again [NOTE-05/again]', async () => {
  const all = retryPausesMs.map((_, n) => pauseAfter(n + 1, 0.5)!);
  expect(all).toEqual(all.toSorted((a, b) => a - b));
  const hours = all.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(22);
  expect(hours).toBeLessThan(30);
  expect(pauseAfter(retryPausesMs.length + 1)).toBeUndefined();
  const there = await receiver();
  const { id, secret } = await add(there.url);
  there.answer((_, response) => response.writeHead(503).end());
  await say();
  for (let n = 1; n <= retryPausesMs.length; n++) {
    await eventually(async () => {
      const [one] = await deliveries();
      expect(one).toMatchObject({ state: 'waiting', tries: n, status: 503 });
      expect(Date.parse(one!.nextAt!) - Date.parse(one!.triedAt!)).toBeGreaterThanOrEqual(retryPausesMs[n - 1]!);
    });
    await goOn();
  }
  const failed = await delivery('failed');
  expect(failed).toMatchObject({ tries: retryPausesMs.length + 1, status: 503, nextAt: null });
  expect(there.calls).toHaveLength(retryPausesMs.length + 1);
  await rig.call(sendWebhookAgain, { params: { id: failed.id } });
  // Its pauses restart after the attempt.
  await eventually(async () => {
    const { state, attempts } = await rig.call(getWebhookDelivery, { params: { id: failed.id } });
    expect([state, attempts.length]).toEqual(['waiting', retryPausesMs.length + 2]);
  });
  there.answer(undefined);
  await rig.call(sendWebhookAgain, { params: { id: failed.id } });
  await delivery('delivered');
  const last = there.calls.at(-1)!;
  expect(last.headers['webhook-id']).toBe(failed.id);
  expect(last.body).toBe(there.calls[0]!.body);
  expect(genuine(secret, last)).toBe(true);
  await rig.call(editWebhook, { body: { id, ...bodyOf({ ...(await add(there.url)), enabled: false }) } });
  await expect(rig.call(sendWebhookAgain, { params: { id: failed.id } })).rejects.toMatchObject({
    error: 'webhook.off',
  });
});

test('a receiver that hangs, redirects or answers megabytes delays only itself [NOTE-05/slow]', async () => {
  const [hangs, redirects, floods, good] = [await receiver(), await receiver(), await receiver(), await receiver()];
  hangs.answer(() => undefined);
  redirects.answer((_, response) => response.writeHead(302, { location: good.url }).end());
  let sent = 0;
  floods.answer((_, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && sent < 200_000_000) {
        sent += 1_000_000;
        if (!response.write(Buffer.alloc(1_000_000, 'x'))) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
  for (const [name, to] of Object.entries({ hangs, redirects, floods, good })) await add(to.url, { name });
  for (let n = 0; n < 8; n++) await say({ objectName: `Task ${n}` });
  const begun = Date.now();
  await good.nth(8);
  // Each hanging receiver takes a second.
  expect(Date.now() - begun).toBeLessThan(3_000);
  expect(hangs.open()).toBeLessThanOrEqual(4);
  await eventually(async () => {
    const delivery = async (name: string) => (await deliveries({ search: name, limit: 50, sort: 'createdAt' }))[0];
    expect(await delivery('hangs')).toMatchObject({ state: 'waiting', fault: 'timeout', status: null });
    expect(await delivery('redirects')).toMatchObject({ state: 'waiting', fault: 'redirect', status: 302 });
    expect(await delivery('floods')).toMatchObject({ state: 'delivered', status: 200 });
    expect((await delivery('floods'))!.answer).toHaveLength(500);
  });
  expect(good.calls).toHaveLength(8);
  expect(sent).toBeLessThan(200_000_000);
});

test('two processes send each attempt once, within the limits of one [NOTE-05/once]', async () => {
  const there = await receiver();
  let most = 0;
  there.answer((_, response) => {
    most = Math.max(most, there.open());
    setTimeout(() => response.writeHead(204).end(), 5);
  });
  const beside = await testService(
    notificationService as unknown as ServiceDefinition,
    rig.bus,
    { mailKey: 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8', ...settings },
    { beside: rig.service },
  );
  try {
    await add(there.url);
    await Promise.all(Array.from({ length: 60 }, (_, n) => say({ objectName: `Task ${n}` })));
    await eventually(async () => {
      const log = await deliveries({ state: 'delivered', limit: 100 });
      expect(log).toHaveLength(60);
      expect(log.every((d) => d.tries === 1)).toBe(true);
    });
    expect(there.calls).toHaveLength(60);
    expect(new Set(there.calls.map((c) => c.headers['webhook-id'])).size).toBe(60);
    expect(most).toBeLessThanOrEqual(4);
    // Another process takes over a dead process's delivery after its lease.
    await rig.sql(
      `update webhook_delivery set state = 'waiting', next_at = now(), leased_until = now() - interval '1 s'
       where id = (select min(id::text)::uuid from webhook_delivery)`,
    );
    await there.nth(61);
  } finally {
    await beside.close();
  }
});

test('a receiver that answers 410 or fails for days gets nothing until enabled again [NOTE-05/off]', async () => {
  const there = await receiver();
  const made = await add(there.url);
  const state = async () => (await rig.call(getWebhook, { params: { id: made.id } })).state;
  there.answer((_, response) => response.writeHead(410).end());
  await say();
  await delivery('failed');
  expect(await state()).toBe('gone');
  const unheard = uuidv7();
  await say({ objectId: unheard });
  await eventually(async () => {
    expect(await rig.sql('select 1 from message where object_id = $1', [unheard])).toHaveLength(1);
  });
  await rig.call(editWebhook, { body: { id: made.id, ...bodyOf(made) } });
  expect(await state()).toBe('working');
  there.answer((_, response) => response.writeHead(500).end());
  await say();
  await eventually(async () => {
    expect(await state()).toBe('failing');
  });
  await rig.sql(`update webhook set failing_since = now() - interval '73 hours' where id = $1`, [made.id]);
  await goOn();
  await eventually(async () => {
    expect(await state()).toBe('failed');
    expect((await deliveries({ state: 'waiting' })).length).toBe(0);
    const { records } = await rig.call(listOperationLog, { query: { action: ['webhook.switchOff'] } });
    expect(records.map((r) => r.objectName)).toEqual(['Duty', 'Duty']);
  });
  // Without the events from while it was off; the last one may have had more than two attempts by now.
  const answer = [...Map.groupBy(there.calls, (c) => c.headers['webhook-id']).values()];
  expect([answer.length, answer[0]!.length, answer[1]!.length >= 2]).toEqual([2, 1, true]);
  // A delivery that waits when a user disables the webhook is not sent later.
  await rig.call(editWebhook, { body: { id: made.id, ...bodyOf(made) } });
  await say();
  await eventually(async () => {
    // An attempt counts as a try when it begins, and has its fault when it has ended.
    expect((await deliveries({ state: 'waiting' }))[0]).toMatchObject({ tries: 1, fault: 'status' });
  });
  await rig.call(editWebhook, { body: { id: made.id, ...bodyOf(made), enabled: false } });
  expect((await deliveries())[0]).toMatchObject({ state: 'failed', fault: 'off' });
});
