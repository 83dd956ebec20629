import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  addBaseline,
  addTask,
  addTaskTemplate,
  approveTask,
  audit,
  cancelTask,
  configFileState,
  editApprovalRule,
  firmwareState,
  getApprovalRule,
  getTask,
  listTaskRuns,
  listMeantDevices,
  listTasks,
  listTaskTemplates,
  live,
  permissionKeys,
  previewTask,
  refuseTask,
  rerunTask,
  resumeTask,
  retryBaseline,
  rollbackTask,
  runTask,
  stopTask,
  type RouteInput,
  type TaskRecord,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { readConfig } from '@carillon/service';
import { eventually, newActor, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskConfig } from '../config.ts';
import { ScheduleService } from '../schedule/schedule.service.ts';
import { secondDispatch, taskRig, testLinks, type TaskRig } from '../task-test.ts';

type Body = RouteInput<typeof addTask>['body'];
type Audit = { action: string; objectId: string; result: string; username: string; detail: Record<string, unknown> };

let rig: TaskRig;
/** Other users of the company; `rig.actor` places the orders. */
let ben: Actor;
let carl: Actor;
const noted: Audit[] = [];
const heard: string[] = [];

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, baselineMs: 100, baselineRetryMs: 0, publicUrl: testLinks.publicUrl });
  ben = { ...rig.actor, userId: uuidv7() };
  carl = { ...rig.actor, userId: uuidv7() };
  await rig.bus.fanout({
    topics: [audit.name, live.name],
    from: 'end',
    handle: ({ topic, records }) => {
      for (const { value } of records)
        if (topic === audit.name) noted.push(JSON.parse(value!) as Audit);
        else heard.push(...[(JSON.parse(value!) as { ids: string[] | 'many' }).ids].flat());
    },
  });
});
afterAll(() => rig?.close());
afterEach(() => rule(null));

const as = (actor: Actor) => rig.service.as(actor);
const rule = (devices: number | null, actions: string[] = devices === null ? [] : ['reboot']) =>
  rig.call(editApprovalRule, { body: { devices, actions } });
let serial = 0;
const known = new Map<string, LinkedDevice>();
/** Creates devices of a model that no other test uses, and a target of all of them. */
async function phones(count: number, more: object = {}) {
  const model = `Approval ${++serial}`;
  const join = async (n: number) => {
    const joined = await rig.devices(n, { model, ...more });
    for (const device of joined) {
      await device.online();
      known.set(device.identity.deviceId, device);
    }
    // A push to a device that the service does not know as online yet is refused for that.
    await eventually(async () => {
      const [row] = await rig.sql<{ n: number }>(
        'select count(*)::int as n from link_session where online and device_id = any($1::uuid[])',
        [joined.map((d) => d.identity.deviceId)],
      );
      expect(row!.n).toBe(n);
    });
    return joined;
  };
  const of = await join(count);
  return { of, model, target: { filter: { model: [model] } } as Body['target'], join };
}
const order = (target: Body['target'], more: Partial<Body> = {}, actor: Actor = rig.actor): Promise<TaskRecord> =>
  as(actor)(addTask, { body: { name: 'Reboot', action: 'reboot', target, timeZone: 'Etc/UTC', ...more } as Body });
const load = (id: string, actor: Actor = rig.actor) => as(actor)(getTask, { params: { id } });
const approve = (id: string, devices: number, actor: Actor = ben) =>
  as(actor)(approveTask, { params: { id }, body: { devices } });
const refuse = (id: string, actor: Actor = ben, reason = 'Not this week.') =>
  as(actor)(refuseTask, { params: { id }, body: { reason } });
const errorOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const runsOf = async (id: string) => (await rig.call(listTaskRuns, { params: { id }, query: {} })).records;
const commandsOf = (of: readonly LinkedDevice[]) =>
  rig.commands.filter((c) => of.some((d) => d.identity.deviceId === c.deviceId));
