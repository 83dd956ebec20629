import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import pg from 'pg';
import { addTask, cancelTask, linkCommand, stopTask, type AnswerStatus } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, testPostgres, type LinkedDevice } from '@carillon/testing';
import { secondDispatch, taskRig, type TaskRig } from '../task-test.ts';
import type { DispatchService } from './dispatch.service.ts';

let rig: TaskRig;
let devices: LinkedDevice[];
/** A second process of the service, as far as dispatching is concerned. */
let second: DispatchService;
let admin: pg.Client;
const tasks: string[] = [];
const count = 12;
const organizations = [uuidv7(), uuidv7(), uuidv7()];

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, taskChunk: 3, taskSendBatch: 2 });
  devices = await rig.devices(count);
  const { host, port, user, password } = await testPostgres();
  admin = new pg.Client({ host, port, user, password, database: 'postgres' });
  await admin.connect();
  second = secondDispatch(rig, {
    taskTickMs: 130,
    taskChunk: 2,
    taskSendBatch: 3,
    taskPatience: 1,
    taskPerSecond: 0,
  });
  second.onApplicationBootstrap();
});
afterAll(async () => {
  await second?.onApplicationShutdown();
  await rig?.close();
  await admin?.end();
});

/**
 * Finds, in one snapshot, tasks whose counts differ from their rows (also per organization), and devices with several
 * commands in flight.
 */
const wrong = () =>
  rig.sql(`
    select t.id, t.status, t.total, t.wait, t.process, t.success, t.fail, t.timeout, t.cancel, c.*
    from task t
    left join lateral (
      select count(*)::int as rows, count(*) filter (where status = 'wait')::int as w,
        count(*) filter (where status in ('process', 'downloadSuccess'))::int as p,
        count(*) filter (where status = 'success')::int as s, count(*) filter (where status = 'fail')::int as f,
        count(*) filter (where status = 'timeout')::int as o, count(*) filter (where status = 'cancel')::int as c
      from task_device
      where task_id = t.id
    ) c on true
    where (select jsonb_agg(o order by o.org_id) from task_organization o where o.task_id = t.id) is distinct from (
      select jsonb_agg(o order by o.org_id)
      from (
        select task_id, org_id, company_id, count(*) as total,
          count(*) filter (where status = 'success') as success, count(*) filter (where status = 'fail') as fail,
          count(*) filter (where status = 'timeout') as timeout,
          count(*) filter (where status = 'cancel') as cancel,
          count(*) filter (where status in ('process', 'downloadSuccess')) as process,
          count(*) filter (where status = 'wait') as wait
        from task_device
        where task_id = t.id
        group by 1, 2, 3
      ) o
    ) or (t.total, t.wait, t.process, t.success, t.fail, t.timeout, t.cancel) is distinct from
      (c.rows, c.w, c.p, c.s, c.f, c.o, c.c) or (t.status in ('stop', 'cancel') and c.w > 0) or (t.ended_at is null)
      <> (t.status in ('wait', 'process')) or (t.status = 'cancel' and c.p + c.s + c.f > 0)
  `);

type Step =
  | { do: 'order'; devices: number[] }
  | { do: 'end'; task: number; cancel: boolean }
  | { do: 'online' | 'offline'; device: number }
  | { do: 'answer'; device: number; last: number; status: AnswerStatus }
  | { do: 'expire'; device: number }
  | { do: 'move'; device: number; to: number }
  | { do: 'cut' };
const device = fc.nat(count - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('order' as const), devices: fc.uniqueArray(device, { minLength: 1 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end' as const), task: fc.nat(2), cancel: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('online' as const, 'online' as const, 'offline' as const), device }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      device,
      last: fc.nat(2),
      status: fc.constantFrom(
        'accepted' as const,
        'progress' as const,
        'downloaded' as const,
        'success' as const,
        'fail' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('expire' as const), device }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('move' as const), device, to: fc.nat(organizations.length - 1) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
);

/** A call may meet a connection that was just cut: it may only fail with "try again". */
const unlessAway = (error: { code: number }): void => {
  if (error.code !== 409 && error.code !== 503) throw error;
};

async function run(s: Step): Promise<void> {
  if (s.do === 'cut')
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      rig.service.database.name,
    ]);
  else if (s.do === 'order') {
    await rig
      .call(addTask, {
        body: {
          name: 'x',
          action: 'reboot',
          params: {},
          target: { ids: s.devices.map((d) => devices[d]!.identity.deviceId) },
        },
      })
      .then((task) => {
        tasks.push(task.id);
      }, unlessAway);
  } else if (s.do === 'end') {
    const id = tasks.at(-1 - s.task);
    if (id) await rig.call(s.cancel ? cancelTask : stopTask, { params: { id } }).catch(unlessAway);
  } else if (s.do === 'online') await devices[s.device]!.online();
  else if (s.do === 'offline') await devices[s.device]!.offline();
  else if (s.do === 'answer') {
    const command = rig.commands.filter((c) => c.deviceId === devices[s.device]!.identity.deviceId).at(-1 - s.last);
    if (command) await devices[s.device]!.answer({ id: command.id, status: s.status });
  } else if (s.do === 'move') await rig.publishDevice(devices[s.device]!, { orgId: organizations[s.to]! });
  else
    await eventually(() =>
      rig.sql(
        `
          update task_device
          set expires_at = now()
          where device_id = $1 and status in ('wait', 'process', 'downloadSuccess')
        `,
        [devices[s.device]!.identity.deviceId],
      ),
    );
}

it(
  'sums match their rows during concurrent changes and lost connections, and every task ends',
  { tags: 'slow' },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 60 }), async (steps) => {
        // Five at a time, so that they overlap.
        for (let at = 0; at < steps.length; at += 5) {
          await Promise.all(steps.slice(at, at + 5).map(run));
          expect(await eventually(wrong)).toEqual([]);
        }
      }),
      { numRuns: 4, endOnFailure: true },
    );
    // Every device comes back and does its commands.
    const done = new Set<string>();
    const feed = await rig.bus.fanout({
      topics: [linkCommand.name],
      from: 'start',
      handle: async (batch) => {
        for (const r of batch.records) {
          const command = JSON.parse(r.value!) as { id: string; deviceId: string };
          if (r.headers['type'] !== 'command' || done.has(command.id)) continue;
          done.add(command.id);
          await devices
            .find((d) => d.identity.deviceId === command.deviceId)!
            .answer({ id: command.id, status: 'success' });
        }
      },
    });
    for (const d of devices) await d.online();
    await eventually(
      async () =>
        expect(
          await rig.sql(
            `
            select id, status, wait, process
            from task
            where wait + process > 0 or not expanded or status in ('wait', 'process')
          `,
          ),
        ).toEqual([]),
      20_000,
    );
    expect(await wrong()).toEqual([]);
    // Moved devices took their rows along.
    await eventually(async () =>
      expect(
        await rig.sql(
          'select 1 from task_device td join device_copy c on c.id = td.device_id where c.org_id <> td.org_id',
        ),
      ).toEqual([]),
    );
    await feed.close();
  },
);
