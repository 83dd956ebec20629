import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { actions, mayRetry, namedBy, type Action } from '@carillon/actions';
import type {
  RouteInput,
  TaskNaming,
  TaskPreview,
  TaskRecord,
  addTask,
  previewTask,
  rerunTask,
} from '@carillon/contracts';
import { currentTraceparent, createLogger } from '@carillon/observability';
import { afterCommit, columns, computed, currentSql, uuidv7, wholly } from '@carillon/persistence';
import { auditNote, CACHE, CONFIG, emitLive, fail, failAt, found, type Cache } from '@carillon/service';
import { can, context } from '@carillon/tenancy';
import { approvalOf, asksAgain, refuseUnlessApproved } from '../approval/approval.ts';
import type { BeginsRun } from '../approval/approval.entity.ts';
import type { taskConfig } from '../config.ts';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { holdMoves, shareWaiting } from '../dispatch/expand.ts';
import { openRuns, type NewRun } from '../run/run.ts';
import { ScheduleService } from '../schedule/schedule.service.ts';
import { runOf, timingOf, windowsOfTarget, zonedTiming } from '../schedule/timing.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { filesOf } from '../file/brought.ts';
import { fileTitle, orderedFiles } from '../file/file.ts';
import { publishFileUse } from '../file/file.publisher.ts';
import { refuseUnlessReady, refuseWithoutDevices } from '../dispatch/refuse.ts';
import type { TaskTarget } from '../dispatch/target.ts';
import { refuseUnlessAllowed } from './allowed.ts';
import { namingOf, storedName } from './naming.ts';
import { Task } from './task.entity.ts';
import { isFinal, taskStates } from './task.states.ts';
import { previewOf } from './task.preview.ts';
import { sharedBy, taskById } from './task.queries.ts';

const log = createLogger('task');
const minuteMs = 60_000;

const namedDevice = columns(DeviceCopy, 'd', ['id', 'orgId', 'name', 'mac']);
const heldTask = columns(Task, 't', ['status', 'dueAt'], {
  open: computed<boolean>('(t.runs > 0 and t.ended_at is null)'),
  left: computed<number>('t.process + t.wait'),
  failed: computed<number>('t.fail + t.timeout'),
});
const addedTask = columns(Task, 'task', ['number']);
const orderedTask = columns(Task, 't', ['id', 'name', 'number']);

type Order = Awaited<ReturnType<TaskService['judge']>>;

@Injectable()
export class TaskService {
  constructor(
    private readonly dispatch: DispatchService,
    private readonly schedules: ScheduleService,
    @Inject(CACHE) private readonly cache: Cache,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
  ) {}

  /** Stores the order and answers; the next transaction creates the rows of its devices. */
  async add(body: RouteInput<typeof addTask>['body']): Promise<TaskRecord> {
    const order = await this.judge(body);
    return (await this.stored(body)) ?? (await this.begin(body, order)) ?? (await this.stored(body))!;
  }

  private async begin(body: RouteInput<typeof addTask>['body'], order: Order): Promise<TaskRecord | undefined> {
    await this.refuseMore();
    if (body.push) {
      if (body.schedule.type !== 'now' || body.pace?.retry || body.pace?.spreadMinutes)
        failAt('push', 'common.fieldValue');
      await refuseUnlessReady(order.action, order.target);
    } else if (body.schedule.type === 'now') await refuseWithoutDevices(order.target);
    return this.store(body, { ...order, named: body.name ?? (await namingOf(order.target, order.device)) });
  }

  /** Counts a task that a user begins. Fails with 429 when their company began too many in this minute. */
  private async refuseMore(): Promise<void> {
    const begun = await this.cache.increment(`task:${context().companyId}`, minuteMs);
    if (begun > this.config.tasksPerMinute) fail('common.tooMany', { seconds: minuteMs / 1000 });
  }

