import { describe, expect, it } from 'vitest';
import {
  addTaskTemplate,
  cancelTask,
  editApprovalRule,
  getApprovalRule,
  listMeantDevices,
  listTasks,
  listTaskTemplates,
  permissionKeys,
  previewTask,
  rerunTask,
  resumeTask,
  runTask,
  stopTask,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor, type LinkedDevice } from '@carillon/testing';
import { errorOf, minute, tomorrow, startApprovals } from './approval-test.ts';

const {
  rig,
  ben,
  carl,
  noted,
  heard,
  rule,
  as,
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
/** Checks that nothing of a task has begun. */
async function untouched(id: string, devices: readonly LinkedDevice[]): Promise<void> {
  await looked();
  expect(await load(id)).toMatchObject({ runs: 0, dueAt: null, startedAt: null, counts: { total: 0 } });
  expect(await runsOf(id)).toEqual([]);
  expect(commandsOf(devices)).toEqual([]);
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
  it('no way of starting a task gets around its approval [TASK-08/approval]', async () => {
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
        name: `Template ${next()}`,
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

  it('is answered only by another user who sees all devices [TASK-08/approval] [ROLE-03/approval]', async () => {
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
