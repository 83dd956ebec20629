import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask } from '@carillon/contracts';
import { eventually, testPostgres, type LinkedDevice } from '@carillon/testing';
import { secondDispatch, taskRig, type TaskRig } from '../task-test.ts';
import type { DispatchService } from './dispatch.service.ts';

const never = 3_600_000;
const settings = { taskTickMs: never, taskChunk: 10, taskSendBatch: 7, taskPerSecond: 0 };

/** Makes PostgreSQL refuse any commit with more concurrent devices than the task allows. */
async function guard(rig: TaskRig): Promise<void> {
  const { host, port, user, password } = await testPostgres();
  const admin = new pg.Client({ host, port, user, password, database: rig.service.database.name });
  await admin.connect();
  await admin.query(`
    create function too_many() returns trigger language plpgsql as $$
    begin
      if (
        select count(*) from task_device d where d.task_id = new.task_id and d.status in ('process', 'downloadSuccess')
      ) > (select coalesce(nullif(t.sync, 0), 1000) from task t where t.id = new.task_id) then
        raise exception 'too many at once';
      end if;
      return null;
    end
    $$
  `);
  await admin.query(`
    create constraint trigger too_many after update on task_device
    deferrable initially deferred for each row when (new.status = 'process') execute function too_many()
  `);
  await admin.end();
}
const order = async (rig: TaskRig, devices: readonly LinkedDevice[], sync: number): Promise<string> =>
  (
    await rig.call(addTask, {
      body: { name: 'Reboot', action: 'reboot', target: { ids: devices.map((d) => d.identity.deviceId) }, sync },
    })
  ).id;
const online = async (rig: TaskRig, devices: readonly LinkedDevice[]): Promise<void> => {
  await Promise.all(devices.map((d) => d.online()));
  await eventually(async () =>
    expect(
      await rig.sql('select count(*)::int as n from link_session where online and device_id = any($1::uuid[])', [
        devices.map((d) => d.identity.deviceId),
      ]),
    ).toEqual([{ n: devices.length }]),
  );
};

describe('a task with a limit of concurrent devices', () => {
  let rig: TaskRig;
  let second: DispatchService;
  beforeAll(async () => {
    rig = await taskRig(settings);
    await guard(rig);
    second = secondDispatch(rig, { ...settings, taskPatience: 1 });
    second.onApplicationBootstrap();
  });
  afterAll(async () => {
    await second?.onApplicationShutdown();
    await rig?.close();
  });
  /** Answers the commands of the task, each once. */
  const answerAll = async (devices: readonly LinkedDevice[], sync: number, done = new Set<string>()): Promise<void> => {
    while (done.size < devices.length) {
      const fresh = await eventually(() => {
        const come = rig.commands.filter(
          (c) => devices.some((d) => d.identity.deviceId === c.deviceId) && !done.has(c.id),
        );
        if (come.length === 0) throw new Error('nothing came down');
        return come;
      });
      // Each answer may be followed by another command, up to the limit.
      expect(fresh.length).toBeLessThanOrEqual(sync);
      for (const { id, deviceId } of fresh) {
        done.add(id);
        await devices.find((d) => d.identity.deviceId === deviceId)!.answer({ id, status: 'success' });
      }
    }
  };

  it('never exceeds the limit in two processes, sends without a tick; 0 is unlimited [TASK-09/sync]', async () => {
    const devices = await rig.devices(40);
    await online(rig, devices);
    const id = await order(rig, devices, 4);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 4, wait: 36 }));
    // Each device asks again at both processes.
    second.sendTo(
      rig.actor.companyId,
      devices.map((d) => d.identity.deviceId),
    );
    second.goOn(rig.actor.companyId, [id]);
    await Promise.all(devices.slice(20).map((d) => d.online()));
    await answerAll(devices, 4);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ status: 'success', success: 40 }));

    const all = await order(rig, devices, 0);
    await eventually(async () => expect(await rig.counts(all)).toMatchObject({ process: 40, wait: 0 }));
  });

  it('returns to a device that found no room when it came online behind the pass', async () => {
    const devices = await rig.devices(3);
    const [late, first, last] = devices as [LinkedDevice, LinkedDevice, LinkedDevice];
    await online(rig, [first, last]);
    const id = await order(rig, devices, 1);
    const command = await rig.command(first);
    await online(rig, [late]);
    await eventually(async () =>
      expect(await rig.sql('select again from task_sync where task_id = $1', [id])).toEqual([{ again: true }]),
    );
    await first.answer({ id: command.id, status: 'success' });
    await last.answer({ id: (await rig.command(last)).id, status: 'success' });
    await late.answer({ id: (await rig.command(late)).id, status: 'fail', code: 'failed' });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 2, fail: 1 }));
  });
});

it('the tick continues after a process died, and an unanswered command that times out makes room', async () => {
  const rig = await taskRig({ ...settings, taskTickMs: 100 });
  try {
    await guard(rig);
    const devices = await rig.devices(5);
    await online(rig, devices);
    const id = await order(rig, devices, 2);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 2, wait: 3 }));
    // Stored without a wake-up: the process died before it continued.
    const [{ d }] = (await rig.sql<{ d: string }>(
      `
        with ended as (
          update task_device set status = 'success', ended_at = now()
          where task_id = $1 and device_id = (
            select device_id from task_device where task_id = $1 and status = 'process' limit 1
          )
          returning device_id, task_id
        ),
        t as (update task set process = process - 1, success = success + 1 where id = $1),
        o as (update task_organization set process = process - 1, success = success + 1 where task_id = $1)
        select device_id as d from ended
      `,
      [id],
    )) as [{ d: string }];
    await rig.sql(`update task_device set updated_at = now() - interval '3 seconds' where task_id = $1`, [id]);
    await rig.sql(`update task_sync set walked_at = now() - interval '3 seconds' where task_id = $1`, [id]);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 1, process: 2, wait: 2 }));
    await rig.sql(
      `
        update task_device set deadline_at = now() - interval '1 second'
        where task_id = $1 and device_id <> $2 and status = 'process'
      `,
      [id, d],
    );
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ timeout: 2, process: 2, wait: 0 }));
  } finally {
    await rig.close();
  }
});
