// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addEmailNotice,
  addFreezePeriod,
  addSite,
  addTask,
  cancelTask,
  deleteFreezePeriod,
  getTask,
  listAlarms,
  listDevices,
  listMessages,
  listNotices,
  listOperationLog,
  placeDevices,
  previewTask,
  type RouteInput,
} from '@carillon/contracts';
import { eventually, startMailServer, type MailServer } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

/** Sending rules of tasks, from the call to the device and to the notified users. */
const count = 6;
let platform: Platform;
let mail: MailServer;
let devices: { id: string; mac: string; name: string }[];

beforeAll(async () => {
  mail = await startMailServer();
  const { smtpHost, smtpPort, smtpSecurity, smtpUser, smtpPassword, smtpFrom, smtpCa } = mail.settings;
  platform = await Platform.start({
    name: 'task-rule',
    devices: count,
    env: {
      CARILLON_SMTP_HOST: smtpHost,
      CARILLON_SMTP_PORT: String(smtpPort),
      CARILLON_SMTP_SECURITY: smtpSecurity,
      CARILLON_SMTP_USER: smtpUser,
      CARILLON_SMTP_PASSWORD: smtpPassword,
      CARILLON_SMTP_FROM: smtpFrom,
      CARILLON_SMTP_CA: smtpCa,
      CARILLON_EMAIL_NOTICE_GATHER_MS: '20',
      CARILLON_EMAIL_NOTICE_PAUSE_MS: '20',
    },
  });
  await platform.allOnline(count);
  devices = (await platform.call(listDevices, { query: { sort: 'mac' } })).records;
  const body = { name: 'Zz clock', description: '', level: 'general' as const, target: null };
  await platform.call(addConfigTemplate, { body: { ...body, values: { 'time.format': '12' } } });
  await eventually(async () => {
    const target = { ids: devices.map((d) => d.id) };
    const answer = await platform.call(previewTask, { body: { ...config, target }, query: {} });
    expect(answer.devices.records.map((d) => d.code)).toEqual(devices.map(() => null));
  });
});
afterAll(async () => {
  await platform?.close();
  await mail?.close();
});

type Of = readonly { id: string; mac: string }[];
const order = (name: string, devices: Of, more: Partial<RouteInput<typeof addTask>['body']> = {}) =>
  platform.call(addTask, {
    body: { name, action: 'reboot', target: { ids: devices.map((d) => d.id) }, ...more },
  });
const become = (id: string, like: object) =>
  eventually(async () => expect(await platform.call(getTask, { params: { id } })).toMatchObject(like), 30_000);
const calls = (devices: Of, n: number) =>
  Promise.all(devices.map(({ mac }) => platform.simulator('/state', { mac, calls: n })));
/** Returns how often each device rebooted, by its own count. */
const reboots = async (devices: Of): Promise<number[]> => {
  const effects = await platform.effects();
  return devices.map(({ mac }) => effects.get(mac)?.reduce((sum, e) => sum + e.count, 0) ?? 0);
};
const config = { action: 'configUpdate', params: { by: 'template' } };
const minute = (fromNow: number): string => new Date(Date.now() + fromNow * 60_000).toISOString().slice(0, 16);

it('reboot, reset and configuration wait for the end of a call, unless the task says otherwise [TASK-11]', async () => {
  const [inCall, free, cut] = [devices.slice(0, 1), devices.slice(1, 2), devices.slice(2, 3)];
  const last = devices.slice(3, 4);
  const before = await reboots(devices);
  await calls([...inCall, ...cut, ...last], 1);
  // Waiting is the default.
  const { id } = await order('Zz idle', [...inCall, ...free]);
  await become(id, { counts: { success: 1, process: 1 }, waitingIdle: 1 });
  const at = (await platform.taskDevices(id)).find((d) => d.deviceId === inCall[0]!.id)!;
  expect(at).toMatchObject({ status: 'process', code: 'busy', message: 'Waits for the end of a call' });
  const now = await order('Zz at once', cut, { params: { whenIdle: false } });
  await become(now.id, { status: 'success', waitingIdle: 0 });
  const reset = await order('Zz reset', last, { action: 'factoryReset' });
  await become(reset.id, { counts: { process: 1 }, waitingIdle: 1 });
  expect(await reboots(devices)).toEqual(before.map((n, i) => (i === 1 || i === 2 ? n + 1 : n)));
  await become(id, { status: 'process', waitingIdle: 1 });
  await calls([...inCall, ...last], 0);
  await become(id, { status: 'success', counts: { success: 2 }, waitingIdle: 0 });
  await become(reset.id, { status: 'success', waitingIdle: 0 });
  expect(await reboots(devices)).toEqual(before.map((n, i) => (i <= 3 ? n + 1 : n)));

  // A configuration is loaded during the call, and applied after it.
  const configured = devices.slice(4, 5);
  await calls(configured, 1);
  const update = await order('Zz config', configured, config);
  await become(update.id, { counts: { process: 1 }, waitingIdle: 1 });
  expect(await platform.taskDevices(update.id)).toMatchObject([{ status: 'downloadSuccess', code: 'busy' }]);
  await calls(configured, 0);
  await become(update.id, { status: 'success', waitingIdle: 0 });
});

