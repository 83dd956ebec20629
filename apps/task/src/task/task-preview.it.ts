import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask, getTask, listTaskDevices, listTasks, previewTask, type RouteInput } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
/** A device for each outcome. */
let samples: Record<'fits' | 'below' | 'above' | 'words' | 'none' | 'cannot' | 'silent', LinkedDevice>;
const all = () => Object.values(samples).map((d) => d.identity.deviceId);

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  const one = async (given: object) => (await rig.devices(1, given))[0]!;
  samples = {
    fits: await one({ firmware: '2.10.3' }),
    below: await one({ firmware: '2.4' }),
    above: await one({ firmware: '2.12.1.3' }),
    words: await one({ firmware: 'T2.10 beta' }),
    none: await one({ firmware: null }),
    cannot: await one({ firmware: '2.10.4', capabilities: ['other'], model: 'Fanvil i10' }),
    silent: await one({ firmware: '2.11', capabilities: [] }),
  };
});
afterAll(() => rig?.close());

type Order = RouteInput<typeof previewTask>['body'];
const range = { from: '2.9.3', to: '2.11.3' };
const preview = (
  more: Partial<Order> = {},
  query: RouteInput<typeof previewTask>['query'] | object = {},
  actor: Actor = rig.actor,
) =>
  rig.service.as(actor)(previewTask, {
    body: { action: 'reboot', target: { ids: all() }, timeZone: 'Etc/UTC', versionRange: range, ...more } as Order,
    query: query as never,
  });
const stored = () =>
  rig.sql(
    `
      select (select count(*) from task) as tasks, (select count(*) from task_device) as rows,
        (select count(*) from task_run) as runs, (select coalesce(sum(last), 0) from task_number) as numbers,
        (select count(*) from task_organization) as shared
    `,
  );

describe('a dry run [TASK-08/dry-run]', () => {
  it('lists the devices that a task would change, and why each other one is skipped', async () => {
    const answer = await preview();
    expect(answer).toMatchObject({ total: 7, touched: 1 });
    expect(answer.skipped).toEqual(
      expect.arrayContaining([
        { code: 'versionOutside', message: 'Its firmware is outside the version range', count: 2 },
        { code: 'versionUnknown', message: 'Its firmware version can’t be compared', count: 2 },
        { code: 'unsupported', message: 'The Fanvil i10 cannot do this', count: 1 },
        { code: 'capabilityUnknown', message: 'It has not said what it can do', count: 1 },
      ]),
    );
    expect(answer.skipped).toHaveLength(4);
    const why = Object.fromEntries(answer.devices.records.map((d) => [d.deviceId, [d.code, d.message]]));
    const by = (kind: keyof typeof samples) => why[samples[kind].identity.deviceId];
    expect(by('fits')).toEqual([null, null]);
    expect(by('below')![0]).toBe('versionOutside');
    expect(by('above')![0]).toBe('versionOutside');
    expect(by('words')![0]).toBe('versionUnknown');
    expect(by('none')![0]).toBe('versionUnknown');
    expect(by('cannot')).toEqual(['unsupported', 'The Fanvil i10 cannot do this']);
    expect(by('silent')![0]).toBe('capabilityUnknown');
  });

  it('matches what the task then does, device by device', async () => {
    const answer = await preview();
    const task = await rig.call(addTask, {
      body: { name: 'x', action: 'reboot', target: { ids: all() }, versionRange: range },
    });
    await eventually(async () => expect((await rig.call(getTask, { params: { id: task.id } })).expanded).toBe(true));
    const { records } = await rig.call(listTaskDevices, { params: { id: task.id }, query: {} });
    expect(records.filter((r) => r.status === 'wait').map((r) => r.deviceId)).toEqual(
      answer.devices.records.filter((d) => d.code === null).map((d) => d.deviceId),
    );
    expect(new Map(records.filter((r) => r.status === 'fail').map((r) => [r.deviceId, r.code]))).toEqual(
      new Map(
        answer.devices.records
          .filter((d) => d.code !== null && d.code !== 'versionOutside')
          .map((d) => [d.deviceId, d.code]),
      ),
    );
  });

  it('stores nothing and sends nothing', async () => {
    const [before, commands] = [await stored(), rig.commands.length];
    await preview();
    await preview({ schedule: { type: 'timer', begin: '2031-01-01T02:00' } });
    expect(await stored()).toEqual(before);
    expect(rig.commands.length).toBe(commands);
  });

  it('is paged, can be searched, and filters changed or skipped devices', async () => {
    expect((await preview({}, { limit: 2, page: 2 })).devices).toMatchObject({ total: 7, current: 2, size: 2 });
    expect((await preview({}, { only: 'touched' })).devices.records.map((d) => d.deviceId)).toEqual([
      samples.fits.identity.deviceId,
    ]);
    expect((await preview({}, { only: 'skipped' })).devices.total).toBe(6);
    const { devices, total } = await preview({}, { search: samples.none.identity.mac });
    expect([devices.records.map((d) => d.deviceId), total]).toEqual([[samples.none.identity.deviceId], 7]);
  });

  it('shows the next five times', async () => {
    const repeat = { every: 'week' as const, weekdays: [1] };
    const schedule = { type: 'cycle', begin: '2031-03-24T02:30', end: null, repeat } as const;
    expect((await preview({ schedule, timeZone: 'Europe/Berlin' })).runs).toEqual([
      '2031-03-24T01:30:00.000Z',
      '2031-03-31T00:30:00.000Z',
      '2031-04-07T00:30:00.000Z',
      '2031-04-14T00:30:00.000Z',
      '2031-04-21T00:30:00.000Z',
    ]);
    expect((await preview()).runs).toEqual([]);
  });

  it("is in the reader's language", async () => {
    const { skipped } = await preview({}, {}, { ...rig.actor, language: 'pt_BR' });
    expect(skipped.map((s) => s.message)).toContain('O firmware está fora do intervalo de versões');
  });

  it('covers only what the caller sees, and is refused like the order', async () => {
    const hamburg = uuidv7();
    const [there] = await rig.devices(1, { orgId: hamburg });
    const anna: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [hamburg] };
    const seen = await preview({ target: { filter: {} }, versionRange: null }, {}, anna);
    expect(seen).toMatchObject({ total: 1, touched: 1 });
    expect(seen.devices.records.map((d) => d.deviceId)).toEqual([there!.identity.deviceId]);
    const error = (call: Promise<unknown>) => call.catch((e: { error: string }) => e.error);
    expect(await error(preview({}, {}, anna))).toBe('device.pushTargetMissing');
    expect(await error(preview({}, {}, newActor()))).toBe('device.pushTargetMissing');
    expect(await error(preview({ action: 'fly' }))).toBe('task.paramsInvalid');
    expect(await error(preview({ schedule: { type: 'timer', begin: '2020-01-01T00:00' } }))).toBe('task.startInPast');
    expect(await error(preview({}, {}, { ...rig.actor, permissions: ['task', 'addTask'] }))).toBe('common.forbidden');
    expect(await error(preview({}, {}, { ...rig.actor, permissions: ['task', 'rebootDevice'] }))).toBe(
      'common.forbidden',
    );
  });
});

