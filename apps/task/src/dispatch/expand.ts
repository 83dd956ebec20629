import { actions, refusalOf } from '@carillon/actions';
import { deviceFilterSql, deviceStateSql, onlineSinceSql, seenSql } from '@carillon/contracts/device-filter';
import { columns, computed, currentSql, parameters, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { addSums, type Sums } from '../task/task.sums.ts';
import { next, statesOf, taskStates } from '../task/task.states.ts';

const orderRow = columns(Task, 'task', ['action', 'target', 'access', 'expandedTo', 'name']);
type Order = RowOf<typeof orderRow>;
const kindRow = columns(DeviceCopy, 'd', ['model', 'firmware', 'capabilities']);
const addedRow = columns(TaskDevice, 'added', ['status', 'orgId'], {
  count: computed<number>('count(*)::int'),
  last: computed<string>('max(added.device_id::text)'),
});

/**
 * A device that moves to another organization takes its rows along, one that is deleted ends them: none may slip past a
 * row that is just being made.
 */
export const movesLock = (how: 'share' | 'hold', companyId: string) =>
  currentSql().query(
    `select pg_advisory_xact_lock${how === 'share' ? '_shared' : ''}(hashtextextended('task device ' || $1, 0))`,
    [companyId],
  );

/** Devices as the list shows them: the copy with the link's own presence, so that 'all that match' is what was seen. */
const devices = `
  (
    select c.*,
      ${deviceStateSql((column) => (column === 'online' ? 'coalesce(s.online, false)' : `c.${column}`))} as state,
      ${seenSql('s.online', 's.at')} as seen_at, ${onlineSinceSql('s.online', 's.at')} as online_since
    from device_copy c
    left join link_session s on s.device_id = c.id
  ) d
`;

/**
 * Gives the next devices of a task their rows, as one INSERT … SELECT under the access of who ordered it. Which models
 * an action refuses is asked once for each kind of device, not for each device. Returns whether some are left.
 */
export async function expandChunk(companyId: string, taskId: string, chunk: number): Promise<boolean> {
  await movesLock('share', companyId);
  const order = await takeOrder(taskId);
  if (!order) return false;
  const rows = await addDevices(taskId, order, chunk);
  const isUnfinished = rows.reduce((sum, r) => sum + r.count, 0) === chunk;
  const last = rows
    .map((r) => r.last)
    .sort()
    .at(-1);
  await currentSql().query(
    `
      update task
      set status = $2, started_at = coalesce(started_at, now()), expanded_to = $3, expanded = $4
      where id = $1
    `,
    [taskId, next(taskStates, 'wait', 'start'), last ?? order.expandedTo, !isUnfinished],
  );
  const byOrganization = [...Map.groupBy(rows, (r) => r.orgId)];
  await addSums(taskId, new Map(byOrganization.map(([orgId, counts]) => [orgId, sumsOf(counts)])));
  const orgIds = rows.length > 0 ? rows.map((r) => r.orgId) : order.access.orgIds === '*' ? null : order.access.orgIds;
  await emitLive(companyId, 'task', [taskId], orgIds);
  return isUnfinished;
}

/** The task, held, while it can be expanded. From here on the transaction sees what its creator sees. */
async function takeOrder(taskId: string): Promise<Order | undefined> {
  const [order] = await currentSql().rows(
    orderRow,
    `
      select ${orderRow},
        set_config(
          'app.org_ids',
          case when access ->> 'orgIds' = '*' then '*' else coalesce(
            (select string_agg(x, ',') from jsonb_array_elements_text(access -> 'orgIds') x), ''
          ) end,
          true
        ),
        set_config('app.user_id', creator_id::text, true)
      from task
      where id = $1 and not expanded and status = any($2::text[])
      for update
    `,
    [taskId, [...statesOf(taskStates, 'start'), next(taskStates, 'wait', 'start')]],
  );
  return order;
}

/** Adds the rows of the next devices, and answers how many in each status and organization. */
async function addDevices(taskId: string, order: Order, chunk: number): Promise<RowOf<typeof addedRow>[]> {
  const action = actions[order.action]!;
  const { values, add } = parameters();
  const target = `${targetSql(order, add)} order by d.id limit ${add(chunk)}`;
  const kinds = await currentSql().rows(kindRow, `select distinct ${kindRow} from (${target}) d`, values);
  const refused = kinds.flatMap((kind) => {
    const refusal = refusalOf(action, kind);
    return refusal ? [{ ...kind, ...refusal }] : [];
  });
  return currentSql().rows(
    addedRow,
    `
      with target as (${target}),
      added as (
        insert into task_device (
          task_id, device_id, company_id, org_id, mac, name, model, owner_epoch, status, command_id, changes_device,
          code, code_values, expires_at, updated_at, ended_at
        )
        select ${add(taskId)}, t.id, t.company_id, t.org_id, t.mac, t.name, t.model, t.owner_epoch,
          case when r.code is null then 'wait' else 'fail' end, gen_random_uuid(),
          ${add(action.changesDevice)}, r.code, r.values,
          now() + make_interval(secs => ${add(action.expiresAfterMs / 1000)}), now(),
          case when r.code is not null then now() end
        from target t
        left join jsonb_to_recordset(${add(JSON.stringify(refused))}::jsonb) as r(
          model text, firmware text, capabilities jsonb, code text, values jsonb
        ) on r.model = t.model
          and r.firmware is not distinct from t.firmware
          and r.capabilities = t.capabilities
        on conflict do nothing
        returning status, device_id, org_id
      )
      select ${addedRow}
      from added
      group by status, org_id
    `,
    values,
  );
}

/** SQL: the devices of a task behind the last one that has its row. */
function targetSql({ target, expandedTo }: Order, add: (value: unknown) => string): string {
  const conditions =
    'ids' in target
      ? [`d.id = any(${add(target.ids)}::uuid[])`]
      : [
          deviceFilterSql(target.filter, add),
          ...(target.exclude?.length ? [`d.id <> all(${add(target.exclude)}::uuid[])`] : []),
        ];
  if (expandedTo) conditions.push(`d.id > ${add(expandedTo)}::uuid`);
  return `select d.* from ${devices} where ${conditions.join(' and ')}`;
}

const sumsOf = (counts: readonly RowOf<typeof addedRow>[]): Sums => ({
  total: counts.reduce((sum, r) => sum + r.count, 0),
  ...Object.fromEntries(counts.map((r) => [r.status, r.count])),
});
