import { taskNameIn, type NamedTask } from '@carillon/actions';
import {
  toPage,
  type RouteInput,
  type TaskRecord,
  type listTaskRuns,
  type DeviceTarget,
  type listTasks,
  type TaskCounts,
} from '@carillon/contracts';
import { macDigits } from '@carillon/contracts/device-filter';
import {
  alphabetic,
  anyContains,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  iso,
  orderBy,
  ownOrganizationsSql,
  ownUserSql,
  parameters,
  seesAllSql,
  whereSql,
} from '@carillon/persistence';
import { found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { isDamagedSql } from '../dispatch/damaged.ts';
import { versionSql } from '../dispatch/version.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskOrganization, TaskRun } from './task.entity.ts';

const counted = ['total', 'success', 'fail', 'timeout', 'cancel', 'process', 'wait'];
/** SQL: the sums of a task `t` in the organizations that the reader sees, as the policies limit them. */
export const sums = `
  left join lateral (
    select ${counted.map((c) => `sum(${c}) as ${c}`).join(', ')}
    from task_organization
    where task_id = t.id
  ) o on true
`;
/**
 * A task with its `sums`: the counts cover the devices that the reader sees. A task is whole for users who see all of
 * it: those who see all organizations, and its creator, whose access limits it.
 */
export const taskProperties = [
  'id',
  'number',
  'name',
  'naming',
  'action',
  'type',
  'status',
  'params',
  'schedule',
  'timeZone',
  'inSiteZones',
  'durationMinutes',
  'sync',
  'versionRange',
  'overrideFreeze',
  'pace',
  'beginAt',
  'endAt',
  'runs',
  'dueAt',
  'missed',
  'windowEndsAt',
  'rollout',
  'stage',
  'pausedAt',
  'pausedFor',
  'creatorId',
  'creatorName',
  'expanded',
  'createdAt',
  'startedAt',
  'endedAt',
] as const;
/** SQL: whether every device of its run has its row, including those of the last stage. */
const allRowsSql = `(t.expanded and (t.rollout is null or t.stage = jsonb_array_length(t.rollout -> 'stages')))`;
const wholeSql = `coalesce(o.total, 0) = t.total and (${allRowsSql} or ${seesAllSql} or t.creator_id = ${ownUserSql})`;
/** SQL: whether the reader sees all organizations of a task's approval request. */
const seesAskedSql = `
  (
    ${seesAllSql}
    or t.creator_id = ${ownUserSql}
    or not exists (
      select 1
      from jsonb_array_elements_text(t.approval -> 'orgIds') asked(id)
      where asked.id::uuid <> all(${ownOrganizationsSql}::uuid[])
    )
  )
`;
/** SQL: the devices of its last run; before the first, those that it names, as far as the reader sees them. */
const devicesSql = `
  case
    when t.runs > 0 then (select coalesce(sum(o.total), 0)::int from task_organization o where o.task_id = t.id)
    when t.target ? 'ids' then (
      select count(*)::int
      from device_copy c
      where c.id = any (array(select jsonb_array_elements_text(t.target -> 'ids')::uuid))
    )
  end
`;
export const seenOfTask = {
  devices: computed<number | null>(devicesSql),
  /** Uses an index of rows that wait like this, which are always few. */
  waitingIdle: computed<number>(
    `(select count(*)::int from task_device b where b.task_id = t.id and b.code = 'busy' and b.ended_at is null)`,
  ),
  counts: computed<TaskRecord['counts']>(
    `jsonb_build_object(${counted.map((c) => `'${c}', coalesce(o.${c}, 0)::int`).join(', ')})`,
  ),
  file: computed<TaskRecord['file']>(`
    (case when t.file is not null then
      jsonb_build_object(
        'id', t.file -> 'id', 'name', t.file -> 'name', 'version', t.file ->> 'version', 'damaged', ${isDamagedSql}
      )
    end)
  `),
  files: computed<TaskRecord['files']>(`
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object('id', f.file -> 'id', 'name', f.file -> 'name', 'version', f.file ->> 'version') order by f.n
        )
        from jsonb_array_elements(t.files) with ordinality f(file, n)
      ),
      '[]'
    )
  `),
  approval: computed<TaskRecord['approval']>(`
    (case when t.approval is not null then
      t.approval - '{orgIds,begins,byId}'::text[]
        || case when ${seesAskedSql} then '{}'::jsonb else '{"devices":null}'::jsonb end
    end)
  `),
  whole: computed<boolean>(wholeSql),
  nextStageAt: computed<string | null>(
    `
      (case when t.ended_at is null and t.paused_at is null then
        greatest(
          t.next_stage_at,
          case when (t.health ->> 'stage')::int = t.stage and t.health ->> 'found' is null
            then (t.health ->> 'endsAt')::timestamptz end
        )
      end)
    `,
    iso,
  ),
  planned: computed<number | null>(`case when ${wholeSql} then t.planned end`),
  health: computed<TaskRecord['health']>(`case when ${wholeSql} then t.health end`),
};
const task = columns(Task, 't', taskProperties, seenOfTask);
const organization = columns(TaskOrganization, 'o', ['orgId']);
const aimed = columns(Task, 't', ['target']);
const deviceId = columns(DeviceCopy, 'd', ['id']);
const taskCount = columns(Task, 't', [], { n: computed<number>('count(*)::int') });
/** Returns a task with its name in the reader's language. */
export const inOwnLanguage = <T extends NamedTask>(row: T): T => ({
  ...row,
  name: taskNameIn(row, context().language),
});

export async function taskById(id: string): Promise<TaskRecord> {
  const sql = `select ${task} from task t ${sums} where t.id = $1`;
  return inOwnLanguage(found((await currentSql().rows(task, sql, [id]))[0]));
}

const { text, number, moment } = filterBy;
/** SQL: the devices of all its runs that the reader sees; before the first run, the named target devices. */
const hasDeviceSql = (wanted: string): string => `
  (
    t.id in (select td.task_id from task_device td where td.device_id in (${wanted}))
    or (t.runs = 0 and t.target -> 'ids' ?| array(select w.id::text from (${wanted}) w))
  )
`;
const filterColumns = {
  status: text('t.status'),
  approval: text(`(t.approval ->> 'state')`, {
    // A task that ended during its request waits for nobody.
    any: (values, add) => {
      const state = `t.approval ->> 'state'`;
      const others = values.filter((value) => value !== 'asked');
      const matches = [
        ...(others.length < values.length ? [`(${state} = 'asked' and t.status in ('wait', 'process'))`] : []),
        ...(others.length > 0 ? [`${state} = any(${add(others)}::text[])`] : []),
      ];
      return `(${matches.join(' or ')})`;
    },
  }),
  action: text('t.action'),
  number: number('t.number'),
  name: text('t.name'),
  type: text('t.type'),
  beginAt: moment('t.begin_at'),
  endAt: moment('t.end_at'),
  durationMinutes: number('t.duration_minutes'),
  repeat: text(`(t.schedule #>> '{repeat,every}')`),
  version: text('t.version_range', {
    any: (values, add) => {
      const [from, to] = ['from', 'to'].map((end) => versionSql(`(t.version_range ->> '${end}')`));
      return `(${values.map((v) => `${versionSql(`${add(v)}::text`)} between ${from} and ${to}`).join(' or ')})`;
    },
  }),
  device: text('', {
    contains: (parts, add) => {
      const hex = parts.map(macDigits).filter((h) => /^[\da-f]{4,12}$/.test(h));
      const matches = [
        anyContains(['c.name'], `any(${add(parts.map(containsPattern))}::text[])`),
        `c.mac like any(${add(hex.map(containsPattern))}::text[])`,
      ];
      return hasDeviceSql(`select c.id from device_copy c where ${matches.join(' or ')}`);
    },
  }),
  devices: number(`(${devicesSql})`),
  creatorName: text('t.creator_name'),
  createdAt: moment('t.created_at'),
  endedAt: moment('t.ended_at'),
};

const sortColumns = {
  number: 't.number',
  name: alphabetic('t.name'),
  status: 't.status',
  action: 't.action',
  type: 't.type',
  beginAt: 't.begin_at',
  durationMinutes: 't.duration_minutes',
  devices: `(${devicesSql})`,
  creatorName: alphabetic('t.creator_name'),
  createdAt: 't.created_at',
  endedAt: 't.ended_at',
  time: '(t.ended_at - t.started_at)',
};

/** Returns the organizations in which tasks have devices, limited to those that the reader sees. */
export async function organizationsOf(taskIds: readonly string[]): Promise<string[]> {
  const sql = `
    select distinct ${organization}
    from task_organization o
    where o.task_id = any($1::uuid[])
    order by o.org_id
  `;
  return (await currentSql().rows(organization, sql, [taskIds])).map((o) => o.orgId);
}

/** Returns the organizations of its devices; without devices those of the acting user. */
export async function sharedBy(id: string): Promise<{ orgIds?: readonly string[] }> {
  const own = await organizationsOf([id]);
  const { orgIds } = context();
  if (own.length > 0) return { orgIds: own };
  return orgIds === '*' ? {} : { orgIds };
}

/** Returns the target for a copy of a task, without deleted devices and those that the reader does not see. */
export async function targetById(id: string): Promise<{ target: DeviceTarget | null }> {
  const { target } = found((await currentSql().rows(aimed, `select ${aimed} from task t where t.id = $1`, [id]))[0]);
  // Rollbacks and baselines create their own tasks, which cannot be copied.
  if ('rollback' in target || 'baseline' in target) return { target: null };
  return { target: await seenTarget(target) };
}

/** Returns those of the named devices that exist and that the reader sees; null when none is left. */
export async function seenTarget(target: DeviceTarget): Promise<DeviceTarget | null> {
  if (!('ids' in target)) return target;
  const sql = `select ${deviceId} from device_copy d where d.id = any($1::uuid[])`;
  const ids = (await currentSql().rows(deviceId, sql, [target.ids])).map((d) => d.id);
  return ids.length > 0 ? { ids } : null;
}

export async function pageOfTasks(query: RouteInput<typeof listTasks>['query']) {
  const { page, limit } = toPage(query);
  const { values, add } = parameters();
  const where: string[] = [];
  if (query.search)
    where.push(
      `
        (
          ${anyContains(['t.name', 't.creator_name'], add(containsPattern(query.search)))}
          or t.number::text = ${add(query.search)}
        )
      `,
    );
  const { type, ...filter } = query;
  where.push(...filterSql(type?.includes('all') ? filter : query, filterColumns, add));
  if (query.mine === 'true') where.push(`t.creator_id = ${add(context().userId)}`);
  const condition = whereSql(where);
  const [total] = await currentSql().rows(taskCount, `select ${taskCount} from task t ${condition}`, values);
  const paged = parameters(values);
  const sort = orderBy(query.sort, sortColumns, 't.number desc');
  // Only the sums of the page, not of all tasks before it.
  const records = await currentSql().rows(
    task,
    `
      select ${task}
      from (
        select *
        from task t
        ${condition}
        order by ${sort}
        limit ${paged.add(limit)} offset ${paged.add((page - 1) * limit)}
      ) t ${sums}
      order by ${sort}
    `,
    paged.values,
  );
  return { records: records.map(inOwnLanguage), total: total!.n, current: page, size: limit };
}

/** The sums of a run in the organizations that the reader sees; those of the last run are the task's. */
const taskRun = columns(TaskRun, 'r', ['run', 'cause', 'dueAt', 'startedAt', 'endedAt', 'status'], {
  counts: computed<TaskCounts>(
    `jsonb_build_object(${counted.map((c) => `'${c}', coalesce(o.${c}, 0)::int`).join(', ')})`,
  ),
});
const runCount = columns(TaskRun, 'r', [], { n: computed<number>('count(*)::int') });

export async function pageOfTaskRuns(taskId: string, query: RouteInput<typeof listTaskRuns>['query']) {
  const { runs } = await taskById(taskId);
  const { page, limit } = toPage(query);
  const countSql = `select ${runCount} from task_run r where r.task_id = $1`;
  const [total] = await currentSql().rows(runCount, countSql, [taskId]);
  const sum = counted.map((c) => `sum(${c}) as ${c}`).join(', ');
  const records = await currentSql().rows(
    taskRun,
    `
      select ${taskRun}
      from (
        select *
        from task_run
        where task_id = $1
        order by run desc
        limit $2 offset $3
      ) r
      left join lateral (
        select ${sum}
        from (
          select ${counted.join(', ')}
          from task_organization
          where r.run = $4 and task_id = r.task_id
          union all
          select ${counted.join(', ')}
          from task_run_organization
          where task_id = r.task_id and run = r.run
        ) x
      ) o on true
      order by r.run desc
    `,
    [taskId, limit, (page - 1) * limit, runs],
  );
  return { records, total: total!.n, current: page, size: limit };
}
