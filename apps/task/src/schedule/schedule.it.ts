import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import pg from 'pg';
import {
  addTask,
  getTask,
  listTaskDevices,
  listTaskRuns,
  listTasks,
  message,
  permissionKeys,
  previewTask,
  type AccessView,
  type RouteInput,
  type TaskRecord,
  type TaskRepeat,
  type TaskSchedule,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testPostgres, type Actor, type LinkedDevice } from '@carillon/testing';
import { readConfig } from '@carillon/service';
import { taskConfig } from '../config.ts';
import { secondDispatch, taskRig, type TaskRig } from '../task-test.ts';
import { ScheduleService } from './schedule.service.ts';

let rig: TaskRig;
let admin: pg.Client;
/** A second process of the service, as far as firing is concerned. */
let second: ScheduleService;
const told: { objectId: string; type: number; level: string; values: unknown }[] = [];

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  await rig.bus.fanout({
    topics: [message.name],
    from: 'end',
    handle: ({ records }) => {
      told.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  const { host, port, user, password } = await testPostgres();
  admin = new pg.Client({ host, port, user, password, database: rig.service.database.name });
  await admin.connect();
  const config = { ...readConfig(taskConfig), taskTickMs: 100, taskChunk: 1_000, taskPerSecond: 0 };
  second = new ScheduleService(rig.service.database, secondDispatch(rig, config), config);
});
afterAll(async () => {
  await second?.onApplicationShutdown();
  await rig?.close();
  await admin?.end();
});

type Body = RouteInput<typeof addTask>['body'];
const idsOf = (of: readonly LinkedDevice[]) => of.map((d) => d.identity.deviceId);
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
/** A day from now, in UTC. */
const tomorrow = () => minute(Date.now() + 86_400_000);
const order = (of: readonly LinkedDevice[], more: Partial<Body>): Promise<TaskRecord> =>
  rig.call(addTask, {
    body: { name: 'Reboot', action: 'reboot', target: { ids: idsOf(of) }, timeZone: 'Etc/UTC', ...more } as Body,
  });
const nightly = { type: 'cycle', begin: tomorrow(), end: null, repeat: { every: 'day' } } as const;
const timer = { type: 'timer', begin: tomorrow() } as const;
const load = (id: string) => rig.call(getTask, { params: { id } });
const runsOf = async (id: string) => (await rig.call(listTaskRuns, { params: { id }, query: {} })).records;
/** Moves its due time to this long ago. */
const dueSince = (id: string, ago: string) =>
  rig.sql(`update task set due_at = now() - $2::interval where id = $1`, [id, ago]);
/** Returns its current command. */
const commandOf = (device: LinkedDevice): Promise<string> =>
  eventually(async () => {
    const [row] = await rig.sql<{ id: string }>(
      `select command_id as id from task_device where device_id = $1 and status = 'process'`,
      [device.identity.deviceId],
    );
    return row!.id;
  });
/** Lets all devices of the run succeed. */
async function done(of: readonly LinkedDevice[]): Promise<void> {
  for (const device of of) await device.answer({ id: await commandOf(device), status: 'success' });
}

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
    const of = await rig.devices(2);
    for (const device of of) await device.online();
    const { id } = await order(of, { schedule: timer });
    await dueSince(id, '1 second');
    await done(of);
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
    const of = await rig.devices(2);
    for (const device of of) await device.online();
    const { id } = await order(of, { schedule: nightly });
    await dueSince(id, '1 second');
    await done(of);
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
    await of[0]!.answer({ id: await commandOf(of[0]!), status: 'success' });
    await of[1]!.answer({ id: await commandOf(of[1]!), status: 'fail', code: 'busy' });
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
    const of = await rig.devices(1);
    const { id } = await order(of, { schedule: nightly });
    await dueSince(id, '1 second');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1, counts: { wait: 1 }, missed: 0 }));
    await dueSince(id, '1 second');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1, missed: 1, status: 'process' }));
    expect((await load(id)).dueAt).toBe(`${nightly.begin}:00.000Z`);
  });

  it('runs once when the product comes back within its window, and is missed behind it', async () => {
    const of = await rig.devices(1);
    const [within, behind] = [
      await order(of, { schedule: nightly, durationMinutes: 60 }),
      await order(of, { schedule: nightly, durationMinutes: 60 }),
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

describe('the window of a run', () => {
  it('times out devices that have not run, and a repeating task continues', async () => {
    const of = await rig.devices(2);
    await of[0]!.online();
    const { id } = await order(of, { schedule: nightly, durationMinutes: 30 });
    await dueSince(id, '10 minutes');
    await done([of[0]!]);
    await eventually(async () => expect((await load(id)).counts).toMatchObject({ success: 1, wait: 1 }));
    const [row] = await rig.sql<{ left: number; same: boolean }>(
      `
        select extract(epoch from d.expires_at - now())::float8 / 60 as left, d.expires_at = t.window_ends_at as same
        from task t
        join task_device d on d.task_id = t.id and d.run = t.runs
        where t.id = $1 and d.status = 'wait'
      `,
      [id],
    );
    // Thirty minutes from the due time, of which ten had passed.
    expect(row!.left).toBeGreaterThan(19);
    expect(row!.left).toBeLessThanOrEqual(20);
    expect(row!.same).toBe(true);
    await rig.sql(`update task_device set expires_at = now() where task_id = $1`, [id]);
    await eventually(async () =>
      expect(await load(id)).toMatchObject({ status: 'wait', counts: { success: 1, timeout: 1, wait: 0 } }),
    );
    const { records } = await rig.call(listTaskDevices, { params: { id }, query: { status: 'timeout' } as never });
    expect(records).toMatchObject([{ code: 'expired', message: 'Not reached in time' }]);
    // The next time it is started again.
    await of[1]!.online();
    await dueSince(id, '1 second');
    await done(of);
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 2, counts: { success: 2 } }));
  });

  it('is as long as the action lets a command wait when the task has no duration', async () => {
    const { id } = await order(await rig.devices(1), { schedule: { type: 'now' } });
    const waits = await order(await rig.devices(1), { schedule: { type: 'now' }, durationMinutes: 10_080 });
    const hours = (task: string) =>
      eventually(async () => {
        const [row] = await rig.sql<{ hours: number }>(
          'select extract(epoch from expires_at - now())::float8 / 3600 as hours from task_device where task_id = $1',
          [task],
        );
        return Math.round(row!.hours);
      });
    expect(await hours(id)).toBe(24);
    expect(await hours(waits.id)).toBe(168);
  });
});