it('no changing task starts in a freeze period unless forced, which the operation log records [TASK-12]', async () => {
  const [held, others] = [devices.slice(0, 2), devices.slice(2, 4)];
  await platform.allOnline(count);
  const before = await reboots(devices);
  const site = await platform.call(addSite, {
    body: { name: 'Zz hall', parentId: null, description: '', segments: '', autoAssign: false },
  });
  await eventually(() => platform.call(placeDevices, { body: { siteId: site.id, ids: held.map((d) => d.id) } }));
  // The task service must know the freeze period.
  await eventually(async () =>
    expect(
      await platform.call(previewTask, {
        query: {},
        body: { action: 'reboot', target: { filter: { site: [site.id] } } },
      }),
    ).toMatchObject({ total: 2 }),
  );
  const freeze = (siteIds: string[]) =>
    eventually(() =>
      platform.call(addFreezePeriod, {
        body: { name: 'Zz fair', siteIds, begin: minute(-1), end: minute(60), timeZone: 'Etc/UTC' },
      }),
    );
  const ofSite = await freeze([site.id]);
  const first = await order('Zz at the site', [...held, ...others]);
  await become(first.id, { counts: { success: 2, wait: 2 } });
  expect(
    (await platform.taskDevices(first.id))
      .filter((d) => d.code === 'frozen')
      .map((d) => d.deviceId)
      .toSorted(),
  ).toEqual(held.map((d) => d.id).toSorted());
  const ofCompany = await freeze([]);
  const changing = [
    await order('Zz reset', devices.slice(4, 5), { action: 'factoryReset' }),
    await order('Zz config', devices.slice(5), config),
  ];
  for (const { id } of changing) {
    await eventually(async () =>
      expect(await platform.taskDevices(id)).toMatchObject([{ status: 'wait', code: 'frozen' }]),
    );
    await platform.call(cancelTask, { params: { id } });
  }
  const second = await order('Zz everywhere', devices);
  await become(second.id, { expanded: true, counts: { total: count, wait: count } });
  // A task that changes nothing is not held back. Each device runs it after its earlier task.
  const locate = await order('Zz where', devices, { action: 'locate', params: { seconds: 5 } });
  await become(locate.id, { status: 'success' });
  expect(await reboots(devices)).toEqual(before.map((n, i) => n + (i < 4 ? [1, 1, 2, 2][i]! : 1)));
  await become(second.id, { counts: { wait: count } });

  const despite = await order('Zz despite', devices.slice(4), { overrideFreeze: true });
  await become(despite.id, { status: 'success', overrideFreeze: true });
  await eventually(async () => {
    const { records } = await platform.call(listOperationLog, { query: { objectId: despite.id } });
    expect(records).toMatchObject([{ action: 'task.add', result: 'success', detail: { overrideFreeze: true } }]);
  });
  await platform.call(deleteFreezePeriod, { query: { id: ofCompany.id } });
  await become(second.id, { counts: { success: 4, wait: 2 } });
  await platform.call(deleteFreezePeriod, { query: { id: ofSite.id } });
  await become(first.id, { status: 'success' });
  await become(second.id, { status: 'success' });
});

it('a failing task raises a type 5 notice, and a sync value limits devices [TASK-09] [NOTE-01/task]', async () => {
  const { call } = platform;
  await platform.allOnline(count);
  const notice = (title: string, email: string, kinds: number[]) =>
    call(addEmailNotice, {
      body: {
        title,
        emails: [email],
        roleIds: [],
        userIds: [],
        sendType: 'immediate',
        time: null,
        zone: null,
        kinds,
        level: 'low',
        enabled: true,
      },
    });
  await notice('Zz tasks', 'night@example.com', [5]);
  await notice('Zz offline', 'day@example.com', [6]);
  const good = await order('Zz good', devices.slice(0, 2));
  await become(good.id, { status: 'success' });
  await platform.behave([devices[0]!.mac], 'failing');
  const bad = await order('Zz bad', devices.slice(0, 2));
  await become(bad.id, { status: 'finished', counts: { success: 1, fail: 1 } });
  await platform.behave([devices[0]!.mac], 'normal');
  const sent = await mail.next('night@example.com');
  expect(sent.text).toContain('Zz bad');
  expect((await call(listNotices)).find((n) => n.type === 5)).toMatchObject({ total: 1 });
  const answer = await call(listMessages, { query: { type: [5] } });
  expect(answer.records).toMatchObject([
    { type: 5, objectName: 'Zz bad', objectId: bad.id, level: 'medium', read: false },
  ]);
  expect((await call(listAlarms, { query: { type: [5] } })).records).toMatchObject([
    { type: 5, objectName: 'Zz bad', state: 'told' },
  ]);
  expect(mail.mails.filter((m) => m.to.includes('day@example.com'))).toEqual([]);
  expect(mail.mails.some((m) => m.text.includes('Zz good'))).toBe(false);

  // A device in a call keeps running its command until the call ends.
  await platform.allOnline(count);
  await calls(devices, 1);
  const all = await order('Zz all', devices, { sync: 0 });
  await become(all.id, { counts: { process: count, wait: 0 }, waitingIdle: count });
  await calls(devices, 0);
  await become(all.id, { status: 'success' });
  await platform.allOnline(count);
  await calls(devices, 1);
  const two = await order('Zz two', devices, { sync: 2 });
  await become(two.id, { sync: 2, counts: { process: 2, wait: 4 }, waitingIdle: 2 });
  // Nothing else is sent while they run; a later task for the other devices runs.
  const running = (await platform.taskDevices(two.id)).filter((d) => d.status === 'process').map((d) => d.deviceId);
  const locate = await order('Zz beside', devices, { action: 'locate', params: { seconds: 5 } });
  await become(locate.id, { status: 'success' });
  await become(two.id, { counts: { process: 2, wait: 4 } });
  await calls(
    devices.filter((d) => running.includes(d.id)),
    0,
  );
  await become(two.id, { counts: { success: 2, process: 2, wait: 2 }, waitingIdle: 2 });
  await calls(devices, 0);
  await become(two.id, { status: 'success', counts: { success: count } });
});
