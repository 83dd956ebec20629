import { reasonText, type ReasonValues } from '@carillon/actions';
import {
  mostTaskReasons,
  toPage,
  type RouteInput,
  type TaskReasons,
  type listDeviceTasks,
  type listTaskDevices,
  type listTaskReasons,
} from '@carillon/contracts';
import { nameOrMacSql } from '@carillon/contracts/device-filter';
import { alphabetic, columns, computed, currentSql, filterBy, type RowOf } from '@carillon/persistence';
import { renderTime } from '@carillon/contracts/time';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { awaySql, inFlightSql, restarting } from '../dispatch/due.ts';
import { heldUntilSql } from '../freeze-period/frozen.ts';
import { Task, TaskDevice } from './task.entity.ts';
import { inOwnLanguage, seenOfTask, sums, taskById, taskProperties } from './task.queries.ts';

/** A device of a task, with its connection as `s`. */
const taskDevice = columns(
  TaskDevice,
  'td',
  [
    'run',
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
    'acceptedAt',
    'updatedAt',
    'endedAt',
    'tryNumber',
    'notBefore',
    'tried',
  ],
  {
    online: computed<boolean>('coalesce(s.online, false)'),
    isAway: computed<boolean>(`(td.ended_at is null and td.status in ${inFlightSql} and ${awaySql})`),
    frozenUntil: computed<string | null>(heldUntilSql, (at: never) => new Date(at).toISOString()),
  },
);
type TaskDeviceRow = RowOf<typeof taskDevice>;
/** A task with one of its devices `x`. */
const taskOfDevice = columns(Task, 't', taskProperties, {
  ...seenOfTask,
  device: computed<TaskDeviceRow>(`to_jsonb(x) - 'task_id'`, (x: never) => taskDevice.read(x)),
});
const deviceCount = columns(TaskDevice, 'td', [], { n: computed<number>('count(*)::int') });

const utc = { offset: 0, rule: null };
/**
 * Returns the reason of the result for the reader. A device's own words stay unchanged; for a command that was never
 * sent, an English sentence in an old row is the platform's, and is translated by its code like any other.
 */
const messageOf = (action: string, r: TaskDeviceRow): string | null =>
  (r.sentAt === null ? null : r.message) ??
  codeText(action, r.code, { model: r.model, ...r.codeValues }, r.endedAt !== null) ??
  r.message;
/** Returns the text of a code; a failed device no longer waits for the end of a call. */
const codeText = (action: string, code: string | null, values: ReasonValues, isOver: boolean): string | null =>
  code === null ? null : reasonText(action, isOver && code === 'busy' ? 'occupied' : code, values, context().language);
/** Returns the failed tries with their reasons. */
const triedOf = (action: string, { tried, model }: TaskDeviceRow) =>
  tried.map(({ at, code, message, values }) => ({
    at: new Date(at).toISOString(),
    code,
    message: message ?? codeText(action, code, { model, ...values }, true),
  }));
/** Returns the reason and end of a freeze that holds a device. */
const heldOf = (action: string, until: string) => ({
  code: 'frozen',
  codeValues: { until },
  message: reasonText(action, 'frozen', { until: `${renderTime(until, utc)} UTC` }, context().language),
});
const recordOf = (action: string, row: TaskDeviceRow) => {
  const { endedAt, frozenUntil, isAway, notBefore, ...device } = row;
  const { sentAt } = device;
  return {
    ...device,
    tried: triedOf(action, row),
    nextAt: device.status === 'wait' ? notBefore : null,
    message: messageOf(action, row),
    ...(isAway ? { code: restarting, message: messageOf(action, { ...row, code: restarting, message: null }) } : {}),
    ...(frozenUntil === null ? {} : heldOf(action, frozenUntil)),
    durationMs: sentAt && endedAt ? Math.max(0, Date.parse(endedAt) - Date.parse(sentAt)) : null,
  };
};

export async function pageOfTaskDevices(taskId: string, query: RouteInput<typeof listTaskDevices>['query']) {
  const { action, runs } = await taskById(taskId);
  const page = await readPage({
    query,
    record: taskDevice,
    from: 'task_device td left join link_session s on s.device_id = td.device_id',
    counted: 'task_device td',
    values: [taskId, query.run ?? runs],
    filters: { status: filterBy.text('td.status'), code: filterBy.text('td.code') },
    where: (add) => [
      'td.task_id = $1 and td.run = $2',
      ...(query.search ? [nameOrMacSql('td', query.search, add)] : []),
    ],
    sorts: { name: alphabetic('td.name'), status: 'td.status', updatedAt: 'td.updated_at' },
    last: 'td.device_id',
    order: `${alphabetic('td.name')}, td.device_id`,
  });
  return { ...page, records: page.records.map((r) => recordOf(action, r)) };
}

/** SQL: a device's own words, as {@link messageOf} shows them. */
const wordsSql = '(case when td.sent_at is not null then td.message end)';
/** SQL: the value of the group when all of its rows have the same one, else null. */
const commonSql = (text: string): string =>
  `(case when count(${text}) = count(*) and min(${text}) = max(${text}) then min(${text}) end)`;
const modelSql = `coalesce(td.code_values ->> 'model', td.model)`;
/** Models that are named in a reason; more are cut off. */
const namedModels = 3;
/** Devices of a task with the same code; `failed` counts those of all codes. */
const taskReason = columns(TaskDevice, 'td', ['code'], {
  count: computed<number>('count(*)::int'),
  failed: computed<number>('(sum(count(*)) over ())::int'),
  message: computed<string | null>(commonSql(wordsSql)),
  codeValues: computed<ReasonValues | null>(`(${commonSql('td.code_values::text')})::jsonb`),
  models: computed<string[]>(`(array_agg(distinct ${modelSql} order by ${modelSql}))[1:${namedModels + 1}]`),
});
/** Returns the reason of all devices of a group; a value that differs between them is cut off. */
function commonReason(action: string, { code, message, codeValues, models }: RowOf<typeof taskReason>): string | null {
  const model = [...models.slice(0, namedModels), ...(models.length > namedModels ? ['…'] : [])].join(', ');
  return message ?? codeText(action, code, { ...codeValues, model }, true)?.replace(/\{\w+\}/g, '…') ?? null;
}

/** Counts the failed devices of a run that the reader sees, by the code of their reason. */
export async function reasonsOfTask(
  taskId: string,
  query: RouteInput<typeof listTaskReasons>['query'],
): Promise<TaskReasons> {
  const { action, runs } = await taskById(taskId);
  const rows = await currentSql().rows(
    taskReason,
    `
      select ${taskReason}
      from task_device td
      where td.task_id = $1 and td.run = $2 and td.status in ('fail', 'timeout')
      group by td.code
      order by count(*) desc, td.code
      limit ${mostTaskReasons}
    `,
    [taskId, query.run ?? runs],
  );
  const counted = rows.reduce((n, r) => n + r.count, 0);
  return {
    reasons: rows.map((r) => ({ code: r.code, message: commonReason(action, r), count: r.count })),
    others: (rows[0]?.failed ?? 0) - counted,
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
      order by coalesce(x."sentAt", x."updatedAt") desc, t.number desc, x.run desc
      limit $2 offset $3
    `,
    [deviceId, limit, (page - 1) * limit],
  );
  return {
    records: rows.map((r) => ({ ...inOwnLanguage(r), device: recordOf(r.action, r.device) })),
    total: total!.n,
    current: page,
    size: limit,
  };
}
