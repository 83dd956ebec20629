import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  acknowledgeAlarms,
  addAlarmSilence,
  alarmKinds,
  clearMessages,
  editAlarmRule,
  endAlarmSilence,
  firmwareKind,
  listAlarmRules,
  listAlarmSilences,
  live,
  readMessages,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, gatewayStarted, type Actor } from '@carillon/testing';
import { alarmRig, type AlarmRig } from './alarm-test.ts';
import { AlarmRetention } from './alarm.retention.ts';

let rig: AlarmRig;
beforeAll(async () => {
  rig = await alarmRig();
});
afterAll(async () => {
  await rig?.close();
});

/** Waits until the single alarm group of a site or server is as expected. */
const line = (causeName: string, expected: object, as?: Actor) =>
  eventually(async () => {
    const found = (await rig.lines({ causeName }, as))[0];
    expect(found).toMatchObject(expected);
    return found!;
  });
const seen = (given: Partial<Actor>): Actor => ({ ...rig.actor, userId: uuidv7(), ...given });

test('an offline device raises an alarm until it is back, and a repeat continues it [NOTE-01/offline]', async () => {
  const siteId = await rig.site('Hamburg');
  const [phone] = await rig.devices(1, { siteId, name: 'Reception' });
  await rig.session([phone!], 'online');
  await rig.session([phone!], 'offline');
  const raised = await line('Hamburg', { type: alarmKinds.offline, state: 'open', open: 1, count: 1, endedAt: null });
  expect(raised).toMatchObject({
    level: 'medium',
    title: 'Device offline',
    content: 'Reception is offline.',
    cause: 'site',
    causeId: siteId,
    objectId: phone!.identity.deviceId,
    objectName: 'Reception',
    devices: 1,
    read: false,
  });
  await rig.session([phone!], 'online');
  const ended = await line('Hamburg', { state: 'ended', open: 0, count: 1 });
  expect(Date.parse(ended.endedAt!)).toBeGreaterThanOrEqual(Date.parse(raised.createTime));

  await rig.session([phone!], 'offline');
  expect(await line('Hamburg', { state: 'open', count: 2 })).toMatchObject({
    id: raised.id,
    createTime: raised.createTime,
  });
  await rig.session([phone!], 'online');
  await line('Hamburg', { state: 'ended', count: 2 });
  // After that time it is a new alarm.
  await rig.sql(
    `update alarm set ended_at = ended_at - interval '11 minutes', began_at = began_at - interval '11 minutes'`,
  );
  await rig.sql(`update alarm_sum set ended_at = ended_at - interval '11 minutes'`);
  await rig.session([phone!], 'offline');
  await eventually(async () => {
    expect((await rig.lines({ causeName: 'Hamburg' })).map((l) => [l.state, l.count])).toEqual([
      ['open', 1],
      ['ended', 2],
    ]);
  });
});

test('a lost registration is an alarm per line until it registers or is gone [NOTE-01/registration]', async () => {
  const [phone] = await rig.devices(1, { name: 'Desk' });
  const at = (status: 'registered' | 'failed' | 'unregistered', second?: 'failed' | 'registered') => [
    { line: 1, account: '2001', server: 'pbx.example', status },
    ...(second ? [{ line: 2, account: '2002', server: 'pbx.example', status: second }] : []),
  ];
  await phone!.state({ lines: at('registered') });
  await phone!.state({ lines: at('failed', 'failed') });
  const raised = await line('pbx.example', { type: alarmKinds.registrationFailed, open: 2, devices: 1, state: 'open' });
  expect(raised).toMatchObject({ level: 'high', cause: 'server', content: 'Account 2001 of Desk can’t register.' });
  expect((await rig.episodes(raised.id)).map((e) => [e.line, e.account]).sort()).toEqual([
    [1, '2001'],
    [2, '2002'],
  ]);
  // A line between two tries has no clear state.
  await phone!.state({ lines: at('unregistered', 'registered') });
  await line('pbx.example', { open: 1 });
  await phone!.state({ lines: at('registered') });
  await line('pbx.example', { open: 0, state: 'ended' });
});