  /** Returns the task of an earlier order by the same user under the same id. */
  private async stored({ orderId }: RouteInput<typeof addTask>['body']): Promise<TaskRecord | undefined> {
    if (orderId === undefined) return undefined;
    const [task] = await currentSql().rows(
      orderedTask,
      `select ${orderedTask} from task t where t.creator_id = $1 and t.order_id = $2`,
      [context().userId, orderId],
    );
    if (!task) return undefined;
    auditNote({ objectId: task.id, objectName: task.name, detail: { number: task.number, repeated: true } });
    return taskById(task.id);
  }

  /**
   * Like {@link add}, for devices that no user chose: those of a rollback or a baseline. `isApproved`: the approval of
   * another task covers this one. `named`: its name, or what that is built from.
   */
  async addDerived(
    body: RouteInput<typeof addTask>['body'],
    { target, named, isApproved = false }: { target: TaskTarget; named: string | TaskNaming; isApproved?: boolean },
  ): Promise<TaskRecord> {
    return (await this.store(body, { ...(await this.judge(body)), target, named }, isApproved))!;
  }

  /** Stores a task; returns undefined when an order of this id was stored meanwhile. */
  private async store(
    body: RouteInput<typeof addTask>['body'],
    {
      params,
      target,
      timing,
      brought,
      action,
      device,
      named,
    }: Omit<Order, 'target'> & { target: TaskTarget; named: string | TaskNaming },
    isApproved = false,
  ): Promise<TaskRecord | undefined> {
    const who = context();
    const id = uuidv7();
    const approval = await approvalOf(body.action, { target, versionRange: body.versionRange });
    const asked = isApproved ? null : approval.asked;
    if (asked && body.push) failAt('push', 'approval.push');
    const { name, naming } = storedName(named, { action: body.action, params });
    const added = await insertTask(id, body, { params, target, timing, brought, name, naming, approval, asked });
    if (!added) return undefined;
    auditNote({
      objectId: id,
      objectName: name,
      detail: {
        action: body.action,
        params,
        ...(brought ? { file: filesOf(brought).map(fileTitle).join(', ') } : {}),
        ...aimOf(target, device),
        schedule: body.schedule,
        ...(body.overrideFreeze ? { overrideFreeze: true } : {}),
        ...(body.pace ? { pace: body.pace } : {}),
        ...(asked ? { needsApproval: true } : {}),
        timeZone: timing.timeZone,
        ...(body.inSiteZones ? { inSiteZones: true } : {}),
        number: added.number,
      },
    });
    if (brought) await publishFileUse(who.companyId, id, actions[body.action]!.file!, filesOf(brought), 'open');
    if (asked ?? timing.dueAt) await shareWaiting(who.companyId, id, target);
    else await openRuns([{ ...runOf(id, action, body.durationMinutes, null), cause: 'schedule' }]);
    await emitLive(who.companyId, 'task', [id], who.orgIds === '*' ? null : who.orgIds);
    afterCommit(() => {
      log.info({ point: 'created', taskId: id }, 'task created');
      if (asked) return;
      if (timing.dueAt) this.schedules.wake(timing.dueAt);
      else this.dispatch.startTask(who.companyId, id);
    });
    return taskById(id);
  }

  /** Checks an order and returns its meaning; also used by the preview. */
  private async judge(body: RouteInput<typeof previewTask>['body']) {
    const { action, params: given } = refuseUnlessAllowed(body);
    refuseUnlessPaced(action, body);
    const order = { action, params: given, brought: await orderedFiles(action, given) };
    const plain = timingOf(body, action);
    const timed = (target: TaskTarget) => zonedTiming(body, plain, target);
    const { orgIds } = context();
    if ('filter' in body.target) {
      if (orgIds !== '*') auditNote({ orgIds });
      return { ...order, timing: await timed(body.target), target: body.target, device: undefined };
    }
    const byMac = 'macs' in body.target;
    const named = 'macs' in body.target ? body.target.macs : body.target.ids;
    const wanted = [...new Set(named.map((name) => name.toLowerCase()))];
    const rows = await currentSql().rows(
      namedDevice,
      `select ${namedDevice} from device_copy d where ${byMac ? 'd.mac = any($1)' : 'd.id = any($1::uuid[])'}`,
      [wanted],
    );
    if (rows.length !== wanted.length) fail(byMac ? 'device.macNotFound' : 'device.pushTargetMissing');
    auditNote({ orgIds: [...new Set(rows.map((r) => r.orgId))] });
    const device = rows.length === 1 ? rows[0]! : undefined;
    const target = { ids: rows.map(({ id }) => id) };
    return { ...order, timing: await timed(target), target, device };
  }

