import { Injectable } from '@nestjs/common';
import { actions } from '@carillon/actions';
import type { ApprovalRule, RouteInput, TaskRecord, approveTask, editApprovalRule } from '@carillon/contracts';
import { afterCommit, columns, computed, currentSql } from '@carillon/persistence';
import { auditNote, emitLive, fail, failAt, found } from '@carillon/service';
import { can, context, seesAll } from '@carillon/tenancy';
import { baselineStart } from '../baseline/window.ts';
import { releaseFiles } from '../file/file.publisher.ts';
import { instantOf, nextTimes } from '../schedule/recurrence.ts';
import { ScheduleService } from '../schedule/schedule.service.ts';
import { zonedStart } from '../schedule/timing.ts';
import { Task } from '../task/task.entity.ts';
import { sharedBy, taskById } from '../task/task.queries.ts';
import { TaskEndService } from '../task/task-end.service.ts';
import { next, taskStates } from '../task/task.states.ts';
import { approvalAfter, ruleOf } from './approval.ts';
import type { Approval } from './approval.entity.ts';

const askedTask = columns(
  Task,
  't',
  [
    'id',
    'number',
    'status',
    'approval',
    'action',
    'schedule',
    'timeZone',
    'inSiteZones',
    'durationMinutes',
    'baselineId',
  ],
  { now: computed<number>('(extract(epoch from now()) * 1000)::float8') },
);

/** A task that waits for an answer. */
interface Asked {
  id: string;
  number: number;
  action: string;
  schedule: TaskRecord['schedule'];
  timeZone: string;
  inSiteZones: boolean;
  durationMinutes: number | null;
  baselineId: string | null;
  now: number;
  approval: Approval;
}
interface Start {
  /** Null: now. */
  dueAt: Date | null;
  /** The local minute, for a task that begins in the time zones of sites. */
  dueLocal: string | null;
  missed: number;
  durationMinutes: number | null;
}

/** Approval of tasks by a second person (docs/adr/0031-approval.md). `approval.ts` decides which tasks need it. */
@Injectable()
export class ApprovalService {
  constructor(
    private readonly schedules: ScheduleService,
    private readonly ends: TaskEndService,
  ) {}

  rule(): Promise<ApprovalRule> {
    return ruleOf(context().companyId);
  }

  async editRule({ devices, actions: keys }: RouteInput<typeof editApprovalRule>['body']): Promise<ApprovalRule> {
    const { companyId } = context();
    if (!seesAll()) fail('approval.narrowed');
    for (const key of keys) {
      if (!Object.hasOwn(actions, key)) failAt('actions', 'common.fieldValue');
      if (actions[key]!.isMomentary) failAt('actions', 'approval.momentary');
    }
    if (devices !== null && keys.length === 0) failAt('actions', 'approval.actionsMissing');
    const before = await this.rule();
    const after = { devices, actions: [...new Set(keys)] };
    // Two users may save the first rule at once; the later one wins.
    await currentSql().query(
      `
        insert into approval_rule (id, company_id, devices, actions, updated_at)
        values ($1, $1, $2, $3, now())
        on conflict (id) do update
        set devices = excluded.devices, actions = excluded.actions, updated_at = excluded.updated_at
      `,
      [companyId, devices, JSON.stringify(after.actions)],
    );
    auditNote({ objectId: companyId, detail: { before, after } });
    return after;
  }

  /** Approves a task. The schedule's firing starts it, after it has checked target and creator again. */
  async approve(id: string, { devices }: RouteInput<typeof approveTask>['body']): Promise<TaskRecord> {
    const task = await this.asked(id);
    if (task.approval.devices !== devices) fail('approval.changed', { count: task.approval.devices });
    const state = approvalAfter(task.approval, 'approve');
    if (task.approval.begins === 'stage') return this.approveStage(task, state);
    const { dueAt, dueLocal, missed, durationMinutes } = await startOf(task);
    await currentSql().query(
      `
        update task
        set approval = $2, due_at = coalesce($3::timestamptz, now()), missed = missed + $4, duration_minutes = $5,
          due_local = $6
        where id = $1
      `,
      [id, answered(task.approval, state, null), dueAt, missed, durationMinutes, dueLocal],
    );
    auditNote({ detail: { number: task.number, devices } });
    const changed = await this.changed(id, task.baselineId);
    afterCommit(() => this.schedules.wake(dueAt ?? new Date()));
    return changed;
  }

