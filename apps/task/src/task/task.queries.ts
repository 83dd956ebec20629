import { tellReason, type ReasonValues } from '@carillon/actions';
import {
  toPage,
  type RouteInput,
  type TaskRecord,
  type TaskStatus,
  type listDeviceTasks,
  type listTaskDevices,
  type listTasks,
} from '@carillon/contracts';
import {
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  iso,
  orderBy,
  ownUserSql,
  parameters,
  seesAllSql,
  whereSql,
} from '@carillon/persistence';
import { found } from '@carillon/service';
import { context } from '@carillon/tenancy';

interface TaskRow {
  id: string;
  number: number;
  name: string;
  action: string;
  type: 'now';
  status: TaskStatus;
  params: Record<string, unknown>;
  creator_id: string;
  creator_name: string;
  expanded: boolean;
  whole: boolean;
  total: number;
  success: number;
  fail: number;
  timeout: number;
  cancel: number;
  process: number;
  wait: number;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}
interface TaskDeviceRow {
  device_id: string;
  mac: string;
  name: string;
  model: string;
  status: TaskStatus;
  progress: number | null;
  code: string | null;
  code_values: ReasonValues | null;
  message: string | null;
  online: boolean;
  sent_at: string | null;
  updated_at: string;
  ended_at: string | null;
}

const columns = [
  'id',
  'number',
  'name',
  'action',
  'type',
  'status',
  'params',
  'creator_id',
  'creator_name',
  'expanded',
  'created_at',
  'started_at',
  'ended_at',
]
  .map((c) => `t.${c}`)
  .join(', ');
const counted = ['total', 'success', 'fail', 'timeout', 'cancel', 'process', 'wait'];
/**
 * The counts are of the devices that the reader sees: the policies leave him his organizations' sums. A task is whole
 * for who sees all of it: nothing hides from who sees all organizations, and a task goes no further than its creator
 * sees.
 */
const seen = `${counted.map((c) => `coalesce(o.${c}, 0)::int as ${c}`).join(', ')},
  coalesce(o.total, 0) = t.total and (t.expanded or ${seesAllSql} or t.creator_id = ${ownUserSql}) as whole`;
const sums = `
  left join lateral (
    select ${counted.map((c) => `sum(${c}) as ${c}`).join(', ')}
    from task_organization
    where task_id = t.id
  ) o on true
`;
const deviceColumns = `
  td.device_id, td.mac, td.name, td.model, td.status, td.progress, td.code, td.code_values, td.message,
  coalesce(s.online, false) as online, td.sent_at, td.updated_at, td.ended_at
`;

const toRecord = (r: TaskRow): TaskRecord => ({
  id: r.id,
  number: r.number,
  name: r.name,
  action: r.action,
  type: r.type,
  status: r.status,
  params: r.params,
  creatorId: r.creator_id,
  creatorName: r.creator_name,
  expanded: r.expanded,
  whole: r.whole,
  counts: {
    total: r.total,
    success: r.success,
    fail: r.fail,
    timeout: r.timeout,
    cancel: r.cancel,
    process: r.process,
    wait: r.wait,
  },
  createdAt: iso(r.created_at),
  startedAt: iso(r.started_at),
  endedAt: iso(r.ended_at),
});
/**
 * Why it ended so, for the reader. What a device said in its own words stays in them; what it was never sent, it never
 * answered: an English sentence in an older row is the platform's, and told by its code as any other.
 */
const messageOf = (action: string, r: TaskDeviceRow): string | null =>
  (r.sent_at === null ? null : r.message) ??
  (r.code === null ? null : tellReason(action, r.code, { model: r.model, ...r.code_values }, context().language)) ??
  r.message;
const toDeviceRecord = (action: string, r: TaskDeviceRow) => ({
  deviceId: r.device_id,
  mac: r.mac,
  name: r.name,
  model: r.model,
  status: r.status,
  progress: r.progress,
  code: r.code,
  codeValues: r.code_values,
  message: messageOf(action, r),
  online: r.online,
  sentAt: iso(r.sent_at),
  updatedAt: iso(r.updated_at),
  durationMs: r.sent_at && r.ended_at ? Math.max(0, Date.parse(iso(r.ended_at)) - Date.parse(iso(r.sent_at))) : null,
});

