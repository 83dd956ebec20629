import { describe, expect, it } from 'vitest';
import {
  addTask,
  approveTask,
  cancelTask,
  configFileState,
  editApprovalRule,
  getTask,
  listTaskRuns,
  listMeantDevices,
  listTasks,
  rerunTask,
  runTask,
  stopTask,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { readConfig } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { taskConfig } from '../config.ts';
import { ScheduleService } from '../schedule/schedule.service.ts';
import { secondDispatch, taskRig } from '../task-test.ts';
import { errorOf, tomorrow, startApprovals } from './approval-test.ts';

const {
  rig,
  ben,
  carl,
  noted,
  known,
  rule,
  next,
  phones,
  order,
  load,
  approve,
  refuse,
  runsOf,
  commandsOf,
  done,
  dueNow,
  looked,
} = await startApprovals();
const daily = { type: 'cycle', begin: tomorrow(), end: null, repeat: { every: 'day' } } as const;

describe('what was approved', () => {
  it('is a number of devices: a run with more than a tenth more needs a new approval [TASK-08/approval]', async () => {
    const { target, join } = await phones(10);
    await rule(10);
    const { id } = await order(target);
    await approve(id, 10);
    await done(id);
    // One more of ten is a tenth.
    await join(1);
    await rig.call(rerunTask, { params: { id }, body: { only: 'all' } });
    await done(id, 2);

    const joined = await join(1);
    const asked = await rig.call(rerunTask, { params: { id }, body: { only: 'all' } });
    expect(asked).toMatchObject({ status: 'wait', runs: 2, dueAt: null, approval: { state: 'asked', devices: 12 } });
    await looked();
    expect(commandsOf(joined)).toEqual([]);
    expect(await runsOf(id)).toHaveLength(2);
    expect(await errorOf(rig.call(runTask, { params: { id } }))).toBe('approval.notApproved');
    await eventually(() =>
      expect(noted.find((n) => n.action === 'task.askApproval' && n.objectId === id)).toMatchObject({
        result: 'success',
        detail: { devices: 12 },
      }),
    );
    // The number that the user read is outdated.
    expect(await errorOf(approve(id, 10))).toBe('approval.changed');
    await approve(id, 12);
    await done(id, 3);
    expect((await runsOf(id))[0]).toMatchObject({ run: 3, cause: 'rerun', status: 'success', counts: { total: 12 } });
  });

  it('ends as cancel with its earlier runs, when a new request is refused', async () => {
    const { target, join } = await phones(2);
    await rule(2);
    const { id } = await order(target);
    await approve(id, 2);
    await done(id);
    await join(1);
    await rig.call(rerunTask, { params: { id }, body: { only: 'all' } });
    await refuse(id);
    expect(await load(id)).toMatchObject({ status: 'cancel', runs: 1, approval: { state: 'refused' } });
    expect(await runsOf(id)).toMatchObject([{ run: 1, status: 'success', counts: { success: 2 } }]);
    expect(await errorOf(rig.call(rerunTask, { params: { id }, body: { only: 'all' } }))).toBe('approval.notApproved');
  });

  it('covers only the failed devices when these were requested again', async () => {
    const { of, target } = await phones(2);
    await rule(2);
    const { id } = await order(target);
    await approve(id, 2);
    await eventually(() => expect(commandsOf(of)).toHaveLength(2));
    for (const [n, device] of of.entries())
      await device.answer({ id: (await rig.command(device)).id, status: n === 0 ? 'success' : 'fail', code: 'busy' });
    await eventually(async () => expect((await load(id)).endedAt).not.toBeNull());
    // Sets the approval below one device, which only a test can do.
    await rig.sql(`update task set approval = jsonb_set(approval, '{devices}', '0') where id = $1`, [id]);
    const asked = await rig.call(rerunTask, { params: { id }, body: { only: 'failed' } });
    expect(asked.approval).toMatchObject({ state: 'asked', devices: 1 });
    await approve(id, 1);
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 2, counts: { total: 1 } }));
    await rig.call(stopTask, { params: { id } });
  });

  it('is checked at the firing: a timer then runs at once, a cycle at its next time [TASK-08/approval]', async () => {
    const { of, target, join } = await phones(2);
    await rule(2);
    const timer = await order(target, { schedule: { type: 'timer', begin: tomorrow() } });
    const cycle = await order(target, { schedule: daily });
    expect([timer.dueAt, cycle.dueAt]).toEqual([null, null]);
    // At its time, and not before.
    expect((await approve(timer.id, 2)).dueAt).toBe(timer.beginAt);
    expect((await approve(cycle.id, 2)).dueAt).toBe(`${daily.begin}:00.000Z`);
    expect(commandsOf(of)).toEqual([]);

    const joined = await join(1);
    for (const { id } of [timer, cycle]) await dueNow(id);
    await eventually(async () => {
      for (const { id } of [timer, cycle])
        expect(await load(id)).toMatchObject({ runs: 0, dueAt: null, approval: { state: 'asked', devices: 3 } });
    });
    expect((await load(cycle.id)).missed).toBe(1);
    expect(commandsOf([...of, ...joined])).toEqual([]);
    await eventually(() =>
      expect(noted.filter((n) => n.action === 'task.askApproval' && n.objectId === cycle.id)).toHaveLength(1),
    );

    expect((await approve(cycle.id, 3)).dueAt).toBe(`${daily.begin}:00.000Z`);
    await dueNow(cycle.id);
    await done(cycle.id);
    expect(await load(cycle.id)).toMatchObject({ status: 'wait', runs: 1, dueAt: `${daily.begin}:00.000Z` });
    // The timer's time has passed.
    await rig.sql(`update task set schedule = jsonb_set(schedule, '{begin}', '"2026-01-01T00:00"') where id = $1`, [
      timer.id,
    ]);
    await approve(timer.id, 3);
    await done(timer.id);
    expect(await load(timer.id)).toMatchObject({ status: 'success', runs: 1, counts: { total: 3 } });
    await rig.call(cancelTask, { params: { id: cycle.id } });
  });

  it('runs a cycle at once on request, and leaves its next time unchanged', async () => {
    const { target, join } = await phones(2);
    await rule(2);
    const { id } = await order(target, { schedule: daily });
    await approve(id, 2);
    await join(1);
    const asked = await rig.call(runTask, { params: { id } });
    expect(asked).toMatchObject({ runs: 0, dueAt: null, approval: { state: 'asked', devices: 3 } });
    await approve(id, 3);
    await done(id);
    expect(await load(id)).toMatchObject({ status: 'wait', runs: 1, dueAt: `${daily.begin}:00.000Z`, missed: 0 });
    expect(await runsOf(id)).toMatchObject([{ cause: 'runNow', dueAt: null }]);
    await rig.call(cancelTask, { params: { id } });
  });

  it("is requested at the due time when the target has grown to the rule's limit", async () => {
    const { of, target, join } = await phones(1);
    await rule(3);
    const task = await order(target, { schedule: { type: 'timer', begin: tomorrow() } });
    expect(task.approval).toBeNull();
    const joined = await join(2);
    // The rule at the time of the order applies.
    await rule(null);
    await dueNow(task.id);
    await eventually(async () =>
      expect(await load(task.id)).toMatchObject({ runs: 0, dueAt: null, approval: { state: 'asked', devices: 3 } }),
    );
    expect(commandsOf([...of, ...joined])).toEqual([]);
    await refuse(task.id);
  });

  it('is bound to the bytes of a file: other bytes need a new approval', async () => {
    const { target } = await phones(2, { capabilities: ['configUpdate'] });
    const file = {
      id: uuidv7(),
      name: 'Desk',
      version: 1,
      models: [],
      fileId: uuidv7(),
      fileName: 'desk.cfg',
      size: 9,
    };
    const store = async (version: number, sha256: string, name = 'Desk') => {
      const { companyId } = rig.actor;
      await rig.bus.publish([
        toRecord(
          configFileState,
          file.id,
          { ...file, version, sha256, name },
          envelope('configFile', { companyId, version: next() }),
        ),
      ]);
      await eventually(async () =>
        expect(
          await rig.sql(`select id from file_copy where id = $1 and file ->> 'name' = $2 and file ->> 'version' = $3`, [
            file.id,
            name,
            String(version),
          ]),
        ).toHaveLength(1),
      );
    };
    await store(1, 'ab'.repeat(32));
    await rule(2, ['configUpdate']);
    const { id } = await order(target, {
      action: 'configUpdate',
      params: { configFileId: file.id },
      schedule: daily,
    });
    await approve(id, 2);
    // Another name is not another file.
    await store(1, 'ab'.repeat(32), 'Reception');
    await dueNow(id);
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 1 }));
    await rig.sql(`update task_device set status = 'success', ended_at = now() where task_id = $1`, [id]);
    await rig.sql(
      `update task set status = 'wait', ended_at = now(), success = total, process = 0, wait = 0 where id = $1`,
      [id],
    );
    await store(2, 'cd'.repeat(32));
    await dueNow(id);
    await eventually(async () =>
      expect(await load(id)).toMatchObject({ runs: 1, dueAt: null, approval: { state: 'asked', devices: 2 } }),
    );
    // The approval covers the file's current bytes.
    await approve(id, 2);
    await dueNow(id);
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: 2, approval: { state: 'approved' } }));
    await rig.call(stopTask, { params: { id } });
  });

  it('runs once even when a process dies between the approval and the run', async () => {
    const alone = await taskRig({ taskTickMs: 100 });
    try {
      await alone.call(editApprovalRule, { body: { devices: 1, actions: ['reboot'] } });
      const [device] = await alone.devices(1);
      await device!.online();
      const { id } = await alone.call(addTask, {
        body: { name: 'x', action: 'reboot', target: { filter: {} }, timeZone: 'Etc/UTC' },
      });
      await alone.service.app.get(ScheduleService).onApplicationShutdown();
      const boss = { ...alone.actor, userId: uuidv7() };
      await alone.service.as(boss)(approveTask, { params: { id }, body: { devices: 1 } });
      expect(await alone.call(getTask, { params: { id } })).toMatchObject({ runs: 0, approval: { state: 'approved' } });
      const settings = { ...readConfig(taskConfig), taskTickMs: 100 };
      const others = [1, 2].map(
        () => new ScheduleService(alone.service.database, secondDispatch(alone, settings), settings),
      );
      for (const other of others) other.onApplicationBootstrap();
      await alone.command(device!);
      await eventually(async () => expect((await alone.counts(id))['process']).toBe(1));
      for (const other of others) await other.onApplicationShutdown();
      expect((await alone.call(listTaskRuns, { params: { id }, query: {} })).total).toBe(1);
      expect(alone.commands).toHaveLength(1);
    } finally {
      await alone.close();
    }
  });
});

