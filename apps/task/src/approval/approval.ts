import type { ActionFile } from '@carillon/actions';
import type { ApprovalRule as Rule, TaskRecord, VersionRange } from '@carillon/contracts';
import { columns, computed, currentEntities, currentSql, type RowOf } from '@carillon/persistence';
import { emitAudit, emitLive, fail } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import { keepAsked } from '../baseline/asked.ts';
import type { TaskTarget } from '../dispatch/target.ts';
import { fileSql, filesSql } from '../file/file.ts';
import { orderedOrgIdsSql } from '../projections/creator.projection.ts';
import { Task } from '../task/task.entity.ts';
import { ApprovalRule, approvalMoves, type Approval, type Begins, type BeginsRun } from './approval.entity.ts';
import { meantBy, type Meant } from './meant.queries.ts';

export async function ruleOf(companyId: string): Promise<Rule> {
  const rule = await currentEntities().findOne(ApprovalRule, companyId);
  return rule ? { devices: rule.devices, actions: rule.actions } : { devices: null, actions: [] };
}

/**
 * Applies the company's rule to an order: from which number of devices it needs approval (null: never), and the request
 * when it targets that many.
 */
export async function approvalOf(
  action: string,
  order: { target: TaskTarget; versionRange: VersionRange | null },
): Promise<{ from: number | null; asked: Approval | null }> {
  const { devices, actions } = await ruleOf(context().companyId);
  if (devices === null || !actions.includes(action)) return { from: null, asked: null };
  const meant = await meantBy(order);
  return { from: devices, asked: meant.devices >= devices ? question(meant, 'plan') : null };
}

const question = ({ devices, orgIds }: Meant, begins: Begins): Approval => ({
  state: 'asked',
  devices,
  orgIds,
  askedAt: new Date().toISOString(),
  begins,
  by: null,
  byId: null,
  at: null,
  reason: null,
});

/** Fails for a task that waits for an answer or was refused. */
export function refuseUnlessApproved({ approval }: Pick<TaskRecord, 'approval'>): void {
  if (approval && approval.state !== 'approved') fail('approval.notApproved');
}

/** SQL: the comparable value of a list of files: their bytes, whatever their names. */
const bytesSql = (files: string): string => `
  (
    select string_agg(
      concat(
        l.file #>> '{whole,sha256}',
        (
          select string_agg(part.file ->> 'sha256', ' ' order by part.n)
          from jsonb_array_elements(case when jsonb_typeof(l.file -> 'files') = 'array' then l.file -> 'files' else '[]' end)
            with ordinality part(file, n)
        )
      ),
      ',' order by l.n
    )
    from jsonb_array_elements(${files}) with ordinality l(file, n)
  )
`;
const bound = [
  'name',
  'number',
  'target',
  'versionRange',
  'runs',
  'stage',
  'stageCuts',
  'approval',
  'approvalFrom',
  'baselineId',
] as const;
const boundTask = columns(Task, 't', bound, {
  /** Where the creator may still change devices. */
  orderedOrgIds: computed<string>(orderedOrgIdsSql),
  file: computed<ActionFile | null>(fileSql('null::uuid')),
  files: computed<ActionFile[] | null>(filesSql),
  isOtherFile: computed<boolean>(`
      (${bytesSql(`coalesce(${filesSql}, jsonb_build_array(${fileSql('null::uuid')}))`)}
        is distinct from ${bytesSql('coalesce(t.files, jsonb_build_array(t.file))')})
    `),
});
type Bound = RowOf<typeof boundTask>;

/**
 * Returns whether a run of a task must wait for a new approval: its target exceeds the approved number of devices by
 * more than a tenth, its files have other bytes, or its target has grown to the limit of the rule at the time of the
 * order. Then it stores the request in this transaction. The caller sees all organizations and has locked the task.
 */
export async function asksAgain(
  companyId: string,
  taskId: string,
  { devices, begins, missed = 0 }: { devices: 'all' | 'failed'; begins: BeginsRun; missed?: number },
): Promise<boolean> {
  const task = await boundById(taskId);
  if (!task || (task.approval === null && task.approvalFrom === null)) return false;
  const meant = await meantBy(task, {
    orgIds: task.orderedOrgIds,
    ...(devices === 'failed' ? { failedIn: { taskId, run: task.runs } } : {}),
  });
  if (!isOutside(task, meant)) return false;
  const asked: Approval = question(meant, begins);
  // A finished run stays unchanged; the task waits again.
  await currentSql().query(
    `
      update task t
      set status = $2, due_at = null, missed = t.missed + $3, approval = $4, file = $5, files = $6
      where t.id = $1
    `,
    [
      taskId,
      'wait' satisfies TaskRecord['status'],
      missed,
      JSON.stringify(asked),
      task.file && JSON.stringify(task.file),
      task.files && JSON.stringify(task.files),
    ],
  );
  await keepBaselineAsked(companyId, task);
  await logAsked(companyId, taskId, task, meant);
  return true;
}

