import {
  healthFacts,
  type HealthCounts,
  type HealthFact,
  type TaskHealth,
  type TaskHealthGate,
} from '@carillon/contracts';
import { columns, computed, currentSql, parameters } from '@carillon/persistence';
import { inRangeSql, targetSql } from '../dispatch/target.ts';
import { orderedOrgIdsSql } from '../projections/creator.projection.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task } from '../task/task.entity.ts';

const watchedTask = columns(Task, 't', ['target', 'versionRange', 'runs'], {
  orgIds: computed<string>(orderedOrgIdsSql),
});
const isoSql = (at: string): string => `to_char((${at}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const isUnwell = '(not g.online or g.failed_lines > 0 or g.restarted)';
const group = columns(DeviceCopy, 'g', ['orgId'], {
  isChanged: computed<boolean>('g.changed'),
  devices: computed<number>('count(*)::int'),
  offline: computed<number>('count(*) filter (where not g.online)::int'),
  lines: computed<number>('count(*) filter (where g.failed_lines > 0)::int'),
  restarts: computed<number>('count(*) filter (where g.restarted)::int'),
  unwell: computed<number>(`count(*) filter (where ${isUnwell})::int`),
});
const counted = ['devices', 'offline', 'lines', 'restarts'] as const;

/** Begins to watch the devices of a stage. */
export async function beginWatch(
  taskId: string,
  stage: number,
  { minutes }: TaskHealthGate,
  judgedUntil: string | null,
): Promise<void> {
  await currentSql().query(
    `
      update task
      set health = jsonb_build_object(
        'stage', $2::int, 'beganAt', ${isoSql('now()')}, 'endsAt', ${isoSql('now() + make_interval(mins => $3)')},
        'judgedUntil', $4::text, 'found', null
      )
      where id = $1
    `,
    [taskId, stage, minutes, judgedUntil],
  );
}

/**
 * Compares the devices that a task has changed since its last watch with those of its target that are unchanged. Failed
 * devices belong to neither: the threshold of failures covers them. Of the unchanged devices only those that were
 * online during the watch count, because the absence of the others means nothing.
 */
export async function healthOf(
  taskId: string,
  { beganAt, judgedUntil }: TaskHealth,
): Promise<{
  changed: HealthCounts;
  rest: HealthCounts;
  /** Changed devices for which any fact is true, by organization. */
  unwell: { orgId: string; failed: number; total: number }[];
}> {
  const [task] = await currentSql().rows(
    watchedTask,
    `select ${watchedTask} from task t left join creator_copy u on u.id = t.creator_id where t.id = $1`,
    [taskId],
  );
  const { target: aimed, versionRange, orgIds, runs } = task!;
  const { values, add } = parameters();
  const target = targetSql(aimed, add, [
    `${inRangeSql(versionRange, add)} is not false`,
    // Only organizations in which the creator sees devices.
    ...(orgIds === '*' ? [] : [`d.org_id = any(string_to_array(${add(orgIds)}, ',')::uuid[])`]),
  ]);
  const [run, began, from] = [add(runs), add(beganAt), add(judgedUntil)];
  const rows = await currentSql().rows(
    group,
    `
      with told as (
        select td.device_id, td.status, td.ended_at
        from task_device td
        where td.task_id = ${add(taskId)} and td.run = ${run} and td.sent_at is not null
      ),
      known as (
        select d.id, d.org_id, d.failed_lines, false as changed
        from (${target}) d
        where d.id not in (select device_id from told)
        union all
        select d.id, d.org_id, d.failed_lines, true as changed
        from device_copy d
        join told on told.device_id = d.id
        where told.status = 'success'
          and (${from}::timestamptz is null or told.ended_at > ${from}::timestamptz)
      ),
      g as (
        select k.changed, k.org_id, k.failed_lines, coalesce(s.online, false) as online,
          coalesce(r.started_at >= ${began}::timestamptz, false) as restarted
        from known k
        left join link_session s on s.device_id = k.id
        left join device_restart r on r.device_id = k.id
        where k.changed or s.online or s.at >= ${began}::timestamptz
      )
      select ${group}
      from g
      group by g.changed, g.org_id
      order by g.org_id
    `,
    values,
  );
  const changed = rows.filter((r) => r.isChanged);
  const sumOf = (group: typeof rows): HealthCounts =>
    Object.fromEntries(counted.map((key) => [key, group.reduce((n, r) => n + r[key], 0)])) as HealthCounts;
  return {
    changed: sumOf(changed),
    rest: sumOf(rows.filter((r) => !r.isChanged)),
    unwell: changed.map(({ orgId, unwell, devices }) => ({ orgId, failed: unwell, total: devices })),
  };
}

/** Returns the facts in which the changed devices fare worse than the rest by at least the gate's percentage points. */
export function worseFacts({ pauseAt }: TaskHealthGate, changed: HealthCounts, rest: HealthCounts): HealthFact[] {
  const share = (counts: HealthCounts, fact: HealthFact): number =>
    counts.devices === 0 ? 0 : (counts[fact] * 100) / counts.devices;
  return healthFacts.filter((fact) => share(changed, fact) - share(rest, fact) >= pauseAt);
}

/** Records crashed devices while a task of the company is in a watch. `startedAt` is in milliseconds. */
export async function keepRestarts(companyId: string, startedAt: ReadonlyMap<string, number>): Promise<void> {
  if (startedAt.size === 0) return;
  await currentSql().query(
    `
      insert into device_restart as r (device_id, company_id, started_at)
      select key::uuid, $2, to_timestamp(value::float8 / 1000)
      from jsonb_each_text($1::jsonb)
      where exists (
        select 1
        from task t
        where t.rollout is not null and t.ended_at is null and t.health is not null and t.health ->> 'found' is null
      )
      on conflict (device_id) do update set started_at = greatest(r.started_at, excluded.started_at)
    `,
    [JSON.stringify(Object.fromEntries(startedAt)), companyId],
  );
}
