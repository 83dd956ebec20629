import type { TaskRollout } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

export interface Staged {
  rollout: TaskRollout;
  /** Starting with 1. */
  stage: number;
  /** Upper place of each stage; null until the run has its first devices. */
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
 * SQL: the place of a device `d` in a run, from 0 to 2^31 - 1 and always the same: a device's stage is thus fixed,
 * although each stage creates its rows when it begins.
 */
const placeSql = (taskId: string, run: string): string =>
  `(hashtextextended(${taskId}::text || ' ' || ${run}::text || ' ' || d.id::text, 0) & 2147483647)::int`;

/**
 * Computes where the stages end, for the current target: 5 % of 20 devices are one. Stored with the run, so that a
 * device that joins the target later belongs to the stage of its place.
 */
export async function cutStages(
  taskId: string,
  run: number,
  { stages }: TaskRollout,
  target: string,
  values: readonly unknown[],
): Promise<number[] | null> {
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
    [...values, taskId, run, stages.map((percent) => percent / 100)],
  );
  await currentSql().query('update task set stage_cuts = $2, planned = $3 where id = $1', [
    taskId,
    JSON.stringify(row!.cuts),
    row!.planned,
  ]);
  return row!.cuts;
}

/** SQL: whether a device `d` belongs to the active stage. */
export function stageSql(
  taskId: string,
  run: number,
  { stage, rollout, cuts }: Staged,
  add: (value: unknown) => string,
): string {
  if (!cuts) return 'true';
  const place = placeSql(`${add(taskId)}::uuid`, `${add(run)}::int`);
  return [
    ...(stage > 1 ? [`${place} > ${add(cuts[stage - 2])}`] : []),
    ...(stage < rollout.stages.length ? [`${place} <= ${add(cuts[stage - 1])}`] : []),
  ].join(' and ');
}

/** SQL: whether a device `d` belongs to a later stage; devices that join an earlier one are excluded. */
export const laterStageSql = (
  taskId: string,
  run: number,
  { stage, cuts }: Pick<Staged, 'stage' | 'cuts'>,
  add: (value: unknown) => string,
): string => (cuts ? `${placeSql(`${add(taskId)}::uuid`, `${add(run)}::int`)} > ${add(cuts[stage - 1])}` : 'true');
