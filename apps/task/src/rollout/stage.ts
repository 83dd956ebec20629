import type { TaskRollout } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

export interface Staged {
  rollout: TaskRollout;
  /** 1 is the first. */
  stage: number;
  /** Up to which place each stage goes; null until the run has its first devices. */
  cuts: readonly number[] | null;
}

/** What a run had counted when its stage began, or when it was resumed: what came before is not judged again. */
export interface StageBase {
  total: number;
  success: number;
  /** Of those that were told. */
  failed: number;
  /** Of those that never were: refused, or offline until their time was over. */
  untold: number;
}
export const noBase: StageBase = { total: 0, success: 0, failed: 0, untold: 0 };

/**
 * SQL: the place of a device `d` in a run, from 0 to 2^31 - 1, the same whenever it is asked: so a device's stage is
 * fixed, though each stage gives its devices their rows when it begins.
 */
const placeSql = (taskId: string, run: string): string =>
  `(hashtextextended(${taskId}::text || ' ' || ${run}::text || ' ' || d.id::text, 0) & 2147483647)::int`;

/**
 * Where the stages end, by the target as it is now: 5 % of 20 devices are one. Kept with the run, so that whoever joins
 * the target later comes to the stage of its place.
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

/** SQL: whether a device `d` belongs to the stage that goes on. */
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

/** SQL: whether a device `d` belongs to a stage behind the one that goes on: whoever joins an earlier one is left out. */
export const laterStageSql = (
  taskId: string,
  run: number,
  { stage, cuts }: Pick<Staged, 'stage' | 'cuts'>,
  add: (value: unknown) => string,
): string => (cuts ? `${placeSql(`${add(taskId)}::uuid`, `${add(run)}::int`)} > ${add(cuts[stage - 1])}` : 'true');
