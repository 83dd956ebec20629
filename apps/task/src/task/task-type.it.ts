import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  getTask,
  listTasks,
  previewTask,
  type RouteInput,
  type TaskRepeat,
  type TaskSchedule,
} from '@carillon/contracts';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
});
afterAll(() => rig?.close());

type Body = RouteInput<typeof addTask>['body'];
const target = (devices: readonly LinkedDevice[]) => ({ ids: devices.map((d) => d.identity.deviceId) });
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
const load = (id: string) => rig.call(getTask, { params: { id } });
/** Moves its due time to this long ago. */
const dueSince = (id: string, ago: string) =>
  rig.sql(`update task set due_at = now() - $2::interval where id = $1`, [id, ago]);
it('creates and finds tasks of each schedule type, and refuses invalid names and schedules [TASK-01]', async () => {
  const devices = await rig.devices(1);
  const order = (more: Partial<Body>) =>
    rig.call(addTask, {
      body: { name: 'Typed', action: 'reboot', target: target(devices), timeZone: 'Etc/UTC', ...more } as Body,
    });
  // A Thursday.
  const begin = '2037-01-01T04:30';
  const cycle = (repeat: TaskRepeat) => ({ type: 'cycle', begin, end: null, repeat }) as const;
  const kinds: [TaskSchedule, string[]][] = [
    [{ type: 'timer', begin }, ['2037-01-01']],
    [cycle({ every: 'day' }), ['2037-01-01', '2037-01-02', '2037-01-03', '2037-01-04', '2037-01-05']],
    [
      cycle({ every: 'week', weekdays: [1, 5] }),
      ['2037-01-02', '2037-01-05', '2037-01-09', '2037-01-12', '2037-01-16'],
    ],
    [cycle({ every: 'monthDay', day: 31 }), ['2037-01-31', '2037-03-31', '2037-05-31', '2037-07-31', '2037-08-31']],
    [
      cycle({ every: 'monthWeekday', ordinal: 2, weekday: 2 }),
      ['2037-01-13', '2037-02-10', '2037-03-10', '2037-04-14', '2037-05-12'],
    ],
    [
      cycle({ every: 'monthWeekday', ordinal: -1, weekday: 7 }),
      ['2037-01-25', '2037-02-22', '2037-03-29', '2037-04-26', '2037-05-31'],
    ],
  ];
  const made = [await order({ schedule: { type: 'now' } })];
  expect(made[0]).toMatchObject({ type: 'now', dueAt: null });
  for (const [schedule, days] of kinds) {
    const { runs } = await rig.call(previewTask, {
      query: {},
      body: { action: 'reboot', target: target(devices), timeZone: 'Etc/UTC', schedule },
    });
    expect(runs).toEqual(days.map((date) => `${date}T04:30:00.000Z`));
    const task = await order({ schedule, name: 'T'.repeat(64) });
    expect(task).toMatchObject({ type: schedule.type, status: 'wait', schedule, dueAt: runs[0], counts: { total: 0 } });
    // It runs when due, and a repeating one is due again.
    await dueSince(task.id, '1 second');
    await eventually(async () => expect(await load(task.id)).toMatchObject({ runs: 1, counts: { total: 1 } }));
    expect((await load(task.id)).dueAt === null).toBe(schedule.type === 'timer');
    made.push(task);
  }
  const found = async (type?: string[]) =>
    (await rig.call(listTasks, { query: { limit: 200, ...(type && { type: type as never }) } })).records.map(
      (t) => t.id,
    );
  const ids = (type: string) => made.filter((t) => t.type === type).map((t) => t.id);
  for (const type of ['now', 'timer', 'cycle']) expect((await found([type])).toSorted()).toEqual(ids(type).toSorted());
  const all = made.map((t) => t.id).toSorted();
  expect((await found(['all'])).toSorted()).toEqual(all);
  expect((await found()).toSorted()).toEqual(all);

  const refusal = (more: Partial<Body>) =>
    order(more).then(
      () => 'taken',
      (e: { error: string; fields?: { path: string; error: string }[] }) => e.fields?.[0] ?? e.error,
    );
  expect(await refusal({ name: 'T'.repeat(65) })).toMatchObject({ path: 'name' });
  const past = minute(Date.now() - 60_000);
  for (const schedule of [{ type: 'timer', begin: past } as const, { ...cycle({ every: 'day' }), begin: past }])
    expect(await refusal({ schedule })).toMatchObject({ path: 'schedule.begin', error: 'task.startInPast' });
  expect(await refusal({ schedule: cycle({ every: 'week', weekdays: [] }) })).toMatchObject({
    path: 'schedule.repeat.weekdays',
    error: 'task.weekdayMissing',
  });
  expect((await found()).toSorted()).toEqual(all);
});

it('a task without a named zone is in the one whose clock its creator sees', async () => {
  const [device] = await rig.devices(1);
  const zoneOf = async (countryId: number) =>
    (
      await rig.service.as({ ...rig.actor, timezoneId: 17, countryId })(addTask, {
        body: {
          name: 'Zone',
          action: 'reboot',
          target: { ids: [device!.identity.deviceId] },
          schedule: { type: 'timer', begin: '2099-07-01T02:00' },
        } as Body,
      })
    ).timeZone;
  expect([await zoneOf(276), await zoneOf(566)]).toEqual(['Europe/Berlin', 'Africa/Lagos']);
});
