import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clearMessages,
  deleteMessages,
  listAlarms,
  listErrors,
  listMessages,
  listNotices,
  live,
  message,
  readMessages,
  reportErrors,
  type EventData,
  type Language,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type Actor, type TestedService } from '@carillon/testing';
import { renderMail } from '../mail/render.ts';
import { notificationService } from '../notification.module.ts';

const mailKey = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
let bus: PostgresBus;
let service: TestedService;
const day = 86_400_000;

const publish = (
  actor: Actor,
  change: Partial<EventData<typeof message, 'message'>> & { type: number },
  record: { id?: string; at?: number } = {},
) =>
  bus.publish([
    toRecord(
      message,
      actor.companyId,
      {
        level: 'medium',
        objectId: randomUUID(),
        objectName: 'Lobby',
        orgId: null,
        expiresAt: null,
        values: {},
        ...change,
      },
      envelope('message', { companyId: actor.companyId, ...record }),
    ),
  ]);
const notices = (actor: Actor) => service.as(actor)(listNotices);
const list = (actor: Actor, query: object = {}) => service.as(actor)(listMessages, { query } as never);

beforeAll(async () => {
  bus = await testBus('message_bus');
  service = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey,
    errorLogPerMinute: 60,
    errorLogKept: 70,
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('notices of -2 to -5 show total, days and time, and are read, cleared and deleted [NOTE-02/messages]', async () => {
  expect(
    [listNotices, listMessages, readMessages, clearMessages, deleteMessages].map((r) => [r.method, r.path]),
  ).toEqual([
    ['GET', '/api/f/mc/message/notice'],
    ['GET', '/api/f/mc/message/list'],
    ['POST', '/api/f/mc/message/read'],
    ['GET', '/api/f/mc/message/clear/{type}'],
    ['DELETE', '/api/f/mc/message'],
  ]);
  const anna = newActor();
  const ben = { ...anna, userId: randomUUID() };
  const heard: unknown[] = [];
  const feed = await bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      heard.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  const now = Date.now();
  const once = randomUUID();
  await publish(anna, { type: -2, values: { version: '2.12' }, objectName: 'X7A' }, { at: now - 5_000 });
  await publish(anna, { type: -2, values: { version: '2.13' }, objectName: 'X7A' }, { at: now - 4_000, id: once });
  await publish(anna, { type: -2, values: { version: '2.13' }, objectName: 'X7A' }, { at: now - 4_000, id: once });
  await publish(anna, { type: -3, values: { reason: 'Timeout.' } }, { at: now - 3_000 });
  await publish(
    anna,
    { type: -4, expiresAt: new Date(now + 12 * day - 60_000).toISOString(), objectName: 'Value' },
    { at: now - 2_000 },
  );
  await publish(
    anna,
    { type: -5, expiresAt: new Date(now + 30 * day - 60_000).toISOString(), objectName: 'Basic' },
    { at: now - 1_000 },
  );
  await publish(
    anna,
    { type: -5, expiresAt: new Date(now - day).toISOString(), objectName: 'Old' },
    { at: now - 1_500 },
  );
  await eventually(async () => {
    expect((await list(anna)).total).toBe(6);
  });
  const shown = await notices(anna);
  expect(shown.map(({ type, total, date }) => ({ type, total, date }))).toEqual([
    { type: -5, total: 2, date: 0 },
    { type: -4, total: 1, date: 12 },
    { type: -3, total: 1, date: null },
    { type: -2, total: 2, date: null },
  ]);
  // The latest of several.
  expect(shown.map((n) => now - Date.parse(n.createTime))).toEqual([1_000, 2_000, 3_000, 4_000]);
  expect(shown[3]).toMatchObject({ title: 'New firmware version', createTime: new Date(now - 4_000).toISOString() });
  expect((await list(anna)).records.map((r) => r.content)).toEqual([
    'Basic expires in 30 days. Renew it before then.',
    'Old expires in 0 days. Renew it before then.',
    'Value expires in 12 days. Renew it before then.',
    'Lobby was not synced. Timeout.',
    'Version 2.13 is available for X7A.',
    'Version 2.12 is available for X7A.',
  ]);
  await eventually(() => {
    expect(heard).toContainEqual(expect.objectContaining({ kind: 'message', ids: expect.arrayContaining([once]) }));
  });

  // Both spellings of a body; read state is per user.
  const ids = (await list(anna, { type: -2 })).records.map((r) => r.id);
  expect(await service.as(anna)(readMessages, { body: [ids[0]!] })).toEqual({ read: 1 });
  expect(await service.as(anna)(readMessages, { body: { ids } })).toEqual({ read: 1 });
  expect((await notices(anna)).map((n) => n.type)).toEqual([-5, -4, -3]);
  expect((await notices(ben)).map((n) => n.total)).toEqual([2, 1, 1, 2]);
  expect((await list(anna, { read: 'false' })).total).toBe(4);
  expect((await list(anna, { read: 'true', limit: 1 })).records).toHaveLength(1);

  expect(await service.as(anna)(clearMessages, { params: { type: -4 } })).toEqual({ read: 1 });
  expect((await notices(anna)).map((n) => n.type)).toEqual([-5, -3]);
  expect(await service.as(anna)(clearMessages, { params: { type: -1 } })).toEqual({ read: 3 });
  expect(await notices(anna)).toEqual([]);
  expect((await list(anna)).total).toBe(6);

  expect(await service.as(anna)(deleteMessages, { body: ids })).toEqual({ deleted: 2 });
  expect(await service.as(anna)(deleteMessages, { body: { ids } })).toEqual({ deleted: 0 });
  expect((await list(ben)).total).toBe(4);
  await feed.close();
});

test('kinds from 0 are alarms in the reader’s language, unnamed ones firmware updates [NOTE-06/words]', async () => {
  const carla = newActor();
  for (const type of [0, 2, 3, 4, 5, 6, 7, 9, 77])
    await publish(
      carla,
      {
        type,
        level: type === 9 ? 'high' : 'low',
        values: { account: '2001', percent: 91, count: 2, total: 9, version: '3.1' },
      },
      { at: Date.now() + type },
    );
  await eventually(async () => {
    expect((await list(carla, { tab: 'device' })).total).toBe(9);
  });
  expect((await list(carla, { tab: 'message' })).total).toBe(0);
  expect((await list(carla, { level: 'high' })).records.map((r) => r.type)).toEqual([9]);
  expect((await list(carla, { type: [77, 5] })).records.map((r) => `${r.title}: ${r.content}`)).toEqual([
    'Firmware update: Lobby has version 3.1 now.',
    'Task failed: Task Lobby: 2 of 9 devices did not finish it.',
  ]);
  for (const record of (await list(carla)).records) expect(record.content).not.toMatch(/[{}]/);
});

test('every type has title, content, type and date, and is marked read one or many [NOTE-06/messages]', async () => {
  const emil = newActor();
  const kinds = new Map([
    [-5, 'Basic service certificate expires'],
    [-4, 'Value-added service certificate expires'],
    [-3, 'Device sync to FDPS failed'],
    [0, 'Account registration failed'],
    [1, 'Firmware update'],
    [2, 'Cloud storage is low or full'],
    [3, 'Factory reset'],
    [4, 'Device reboot'],
    [5, 'Task failed'],
    [6, 'Device offline'],
    [7, 'Configuration drifted'],
    [8, 'Firmware update'],
    [9, 'Tamper alarm'],
    [10, 'Firmware update'],
    [4_711, 'Firmware update'],
  ]);
  const at = Date.now() - 60_000;
  for (const type of kinds.keys())
    await publish(
      emil,
      {
        type,
        expiresAt: type < -3 ? new Date(at + 9 * day).toISOString() : null,
        values: { account: '2001', percent: 91, count: 2, total: 9, version: '3.1', reason: 'Timeout.' },
      },
      { at: at + type },
    );
  await eventually(async () => {
    expect((await list(emil)).total).toBe(kinds.size);
  });
  const all = (await list(emil, { limit: 50 })).records;
  expect(new Map(all.map((r) => [r.type, r.title]))).toEqual(kinds);
  // The days left of a certificate are a number and part of the text; no other kind has them.
  for (const record of all)
    expect([
      record.content.length > 5,
      record.content.includes('{'),
      record.createTime,
      record.date,
      record.date === null || record.content.includes(String(record.date)),
    ]).toEqual([true, false, new Date(at + record.type).toISOString(), record.type < -3 ? 9 : null, true]);

  const alarms = all.filter((r) => r.type >= 0);
  const unread = async () =>
    (await list(emil, { tab: 'device', read: 'false', limit: 50 })).records
      .map((r) => r.type)
      .filter((type) => type >= 0)
      .sort((x, y) => x - y);
  // The list of devices also has the device that could not be synced; certificates are messages.
  const table = async (tab: 'device' | 'message') =>
    (await list(emil, { tab, limit: 50 })).records.map((r) => r.type).filter((type) => type < 0);
  expect([await table('device'), await table('message')]).toEqual([[-3], [-4, -5]]);
  const left = alarms.map((r) => r.type).sort((x, y) => x - y);
  expect(await unread()).toEqual(left);
  for (const one of [9, 0]) {
    expect(await service.as(emil)(readMessages, { body: [alarms.find((r) => r.type === one)!.id] })).toEqual({
      read: 1,
    });
    left.splice(left.indexOf(one), 1);
    expect(await unread()).toEqual(left);
  }
  expect(await service.as(emil)(clearMessages, { params: { type: -1 } })).toEqual({ read: all.length - 2 });
  expect(await unread()).toEqual([]);
  expect((await list(emil, { read: 'true', limit: 50 })).total).toBe(all.length);
});

test('a message of an organization is shown only to its users, and not without the permission', async () => {
  const org = randomUUID();
  const boss = newActor();
  await publish(boss, { type: 6, orgId: org });
  await publish(boss, { type: 6, orgId: randomUUID() });
  await publish(boss, { type: 2 });
  await eventually(async () => {
    expect((await list(boss)).total).toBe(3);
  });
  const clerk: Actor = { ...boss, userId: randomUUID(), orgIds: [org] };
  expect((await list(clerk)).records.map((r) => r.type).sort()).toEqual([2, 6]);
  expect(await service.as(clerk)(clearMessages, { params: { type: -1 } })).toEqual({ read: 2 });
  expect((await notices(boss)).map((n) => n.total).reduce((a, b) => a + b)).toBe(3);
  const all = (await list(boss)).records.map((r) => r.id);
  expect(await service.as(clerk)(deleteMessages, { body: all })).toEqual({ deleted: 2 });
  expect((await list(boss)).total).toBe(1);
  expect(await notices({ ...boss, permissions: ['home'] })).toEqual([]);
});

test("a shared object's message is whole for users who see all its organizations, and partial for others", async () => {
  const [north, south] = [randomUUID(), randomUUID()];
  const boss = newActor();
  const orgIds = [north, south];
  const once = randomUUID();
  const heard: { ids: string[]; orgIds: string[] | null }[] = [];
  const feed = await bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      heard.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  await publish(boss, { type: 5, orgIds, values: { count: 3, total: 9 } });
  for (let twice = 0; twice < 2; twice++)
    await publish(boss, { type: 5, orgId: north, orgIds, values: { count: 3, total: 4 } }, { id: once });
  const seen = async (who: readonly string[] | '*') =>
    (await list({ ...boss, orgIds: who })).records.map((r) => r.content);
  await eventually(async () => {
    expect(await seen([north])).toEqual(['Task Lobby: 3 of 4 devices did not finish it.']);
  });
  for (const all of ['*', orgIds] as const)
    expect(await seen(all)).toEqual(['Task Lobby: 3 of 9 devices did not finish it.']);
  expect(await seen([south])).toEqual([]);
  const seeAll: Actor = { ...boss, orgIds: [north], allOrgs: true };
  expect((await list(seeAll)).total).toBe(1);
  // The live event is published after the commit that the list was waited for.
  await eventually(() => {
    expect(heard.find((h) => h.ids.includes(once))?.orgIds).toEqual([north]);
  });
  expect(await service.as({ ...boss, orgIds: [north] })(deleteMessages, { body: [once] })).toEqual({ deleted: 1 });
  expect(await seen([north])).toEqual([]);
  await feed.close();
});

const entry = (n = 0) => ({
  url: '/device/list',
  time: new Date().toISOString(),
  type: 'error',
  message: `boom ${n}`,
  stack: 'Error: boom\n  at x',
  info: 'React',
});

test("stores browsers' error logs within limits of size and rate, and drops the oldest [SYS-05/error-log]", async () => {
  const dora = newActor();
  const send = (n: number, actor = dora) =>
    service.as(actor)(reportErrors, { body: { logs: Array.from({ length: n }, (_, i) => entry(i)) } });
  expect(await send(50)).toEqual({ stored: 50 });
  await expect(send(51)).rejects.toMatchObject({ code: 400 });
  await expect(send(11)).rejects.toMatchObject({
    code: 429,
    error: 'common.tooMany',
    message: expect.stringMatching(/in (60|5\d) s/),
  });
  expect(await send(10)).toEqual({ stored: 10 });
  await expect(send(1)).rejects.toMatchObject({ code: 429 });
  // Another user has their own quota; above the company's limit the oldest entries are dropped.
  expect(await send(40, { ...dora, userId: randomUUID() })).toEqual({ stored: 40 });
  const kept = await service.as(dora)(listErrors, { query: { limit: 100 } });
  expect([kept.total, kept.records[0]]).toEqual([
    70,
    {
      ...entry(),
      id: expect.any(String),
      at: expect.any(String),
      time: expect.any(String),
      userId: expect.any(String),
      username: 'tester',
      message: expect.stringMatching(/^boom/),
    },
  ]);
  const big = await service.raw(dora, {
    method: 'POST',
    url: reportErrors.path,
    payload: { logs: [{ ...entry(), stack: 'x'.repeat(10_000) }] },
  });
  expect(big.status).toBe(400);
  expect(
    (
      await service.raw(dora, {
        method: 'POST',
        url: reportErrors.path,
        payload: { logs: [{ ...entry(), stack: 'x'.repeat(1_200_000) }] },
      })
    ).status,
  ).toBe(413);
  expect((await service.as(newActor())(listErrors, {})).total).toBe(0);
});

test('the name of a task that no user named is in the language of the reader [NOTE-02/object-names]', async () => {
  const anna = newActor();
  const values = { count: 1, total: 2, object_en_US: 'Reboot 2 devices', object_pt_BR: 'Reiniciar 2 dispositivos' };
  await publish(anna, { type: 5, objectName: '장치 2대 재시작', values });
  await eventually(async () => expect((await list(anna)).total).toBe(1));
  const shown = async (language: Language) => {
    const reader = { ...anna, language };
    const [one] = (await list(reader)).records;
    const [line] = (await service.as(reader)(listAlarms, { query: {} })).records;
    return [one!.objectName, line!.objectName, one!.content.includes(one!.objectName!), line!.content === one!.content];
  };
  const inPortuguese = 'Reiniciar 2 dispositivos';
  expect(await shown('pt_BR')).toEqual([inPortuguese, inPortuguese, true, true]);
  expect(await shown('ko')).toEqual(['장치 2대 재시작', '장치 2대 재시작', true, true]);
  const answer = { type: 5, level: 'high' as const, devices: 1, cause: 'none' as const, causeName: null };
  const mail = (language: Language) =>
    renderMail('alarms', language, {
      ...{ name: 'Anna', title: 'Tasks', more: 0 },
      alarms: [{ ...answer, object: '장치 2대 재시작', values }],
    }).text;
  expect(mail('pt_BR')).toContain(inPortuguese);
  expect(mail('ko')).toContain('장치 2대 재시작');
});