it('what has not run when the window ends is timeout, a repeating task goes on next time, and times are its creator’s, across the changes of their clock [TASK-06]', async () => {
  // Berlin is zone 17: in 2031 its clock moves forward at 02:00 on 30 March, and back at 03:00 on 26 October.
  const anna: Actor = { ...rig.actor, timezoneId: 17 };
  const call = rig.service.as(anna);
  const of = await rig.devices(2);
  await of[0]!.online();
  const order = { action: 'reboot', target: { ids: idsOf(of) } };
  const body = { name: 'x', ...order };
  const nightlyFrom = (begin: string) => ({ type: 'cycle', begin, end: null, repeat: { every: 'day' } }) as const;
  const firstOf = async (schedule: TaskSchedule) => (await call(addTask, { body: { ...body, schedule } })).dueAt;
  const nextOf = async (begin: string) =>
    (await call(previewTask, { body: { ...order, schedule: nightlyFrom(begin) } })).runs.slice(0, 3);

  // A time that does not exist becomes the next existing one, 03:00; of one that occurs twice the first is used.
  expect(await firstOf({ type: 'timer', begin: '2031-03-29T02:30' })).toBe('2031-03-29T01:30:00.000Z');
  expect(await firstOf({ type: 'timer', begin: '2031-03-30T02:30' })).toBe('2031-03-30T01:00:00.000Z');
  expect(await firstOf({ type: 'timer', begin: '2031-10-26T02:30' })).toBe('2031-10-26T00:30:00.000Z');
  expect(await firstOf(nightlyFrom('2031-10-26T02:30'))).toBe('2031-10-26T00:30:00.000Z');
  expect(await nextOf('2031-03-29T02:30')).toEqual([
    '2031-03-29T01:30:00.000Z',
    '2031-03-30T01:00:00.000Z',
    '2031-03-31T00:30:00.000Z',
  ]);
  expect(await nextOf('2031-10-25T02:30')).toEqual([
    '2031-10-25T00:30:00.000Z',
    '2031-10-26T00:30:00.000Z',
    '2031-10-27T01:30:00.000Z',
  ]);

  const schedule = nightlyFrom('2031-03-30T02:30');
  const { id } = await call(addTask, { body: { ...body, schedule, durationMinutes: 30 } });
  await dueSince(id, '29 minutes');
  await done([of[0]!]);
  await eventually(async () => expect((await load(id)).counts).toMatchObject({ success: 1, wait: 1 }));
  // The window is half an hour from the due time; here its last minute passes at once.
  const [row] = await rig.sql<{ window: number }>(
    `
      select extract(epoch from d.expires_at - r.due_at)::float8 / 60 as window
      from task_device d
      join task_run r on r.task_id = d.task_id and r.run = d.run
      where d.task_id = $1 and d.status = 'wait'
    `,
    [id],
  );
  expect(row!.window).toBe(30);
  await rig.sql(`update task_device set expires_at = now() where task_id = $1`, [id]);
  await eventually(async () =>
    expect(await load(id)).toMatchObject({
      status: 'wait',
      counts: { success: 1, timeout: 1, wait: 0 },
      dueAt: '2031-03-30T01:00:00.000Z',
    }),
  );
  await of[1]!.online();
  await dueSince(id, '1 second');
  await done(of);
  await eventually(async () => expect(await load(id)).toMatchObject({ runs: 2, counts: { success: 2, timeout: 0 } }));
});