  async preview(
    body: RouteInput<typeof previewTask>['body'],
    query: RouteInput<typeof previewTask>['query'],
  ): Promise<TaskPreview> {
    const { action, params, brought, target, timing, device } = await this.judge(body);
    const { asked } = await approvalOf(body.action, { target, versionRange: body.versionRange });
    const order = { ...body, action, params, brought, target, timeZone: timing.timeZone };
    const windows = await windowsOfTarget(body, timing, action, target);
    const naming = await namingOf(target, device);
    const name = namedBy(naming, { action: action.key, params }, context().language);
    return { ...(await previewOf(order, query)), name, needsApproval: asked !== null, windows };
  }

  /** Runs a task now, without waiting for its time. A cycle continues at its next time; a timer's time is cancelled. */
  async run(id: string): Promise<TaskRecord> {
    const { task, dueAt } = await this.held(id);
    refuseUnlessApproved(task);
    if (task.status !== 'wait' || dueAt === null) fail('task.notRunnable');
    const next = task.type === 'cycle' ? dueAt : null;
    await this.refuseMore();
    return this.open(task, { ...runOf(id, actions[task.action]!, task.durationMinutes, next), cause: 'runNow' }, 'now');
  }

  /** Runs an ended task again: for its whole current target, or for the failed devices of the last run. */
  async rerun(id: string, only: RouteInput<typeof rerunTask>['body']['only']): Promise<TaskRecord> {
    const { task, left, failed } = await this.held(id);
    refuseUnlessApproved(task);
    // After a stop running devices still finish.
    if (!isFinal(taskStates, task.status) || left > 0) fail('task.notRerunnable');
    if (only === 'failed' && failed === 0) fail('task.nothingFailed');
    await this.refuseMore();
    return this.open(
      task,
      { ...runOf(id, actions[task.action]!, task.durationMinutes, null), devices: only, cause: 'rerun' },
      only === 'all' ? 'rerunAll' : 'rerunFailed',
    );
  }

  /**
   * Locks a task for a user who may run it: its creator or one who sees all of it, with the permission of its action.
   */
  private async held(id: string): Promise<{ task: TaskRecord; dueAt: string | null; left: number; failed: number }> {
    const task = await taskById(id);
    auditNote({ objectId: id, objectName: task.name, detail: { number: task.number, before: task.status } });
    auditNote(await sharedBy(id));
    const { right } = actions[task.action]!;
    if (!can(right)) fail('common.forbidden', { permission: right });
    if (!task.whole && task.creatorId !== context().userId) fail('task.partlySeen');
    // Taken before the task's lock, like in a firing.
    await holdMoves('shared', context().companyId);
    const [row] = await currentSql().rows(heldTask, `select ${heldTask} from task t where t.id = $1 for update`, [id]);
    const { status, open, dueAt, left, failed } = found(row);
    return { task: { ...task, status }, dueAt: open ? null : dueAt, left, failed };
  }

  /** Opens a run, or requests a new approval if needed: the returned task shows which. */
  private async open(task: TaskRecord, run: NewRun, begins: BeginsRun): Promise<TaskRecord> {
    const { companyId } = context();
    const sharing = await sharedBy(task.id);
    // Its file may have been deleted since.
    const action = actions[task.action]!;
    const brought = await orderedFiles(action, task.params);
    if (brought) await publishFileUse(companyId, task.id, action.file!, filesOf(brought), 'open');
    let asks = false;
    await wholly(async () => {
      asks = await asksAgain(companyId, task.id, { devices: run.devices, begins });
      if (!asks) await openRuns([run]);
    });
    await emitLive(companyId, 'task', [task.id], sharing.orgIds ?? null);
    if (!asks) afterCommit(() => this.dispatch.startTask(companyId, task.id));
    return taskById(task.id);
  }
}

