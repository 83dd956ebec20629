import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createServer } from 'node:net';
import {
  acknowledgeAlarms,
  addAlarmSilence,
  alarmKinds,
  deleteWebhook,
  editWebhook,
  getWebhook,
  getWebhookDelivery,
  listOperationLog,
  listWebhooks,
  orgOrganization,
  renewWebhookSecret,
  restoreWebhooks,
  sendWebhookAgain,
  testWebhook,
} from '@carillon/contracts';
import { webhooksMaximum } from '@carillon/contracts/constants';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type Actor, type ReceivedCall } from '@carillon/testing';
import { WebhookRetention } from './webhook.retention.ts';
import { tls, type Body, bodyOf, startWebhooks } from './webhook-test.ts';

const { verifyWebhook, trusted, rig, receiver, add, say, genuine, deliveries, delivery } = await startWebhooks();
/** Creates devices of a new site that go offline. */
const away = async (name: string, count = 1, orgId = rig.actor.orgId) => {
  const siteId = await rig.site(name);
  const devices = await rig.devices(count, { siteId, orgId, name: `${name} phone` });
  await rig.session(devices, 'online');
  await rig.session(devices, 'offline');
  return devices;
};
const read = (call: ReceivedCall) => JSON.parse(call.body) as { type: string; timestamp: string; data: never };

test('a raised and an ended alarm are two signed deliveries with their own ids [NOTE-05/signed]', async () => {
  const there = await receiver();
  const { id, secret } = await add(there.url);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const devices = await away('Kiel', 3);
  const first = await there.nth(1);
  expect(first).toMatchObject({
    method: 'POST',
    url: '/hook',
    headers: { 'content-type': 'application/json', 'user-agent': 'Carillon-Webhook/1.0' },
  });
  expect(genuine(secret, first)).toBe(true);
  expect(genuine(secret, { ...first, body: first.body.replace('Kiel', 'Bonn') })).toBe(false);
  expect(verifyWebhook(secret, first.headers, first.body, Date.now() / 1000 + 600)).toBe(false);
  expect(read(first)).toMatchObject({
    type: 'alarm.raised',
    data: {
      type: alarmKinds.offline,
      kind: 'offline',
      level: 'medium',
      title: 'Device offline',
      cause: 'site',
      causeName: 'Kiel',
      devices: expect.arrayContaining([expect.objectContaining({ name: 'Kiel phone', ended: null, line: null })]),
    },
  });
  const seen = (type: string) => {
    const bodies = there.calls.map(read).filter((b) => b.type === type);
    return bodies.flatMap((b) => (b.data as { devices: { episodeId: string }[] }).devices.map((d) => d.episodeId));
  };
  // A device that is back before its alarm was raised gets none.
  await eventually(() => expect(new Set(seen('alarm.raised')).size).toBe(3));
  await rig.session(devices, 'online');
  await eventually(() => {
    expect(seen('alarm.ended').toSorted()).toEqual(seen('alarm.raised').toSorted());
  });
  const ids = there.calls.map((c) => c.headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
  await eventually(async () => {
    const log = await deliveries({ 'createdAt.within': '1h', sort: '-createdAt', webhook: id });
    expect(log.map((d) => d.id).toSorted()).toEqual(ids.toSorted());
    expect(new Set(log.map((d) => `${d.state} ${d.status} ${d.tries} ${d.about !== ''}`))).toEqual(
      new Set(['delivered 204 1 true']),
    );
  });
  expect(await rig.call(getWebhook, { params: { id } })).toMatchObject({ state: 'working', failingSince: null });
  expect((await rig.call(getWebhook, { params: { id } })).deliveredAt).not.toBeNull();
});

test('the page for receivers shows the event as sent, and the check that this test uses', async () => {
  const file = (path: string) => readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), 'utf8');
  const page = file('webhooks.md');
  const block = (language: string) => page.split(`\`\`\`${language}\n`)[1]!.split('```')[0]!;
  expect(block('js')).toBe(file('examples/verify-webhook.mjs').replace(/\/\*\*.*\*\/\n/, ''));
  const there = await receiver();
  await add(there.url);
  await away('Page');
  type Told = { data: { devices: object[] } };
  const [real, shown] = [read(await there.nth(1)) as Told, JSON.parse(block('json')) as Told];
  for (const part of [(t: Told) => t, (t: Told) => t.data, (t: Told) => t.data.devices[0]!])
    expect(Object.keys(part(shown)).toSorted()).toEqual(Object.keys(part(real)).toSorted());
});