// An offset by which a task would fire at the wrong time if the process's clock counted.
it.each([
  ['an hour behind', -3_600_000],
  ['five minutes ahead', 300_000],
])('X24: fires by the database’s clock, also in a process whose own is %s', async (_, ms) => {
  const [soon, later] = await rig.devices(2);
  const ids = [(await order([soon!], { schedule: timer })).id, (await order([later!], { schedule: timer })).id];
  const right = Date.now.bind(Date);
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => right() + ms);
  try {
    await rig.sql(`update task set due_at = now() + interval '1 minute' where id = $1`, [ids[1]]);
    await rig.sql(`update task set due_at = now() + interval '1 second' where id = $1`, [ids[0]]);
    await eventually(async () => expect(await load(ids[0]!)).toMatchObject({ runs: 1 }));
    const [run] = await rig.sql<{ early: boolean }>(
      'select started_at < due_at as early from task_run where task_id = $1',
      [ids[0]],
    );
    expect(run).toEqual({ early: false });
    expect(await load(ids[1]!)).toMatchObject({ runs: 0 });
  } finally {
    clock.mockRestore();
  }
});

describe('two processes', () => {
  it('fire each of many due tasks once', async () => {
    const of = await rig.devices(1);
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push((await order(of, { schedule: timer })).id);
    second.onApplicationBootstrap();
    await rig.sql(`update task set due_at = now() - interval '1 second' where id = any($1::uuid[])`, [ids]);
    await eventually(async () => {
      const [row] = await rig.sql(
        `
          select count(*)::int as tasks, sum(runs)::int as runs,
            (select count(*)::int from task_run where task_id = any($1::uuid[])) as fired,
            (select count(*)::int from task_device where task_id = any($1::uuid[])) as rows
          from task
          where id = any($1::uuid[]) and expanded
        `,
        [ids],
      );
      expect(row).toEqual({ tasks: 40, runs: 40, fired: 40, rows: 40 });
    });
  });

  it('leave no due time behind when one dies while it fires', async () => {
    const { id } = await order(await rig.devices(1), { schedule: timer });
    await rig.sql(`update task set due_at = now() + interval '1 second' where id = $1`, [id]);
    // It takes the task, and dies before its commit.
    await admin.query('begin');
    await admin.query('select from task where id = $1 for update', [id]);
    await eventually(async () => {
      const [row] = await rig.sql<{ passed: boolean }>(
        `select due_at < now() - interval '300 milliseconds' as passed from task where id = $1`,
        [id],
      );
      expect(row!.passed).toBe(true);
    });
    expect(await load(id)).toMatchObject({ runs: 0 });
    await admin.query('rollback');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1, expanded: true }));
  });

  it('give its devices their rows when one dies behind its firing', async () => {
    const { id } = await order(await rig.devices(1), { schedule: timer });
    const [{ due }] = (await rig.sql<{ due: Date }>(
      `
        update task
        set due_at = null, runs = 1, created_at = now() - interval '1 minute'
        where id = $1
        returning now() as due
      `,
      [id],
    )) as [{ due: Date }];
    await rig.sql(
      `
        insert into task_run (task_id, run, company_id, cause, devices, status, due_at, started_at)
        values ($1, 1, $2, 'schedule', 'all', 'wait', $3, now())
      `,
      [id, rig.actor.companyId, due],
    );
    await eventually(async () => expect(await load(id)).toMatchObject({ expanded: true, counts: { total: 1 } }));
    // A due time can never be a second run.
    await expect(
      rig.sql(
        `
          insert into task_run (task_id, run, company_id, cause, devices, status, due_at, started_at)
          values ($1, 2, $2, 'schedule', 'all', 'wait', $3, now())
        `,
        [id, rig.actor.companyId, due],
      ),
    ).rejects.toThrow('task_run_task_id_due_at_unique');
  });
});