test('a line reported by URL raises and ends its alarm while the phone is not online [EDGE-03/alarm]', async () => {
  const [phone] = await rig.devices(1, { name: 'Porch' });
  const publish = (status: 'failed' | 'registered', server = 'urls.example') =>
    phone!.state({ lines: [{ line: 1, account: '201', server, status }] }, 0);
  await publish('failed');
  await line('urls.example', { type: alarmKinds.registrationFailed, state: 'open', open: 1, objectName: 'Porch' });
  await publish('registered');
  await line('urls.example', { state: 'ended', open: 0 });
  await rig.session([phone!], 'online');
  await eventually(async () =>
    expect(
      await rig.sql('select 1 as one from link_session where online and device_id = $1', [phone!.identity.deviceId]),
    ).toHaveLength(1),
  );
  await publish('failed', 'link.example');
  await phone!.state({ lines: [{ line: 2, account: '202', server: 'later.example', status: 'failed' }] });
  await line('later.example', { open: 1 });
  expect(await rig.lines({ causeName: 'link.example' })).toEqual([]);
});

test('tampering, reset, reboot and new firmware are events, unless a task ordered them [NOTE-01/events]', async () => {
  const siteId = await rig.site('Gate');
  const [door, told] = await rig.devices(2, { siteId });
  await rig.command(told!, 'reboot');
  await rig.session([door!, told!], 'online');
  await told!.event({ id: uuidv7(), kind: 'reboot' });
  await rig.session([told!], 'offline');
  await rig.session([told!], 'online');
  await told!.hello({ boot: 'reboot' });
  await door!.event({ id: uuidv7(), kind: 'tamper' });
  await door!.event({ id: uuidv7(), kind: 'factoryReset' });
  await door!.hello({ boot: 'reset' });
  await door!.event({ id: uuidv7(), kind: 'reboot' });
  await door!.hello({ boot: 'upgrade', firmware: '2.13' });
  await eventually(async () => {
    const lines = await rig.lines({ causeName: 'Gate' });
    expect(
      lines.map((l) => [l.type, l.level, l.count, l.objectId]).sort((a, b) => Number(a[0]) - Number(b[0])),
    ).toEqual([
      [firmwareKind, 'low', 1, door!.identity.deviceId],
      [alarmKinds.factoryReset, 'medium', 1, door!.identity.deviceId],
      [alarmKinds.reboot, 'low', 1, door!.identity.deviceId],
      [alarmKinds.tamper, 'high', 1, door!.identity.deviceId],
    ]);
    expect(lines.find((l) => l.type === firmwareKind)!.content).toBe(`${lines[0]!.objectName} has version 2.13 now.`);
  });
  // Events end when a user acknowledges them.
  const tamper = (await rig.lines({ causeName: 'Gate', type: alarmKinds.tamper }))[0]!;
  expect(await rig.call(acknowledgeAlarms, { body: { ids: [tamper.id] } })).toEqual({ acknowledged: 1 });
  expect((await rig.lines({ causeName: 'Gate', type: alarmKinds.tamper }))[0]).toMatchObject({
    state: 'ended',
    open: 0,
  });
  expect((await rig.episodes(tamper.id))[0]).toMatchObject({ ended: 'acknowledged', acknowledgedBy: 'tester' });
});

test('a device that has drifted has one alarm until it has its configuration again [CFG-01/drift-alarm]', async () => {
  const [phone, disabled] = await rig.devices(2, { name: 'Drifting', siteId: await rig.site('Tower') });
  for (const one of [phone!, disabled!, phone!]) await rig.publishDevice(one, { configDrifted: true });
  const raised = await line('Tower', { type: alarmKinds.configDrift, open: 2, state: 'open' });
  expect(raised).toMatchObject({ level: 'medium', title: 'Configuration drifted', count: 2 });
  await rig.publishDevice(disabled!, { configDrifted: true, enabled: false });
  await line('Tower', { open: 1 });
  await rig.publishDevice(phone!, { configDrifted: false });
  await line('Tower', { open: 0, state: 'ended' });
  expect((await rig.episodes(raised.id)).map(({ ended }) => ended)).toEqual(['over', 'over']);
});

test('an acknowledged state stays open, and is shown as acknowledged until its cause ends', async () => {
  const siteId = await rig.site('Berlin');
  const devices = await rig.devices(2, { siteId });
  await rig.session(devices, 'online');
  await rig.session(devices, 'offline');
  const { id } = await line('Berlin', {
    devices: 2,
    open: 2,
    state: 'open',
    objectId: null,
    content: '2 devices are offline.',
  });
  await rig.call(acknowledgeAlarms, { body: { ids: [id] } });
  await line('Berlin', { open: 2, state: 'acknowledged' });
  await rig.session(devices, 'online');
  await line('Berlin', { open: 0, state: 'ended' });
});