describe('the version range', () => {
  const ranged = async (versionRange: { from: string; to: string }) =>
    (await preview({ versionRange }, { only: 'touched' })).devices.records.map((d) => d.deviceId);

  it('is compared by its numbers, both ends inclusive', async () => {
    const [low, high] = await Promise.all([
      rig.devices(1, { firmware: '3.4.1' }),
      rig.devices(1, { firmware: '3.10.1' }),
    ]);
    const ids = [low[0]!, high[0]!].map((d) => d.identity.deviceId);
    const touched = async (from: string, to: string) =>
      (await preview({ versionRange: { from, to }, target: { ids } }, { only: 'touched' })).devices.records.map(
        (d) => d.deviceId,
      );
    expect(await touched('3.4.1', '3.10.1')).toEqual(expect.arrayContaining(ids));
    expect(await touched('3.4.1', '3.9.1')).toEqual([ids[0]]);
    expect(await touched('3.5.1', '3.10.1')).toEqual([ids[1]]);
    // 3.4.1 is 3.4.1.0.
    expect(await touched('3.4.1.0', '3.4.1.0')).toEqual([ids[0]]);
    expect(await touched('3.4.1.1', '3.9.1')).toEqual([]);
  });

  it('changes only devices in range, also named ones, and ends with the last digit of its start [TASK-05]', async () => {
    expect(await ranged({ from: '2.4', to: '2.4' })).toEqual([samples.below.identity.deviceId]);
    const task = await rig.call(addTask, {
      body: { name: 'x', action: 'reboot', target: { ids: all() }, versionRange: { from: '2.4', to: '2.4' } },
    });
    await eventually(async () => expect((await rig.call(getTask, { params: { id: task.id } })).expanded).toBe(true));
    await samples.fits.online();
    await samples.below.online();
    expect((await rig.command(samples.below)).deviceId).toBe(samples.below.identity.deviceId);
    const { records } = await rig.call(listTaskDevices, { params: { id: task.id }, query: {} });
    const ids = records.map((r) => r.deviceId);
    expect(records.filter((r) => r.sentAt !== null).map((r) => r.deviceId)).toEqual([samples.below.identity.deviceId]);
    expect(ids).not.toContain(samples.fits.identity.deviceId);
    expect(ids).not.toContain(samples.above.identity.deviceId);
    // An incomparable device is listed and not started.
    expect(records.find((r) => r.deviceId === samples.words.identity.deviceId)).toMatchObject({
      status: 'fail',
      code: 'versionUnknown',
    });
    for (const [from, to] of [
      ['2.4.1', '2.9.2'],
      ['2.4.1', '2.9.10'],
    ] as const)
      await expect(
        rig.call(addTask, {
          body: { name: 'x', action: 'reboot', target: { ids: all() }, versionRange: { from, to } },
        }),
      ).rejects.toMatchObject({ error: 'task.versionRange', fields: [{ path: 'versionRange.to' }] });
    await rig.call(addTask, {
      body: { name: 'x', action: 'reboot', target: { ids: all() }, versionRange: { from: '2.4.1', to: '2.9.11' } },
    });
  });

  it('is refused by a dry run like by the order', async () => {
    const error = (versionRange: { from: string; to: string }) =>
      preview({ versionRange }).then(
        () => 'taken',
        (e: { error: string; fields?: { path: string }[] }) => [e.error, e.fields?.[0]?.path],
      );
    expect(await error({ from: '2.4.1', to: '2.9.2' })).toEqual(['task.versionRange', 'versionRange.to']);
    expect(await error({ from: '2.4.1', to: '2.9.11' })).toBe('taken');
    expect(await error({ from: '2.x', to: '2.9.1' })).toEqual(['common.invalid', 'versionRange.from']);
  });
});