describe('who ordered a task', () => {
  /** Creates a due task of a separate user. */
  async function dueOf(change: Partial<AccessView>, schedule: TaskSchedule = nightly) {
    const anna: Actor = { ...rig.actor, userId: uuidv7() };
    await rig.admit(anna);
    const [here, there] = [uuidv7(), uuidv7()];
    const of = [...(await rig.devices(2, { orgId: here })), ...(await rig.devices(1, { orgId: there }))];
    const { id } = await rig.service.as(anna)(addTask, {
      body: { name: 'Nightly', action: 'reboot', target: { ids: idsOf(of) }, timeZone: 'Etc/UTC', schedule },
    });
    const access = (more: Partial<AccessView>) => rig.admit({ ...anna, orgIds: '*' }, more);
    await access({ ...change, ...(change.orgIds ? { orgIds: [here], allOrgs: false } : {}) });
    await dueSince(id, '1 second');
    return { id, access, here };
  }

  it.each([
    ['is disabled', { status: 'disabled' as const }],
    ['lost the right to add tasks', { permissions: permissionKeys.filter((key) => key !== 'addTask') }],
    ['lost the right of the action', { permissions: permissionKeys.filter((key) => key !== 'rebootDevice') }],
  ])('and %s cannot run it, which is reported, until the permission returns', async (_, change) => {
    const { id, access } = await dueOf(change);
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 0, missed: 1, status: 'wait' }));
    expect((await load(id)).dueAt).toBe(`${nightly.begin}:00.000Z`);
    await eventually(() =>
      expect(told.filter((m) => m.objectId === id)).toContainEqual(
        expect.objectContaining({ type: 5, level: 'high', values: { count: 3, total: 3 } }),
      ),
    );
    await access({});
    await dueSince(id, '1 second');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1, counts: { total: 3 } }));
  });

  it('and sees fewer organizations reaches only their devices', async () => {
    const { id } = await dueOf({ orgIds: ['here'] as never });
    await eventually(async () =>
      expect(await load(id)).toMatchObject({ runs: 1, expanded: true, counts: { total: 2 } }),
    );
  });

  it('and was deleted runs none of its times', async () => {
    const stranger: Actor = { ...rig.actor, userId: uuidv7() };
    const { id } = await rig.service.as(stranger)(addTask, {
      body: { name: 'x', action: 'reboot', target: { filter: {} }, timeZone: 'Etc/UTC', schedule: timer },
    });
    await dueSince(id, '1 second');
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 0, missed: 1, status: 'timeout' }));
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