test('a storm of equal alarms is a few events with a device count [NOTE-05/storm]', async () => {
  const there = await receiver();
  await add(there.url, { events: ['alarm.raised'] });
  await away('Storm', 300);
  const seen = () => there.calls.map((c) => (read(c) as { data: { count: number; devices: unknown[] } }).data);
  await eventually(() => {
    expect(seen().reduce((sum, data) => sum + data.count, 0)).toBe(300);
  });
  expect(there.calls.length).toBeLessThan(30);
  for (const { count, devices } of seen()) expect(devices).toHaveLength(Math.min(100, count));
});

test('over https it sends only to a receiver with a trusted certificate', async () => {
  const [good, bad] = [await receiver(trusted), await receiver(await tls())];
  const one = await add(good.url);
  const other = await add(bad.url);
  expect(await rig.call(testWebhook, { params: { id: one.id } })).toMatchObject({ status: 204, fault: null });
  expect(await rig.call(testWebhook, { params: { id: other.id } })).toMatchObject({
    status: null,
    fault: 'certificate',
  });
  expect(genuine(one.secret, good.calls[0]!)).toBe(true);
  expect(bad.calls).toEqual([]);
});

test('an event goes only to the webhooks that selected its kind, level and name', async () => {
  const there = await receiver();
  const to = (name: string, given: Partial<Body>) => add(`${there.url}?${name}`, { name, ...given });
  await to('all', {});
  await to('high', { level: 'high' });
  await to('tasks', { kinds: [alarmKinds.taskFailed] });
  await to('messages', { events: ['message.created'] });
  await to('ends', { events: ['alarm.ended'] });
  await to('off', { enabled: false });
  await away('Bonn');
  await say();
  await eventually(async () => {
    expect(there.calls.map((c) => `${c.url.split('?')[1]} ${read(c).type}`).toSorted()).toEqual(
      [
        'all alarm.raised',
        'all message.created',
        'high message.created',
        'messages message.created',
        'tasks message.created',
      ].toSorted(),
    );
  });
  expect(read(there.calls.find((c) => c.url.endsWith('tasks'))!).data).toMatchObject({
    kind: 'taskFailed',
    objectName: 'Reboot all',
    content: 'Task Reboot all: 2 of 9 devices did not finish it.',
  });
});

test('an acknowledged event ends, and an alarm that was silenced from the start sends nothing', async () => {
  const there = await receiver();
  await add(there.url);
  const [quiet, loud] = [await rig.site('Quiet'), await rig.site('Loud')];
  await rig.call(addAlarmSilence, { body: { siteId: quiet, minutes: 60 } });
  for (const siteId of [quiet, loud]) {
    const [device] = await rig.devices(1, { siteId, name: siteId === quiet ? 'Hushed' : 'Heard' });
    await rig.session([device!], 'online');
    await device!.event({ id: uuidv7(), kind: 'tamper' });
  }
  const raised = await there.nth(1);
  expect(read(raised)).toMatchObject({ type: 'alarm.raised', data: { kind: 'tamper' } });
  const narrow: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [rig.actor.orgId] };
  await rig.service.as(narrow)(acknowledgeAlarms, { body: { all: true } });
  const ended = read(await there.nth(2));
  expect(ended).toMatchObject({
    type: 'alarm.ended',
    data: { kind: 'tamper', devices: [{ name: 'Heard', ended: 'acknowledged' }] },
  });
  expect(there.calls.map((c) => c.body).join('')).not.toContain('Hushed');
});