describe('a task in stages', () => {
  const rollout = { stages: [50, 100], pauseAt: 50 };
  const answer = async (id: string) => {
    for (const { id: command, device } of await rig.sql<{ id: string; device: string }>(
      `select command_id as id, device_id as device from task_device where task_id = $1 and status = 'process'`,
      [id],
    ))
      await known.get(device)!.answer({ id: command, status: 'success' });
  };
  /** Completes the first of two stages, while a number of devices join. */
  async function firstStage(count: number, joining: number) {
    const fleet = await phones(count);
    const { id, approval } = await order(fleet.target, { rollout });
    if (approval) await approve(id, count);
    await eventually(() => expect(commandsOf(fleet.of)).toHaveLength(count / 2));
    const joined = await fleet.join(joining);
    await answer(id);
    return { ...fleet, id, joined };
  }

  it('waits for approval when its next stage adds over a tenth, then continues [TASK-08/approval]', async () => {
    await rule(10);
    const { id, of, joined } = await firstStage(10, 20);
    const asked = await eventually(async () => {
      const task = await load(id);
      expect(task.approval!.state).toBe('asked');
      return task;
    });
    // Devices that joined in place of the first stage do not count.
    const devices = asked.approval!.devices!;
    expect(devices).toBeGreaterThan(11);
    expect(devices).toBeLessThanOrEqual(30);
    expect(asked).toMatchObject({ status: 'process', stage: 1, runs: 1, counts: { total: 5, success: 5 } });
    await looked();
    await looked();
    expect((await load(id)).stage).toBe(1);
    expect(commandsOf([...of, ...joined])).toHaveLength(5);
    expect((await rig.call(listTasks, { query: { approval: ['asked'] } })).records.map((t) => t.id)).toContain(id);
    expect((await rig.call(listMeantDevices, { params: { id }, query: {} })).total).toBe(devices);
    await eventually(() =>
      expect(noted.filter((n) => n.action === 'task.askApproval' && n.objectId === id)).toMatchObject([
        { result: 'success', detail: { devices } },
      ]),
    );
    expect(await errorOf(approve(id, devices, rig.actor))).toBe('approval.ownTask');
    expect(await errorOf(approve(id, 10))).toBe('approval.changed');
    expect(await approve(id, devices)).toMatchObject({ status: 'process', approval: { state: 'approved', devices } });
    await eventually(async () => expect(await load(id)).toMatchObject({ stage: 2, counts: { total: devices } }));
    await eventually(async () => expect((await load(id)).counts.wait).toBe(0));
    await answer(id);
    await eventually(async () =>
      expect(await load(id)).toMatchObject({ status: 'success', runs: 1, counts: { success: devices } }),
    );
  });

  it('stops when that is refused: nobody but its first devices is told anything', async () => {
    await rule(10);
    const { id, of, joined } = await firstStage(10, 20);
    await eventually(async () => expect((await load(id)).approval!.state).toBe('asked'));
    expect(await refuse(id, ben, 'Too many.')).toMatchObject({ status: 'stop' });
    expect(await errorOf(refuse(id, carl))).toBe('approval.answered');
    await looked();
    expect(await load(id)).toMatchObject({
      status: 'stop',
      endedAt: expect.any(String),
      approval: { state: 'refused', reason: 'Too many.' },
      counts: { total: 5, success: 5 },
    });
    expect(commandsOf([...of, ...joined])).toHaveLength(5);
    expect(await errorOf(rig.call(rerunTask, { params: { id }, body: { only: 'all' } }))).toBe('approval.notApproved');
  });

  it('continues by itself with a tenth more, and asks when its stages have grown to the rule', async () => {
    await rule(20);
    const { id } = await firstStage(20, 2);
    await eventually(async () => expect(await load(id)).toMatchObject({ stage: 2, approval: { state: 'approved' } }));
    await rig.call(stopTask, { params: { id } });

    const small = await firstStage(10, 60);
    await eventually(async () =>
      expect(await load(small.id)).toMatchObject({ stage: 1, status: 'process', approval: { state: 'asked' } }),
    );
    expect(commandsOf([...small.of, ...small.joined])).toHaveLength(5);
    await rig.call(stopTask, { params: { id: small.id } });
  });
});