/** Completes all devices of a run. */
async function done(id: string, run = 1): Promise<void> {
  await eventually(async () => expect(await load(id)).toMatchObject({ runs: run, expanded: true }));
  await eventually(async () => expect((await load(id)).counts.wait).toBe(0));
  const rows = await rig.sql<{ id: string; device: string }>(
    `select command_id as id, device_id as device from task_device where task_id = $1 and status = 'process'`,
    [id],
  );
  for (const { id: command, device } of rows) await known.get(device)!.answer({ id: command, status: 'success' });
  await eventually(async () => expect((await load(id)).endedAt).not.toBeNull());
}
const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
const tomorrow = () => minute(Date.now() + 86_400_000);
const daily = { type: 'cycle', begin: tomorrow(), end: null, repeat: { every: 'day' } } as const;
const dueNow = (id: string) => rig.sql(`update task set due_at = now() where id = $1`, [id]);
/** Waits for a complete pass over due tasks: a task that was due before has run. */
async function looked(): Promise<void> {
  const { of, target } = await phones(1);
  const { id } = await order(target, { action: 'locate', schedule: { type: 'timer', begin: tomorrow() } });
  await dueNow(id);
  await eventually(async () => expect((await load(id)).runs).toBe(1));
  expect(of).toHaveLength(1);
}
/** Checks that nothing of a task has begun. */
async function untouched(id: string, of: readonly LinkedDevice[]): Promise<void> {
  await looked();
  expect(await load(id)).toMatchObject({ runs: 0, dueAt: null, startedAt: null, counts: { total: 0 } });
  expect(await runsOf(id)).toEqual([]);
  expect(commandsOf(of)).toEqual([]);
}

describe('the rule of a company', () => {
  it('makes a task wait that has enough devices and one of its actions [TASK-08/approval]', async () => {
    const { of, target } = await phones(3);
    await rule(3);
    const preview = (body: object) =>
      rig.call(previewTask, { query: {}, body: { action: 'reboot', target, ...body } as never });
    const two = { ids: of.slice(0, 2).map((d) => d.identity.deviceId) };
    expect((await preview({})).needsApproval).toBe(true);
    expect((await preview({ target: two })).needsApproval).toBe(false);
    expect((await preview({ action: 'locate' })).needsApproval).toBe(false);

    const task = await order(target);
    expect(task).toMatchObject({
      status: 'wait',
      runs: 0,
      dueAt: null,
      approval: { state: 'asked', devices: 3, by: null, at: null, reason: null },
    });
    await untouched(task.id, of);
    const small = await order(two);
    expect(small.approval).toBeNull();
    await eventually(() => expect(commandsOf(of)).toHaveLength(2));
    await done(small.id);
    // A filter shows only waiting tasks.
    const asked = await rig.call(listTasks, { query: { approval: ['asked'], limit: 200 } });
    expect(asked.records.map((t) => t.id)).toEqual([task.id]);
    await rig.call(cancelTask, { params: { id: task.id } });
    expect((await rig.call(listTasks, { query: { approval: ['asked'] } })).total).toBe(0);
  });

  it('refuses doors, unknown actions and a number without actions, and is set by users who see all', async () => {
    const set = (body: object, actor: Actor = rig.actor) =>
      errorOf(as(actor)(editApprovalRule, { body: { devices: 2, actions: ['reboot'], ...body } }));
    await rule(5);
    expect(await set({ actions: ['reboot', 'doorControl'] })).toBe('approval.momentary');
    expect(await set({ actions: ['fly'] })).toBe('common.fieldValue');
    expect(await set({ actions: [] })).toBe('approval.actionsMissing');
    expect(await set({ devices: 0 })).toBe('common.invalid');
    expect(await set({}, { ...ben, orgIds: [ben.orgId] })).toBe('approval.narrowed');
    expect(await set({}, { ...ben, permissions: permissionKeys.filter((key) => key !== 'editApproval') })).toBe(
      'common.forbidden',
    );
    const other = newActor();
    expect(await as(other)(getApprovalRule)).toEqual({ devices: null, actions: [] });
    expect(await set({ devices: 9 }, other)).toBe('none');
    expect(await rig.call(getApprovalRule)).toEqual({ devices: 5, actions: ['reboot'] });
    await eventually(() =>
      expect(noted.findLast((n) => n.action === 'approval.edit' && n.result === 'success')!.detail).toMatchObject({
        after: { devices: 9, actions: ['reboot'] },
      }),
    );
  });

  it('does not affect earlier tasks, and requests from before it was switched off still wait', async () => {
    const { of, target, join } = await phones(2);
    const before = await order(target, { schedule: { type: 'timer', begin: tomorrow() } });
    await rule(2);
    await join(5);
    const asked = await order(target);
    await rule(null);
    expect((await load(asked.id)).approval).toMatchObject({ state: 'asked', devices: 7 });
    expect(await errorOf(rig.call(runTask, { params: { id: asked.id } }))).toBe('approval.notApproved');
    await untouched(asked.id, of);
    await rule(2);
    await dueNow(before.id);
    await eventually(async () => expect(await load(before.id)).toMatchObject({ runs: 1, approval: null }));
    for (const { id } of [before, asked]) await rig.call(stopTask, { params: { id } });
  });
});

