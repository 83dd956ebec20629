import { describe, expect, it } from 'vitest';
import {
  addTask,
  listTaskDevices,
  listTaskRuns,
  listTasks,
  type TaskRepeat,
  type TaskSchedule,
} from '@carillon/contracts';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { taskRig } from '../task-test.ts';
import { ScheduleService } from './schedule.service.ts';
import { type Body, idsOf, minute, nightly, timer, startSchedules } from './schedule-test.ts';

const { rig, order, load, dueSince, commandOf, done } = await startSchedules();
const runsOf = async (id: string) => (await rig.call(listTaskRuns, { params: { id }, query: {} })).records;

describe('a task with a time', () => {
  it('waits for it and changes no device before', async () => {
    const [device] = await rig.devices(1);
    await device!.online();
    const task = await order([device!], { schedule: timer, durationMinutes: 60 });
    expect(task).toMatchObject({ type: 'timer', status: 'wait', runs: 0, expanded: false, startedAt: null });
    expect(task.dueAt).toBe(`${timer.begin}:00.000Z`);
    expect(task.beginAt).toBe(task.dueAt);
    expect(task.counts.total).toBe(0);
    expect(await runsOf(task.id)).toEqual([]);
  });

  it('runs at its time, and ends with the results of its devices', async () => {
    const devices = await rig.devices(2);
    for (const device of devices) await device.online();
    const { id } = await order(devices, { schedule: timer });
    await dueSince(id, '1 second');
    await done(devices);
    await eventually(async () =>
      expect(await load(id)).toMatchObject({
        status: 'success',
        runs: 1,
        dueAt: null,
        counts: { total: 2, success: 2 },
      }),
    );
    expect(await runsOf(id)).toMatchObject([
      { run: 1, cause: 'schedule', status: 'success', dueAt: expect.any(String), counts: { total: 2, success: 2 } },
    ]);
  });

  it('fires within a second of it, woken by its own order', async () => {
    const slow = { taskTickMs: 3_600_000, taskChunk: 10, taskSendBatch: 10, taskPatience: 1, taskPerSecond: 0 };
    const alone = await taskRig(slow);
    try {
      await alone.devices(1);
      const schedules = alone.service.app.get(ScheduleService);
      const { id } = await alone.call(addTask, {
        body: { name: 'x', action: 'reboot', target: { filter: {} }, timeZone: 'Etc/UTC', schedule: timer },
      });
      const [row] = await alone.sql<{ due_at: Date }>(
        `update task set due_at = now() + interval '700 milliseconds' where id = $1 returning due_at`,
        [id],
      );
      schedules.wake(new Date(row!.due_at));
      await eventually(async () => {
        const [run] = await alone.sql<{ late: number }>(
          'select extract(epoch from started_at - due_at)::float8 as late from task_run where task_id = $1',
          [id],
        );
        expect(run!.late).toBeGreaterThanOrEqual(0);
        expect(run!.late).toBeLessThan(1);
      });
    } finally {
      await alone.close();
    }
  });

  it('repeats with separate rows and sums for each time, and is due again until its last', async () => {
    const phones = await rig.devices(2);
    for (const device of phones) await device.online();
    const { id } = await order(phones, { schedule: nightly });
    await dueSince(id, '1 second');
    await done(phones);
    // The next time is the schedule's first later one.
    await eventually(async () =>
      expect(await load(id)).toMatchObject({
        status: 'wait',
        runs: 1,
        dueAt: `${nightly.begin}:00.000Z`,
        counts: { total: 2, success: 2 },
        endedAt: expect.any(String),
      }),
    );
    const before = rig.commands.length;
    await dueSince(id, '1 second');
    await eventually(() => expect(rig.commands.length).toBe(before + 2));
    expect((await load(id)).counts).toMatchObject({ total: 2, process: 2, success: 0 });
    await phones[0]!.answer({ id: await commandOf(phones[0]!), status: 'success' });
    await phones[1]!.answer({ id: await commandOf(phones[1]!), status: 'fail', code: 'busy' });
    await eventually(async () => expect(await load(id)).toMatchObject({ status: 'wait', runs: 2 }));
    expect(await runsOf(id)).toMatchObject([
      { run: 2, status: 'finished', counts: { total: 2, success: 1, fail: 1 } },
      { run: 1, status: 'success', counts: { total: 2, success: 2, fail: 0 } },
    ]);
    const devices = async (run?: number) =>
      (
        await rig.call(listTaskDevices, { params: { id }, query: { sort: 'name', ...(run ? { run } : {}) } })
      ).records.map((r) => [r.run, r.status]);
    expect(await devices()).toEqual([
      [2, 'success'],
      [2, 'fail'],
    ]);
    expect(await devices(1)).toEqual([
      [1, 'success'],
      [1, 'success'],
    ]);
  });

  it('ends after its last time', async () => {
    const [device] = await rig.devices(1);
    await device!.online();
    const task = await order([device!], { schedule: { ...nightly, end: nightly.begin } });
    expect(task.endAt).toBe(`${nightly.begin}:00.000Z`);
    await rig.sql(
      `update task set due_at = now() - interval '1 second', schedule = jsonb_set(schedule, '{end}', $2) where id = $1`,
      [task.id, JSON.stringify(minute(Date.now()))],
    );
    await done([device!]);
    await eventually(async () =>
      expect(await load(task.id)).toMatchObject({ status: 'success', dueAt: null, runs: 1 }),
    );
  });
});