describe('the list [TASK-10/filters]', () => {
  it('finds tasks by type, begin, end, duration, repeat, version, devices, one device and creator', async () => {
    const own = newActor();
    const call = rig.service.as(own);
    const other = await taskOf(own);
    const list = async (query: object) =>
      (await call(listTasks, { query: { sort: 'number', ...query } as never })).records.map((t) => t.name);
    expect(await list({ type: 'timer' })).toEqual(['timer']);
    expect(await list({ type: ['now', 'cycle'] })).toEqual(['now', 'weekly', 'monthly']);
    expect(await list({})).toEqual(['now', 'timer', 'weekly', 'monthly']);
    expect(await list({ 'beginAt.from': '2031-01-02T00:00:00Z', 'beginAt.to': '2031-02-15T00:00:00Z' })).toEqual([
      'weekly',
    ]);
    expect(await list({ 'endAt.from': '2031-01-01T00:00:00Z' })).toEqual(['weekly']);
    expect(await list({ 'endAt.empty': 'true' })).toEqual(['now', 'timer', 'monthly']);
    expect(await list({ 'durationMinutes.from': 60 })).toEqual(['timer']);
    expect(await list({ repeat: 'week' })).toEqual(['weekly']);
    expect(await list({ 'repeat.empty': 'true' })).toEqual(['now', 'timer']);
    expect(await list({ version: '2.10' })).toEqual(['monthly']);
    expect(await list({ version: '2.12' })).toEqual([]);
    expect(await list({ version: 'two' })).toEqual([]);
    expect(await list({ 'devices.from': 2 })).toEqual(['now']);
    // Those that have not run name one each.
    expect(await list({ 'devices.to': 1 })).toEqual(['timer', 'weekly', 'monthly']);
    expect(await list({ 'device.contains': other.mac })).toEqual(['now', 'weekly']);
    expect(await list({ 'device.contains': 'nobody has this name' })).toEqual([]);
    expect(await list({ action: 'reboot', status: 'wait', type: ['timer', 'cycle'] })).toEqual([
      'timer',
      'weekly',
      'monthly',
    ]);
    expect(await list({ creatorName: 'tester', 'name.contains': 'month' })).toEqual(['monthly']);
    expect(await list({ sort: '-beginAt' })).toEqual(['monthly', 'weekly', 'timer', 'now']);
    expect((await list({ sort: '-devices' }))[0]).toBe('now');
    expect((await list({ sort: '-durationMinutes' }))[0]).toBe('timer');
  });
});

/** Creates tasks of each kind in a separate company; returns the device that two of them have. */
async function taskOf(own: Actor): Promise<{ mac: string }> {
  const call = rig.service.as(own);
  const [id, mac] = [uuidv7(), 'ab12cd34ef56'];
  const second = uuidv7();
  await rig.sql(
    `
      insert into device_copy (
        id, company_id, org_id, mac, name, model, sn, firmware, internal_ip, capabilities, configured, config_failed,
        failed_lines, owner_epoch, version, era
      )
      select x.id, $3, $4, x.mac, 'Lobby', 'X7A', 'S', '1.0', null, '["reboot"]', true, false, 0, 1, 1, 1
      from (values ($1::uuid, $5), ($2::uuid, '00000000aaaa')) as x(id, mac)
    `,
    [id, second, own.companyId, own.orgId, mac],
  );
  const add = (name: string, more: object) =>
    call(addTask, { body: { name, action: 'reboot', target: { ids: [id] }, timeZone: 'Etc/UTC', ...more } as never });
  const now = await add('now', { target: { ids: [id, second] } });
  await add('timer', {
    target: { ids: [second] },
    schedule: { type: 'timer', begin: '2031-01-01T02:00' },
    durationMinutes: 90,
  });
  await add('weekly', {
    schedule: {
      type: 'cycle',
      begin: '2031-02-03T02:00',
      end: '2031-03-03T02:00',
      repeat: { every: 'week', weekdays: [1] },
    },
    durationMinutes: 30,
  });
  await add('monthly', {
    target: { ids: [second] },
    schedule: { type: 'cycle', begin: '2031-03-01T02:00', repeat: { every: 'monthDay', day: 1 } },
    versionRange: { from: '2.4.1', to: '2.11.1' },
  });
  await eventually(async () => expect((await call(getTask, { params: { id: now.id } })).counts.total).toBe(2));
  return { mac };
}
