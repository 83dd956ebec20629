import { describe, expect, it, vi } from 'vitest';
import {
  addTask,
  listTaskDevices,
  permissionKeys,
  previewTask,
  type AccessView,
  type TaskSchedule,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type Actor } from '@carillon/testing';
import { idsOf, nightly, timer, startSchedules } from './schedule-test.ts';

const { rig, published, admin, second, order, load, dueSince, done } = await startSchedules();

describe('the window of a run', () => {
  it('times out devices that have not run, and a repeating task continues', async () => {
    const devices = await rig.devices(2);
    await devices[0]!.online();
    const { id } = await order(devices, { schedule: nightly, durationMinutes: 30 });
    await dueSince(id, '10 minutes');
    await done([devices[0]!]);
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
    await devices[1]!.online();
    await dueSince(id, '1 second');
    await done(devices);
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

it('waiting devices time out with the window, in the creator’s zone over clock changes [TASK-06]', async () => {
  // Berlin is zone 17: in 2031 its clock moves forward at 02:00 on 30 March, and back at 03:00 on 26 October.
  const anna: Actor = { ...rig.actor, timezoneId: 17 };
  const call = rig.service.as(anna);
  const devices = await rig.devices(2);
  await devices[0]!.online();
  const order = { action: 'reboot', target: { ids: idsOf(devices) } };
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
  await done([devices[0]!]);
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
  await devices[1]!.online();
  await dueSince(id, '1 second');
  await done(devices);
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
    const devices = await rig.devices(1);
    const ids: string[] = [];
    for (let n = 0; n < 40; n++) ids.push((await order(devices, { schedule: timer })).id);
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
    const devices = [...(await rig.devices(2, { orgId: here })), ...(await rig.devices(1, { orgId: there }))];
    const { id } = await rig.service.as(anna)(addTask, {
      body: { name: 'Nightly', action: 'reboot', target: { ids: idsOf(devices) }, timeZone: 'Etc/UTC', schedule },
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
      expect(published.filter((m) => m.objectId === id)).toContainEqual(
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