test('a renewed secret and the old one both sign for a day, and neither is shown [NOTE-05/secret]', async () => {
  const there = await receiver();
  const { id, secret: former } = await add(there.url);
  const { secret, formerUntil } = await rig.call(renewWebhookSecret, { params: { id } });
  expect(secret).not.toBe(former);
  expect(Date.parse(formerUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  await say();
  const both = await there.nth(1);
  expect([genuine(secret, both), genuine(former, both)]).toEqual([true, true]);
  await rig.sql(`update webhook set former_until = now() where id = $1`, [id]);
  await say();
  const one = await there.nth(2);
  expect([genuine(secret, one), genuine(former, one)]).toEqual([true, false]);
  const log = await eventually(async () => {
    const { records } = await rig.call(listOperationLog, { query: { limit: 100 } });
    expect(records.map((r) => r.action)).toContain('webhook.renewSecret');
    return records;
  });
  const seen = JSON.stringify([
    log,
    await rig.call(listWebhooks, { query: {} }),
    await deliveries(),
    await rig.sql('select * from webhook'),
    await rig.sql('select * from webhook_delivery'),
  ]);
  for (const text of [secret, former, secret.slice(6), former.slice(6)]) expect(seen).not.toContain(text);
});

test('E4: no webhook leads inside, over http or with credentials, not even later [NOTE-05/inside]', async () => {
  let touched = 0;
  const trap = createServer((socket) => {
    touched += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => {
    trap.listen(0, '127.0.0.2', done);
  });
  const { port } = trap.address() as { port: number };
  try {
    for (const [url, error] of [
      [`https://127.0.0.2:${port}/`, 'webhook.targetRefused'],
      ['https://10.0.0.1/', 'webhook.targetRefused'],
      ['https://169.254.169.254/latest', 'webhook.targetRefused'],
      ['https://[::ffff:10.0.0.1]/', 'webhook.targetRefused'],
      ['https://2130706434/', 'webhook.targetRefused'],
      ['https://8.8.8.8:22/', 'webhook.targetRefused'],
      ['http://8.8.8.8/', 'webhook.httpsNeeded'],
      [`http://127.0.0.2:${port}/`, 'webhook.httpsNeeded'],
      ['https://anna:secret@example.com/', 'webhook.urlWrong'],
      ['ftp://example.com/', 'webhook.urlWrong'],
      ['example.com', 'webhook.urlWrong'],
    ] as const)
      await expect(add(url), url).rejects.toMatchObject({ error, fields: [{ path: 'url' }] });
    const there = await receiver();
    const { id } = await add(there.url);
    // Simulates a name that now resolves to another address.
    await rig.sql('update webhook set url = $2 where id = $1', [id, `http://127.0.0.2:${port}/`]);
    await say();
    expect(await delivery('waiting')).toMatchObject({ about: 'Reboot all' });
    await eventually(async () => {
      expect((await deliveries())[0]).toMatchObject({ tries: 1, fault: 'targetRefused', status: null });
    });
    expect(await rig.call(testWebhook, { params: { id } })).toMatchObject({ fault: 'targetRefused', answer: '' });
    expect(touched).toBe(0);
  } finally {
    trap.close();
  }
});

test('a webhook hears only what its organization sees, and only its company uses it [NOTE-05/tenancy]', async () => {
  const there = await receiver();
  const north = uuidv7();
  const { companyId } = rig.actor;
  await rig.bus.publish([
    toRecord(
      orgOrganization,
      north,
      { id: north, companyId, name: 'North', description: '', updatedAt: new Date().toISOString() },
      envelope('organization', { companyId, version: 1 }),
    ),
  ]);
  const to = (name: string, as: Actor, orgId?: string) =>
    add(`${there.url}?${name}`, { name, ...(orgId ? { orgId } : {}) }, as);
  const anna: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [rig.actor.orgId] };
  const other: Actor = { ...rig.actor, userId: uuidv7(), companyId: uuidv7() };
  const whole = await to('whole', rig.actor);
  const annas = await to('anna', anna);
  await eventually(() => to('north', rig.actor, north));
  await to('other', other);
  await expect(to('anna', anna, north)).rejects.toMatchObject({ error: 'common.notFound' });
  await away('South');
  await away('Norden', 1, north);
  await say({ objectName: 'For all' });
  await say({ objectName: 'For north', orgId: north });
  await say({ objectName: 'Shared', orgIds: [north, rig.actor.orgId] });
  await say({ objectName: 'Part of north', orgId: north, orgIds: [north, rig.actor.orgId] });
  const heard = (name: string) =>
    there.calls
      .filter((c) => c.url.endsWith(`?${name}`))
      .map((c) => {
        const { data } = read(c) as { data: { objectName?: string; causeName?: string } };
        return data.objectName ?? data.causeName;
      })
      .toSorted();
  await eventually(() => {
    expect(heard('whole')).toEqual(['For all', 'For north', 'Norden', 'Shared', 'South']);
    expect(heard('north')).toEqual(['For all', 'For north', 'Norden', 'Part of north']);
    expect(heard('anna')).toEqual(['For all', 'South']);
  });
  expect(heard('other')).toEqual([]);
  const names = async (as: Actor) => (await rig.service.as(as)(listWebhooks, { query: {} })).records.map((w) => w.name);
  expect(await names(rig.actor)).toEqual(['anna', 'north', 'whole']);
  expect(await names(anna)).toEqual(['anna']);
  expect(await names(other)).toEqual(['other']);
  expect(new Set((await deliveries({}, anna)).map((d) => d.webhookName))).toEqual(new Set(['anna']));
  expect(await deliveries({}, other)).toEqual([]);
  const [sent] = await deliveries({ webhook: whole.id });
  const notFound = { error: 'common.notFound' };
  for (const as of [anna, other]) {
    const call = rig.service.as(as);
    await expect(call(deleteWebhook, { query: { id: whole.id } })).rejects.toMatchObject(notFound);
    await expect(call(renewWebhookSecret, { params: { id: whole.id } })).rejects.toMatchObject(notFound);
    await expect(call(testWebhook, { params: { id: whole.id } })).rejects.toMatchObject(notFound);
    await expect(call(sendWebhookAgain, { params: { id: sent!.id } })).rejects.toMatchObject(notFound);
    await expect(call(getWebhookDelivery, { params: { id: sent!.id } })).rejects.toMatchObject(notFound);
    await expect(call(editWebhook, { body: { id: whole.id, ...bodyOf(annas) } })).rejects.toMatchObject(notFound);
  }
  // The limit is per company, however little of it the user sees.
  for (let n = 3; n < webhooksMaximum; n++) await add(there.url, { name: `More ${n}`, enabled: false });
  await expect(add(there.url, {}, anna)).rejects.toMatchObject({ error: 'webhook.tooMany' });
});

test("a test is sent at once, shows the receiver's response, is logged and is not retried", async () => {
  const there = await receiver();
  const { id, secret } = await add(there.url, { enabled: false });
  there.answer((_, response) => response.writeHead(418).end('I am a teapot\u0000!'));
  expect(await rig.call(testWebhook, { params: { id } })).toMatchObject({
    status: 418,
    fault: 'status',
    answer: 'I am a teapot !',
  });
  const call = await there.nth(1);
  expect(genuine(secret, call)).toBe(true);
  expect(read(call)).toMatchObject({ type: 'webhook.test', data: { webhookId: id, name: 'Duty' } });
  expect(await deliveries()).toMatchObject([{ event: 'webhook.test', state: 'failed', tries: 1, nextAt: null }]);
  expect(await rig.call(getWebhook, { params: { id } })).toMatchObject({ state: 'off', failingSince: null });
});

test('a restored webhook has its secret and log, and a log is deleted after a month', async () => {
  const there = await receiver();
  const { id, secret } = await add(there.url);
  await say();
  await delivery('delivered');
  await rig.call(deleteWebhook, { query: { id } });
  expect(await deliveries()).toEqual([]);
  await say({ objectName: 'Meanwhile' });
  // A message that is stored after the restore is sent to it.
  await eventually(async () =>
    expect(await rig.sql(`select from message where object_name = 'Meanwhile'`)).toHaveLength(1),
  );
  expect(await rig.call(restoreWebhooks, { body: { ids: [id] } })).toEqual({ restored: 1 });
  await say({ objectName: 'After' });
  const call = await there.nth(2);
  expect(call.body).toContain('After');
  expect(genuine(secret, call)).toBe(true);
  await eventually(async () => {
    expect((await deliveries()).map((d) => d.state)).toEqual(['delivered', 'delivered']);
  });
  await rig.sql(`update webhook_delivery set created_at = now() - interval '31 days' where about <> 'After'`);
  await rig.service.app.get(WebhookRetention).forget();
  expect((await deliveries()).map((d) => d.about)).toEqual(['After']);
});