test("an alarm is visible with its organization's figures, and moves with its device", async () => {
  const [north, south] = [uuidv7(), uuidv7()];
  const siteId = await rig.site('Shared');
  const a = await rig.devices(2, { siteId, orgId: north });
  const b = await rig.devices(3, { siteId, orgId: south });
  const [anna, ben, other] = [seen({ orgIds: [north] }), seen({ orgIds: [south] }), seen({ companyId: uuidv7() })];
  await rig.session([...a, ...b], 'online');
  await rig.session([...a, ...b], 'offline');
  const { id } = await line('Shared', { devices: 5, open: 5 });
  expect(await line('Shared', {}, anna)).toMatchObject({ id, devices: 2, open: 2, content: '2 devices are offline.' });
  expect(await rig.episodes(id, ben)).toHaveLength(3);
  expect(await rig.lines({}, other)).toEqual([]);
  expect(await rig.episodes(id, other)).toEqual([]);

  // Each acknowledges their own part.
  await rig.service.as(anna)(acknowledgeAlarms, { body: { all: true } });
  await line('Shared', { state: 'acknowledged' }, anna);
  await line('Shared', { state: 'open' }, ben);
  await rig.publishDevice(a[0]!, { orgId: south });
  await line('Shared', { devices: 4 }, ben);
  await line('Shared', { devices: 1, objectId: a[1]!.identity.deviceId }, anna);
  await rig.publishDevice(a[1]!, null);
  await line('Shared', { state: 'ended' }, anna);
  expect((await rig.episodes(id, anna))[0]).toMatchObject({ ended: 'deleted' });
});

test('the bell shows a group within a second, and a repeat is unread for every user [NOTE-01/read]', async () => {
  const siteId = await rig.site('Bell');
  const devices = await rig.devices(3, { siteId });
  const [anna, ben] = [seen({}), seen({})];
  for (const who of [anna, ben]) await rig.service.as(who)(clearMessages, { params: { type: -1 } });
  await rig.session(devices, 'online');
  const heard: number[] = [];
  const feed = await rig.bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      for (const r of records) if (r.value?.includes('"message"')) heard.push(Date.now());
    },
  });
  const before = Date.now();
  await rig.session(devices.slice(0, 2), 'offline');
  await eventually(() => {
    expect(heard.length).toBeGreaterThan(0);
  });
  expect(heard[0]! - before).toBeLessThan(1_000);
  await feed.close();
  const { id } = await line('Bell', { open: 2, read: false }, anna);
  expect(await rig.notices(anna)).toEqual([{ type: alarmKinds.offline, total: 1 }]);
  expect(await rig.service.as(anna)(readMessages, { body: [id] })).toEqual({ read: 1 });
  expect(await rig.notices(anna)).toEqual([]);
  expect(await rig.notices(ben)).toEqual([{ type: alarmKinds.offline, total: 1 }]);
  expect((await rig.lines({ causeName: 'Bell', read: 'true' }, anna)).map((l) => l.id)).toEqual([id]);
  await rig.session(devices.slice(2), 'offline');
  await line('Bell', { open: 3, read: false }, anna);
});

test('only users who see the whole company set the level of a kind or switch it off [NOTE-01/level]', async () => {
  const siteId = await rig.site('Rule');
  const [door] = await rig.devices(1, { siteId });
  const rule = (type: number, given: { level: 'high' | 'medium' | 'low'; enabled: boolean }, as: Actor = rig.actor) =>
    rig.service.as(as)(editAlarmRule, { body: { type, ...given } });
  await rule(alarmKinds.tamper, { level: 'low', enabled: true });
  await rule(alarmKinds.reboot, { level: 'low', enabled: false });
  expect(await rig.call(listAlarmRules)).toContainEqual({ type: alarmKinds.reboot, level: 'low', enabled: false });
  await door!.event({ id: uuidv7(), kind: 'reboot' });
  await door!.event({ id: uuidv7(), kind: 'tamper' });
  await line('Rule', { type: alarmKinds.tamper, level: 'low' });
  expect(await rig.lines({ causeName: 'Rule' })).toHaveLength(1);
  await rule(alarmKinds.tamper, { level: 'high', enabled: true });
  await rule(alarmKinds.reboot, { level: 'low', enabled: true });
  await expect(
    rule(alarmKinds.tamper, { level: 'low', enabled: true }, seen({ orgIds: [rig.actor.orgId] })),
  ).rejects.toMatchObject({ error: 'alarm.narrowed' });
});