  /** Lets the run continue: the next check of its stages finds nothing that holds the next one. */
  private async approveStage({ id, number, approval }: Asked, state: Approval['state']): Promise<TaskRecord> {
    const { devices } = approval;
    await currentSql().query('update task set approval = $2 where id = $1', [
      id,
      answered({ ...approval, begins: 'plan' }, state, null),
    ]);
    auditNote({ detail: { number, devices } });
    return this.changed(id, null);
  }

  async refuse(id: string, reason: string): Promise<TaskRecord> {
    const { status } = await taskById(id);
    if (status === 'process') return this.refuseStage(id, reason);
    const { approval, number, baselineId } = await this.asked(id);
    await currentSql().query(
      `
        update task
        set approval = $2, status = $3, ended_at = now(), expanded = true, due_at = null, window_ends_at = null
        where id = $1
      `,
      [id, answered(approval, approvalAfter(approval, 'refuse'), reason), next(taskStates, 'wait', 'cancel')],
    );
    await releaseFiles(context().companyId, id);
    auditNote({ detail: { number, reason } });
    return this.changed(id, baselineId);
  }

  /**
   * Ends the task like a stopped one: running devices finish, waiting ones are cancelled. As everywhere the task is
   * locked after its devices, so it must then be checked again that nobody answered before.
   */
  private async refuseStage(id: string, reason: string): Promise<TaskRecord> {
    const { approval, number } = await this.asked(id, '');
    await this.ends.endWhole(id, 'stop', 'approval.answered');
    const { rowCount } = await currentSql().query(
      `update task set approval = $2 where id = $1 and approval ->> 'state' = $3`,
      [id, answered(approval, approvalAfter(approval, 'refuse'), reason), approval.state],
    );
    if (rowCount === 0) fail('approval.answered');
    auditNote({ detail: { number, reason } });
    return this.changed(id, null);
  }

  /**
   * Returns a task for a second person: one who may order its action, did not create it, and sees all of its devices.
   */
  private async asked(id: string, lock: 'for update' | '' = 'for update'): Promise<Asked> {
    const { name, number, action, creatorId } = await taskById(id);
    auditNote({ objectId: id, objectName: name, detail: { number } });
    auditNote(await sharedBy(id));
    const { right } = actions[action]!;
    if (!can(right)) fail('common.forbidden', { permission: right });
    const { userId, orgIds } = context();
    // An API token has the user id of its creator.
    if (userId === null || userId === creatorId) fail('approval.ownTask');
    const [row] = await currentSql().rows(askedTask, `select ${askedTask} from task t where t.id = $1 ${lock}`, [id]);
    const { approval, status, ...task } = found(row);
    if (approval?.state !== 'asked' || !['wait', 'process'].includes(status)) fail('approval.answered');
    if (!seesAll() && approval.orgIds.some((orgId) => !orgIds.includes(orgId))) fail('approval.partlySeen');
    return { ...task, approval };
  }

  private async changed(id: string, baselineId: string | null): Promise<TaskRecord> {
    const { companyId } = context();
    await emitLive(companyId, 'task', [id], (await sharedBy(id)).orgIds ?? null);
    // The baseline shows the result of its request.
    if (baselineId !== null) await emitLive(companyId, 'baseline', [baselineId], null);
    return taskById(id);
  }
}

function answered(approval: Approval, state: Approval['state'], reason: string | null): string {
  const { userId, username } = context();
  const answer: Approval = { ...approval, state, by: username, byId: userId, at: new Date().toISOString(), reason };
  return JSON.stringify(answer);
}

/** Returns when it begins: at its time if that is in the future, otherwise now. */
async function startOf(task: Asked): Promise<Start> {
  const { schedule, timeZone, inSiteZones, durationMinutes, approval, baselineId } = task;
  const now = new Date(task.now);
  const atOnce = { dueAt: null, dueLocal: null, missed: 0, durationMinutes };
  if (baselineId !== null) return { ...atOnce, ...(await baselineStart(baselineId)) };
  if (approval.begins !== 'plan' || schedule.type === 'now') return atOnce;
  if (inSiteZones) return { ...atOnce, ...(await zonedStart(task, new Date(approval.askedAt), now)) };
  if (schedule.type === 'timer') {
    const begin = instantOf(schedule.begin, timeZone);
    return begin > now ? { ...atOnce, dueAt: begin } : atOnce;
  }
  let missed = 0;
  let time = nextTimes(schedule, timeZone, new Date(approval.askedAt), 1)[0];
  while (time && time <= now) {
    missed++;
    time = nextTimes(schedule, timeZone, time, 1)[0];
  }
  // Its last time has passed: the approved task runs once, like a timer.
  return time ? { ...atOnce, dueAt: time, missed } : { ...atOnce, missed: Math.max(0, missed - 1) };
}