export async function taskById(id: string): Promise<TaskRecord> {
  const { rows } = await currentSql().query<TaskRow>(`select ${columns}, ${seen} from task t ${sums} where t.id = $1`, [
    id,
  ]);
  return toRecord(found(rows[0]));
}

const { text, number, moment } = filterBy;
const filterColumns = {
  status: text('t.status'),
  action: text('t.action'),
  number: number('t.number'),
  name: text('t.name'),
  creatorName: text('t.creator_name'),
  createdAt: moment('t.created_at'),
  endedAt: moment('t.ended_at'),
};

export async function pageOfTasks(query: RouteInput<typeof listTasks>['query']) {
  const { page, limit } = toPage(query);
  const { values, add } = parameters();
  const where: string[] = [];
  if (query.search)
    where.push(
      `
        (
          t.name ilike ${add(containsPattern(query.search))}
          or t.number::text = ${add(query.search)}
          or t.creator_name ilike ${add(containsPattern(query.search))}
        )
      `,
    );
  where.push(...filterSql(query, filterColumns, add));
  if (query.mine === 'true') where.push(`t.creator_id = ${add(context().userId)}`);
  const condition = whereSql(where);
  const total = await currentSql().query<{ total: number }>(
    `select count(*)::int as total from task t ${condition}`,
    values,
  );
  const paged = parameters(values);
  const sort = orderBy(
    query.sort,
    { number: 't.number', name: 't.name', status: 't.status', createdAt: 't.created_at', endedAt: 't.ended_at' },
    't.number desc',
  );
  // The sums of the page alone, not of all that come before it.
  const rows = await currentSql().query<TaskRow>(
    `
      select ${columns}, ${seen}
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
  return { records: rows.rows.map(toRecord), total: total.rows[0]!.total, current: page, size: limit };
}

export async function pageOfTaskDevices(taskId: string, query: RouteInput<typeof listTaskDevices>['query']) {
  const { action } = await taskById(taskId);
  const { page, limit } = toPage(query);
  const { values, add } = parameters([taskId]);
  const where = ['td.task_id = $1'];
  if (query.search) {
    const hex = query.search.replace(/[:.\s-]/g, '').toLowerCase();
    const matches = [`td.name ilike ${add(containsPattern(query.search))}`];
    if (hex !== '') matches.push(`td.mac like ${add(containsPattern(hex))}`);
    where.push(`(${matches.join(' or ')})`);
  }
  where.push(...filterSql(query, { status: filterBy.text('td.status') }, add));
  const condition = where.join(' and ');
  const total = await currentSql().query<{ total: number }>(
    `select count(*)::int as total from task_device td where ${condition}`,
    values,
  );
  const paged = parameters(values);
  const sort = orderBy(
    query.sort,
    { name: 'td.name', status: 'td.status', updatedAt: 'td.updated_at' },
    'td.name, id',
  ).replace(/, id$/, ', td.device_id');
  const rows = await currentSql().query<TaskDeviceRow>(
    `select ${deviceColumns} from task_device td left join link_session s on s.device_id = td.device_id
    where ${condition} order by ${sort} limit ${paged.add(limit)} offset ${paged.add((page - 1) * limit)}`,
    paged.values,
  );
  return {
    records: rows.rows.map((r) => toDeviceRecord(action, r)),
    total: total.rows[0]!.total,
    current: page,
    size: limit,
  };
}

export async function pageOfDeviceTasks(deviceId: string, query: RouteInput<typeof listDeviceTasks>['query']) {
  const { page, limit } = toPage(query);
  const total = await currentSql().query<{ total: number }>(
    'select count(*)::int as total from task_device where device_id = $1',
    [deviceId],
  );
  const rows = await currentSql().query<TaskRow & { device: TaskDeviceRow }>(
    `
      select ${columns}, ${seen}, to_jsonb(x) as device
      from (
        select ${deviceColumns}, td.task_id
        from task_device td
        left join link_session s on s.device_id = td.device_id
        where td.device_id = $1
      ) x
      join task t on t.id = x.task_id ${sums}
      order by t.number desc
      limit $2 offset $3
    `,
    [deviceId, limit, (page - 1) * limit],
  );
  return {
    records: rows.rows.map((r) => ({ ...toRecord(r), device: toDeviceRecord(r.action, r.device) })),
    total: total.rows[0]!.total,
    current: page,
    size: limit,
  };
}
