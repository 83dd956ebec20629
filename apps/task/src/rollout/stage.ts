import type { TaskRecord, TaskRollout } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

export interface Staged {
  rollout: TaskRollout;
  /** Starting with 1. */
  stage: number;
  /** Upper place of each stage; empty for stages by tags, null until the run has its first devices. */
  cuts: readonly number[] | null;
}

/** Counts of a run when its stage began or was resumed: earlier results are not judged again. */
export interface StageBase {
  total: number;
  success: number;
  /** Failed devices that were started. */
  failed: number;
  /** Failed devices that were never started: refused, or offline until they expired. */
  untold: number;
}
export const noBase: StageBase = { total: 0, success: 0, failed: 0, untold: 0 };

/**
 * Returns whether the end of its window pauses a rollout instead of ending it, because its last stage has not begun. A
 * task that paused by itself before has its result.
 */
export const holdsAtEnd = (
  { stages }: TaskRollout,
  { stage, mayHold, pausedFor }: { stage: number; mayHold: boolean; pausedFor: TaskRecord['pausedFor'] },
): boolean =>
  stage < stages.length && mayHold && (pausedFor === null || pausedFor === 'person' || pausedFor === 'window');

/**
 * SQL: the place of a device `d` in a run, from 0 to 2^31 - 1 and always the same: a device's stage is thus fixed,
 * although each stage creates its rows when it begins.
 */
const placeSql = (taskId: string, run: string): string =>
  `(hashtextextended(${taskId}::text || ' ' || ${run}::text || ' ' || d.id::text, 0) & 2147483647)::int`;

/** The cuts of a run in stages by tags, whose stages are stored with their devices. */
const byTag: readonly number[] = [];

/**
 * Fixes the stages of a run for the current target: 5 % of 20 devices are one. Stores where they end, so that a device
 * that joins the target later belongs to the stage of its place; of stages by tags, it stores the devices.
 */
export async function cutStages(
  taskId: string,
  run: number,
  { stages }: TaskRollout,
  target: string,
  values: readonly unknown[],
): Promise<readonly number[] | null> {
  const shares = stages.filter((stage) => typeof stage === 'number');
  const { planned, cuts } =
    shares.length > 0
      ? await cutsByPercent(taskId, run, shares, target, values)
      : { planned: await storeStages(taskId, run, stages, target, values), cuts: byTag };
  await currentSql().query('update task set stage_cuts = $2, planned = $3 where id = $1', [
    taskId,
    JSON.stringify(cuts),
    planned,
  ]);
  return cuts;
}

async function cutsByPercent(
  taskId: string,
  run: number,
  shares: readonly number[],
  target: string,
  values: readonly unknown[],
): Promise<{ planned: number; cuts: number[] | null }> {
  const next = values.length;
  const {
    rows: [row],
  } = await currentSql().query<{ planned: number; cuts: number[] | null }>(
    `
      select count(*)::int as planned,
        percentile_disc($${next + 3}::float8[]) within group (
          order by ${placeSql(`$${next + 1}::uuid`, `$${next + 2}::int`)}
        ) as cuts
      from (${target}) d
    `,
    [...values, taskId, run, shares.map((percent) => percent / 100)],
  );
  return row!;
}

/** Stores the devices that have a listed tag, each with its first one. Returns the number of all devices. */
async function storeStages(
  taskId: string,
  run: number,
  stages: TaskRollout['stages'],
  target: string,
  values: readonly unknown[],
): Promise<number> {
  const next = values.length;
  const tags = stages.flatMap((stage, n) => (typeof stage === 'object' ? [{ ...stage, n: n + 1 }] : []));
  const {
    rows: [row],
  } = await currentSql().query<{ planned: number }>(
    `
      with target as materialized (select d.id, d.company_id, d.tags from (${target}) d),
      stored as (
        insert into task_stage_device (task_id, run, device_id, company_id, stage)
        select $${next + 1}::uuid, $${next + 2}::int, d.id, d.company_id, min(s.n)
        from target d
        join jsonb_to_recordset($${next + 3}::jsonb) as s(key text, value text, n int) on d.tags ->> s.key = s.value
        group by d.id, d.company_id
        on conflict do nothing
      )
      select count(*)::int as planned
      from target
    `,
    [...values, taskId, run, JSON.stringify(tags)],
  );
  return row!.planned;
}

/** SQL: whether the stored stage of a device `d` fulfils a condition. */
const storedStageSql = (taskId: string, run: number, condition: string, add: (value: unknown) => string): string => `
  d.id in (
    select w.device_id
    from task_stage_device w
    where w.task_id = ${add(taskId)}::uuid and w.run = ${add(run)}::int and w.stage ${condition}
  )
`;

/** SQL: whether a device `d` belongs to the active stage. */
export function stageSql(
  taskId: string,
  run: number,
  { stage, rollout, cuts }: Staged,
  add: (value: unknown) => string,
): string {
  if (!cuts) return 'true';
  const isLast = stage === rollout.stages.length;
  if (cuts.length === 0)
    return isLast
      ? `not ${storedStageSql(taskId, run, `< ${add(stage)}::int`, add)}`
      : storedStageSql(taskId, run, `= ${add(stage)}::int`, add);
  const place = placeSql(`${add(taskId)}::uuid`, `${add(run)}::int`);
  return [
    ...(stage > 1 ? [`${place} > ${add(cuts[stage - 2])}`] : []),
    ...(isLast ? [] : [`${place} <= ${add(cuts[stage - 1])}`]),
  ].join(' and ');
}

/** SQL: whether a device `d` belongs to a later stage; devices that join an earlier one are excluded. */
export function laterStageSql(
  taskId: string,
  run: number,
  { stage, cuts }: Pick<Staged, 'stage' | 'cuts'>,
  add: (value: unknown) => string,
): string {
  if (!cuts) return 'true';
  if (cuts.length === 0) return `not ${storedStageSql(taskId, run, `<= ${add(stage)}::int`, add)}`;
  return `${placeSql(`${add(taskId)}::uuid`, `${add(run)}::int`)} > ${add(cuts[stage - 1])}`;
}

/** Forgets the stored stages of tasks whose run is over. */
export async function forgetStages(taskIds: readonly string[]): Promise<void> {
  await currentSql().query('delete from task_stage_device where task_id = any($1::uuid[])', [taskIds]);
}