test("a silence keeps a site's alarms in the list but off the bell, and its end notifies of open ones", async () => {
  const [quiet, loud] = [await rig.site('Quiet'), await rig.site('Loud')];
  const [first, second] = await rig.devices(2, { siteId: quiet });
  const [other] = await rig.devices(1, { siteId: loud });
  const anna = seen({});
  await rig.service.as(anna)(clearMessages, { params: { type: -1 } });
  await rig.session([first!, second!, other!], 'online');
  await rig.session([first!], 'offline');
  await line('Quiet', { state: 'open', read: false }, anna);
  await expect(rig.call(addAlarmSilence, { body: { minutes: 60 } })).rejects.toMatchObject({
    error: 'alarm.silenceNothing',
  });
  await rig.call(addAlarmSilence, { body: { siteId: quiet, minutes: 60 } });
  await line('Quiet', { state: 'silenced', read: true }, anna);
  await rig.session([second!, other!], 'offline');
  await line('Quiet', { open: 2, state: 'silenced', read: true }, anna);
  await line('Loud', { state: 'open', read: false }, anna);
  expect(await rig.notices(anna)).toEqual([{ type: alarmKinds.offline, total: 1 }]);
  const [silence] = await rig.call(listAlarmSilences);
  expect(silence).toMatchObject({ siteId: quiet, siteName: 'Quiet', type: null, createdBy: 'tester' });
  await rig.session([second!], 'online');
  await line('Quiet', { open: 1 });
  await rig.call(endAlarmSilence, { query: { id: silence!.id } });
  await line('Quiet', { open: 1, state: 'open', read: false }, anna);
  expect(await rig.call(listAlarmSilences)).toEqual([]);
});

test('devices of an ended gateway have time to come back before they raise an alarm', async () => {
  const patient = await alarmRig({ alarmGatewayGraceMs: 600_000, alarmOfflineGraceMs: 600_000 });
  try {
    const devices = await patient.devices(3);
    await patient.session(devices, 'online');
    const waiting = () =>
      patient.sql<{ raised: boolean; source: string | null }>(
        `select raised, source from alarm_signal where due_at > now() + interval '9 minutes'`,
      );
    await eventually(async () => {
      expect(await patient.sql('select 1 from link_session where online')).toHaveLength(3);
    });
    await gatewayStarted(patient.bus, 'gateway-1', 'gateway-1#b');
    await eventually(async () => {
      expect(await waiting()).toEqual(devices.map(() => ({ raised: true, source: 'gateway-1' })));
    });
    await patient.sql(`update alarm_signal set due_at = now() + interval '1 minute'`);
    await gatewayStarted(patient.bus, 'gateway-2', 'gateway-2#a');
    await eventually(async () => {
      expect(await patient.sql(`select 1 from link_gateway where name = 'gateway-2'`)).toHaveLength(1);
    });
    expect(await waiting()).toEqual([]);
    await gatewayStarted(patient.bus, 'gateway-1', 'gateway-1#c');
    await eventually(async () => {
      expect(await waiting()).toHaveLength(3);
    });
    for (const d of devices) await d.online(++d.epoch, 'gateway-1#c');
    await eventually(async () => {
      expect(await patient.sql('select 1 from alarm_signal')).toEqual([]);
    });
    expect(await patient.lines()).toEqual([]);
  } finally {
    await patient.close();
  }
});

test('an unacknowledged event ends after a week and is deleted after a quarter [NOTE-01/age]', async () => {
  const siteId = await rig.site('Old town');
  const [door] = await rig.devices(1, { siteId, name: 'Gate' });
  await door!.event({ id: uuidv7(), kind: 'tamper' });
  const raised = await line('Old town', { type: alarmKinds.tamper, state: 'open' });
  const retention = rig.service.app.get(AlarmRetention);
  const older = (days: number) =>
    rig.sql(
      `
        with aged as (
          update alarm
          set last_at = last_at - make_interval(days => $2), began_at = began_at - make_interval(days => $2),
            ended_at = ended_at - make_interval(days => $2)
          where line_id = $1
        )
        update alarm_line set began_at = began_at - make_interval(days => $2) where id = $1
      `,
      [raised.id, days],
    );
  await older(6);
  await retention.forget();
  expect((await rig.lines({ causeName: 'Old town' }))[0]).toMatchObject({ state: 'open' });
  await older(2);
  await retention.forget();
  await line('Old town', { id: raised.id, state: 'ended', open: 0 });
  expect((await rig.episodes(raised.id))[0]).toMatchObject({ ended: 'aged' });
  await older(91);
  await retention.forget();
  expect(await rig.lines({ causeName: 'Old town' })).toEqual([]);
  for (const table of ['alarm', 'alarm_sum'])
    expect(await rig.sql(`select 1 from ${table} where line_id = $1`, [raised.id])).toEqual([]);
});