describe('a task that waits for approval', () => {
  it('begins by no way in: as a push, run now, again, resumed, from a template, at its time, nor after it was canceled or refused [TASK-08/approval]', async () => {
    const { of, target } = await phones(2);
    await rule(2);
    expect(await errorOf(order(target, { push: true }))).toBe('approval.push');
    expect((await rig.call(listTasks, { query: { approval: ['asked'] } })).total).toBe(0);

    const { id } = await order(target);
    const runs = async (task: string) => [
      await errorOf(rig.call(runTask, { params: { id: task } })),
      await errorOf(rig.call(rerunTask, { params: { id: task }, body: { only: 'all' } })),
      await errorOf(rig.call(resumeTask, { params: { id: task } })),
    ];
    const shut = ['approval.notApproved', 'approval.notApproved', 'task.notPaused'];
    expect(await runs(id)).toEqual(shut);

    await rig.call(addTaskTemplate, {
      body: {
        name: `Template ${serial}`,
        action: 'reboot',
        params: {},
        target: { filter: {} },
        schedule: { type: 'now' },
        timeZone: 'Etc/UTC',
        durationMinutes: null,
        sync: 0,
        versionRange: null,
        rollout: null,
        overrideFreeze: false,
        pace: null,
      },
    });
    const [template] = (await rig.call(listTaskTemplates)).records;
    const { action, params, schedule } = template!;
    const ofTemplate = await order(target, { action, params, schedule });
    expect(ofTemplate.approval).toMatchObject({ state: 'asked' });

    // Its time comes and passes.
    const timer = await order(target, { schedule: { type: 'timer', begin: minute(Date.now()) } });
    expect(timer).toMatchObject({ dueAt: null, approval: { state: 'asked' } });
    await untouched(timer.id, of);

    await rig.call(cancelTask, { params: { id } });
    expect(await runs(id)).toEqual(shut);
    await refuse(timer.id);
    expect(await runs(timer.id)).toEqual(shut);
    expect(await errorOf(approve(id, 2))).toBe('approval.answered');
    expect(await errorOf(approve(timer.id, 2))).toBe('approval.answered');
    for (const task of [id, ofTemplate.id, timer.id]) await untouched(task, of);
    await rig.call(cancelTask, { params: { id: ofTemplate.id } });
  });

  it('is answered only by another user who may run it and sees all of its devices [TASK-08/approval] [ROLE-03/approval]', async () => {
    const elsewhere = uuidv7();
    const { of, model, target } = await phones(2);
    await rig.devices(1, { model, orgId: elsewhere });
    await rule(3);
    const { id } = await order(target);
    const before = await rig.sql('select * from task where id = $1', [id]);
    const without = (key: string): Actor => ({ ...ben, permissions: permissionKeys.filter((k) => k !== key) });
    const answers = async (actor: Actor) => [await errorOf(approve(id, 3, actor)), await errorOf(refuse(id, actor))];
    expect(await answers(rig.actor)).toEqual(['approval.ownTask', 'approval.ownTask']);
    // Their API token counts as the same user.
    const token = { ...rig.actor, apiToken: 'Nightly', sessionId: uuidv7() } as Actor;
    expect(await answers(token)).toEqual(['approval.ownTask', 'approval.ownTask']);
    expect(await answers(without('approveTask'))).toEqual(['common.forbidden', 'common.forbidden']);
    expect(await answers(without('rebootDevice'))).toEqual(['common.forbidden', 'common.forbidden']);
    // A user who sees only some devices gets no number.
    const partly = { ...ben, orgIds: [rig.actor.orgId] };
    expect((await load(id, partly)).approval).toMatchObject({ state: 'asked', devices: null });
    expect(await answers(partly)).toEqual(['approval.partlySeen', 'approval.partlySeen']);
    expect(await answers({ ...ben, orgIds: [uuidv7()] })).toEqual(['common.notFound', 'common.notFound']);
    expect(await answers(newActor())).toEqual(['common.notFound', 'common.notFound']);
    expect(await rig.sql('select * from task where id = $1', [id])).toEqual(before);
    await untouched(id, of);

    // Lists those devices that the user sees.
    const named = async (actor: Actor) => {
      const { records, total } = await as(actor)(listMeantDevices, { params: { id }, query: {} });
      expect(total).toBe(records.length);
      return records.map((d) => d.mac);
    };
    const ownMacs = of.map((d) => d.identity.mac).toSorted();
    expect((await named(partly)).toSorted()).toEqual(ownMacs);
    expect(await errorOf(named(newActor()))).toBe('common.notFound');
    const both = { ...ben, orgIds: [rig.actor.orgId, elsewhere] };
    expect(await named(both)).toHaveLength(3);
    expect((await load(id, both)).approval).toMatchObject({ devices: 3 });
    expect((await approve(id, 3, both)).approval).toMatchObject({ state: 'approved' });
    await eventually(() => expect(commandsOf(of)).toHaveLength(2));
    await rig.call(stopTask, { params: { id } });
  });

  it('runs at once on approval, shows who approved and when, and is in the activity log', async () => {
    const { of, target } = await phones(2);
    await rule(2);
    const { id } = await order(target);
    heard.length = 0;
    expect(await errorOf(approve(id, 1))).toBe('approval.changed');
    await approve(id, 2);
    await done(id);
    const task = await load(id);
    expect(task).toMatchObject({ status: 'success', runs: 1, counts: { total: 2, success: 2 } });
    expect(task.approval).toMatchObject({ state: 'approved', devices: 2, by: expect.any(String), reason: null });
    expect(Date.parse(task.approval!.at!)).toBeGreaterThanOrEqual(Date.parse(task.approval!.askedAt));
    expect(commandsOf(of)).toHaveLength(2);
    await eventually(() => {
      expect(heard).toContain(id);
      expect(noted.filter((n) => n.objectId === id).map((n) => [n.action, n.result])).toEqual(
        expect.arrayContaining([
          ['task.add', 'success'],
          ['task.approve', 'approval.changed'],
          ['task.approve', 'success'],
        ]),
      );
      expect(noted.find((n) => n.objectId === id && n.action === 'task.add')!.detail).toMatchObject({
        needsApproval: true,
      });
    });
  });

  it('takes one answer of two that are given at once, and runs once at most', async () => {
    for (let n = 0; n < 5; n++) {
      const { of, target } = await phones(2);
      await rule(2);
      const { id } = await order(target);
      const answers = await Promise.all([
        errorOf(approve(id, 2, ben)),
        errorOf(n % 2 === 0 ? approve(id, 2, carl) : refuse(id, carl)),
      ]);
      expect(answers.toSorted()).toEqual(['approval.answered', 'none']);
      const { approval } = await load(id);
      if (approval!.state === 'refused') {
        await untouched(id, of);
        continue;
      }
      await done(id);
      expect(await runsOf(id)).toHaveLength(1);
      expect(commandsOf(of)).toHaveLength(2);
    }
  });

  it('ends on refusal, with the reason for its creator', async () => {
    const { of, target } = await phones(2);
    await rule(2);
    const { id } = await order(target);
    expect(await errorOf(refuse(id, ben, '   '))).toBe('common.invalid');
    expect(await refuse(id, ben, 'After the holidays.')).toMatchObject({ status: 'cancel' });
    const task = await load(id);
    expect(task).toMatchObject({ status: 'cancel', endedAt: expect.any(String) });
    expect(task.approval).toMatchObject({ state: 'refused', reason: 'After the holidays.', by: expect.any(String) });
    await untouched(id, of);
  });

  it('does not run when its creator may no longer order it', async () => {
    const { of, target } = await phones(2);
    const dora: Actor = { ...rig.actor, userId: uuidv7() };
    await rig.admit(dora);
    await rule(2);
    const { id } = await order(target, {}, dora);
    await rig.admit(dora, { permissions: [] });
    await approve(id, 2);
    await eventually(async () => expect(await load(id)).toMatchObject({ status: 'timeout', runs: 0, missed: 1 }));
    expect(commandsOf(of)).toEqual([]);
  });
});

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
          envelope('configFile', { companyId, version: ++serial }),
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

  it('waits with its next stage when that takes it more than a tenth beyond what was approved, says so, and goes on when it is approved anew [TASK-08/approval]', async () => {
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

describe('tasks that no user created', () => {
  async function firmware(model: string, version: string): Promise<string> {
    const id = uuidv7();
    const data = {
      id,
      path: 'mine' as const,
      name: 'Desk',
      version,
      models: [model],
      least: null,
      fileId: uuidv7(),
      fileName: 'whole.bin',
      size: 1_000,
      sha256: 'ab'.repeat(32),
      signature: 'c2ln',
      deltas: [],
      signedBy: 'a2V5',
      endorsements: [],
    };
    const { companyId } = rig.actor;
    await rig.bus.publish([toRecord(firmwareState, id, data, envelope('firmware', { companyId, version: ++serial }))]);
    await eventually(async () =>
      expect(await rig.sql('select id from firmware_copy where id = $1', [id])).toHaveLength(1),
    );
    return id;
  }
  const upgrades = { capabilities: ['firmwareUpgrade'] };

  it('a baseline asks once per version, and after a refusal again on a retry [TASK-08/approval]', async () => {
    const { of, model } = await phones(2, { ...upgrades, firmware: '1.0' });
    await rule(2, ['firmwareUpgrade']);
    const firmwareId = await firmware(model, '2.0');
    const { id } = await rig.call(addBaseline, {
      body: {
        name: `Baseline ${serial}`,
        firmwareId,
        model,
        siteId: null,
        groupId: null,
        active: true,
        from: null,
        to: null,
        timeZone: null,
      },
    });
    const tasks = () => rig.sql<{ id: string }>('select id from task where baseline_id = $1 order by number', [id]);
    const lookedAt = async () =>
      (await rig.sql<{ at: string }>('select look_at::text as at from baseline where id = $1', [id]))[0]!.at;
    const lookedTwice = async () => {
      for (let n = 0; n < 2; n++) {
        const before = await lookedAt();
        await eventually(async () => expect(await lookedAt()).not.toBe(before));
      }
    };
    await eventually(async () => expect(await tasks()).toHaveLength(1));
    await lookedTwice();
    const [first] = await tasks();
    expect(await tasks()).toHaveLength(1);
    expect(await load(first!.id)).toMatchObject({ runs: 0, approval: { state: 'asked', devices: 2 } });
    await refuse(first!.id);
    await lookedTwice();
    expect(await tasks()).toHaveLength(1);
    expect(commandsOf(of)).toEqual([]);

    await rig.call(retryBaseline, { params: { id } });
    await eventually(async () => expect(await tasks()).toHaveLength(2));
    const second = (await tasks())[1]!;
    // Its window is over meanwhile: it begins with the next one, and ends with that.
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    await rig.sql(`update baseline set from_local = $2, to_local = $3, time_zone = 'Etc/UTC' where id = $1`, [
      id,
      clock(2),
      clock(4),
    ]);
    const approved = await approve(second.id, 2);
    expect(approved.dueAt!.slice(11, 16)).toBe(clock(2));
    expect(approved.durationMinutes).toBe(120);
    await looked();
    expect(commandsOf(of)).toEqual([]);
    await dueNow(second.id);
    await eventually(() => expect(commandsOf(of)).toHaveLength(2));
    await rig.call(stopTask, { params: { id: second.id } });
    await rig.sql('update baseline set active = false where id = $1', [id]);
  });

  it('a manual rollback waits for approval; one that the approved task contains begins [TASK-08/approval]', async () => {
    const { of, model } = await phones(4, { ...upgrades, firmware: '1.0' });
    const [old, fresh] = [await firmware(model, '1.0'), await firmware(model, '2.0')];
    await rule(2, ['firmwareUpgrade']);
    const { id } = await order(
      { filter: { model: [model] } },
      {
        name: 'Upgrade',
        action: 'firmwareUpgrade',
        params: { firmwareId: fresh },
        rollout: { stages: [75, 100], pauseAt: 30, rollback: true },
      },
    );
    await approve(id, 4);
    const rows = () =>
      rig.sql<{ command: string; device: string }>(
        `select command_id as command, device_id as device from task_device where task_id = $1 and status = 'process'`,
        [id],
      );
    await eventually(async () => expect(await rows()).toHaveLength(3));
    const told = await rows();
    const backTasks = () =>
      rig.sql<{ id: string; approval: object | null }>(
        `select id, approval from task where target -> 'rollback' ->> 'taskId' = $1 order by number`,
        [id],
      );
    for (const [n, { command, device }] of told.entries()) {
      const phone = known.get(device)!;
      await phone.say({ id: command, status: 'accepted' });
      if (n === 2) {
        await phone.say({ id: command, status: 'fail', code: 'download' });
        continue;
      }
      await phone.say({ id: command, status: 'downloaded' });
      await phone.back({ boot: 'upgrade', firmware: '2.0' });
      await rig.tell(phone, { firmware: '2.0' });
    }
    // Two devices go back, which needs approval, but it was approved with the task.
    await eventually(async () => expect(await backTasks()).toMatchObject([{ approval: null }]));
    const [byItself] = await backTasks();
    await eventually(async () => expect(await rig.counts(byItself!.id)).toMatchObject({ process: 2 }));
    await rig.call(stopTask, { params: { id: byItself!.id } });
    await rig.call(stopTask, { params: { id } });

    const before = rig.commands.length;
    const { tasks } = await rig.call(rollbackTask, { params: { id }, body: { only: 'all' } });
    expect(tasks).toMatchObject([{ status: 'wait', runs: 0, approval: { state: 'asked', devices: 2 } }]);
    expect(tasks[0]!.params).toMatchObject({ firmwareId: old });
    await looked();
    expect(rig.commands.slice(before).filter((c) => of.some((d) => d.identity.deviceId === c.deviceId))).toEqual([]);
    await rig.call(cancelTask, { params: { id: tasks[0]!.id } });
  });
});