describe('a due time that passed', () => {
  it('is missed while a run is active, and the task is due at its next', async () => {
    const devices = await rig.devices(1);
    const { id } = await order(devices, { schedule: nightly });
    await dueSince(id, '1 second');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1, counts: { wait: 1 }, missed: 0 }));
    await dueSince(id, '1 second');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1, missed: 1, status: 'process' }));
    expect((await load(id)).dueAt).toBe(`${nightly.begin}:00.000Z`);
  });

  it('runs once when the product comes back within its window, and is missed behind it', async () => {
    const devices = await rig.devices(1);
    const [within, behind] = [
      await order(devices, { schedule: nightly, durationMinutes: 60 }),
      await order(devices, { schedule: nightly, durationMinutes: 60 }),
    ];
    await dueSince(within.id, '59 minutes');
    await dueSince(behind.id, '61 minutes');
    await eventually(async () => {
      expect(await load(within.id)).toMatchObject({ runs: 1, missed: 0 });
      expect(await load(behind.id)).toMatchObject({ runs: 0, missed: 1, status: 'wait' });
    });
    expect((await load(behind.id)).dueAt).toBe(`${nightly.begin}:00.000Z`);
  });

  it('ends a task as timeout when it was its only one', async () => {
    const { id } = await order(await rig.devices(1), { schedule: timer, durationMinutes: 10 });
    await dueSince(id, '11 minutes');
    await eventually(async () =>
      expect(await load(id)).toMatchObject({ status: 'timeout', missed: 1, runs: 0, dueAt: null }),
    );
  });
});

it('the list shows the schedule type of each task [TASK-01/types]', async () => {
  const own: Actor = { ...newActor(), timezoneId: 1 };
  const call = rig.service.as(own);
  await rig.devices(1, {}, own);
  const begin = '2031-01-01T02:00';
  const cycle = (repeat: TaskRepeat): TaskSchedule => ({ type: 'cycle', begin, end: null, repeat });
  const kinds: [string, TaskSchedule, string | null][] = [
    ['now', { type: 'now' }, null],
    ['timer', { type: 'timer', begin }, '2031-01-01'],
    ['daily', cycle({ every: 'day' }), '2031-01-01'],
    // The 1st of January 2031 is a Wednesday.
    ['weekly', cycle({ every: 'week', weekdays: [5] }), '2031-01-03'],
    ['monthly', cycle({ every: 'monthDay', day: 15 }), '2031-01-15'],
    ['ordinal', cycle({ every: 'monthWeekday', ordinal: -1, weekday: 5 }), '2031-01-31'],
  ];
  for (const [name, schedule, day] of kinds) {
    const task = await call(addTask, { body: { name, action: 'reboot', target: { filter: {} }, schedule } });
    expect([task.type, task.dueAt]).toEqual([schedule.type, day && `${day}T02:00:00.000Z`]);
  }
  const names = async (query: object) =>
    (await call(listTasks, { query: { sort: 'number', ...query } as never })).records.map((t) => t.name);
  expect(await names({})).toEqual(kinds.map(([name]) => name));
  expect(await names({ type: 'now' })).toEqual(['now']);
  expect(await names({ type: 'timer' })).toEqual(['timer']);
  expect(await names({ type: 'cycle' })).toEqual(['daily', 'weekly', 'monthly', 'ordinal']);
  expect(await names({ repeat: 'monthWeekday' })).toEqual(['ordinal']);
  expect(await names({ repeat: ['day', 'monthDay'] })).toEqual(['daily', 'monthly']);
});

describe('a schedule needs [TASK-01/refused]', () => {
  const refused = async (more: Partial<Body>) =>
    order(await rig.devices(1), more).then(
      () => 'taken',
      ({ error, fields }: { error: string; fields?: { path: string }[] }) => [error, fields?.map((f) => f.path)],
    );

  it('a start that is not before the current minute', async () => {
    const begin = minute(Date.now() - 60_000);
    for (const schedule of [{ type: 'timer', begin } as const, { ...nightly, begin }])
      expect(await refused({ schedule })).toEqual(['task.startInPast', ['schedule.begin']]);
    // This minute is not over; in another zone the same clock time is long past.
    const now = { type: 'timer', begin: minute(Date.now() + 20_000) } as const;
    expect(await refused({ schedule: now, timeZone: 'Pacific/Auckland' })).toEqual([
      'task.startInPast',
      ['schedule.begin'],
    ]);
    expect(await refused({ schedule: now })).toBe('taken');
  });

  it('a weekday, a time that occurs, and an existing zone', async () => {
    expect(await refused({ schedule: { ...nightly, repeat: { every: 'week', weekdays: [] } } })).toEqual([
      'task.weekdayMissing',
      ['schedule.repeat.weekdays'],
    ]);
    expect(await refused({ schedule: { ...nightly, end: minute(Date.now()) } })).toEqual([
      'task.neverRuns',
      ['schedule'],
    ]);
    for (const begin of ['3000-01-01T00:00', '0000-01-01T00:00', '2031-02-29T00:00', '2031-02-28T00:00Z'])
      expect(await refused({ schedule: { type: 'timer', begin } })).toEqual(['common.invalid', ['schedule.begin']]);
    for (const timeZone of ['Europe/Atlantis', '+02:00'])
      expect(await refused({ schedule: nightly, timeZone })).toEqual(['common.fieldValue', ['timeZone']]);
  });

  it("no zone: its creator's is the default", async () => {
    const [device] = await rig.devices(1);
    // New York is zone 9.
    const task = await rig.service.as({ ...rig.actor, timezoneId: 9 })(addTask, {
      body: {
        name: 'x',
        action: 'reboot',
        target: { ids: idsOf([device!]) },
        schedule: { type: 'timer', begin: '2037-07-01T02:00' },
      },
    });
    expect(task).toMatchObject({ timeZone: 'America/New_York', dueAt: '2037-07-01T06:00:00.000Z' });
  });
});