/**
 * Updates the request of a waiting task whose target has grown, so that the current target is approved and no second
 * request is needed. The caller sees all organizations and has locked the task.
 */
export async function asksForMore(companyId: string, taskId: string): Promise<void> {
  const task = await boundById(taskId);
  if (task?.approval?.state !== 'asked') return;
  const meant = await meantBy(task, { orgIds: task.orderedOrgIds });
  if (!isLarger(task, meant)) return;
  await currentSql().query('update task set approval = $2 where id = $1', [
    taskId,
    JSON.stringify(question(meant, task.approval.begins)),
  ]);
  await keepBaselineAsked(companyId, task);
  await logAsked(companyId, taskId, task, meant);
}

/**
 * Returns whether the next stage of a task waits for approval: with it the task would exceed the approved number of
 * devices by more than a tenth, or have enough devices to need approval. Requested once; the run continues with its
 * current devices. The caller sees all organizations and has locked the task.
 */
export async function stageWaits(companyId: string, taskId: string): Promise<boolean> {
  const task = await boundById(taskId);
  if (!task || (task.approval === null && task.approvalFrom === null)) return false;
  if (task.approval?.state === 'asked') return true;
  const { runs: run, stage, stageCuts: cuts, orderedOrgIds } = task;
  const meant = await meantBy(task, { orgIds: orderedOrgIds, inStages: { taskId, run, stage, cuts } });
  if (!isLarger(task, meant)) return false;
  await currentSql().query('update task set approval = $2 where id = $1', [
    taskId,
    JSON.stringify(question(meant, 'stage')),
  ]);
  await runAs(systemContext(companyId), () => logAsked(companyId, taskId, task, meant));
  return true;
}

async function boundById(taskId: string): Promise<Bound | undefined> {
  const sql = `select ${boundTask} from task t left join creator_copy u on u.id = t.creator_id where t.id = $1`;
  return (await currentSql().rows(boundTask, sql, [taskId]))[0];
}

async function keepBaselineAsked(companyId: string, { baselineId }: Pick<Bound, 'baselineId'>): Promise<void> {
  if (baselineId === null) return;
  await keepAsked(companyId, baselineId);
  await emitLive(companyId, 'baseline', [baselineId], null);
}

async function logAsked(
  companyId: string,
  taskId: string,
  { name, number }: Pick<Bound, 'name' | 'number'>,
  { devices, orgIds }: Meant,
): Promise<void> {
  await emitAudit('task.askApproval', 'success', {
    objectId: taskId,
    objectName: name,
    detail: { number, devices },
    orgIds,
  });
  await emitLive(companyId, 'task', [taskId], orgIds);
}

function isOutside(task: Bound, meant: Meant): boolean {
  const { approval, isOtherFile } = task;
  return isLarger(task, meant) || (approval !== null && (approval.state !== 'approved' || isOtherFile));
}

function isLarger({ approval, approvalFrom }: Bound, { devices }: Meant): boolean {
  if (approval === null) return approvalFrom !== null && devices >= approvalFrom;
  // In whole numbers, because 1.1 has no exact binary form.
  return devices * 10 > approval.devices * 11;
}

/** The requested run has begun or has passed: the schedule decides about the next time. */
export async function beginsByPlan(taskIds: readonly string[]): Promise<void> {
  await currentSql().query(
    `
      update task
      set approval = jsonb_set(approval, '{begins}', '"plan"')
      where id = any($1::uuid[]) and approval ->> 'begins' <> 'plan' and approval ->> 'state' = 'approved'
    `,
    [taskIds],
  );
}

/** Returns the state after an answer; fails when none is awaited. */
export const approvalAfter = (approval: Approval, event: 'approve' | 'refuse'): Approval['state'] => {
  const moves: Partial<Record<'ask' | 'approve' | 'refuse', Approval['state']>> = approvalMoves[approval.state];
  return moves[event] ?? fail('approval.answered');
};
