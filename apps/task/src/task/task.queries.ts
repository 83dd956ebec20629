import { tellReason } from '@carillon/actions';
import {
  toPage,
  type RouteInput,
  type TaskRecord,
  type listDeviceTasks,
  type listTaskDevices,
  type listTasks,
} from '@carillon/contracts';
import {
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  orderBy,
  ownUserSql,
  parameters,
  seesAllSql,
  type RowOf,
  whereSql,
} from '@carillon/persistence';
import { found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { Task, TaskDevice } from './task.entity.ts';

const counted = ['total', 'success', 'fail', 'timeout', 'cancel', 'process', 'wait'];
/** The sums of a task `t` in the organizations that the reader sees: the policies leave him those. */
const sums = `
  left join lateral (
    select ${counted.map((c) => `sum(${c}) as ${c}`).join(', ')}
    from task_organization
    where task_id = t.id
  ) o on true
`;
/**
 * A task beside its `sums`: the counts are of the devices that the reader sees. A task is whole for who sees all of it:
 * nothing hides from who sees all organizations, and a task goes no further than its creator sees.
 */
const properties = [
  'id',
  'number',
  'name',
  'action',
  'type',
  'status',
  'params',
  'creatorId',
  'creatorName',
  'expanded',
  'createdAt',
  'startedAt',
  'endedAt',
] as const;
const seen = {
  counts: computed<TaskRecord['counts']>(
    `jsonb_build_object(${counted.map((c) => `'${c}', coalesce(o.${c}, 0)::int`).join(', ')})`,
  ),
  whole: computed<boolean>(
    `coalesce(o.total, 0) = t.total and (t.expanded or ${seesAllSql} or t.creator_id = ${ownUserSql})`,
  ),
};
const task = columns(Task, 't', properties, seen);
const taskCount = columns(Task, 't', [], { n: computed<number>('count(*)::int') });
/** A device of a task, with its connection as `s`. */
const taskDevice = columns(
  TaskDevice,
  'td',
  [
    'deviceId',
    'mac',
    'name',
    'model',
    'status',
    'progress',
    'code',
    'codeValues',
    'message',
    'sentAt',
    'updatedAt',
    'endedAt',
  ],
  { online: computed<boolean>('coalesce(s.online, false)') },
);
type TaskDeviceRow = RowOf<typeof taskDevice>;
/** A task beside one device `x` of it. */
const taskOfDevice = columns(Task, 't', properties, {
  ...seen,
  device: computed<TaskDeviceRow>(`to_jsonb(x) - 'task_id'`, (x: never) => taskDevice.read(x)),
});
const deviceCount = columns(TaskDevice, 'td', [], { n: computed<number>('count(*)::int') });

/**
 * Why it ended so, for the reader. What a device said in its own words stays in them; what it was never sent, it never
 * answered: an English sentence in an older row is the platform's, and told by its code as any other.
 */
const messageOf = (action: string, r: TaskDeviceRow): string | null =>
  (r.sentAt === null ? null : r.message) ??
  (r.code === null ? null : tellReason(action, r.code, { model: r.model, ...r.codeValues }, context().language)) ??
  r.message;
const recordOf = (action: string, row: TaskDeviceRow) => {
  const { endedAt, ...device } = row;
  const { sentAt } = device;
  return {
    ...device,
    message: messageOf(action, row),
    durationMs: sentAt && endedAt ? Math.max(0, Date.parse(endedAt) - Date.parse(sentAt)) : null,
  };
};

export async function taskById(id: string): Promise<TaskRecord> {
  const sql = `select ${task} from task t ${sums} where t.id = $1`;
  return found((await currentSql().rows(task, sql, [id]))[0]);
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

const sortColumns = {
  number: 't.number',
  name: 't.name',
  status: 't.status',
  action: 't.action',
  type: 't.type',
  creatorName: 'lower(t.creator_name)',
  createdAt: 't.created_at',
  endedAt: 't.ended_at',
  time: '(t.ended_at - t.started_at)',
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
  const [total] = await currentSql().rows(taskCount, `select ${taskCount} from task t ${condition}`, values);
  const paged = parameters(values);
  const sort = orderBy(query.sort, sortColumns, 't.number desc');
  // The sums of the page alone, not of all that come before it.
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
  return { records, total: total!.n, current: page, size: limit };
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
  const countSql = `select ${deviceCount} from task_device td where ${condition}`;
  const [total] = await currentSql().rows(deviceCount, countSql, values);
  const paged = parameters(values);
  const sort = orderBy(
    query.sort,
    { name: 'td.name', status: 'td.status', updatedAt: 'td.updated_at' },
    'td.name, id',
  ).replace(/, id$/, ', td.device_id');
  const rows = await currentSql().rows(
    taskDevice,
    `
      select ${taskDevice}
      from task_device td
      left join link_session s on s.device_id = td.device_id
      where ${condition}
      order by ${sort}
      limit ${paged.add(limit)} offset ${paged.add((page - 1) * limit)}
    `,
    paged.values,
  );
  return {
    records: rows.map((r) => recordOf(action, r)),
    total: total!.n,
    current: page,
    size: limit,
  };
}

export async function pageOfDeviceTasks(deviceId: string, query: RouteInput<typeof listDeviceTasks>['query']) {
  const { page, limit } = toPage(query);
  const countSql = `select ${deviceCount} from task_device td where td.device_id = $1`;
  const [total] = await currentSql().rows(deviceCount, countSql, [deviceId]);
  const rows = await currentSql().rows(
    taskOfDevice,
    `
      select ${taskOfDevice}
      from (
        select ${taskDevice}, td.task_id
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
    records: rows.map((r) => ({ ...r, device: recordOf(r.action, r.device) })),
    total: total!.n,
    current: page,
    size: limit,
  };
}