/** Returns the target of an order for the operation log, which names a single device. */
const aimOf = (target: TaskTarget, device: { name: string; mac: string } | undefined) =>
  device ? { device: `${device.name} (${device.mac})` } : 'ids' in target ? { devices: target.ids.length } : target;

/** Refuses retries and delays for actions that must run at once or that destroy data. */
function refuseUnlessPaced(
  action: Action,
  { pace, durationMinutes }: Pick<RouteInput<typeof addTask>['body'], 'pace' | 'durationMinutes'>,
): void {
  if (pace?.retry && !mayRetry(action)) failAt('pace.retry', 'task.notPaced');
  if (!pace?.spreadMinutes) return;
  if (action.isMomentary) failAt('pace.spreadMinutes', 'task.notPaced');
  const minutes = durationMinutes ?? action.expiresAfterMs / 60_000;
  if (pace.spreadMinutes >= minutes) failAt('pace.spreadMinutes', 'task.spreadTooLong', { minutes });
}

/** Inserts a task and takes its number. Returns undefined when an order of this id was stored meanwhile. */
async function insertTask(
  id: string,
  body: RouteInput<typeof addTask>['body'],
  {
    params,
    target,
    timing,
    brought,
    name,
    naming,
    approval,
    asked,
  }: Pick<Order, 'params' | 'timing' | 'brought'> & {
    target: TaskTarget;
    approval: Awaited<ReturnType<typeof approvalOf>>;
    asked: Awaited<ReturnType<typeof approvalOf>>['asked'];
  } & ReturnType<typeof storedName>,
) {
  const who = context();
  const [added] = await currentSql().rows(
    addedTask,
    `
      with n as (
        insert into task_number as n (company_id, last)
        values ($2, 1)
        on conflict (company_id) do update set last = n.last + 1
        returning last
      )
      insert into task (
        id, company_id, number, name, action, type, status, params, target, access, expanded, total, success,
        fail, timeout, cancel, process, wait, creator_id, creator_name, traceparent, created_at, schedule, time_zone,
        duration_minutes, sync, version_range, begin_at, end_at, due_at, runs, rollout, override_freeze, file,
        baseline_id, order_id, files, pace, approval, approval_from, in_site_zones, due_local,
        naming
      )
      select $1, $2, n.last, $3, $4, $11, 'wait', $5, $6, $7, false, 0, 0, 0, 0, 0, 0, 0, $8, $9, $10, now(), $12,
        $13, $14, $15, $16, coalesce($28, now()), $18, case when $26::jsonb is null then $17::timestamptz end, 0, $19,
        $20, $21, $22, $23, $24, $25, $26, $27, $29, $30, $31
      from n
      on conflict (creator_id, order_id) where order_id is not null do nothing
      returning ${addedTask}
    `,
    [
      id,
      who.companyId,
      name,
      body.action,
      JSON.stringify(params),
      JSON.stringify(target),
      JSON.stringify({ userId: who.userId, username: who.username, orgIds: who.orgIds }),
      who.userId,
      who.username,
      currentTraceparent() ?? null,
      body.schedule.type,
      JSON.stringify(body.schedule),
      timing.timeZone,
      body.durationMinutes,
      body.sync,
      body.versionRange && JSON.stringify(body.versionRange),
      timing.dueAt,
      timing.endAt,
      body.rollout && JSON.stringify(body.rollout),
      body.overrideFreeze,
      brought && 'one' in brought ? JSON.stringify(brought.one) : null,
      'baseline' in target ? target.baseline.id : null,
      body.orderId ?? null,
      brought && 'several' in brought ? JSON.stringify(brought.several) : null,
      body.pace && JSON.stringify(body.pace),
      asked && JSON.stringify(asked),
      approval.from,
      timing.beginAt,
      body.inSiteZones,
      timing.dueLocal,
      naming && JSON.stringify(naming),
    ],
  );
  return added;
}
