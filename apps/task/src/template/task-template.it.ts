import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  addTaskTemplate,
  deleteTaskTemplate,
  listTasks,
  listTaskTemplates,
  permissionKeys,
  renameTaskTemplate,
  restoreTaskTemplates,
  type RouteCall,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { newActor } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig();
});
afterAll(() => rig.close());

type Body = RouteCall<typeof addTaskTemplate>['body'];
const body = (change: Partial<Body> = {}): Body => ({
  name: 'Nightly',
  action: 'reboot',
  params: { whenIdle: true },
  target: { filter: { model: ['Fanvil X7A'] } },
  schedule: { type: 'cycle', begin: '2020-01-01T02:30', end: null, repeat: { every: 'week', weekdays: [2] } },
  timeZone: 'Europe/Berlin',
  durationMinutes: 90,
  sync: 20,
  versionRange: { from: '1.0', to: '2.0' },
  rollout: { stages: [5, 100], pauseAt: 10 },
  overrideFreeze: true,
  pace: { retry: { tries: 3, of: ['busy'], firstSeconds: 60 }, spreadMinutes: 30, siteSync: 2, sitePerMinute: 5 },
  ...change,
});
const named = async (name: string, call = rig.call) =>
  (await call(listTaskTemplates)).records.find((t) => t.name === name);

it('a template keeps the whole order, including past times, and starts nothing', async () => {
  await rig.call(addTaskTemplate, { body: body() });
  expect(await named('Nightly')).toMatchObject({ ...body(), own: true });
  expect((await rig.call(listTasks, { query: {} })).total).toBe(0);
});

it('names are unique ignoring case; only the creator or a user who sees all renames or deletes one', async () => {
  const { id } = await rig.call(addTaskTemplate, { body: body({ name: 'Weekly' }) });
  const taken = { error: 'task.templateNameTaken', fields: [expect.objectContaining({ path: 'name' })] };
  await expect(rig.call(addTaskTemplate, { body: body({ name: 'WEEKLY' }) })).rejects.toMatchObject(taken);
  const narrow = rig.service.as({ ...newActor({ companyId: rig.actor.companyId }), orgIds: [rig.actor.orgId] });
  await expect(narrow(renameTaskTemplate, { params: { id }, body: { name: 'Mine' } })).rejects.toMatchObject({
    error: 'task.templateOfOther',
  });
  await expect(narrow(deleteTaskTemplate, { params: { id } })).rejects.toMatchObject({ error: 'task.templateOfOther' });
  expect(await named('Weekly', narrow)).toMatchObject({ own: false });
  await rig.call(renameTaskTemplate, { params: { id }, body: { name: 'Each week' } });
  expect([await named('Weekly'), (await named('Each week'))?.id]).toEqual([undefined, id]);
  await rig.call(deleteTaskTemplate, { params: { id } });
  expect(await named('Each week')).toBeUndefined();
  await expect(rig.call(deleteTaskTemplate, { params: { id } })).rejects.toMatchObject({ error: 'common.notFound' });
});

it('the deleter restores a template once, unless its name is taken or its permission is gone', async () => {
  const { id } = await rig.call(addTaskTemplate, { body: body({ name: 'Undone' }) });
  const before = await named('Undone');
  const restore = (call = rig.call) => call(restoreTaskTemplates, { body: { ids: [id] } });
  await rig.call(deleteTaskTemplate, { params: { id } });
  expect(await named('Undone')).toBeUndefined();
  // Another company and a colleague cannot restore it.
  const over = { error: 'common.restoreOver' };
  await expect(restore(rig.service.as(newActor()))).rejects.toMatchObject(over);
  await expect(restore(rig.service.as({ ...rig.actor, userId: uuidv7() }))).rejects.toMatchObject(over);
  const permissions = permissionKeys.filter((key) => key !== 'rebootDevice');
  await expect(restore(rig.service.as({ ...rig.actor, permissions }))).rejects.toMatchObject({
    error: 'common.notFound',
  });
  const other = await rig.call(addTaskTemplate, { body: body({ name: 'UNDONE' }) });
  await expect(restore()).rejects.toMatchObject({ error: 'task.templateNameTaken' });
  await rig.call(deleteTaskTemplate, { params: { id: other.id } });
  // A refused restore does not lose it.
  expect(await restore()).toEqual({ restored: 1 });
  expect(await named('Undone')).toEqual(before);
  expect(await restore()).toEqual({ restored: 0 });
});

it('a colleague who names a foreign template among their own does not take it from its deleter', async () => {
  const colleague = rig.service.as({ ...rig.actor, userId: uuidv7() });
  const removed = async (name: string, call = rig.call): Promise<string> => {
    const { id } = await call(addTaskTemplate, { body: body({ name }) });
    await call(deleteTaskTemplate, { params: { id } });
    return id;
  };
  const mine = await removed('Mine');
  const ids = [await removed('Theirs', colleague), mine];
  expect(await colleague(restoreTaskTemplates, { body: { ids } })).toEqual({ restored: 1 });
  expect(await rig.call(restoreTaskTemplates, { body: { ids: [mine] } })).toEqual({ restored: 1 });
});

it('another company sees no template, and may use the same name', async () => {
  await rig.call(addTaskTemplate, { body: body({ name: 'Ours' }) });
  const other = rig.service.as(newActor());
  expect((await other(listTaskTemplates)).records).toEqual([]);
  await other(addTaskTemplate, { body: body({ name: 'Ours' }) });
});

it('without the permission of its action a user cannot save, see or order a template', async () => {
  const { id } = await rig.call(addTaskTemplate, { body: body({ name: 'Reboots' }) });
  const permissions = permissionKeys.filter((key) => key !== 'rebootDevice');
  const lacking = rig.service.as({
    ...newActor({ companyId: rig.actor.companyId }),
    orgId: rig.actor.orgId,
    permissions,
  });
  expect(await named('Reboots', lacking)).toBeUndefined();
  const forbidden = { error: 'common.forbidden' };
  await expect(lacking(addTaskTemplate, { body: body({ name: 'Other' }) })).rejects.toMatchObject(forbidden);
  await expect(
    lacking(addTask, { body: { name: 'Run', action: 'reboot', target: { filter: {} } } }),
  ).rejects.toMatchObject(forbidden);
  await expect(lacking(deleteTaskTemplate, { params: { id } })).rejects.toMatchObject({ error: 'common.notFound' });
});

it('a template shows existing named devices only, and none that its creator does not see', async () => {
  const [kept, gone] = await rig.devices(2);
  const ids = [kept!, gone!].map((d) => d.identity.deviceId);
  await rig.call(addTaskTemplate, { body: body({ name: 'Two', target: { ids } }) });
  expect((await named('Two'))?.target).toEqual({ ids });
  const elsewhere = rig.service.as({ ...newActor({ companyId: rig.actor.companyId }), orgIds: [crypto.randomUUID()] });
  expect((await named('Two', elsewhere))?.target).toBeNull();
  await expect(elsewhere(addTaskTemplate, { body: body({ name: 'Not mine', target: { ids } }) })).rejects.toMatchObject(
    { error: 'device.pushTargetMissing' },
  );
});
