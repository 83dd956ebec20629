import type {
  DeviceLogKind,
  DeviceLogRecord,
  EventPayload,
  HelloPayload,
  linkReport,
  linkSession,
  listDeviceLog,
  Message,
  RouteInput,
  taskDevice,
} from '@carillon/contracts';
import { macDigits } from '@carillon/contracts/device-filter';
import {
  alphabetic,
  anyContains,
  column,
  columnNames,
  columns,
  computed,
  containsPattern,
  currentSql,
  filterBy,
  preparedSql,
  uuidv5,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { isSharedSql } from '../device/shared-identity.ts';
import { DeviceLog } from './device-log.entity.ts';

/**
 * Characters that are kept of an event's text. A cut inside a surrogate pair would leave invalid JSON for PostgreSQL
 * and block everything behind it.
 */
const toldMaximum = 2_000;

type FromDevice = Message<typeof linkSession> | Message<typeof linkReport>;

/**
 * Returns a log entry for a device's message that is worth one: online, offline, boot or event. Changes of state are
 * compared first ({@link changesSql}).
 */
function entryOf({ id, type, companyId, orgId, data }: FromDevice) {
  if (!data || !companyId || !orgId) return [];
  const entry = (kind: DeviceLogKind, at: number, detail: Record<string, unknown>, entryId = id) => [
    { id: entryId, company_id: companyId, org_id: orgId, device_id: data.deviceId, mac: data.mac, at, kind, detail },
  ];
  if ('reason' in data)
    return entry('offline', data.at, { reason: data.reason, ...(data.fault ? { fault: data.fault } : {}) });
  if ('at' in data) return entry('online', data.at, { address: data.address });
  if (type === 'event') {
    const event = data.payload as EventPayload;
    const text = event.detail === undefined ? undefined : JSON.stringify(event.detail);
    // A repetition after a lost acknowledgement has the same id.
    return entry(
      event.kind,
      data.receivedAt,
      {
        deviceAt: new Date(event.at).toISOString(),
        ...(text === undefined ? {} : { told: text.slice(0, toldMaximum).toWellFormed() }),
      },
      uuidv5(event.id, data.deviceId),
    );
  }
  const { boot, firmware, uptime } = data.payload as Partial<HelloPayload>;
  return (type === 'hello' && boot !== 'reconnect') || (type === 'phone' && boot !== undefined)
    ? entry('boot', data.receivedAt, { reason: boot, firmware, uptime })
    : [];
}

/** The device of an entry. */
const noted = columns(DeviceLog, 'device_log', ['orgId'], { id: column(DeviceLog, 'device_log', 'deviceId') });

/**
 * Stores entries under the company and organization that the gateway knew: a message of a former owner's device goes to
 * the former owner's log. While two devices use one identity in turn, their connections are no entries. Returns the
 * devices of new entries.
 */
export async function note(messages: readonly FromDevice[]): Promise<{ id: string; orgId: string }[]> {
  const entries = messages.flatMap(entryOf);
  if (entries.length === 0) return [];
  return preparedSql().rows(
    noted,
    `
      insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
      select id, company_id, org_id, device_id, mac, to_timestamp(at / 1000.0), kind, detail
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, company_id uuid, org_id uuid, device_id uuid, mac text, at float8, kind text, detail jsonb
      )
      where m.kind <> 'online' or not exists (
        select
        from device d
        where d.id = m.device_id and ${isSharedSql('d.shared_at', 'to_timestamp(m.at / 1000.0)')}
      )
      on conflict (id) do nothing
      returning ${noted}
    `,
    [JSON.stringify(entries)],
  );
}

interface Place {
  id: string;
  mac: string;
}

/** Logs a replacement in the log of both devices, each naming the other one. */
export async function noteReplacement(
  { companyId, orgId }: { companyId: string; orgId: string },
  old: Place,
  by: Place,
): Promise<void> {
  const entry = (kind: DeviceLogKind, place: Place, other: Place) => ({
    device_id: place.id,
    mac: place.mac,
    kind,
    detail: { deviceId: other.id, mac: other.mac },
  });
  await currentSql().query(
    `
      insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
      select gen_random_uuid(), $1, $2, device_id, mac, now(), kind, detail
      from jsonb_to_recordset($3::jsonb) as m(device_id uuid, mac text, kind text, detail jsonb)
    `,
    [companyId, orgId, JSON.stringify([entry('replaced', old, by), entry('replaces', by, old)])],
  );
}

/** Logs that devices left the company, with the user who caused it or the step of custody. */
export async function noteEnd(
  kind: 'deleted' | 'handedOver',
  devices: readonly { id: string; mac: string; orgId: string; companyId: string }[],
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { userId, username } = context();
  await currentSql().query(
    `
      insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
      select gen_random_uuid(), m."companyId", m."orgId", m.id, m.mac, now(), $2, $3::jsonb
      from jsonb_to_recordset($1::jsonb) as m(id uuid, mac text, "orgId" uuid, "companyId" uuid)
    `,
    // The other company must not learn the name of the user who took the devices over.
    [
      JSON.stringify(devices),
      kind,
      JSON.stringify({ ...detail, ...(userId !== null && kind === 'deleted' ? { by: username } : {}) }),
    ],
  );
}

/** Logs the result of a task in the log of each of its devices. Returns the devices of new entries. */
export async function noteTasks(messages: readonly Message<typeof taskDevice>[]) {
  const entries = messages.flatMap(({ companyId, data }) =>
    (data?.devices ?? []).map(({ deviceId, orgId, mac, at, status, code }) => ({
      // A repeated message has the same id.
      id: uuidv5(`${data!.taskId} ${data!.run}`, deviceId),
      company_id: companyId,
      org_id: orgId,
      device_id: deviceId,
      mac,
      at,
      detail: {
        taskId: data!.taskId,
        name: data!.name,
        ...(data!.names && { names: data!.names }),
        action: data!.action,
        status,
        ...(code && { code }),
      },
    })),
  );
  return preparedSql().rows(
    noted,
    `
      insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
      select id, company_id, org_id, device_id, mac, at, 'task', detail
      from jsonb_to_recordset($1::jsonb) as m(
        id uuid, company_id uuid, org_id uuid, device_id uuid, mac text, at timestamptz, detail jsonb
      )
      on conflict (id) do nothing
      returning ${noted}
    `,
    [JSON.stringify(entries)],
  );
}

/**
 * SQL of an INSERT that runs with the report's own statement (`device.consumer.ts`). Logs what changed in `compared`,
 * which has the old and the new values. Of several reports in one batch only the first and the last state count. A call
 * is no change of a line, which is registered before and after it.
 */
export const changesSql = `
  insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
  select gen_random_uuid(), x.company_id, x.org_id, x.id, x.mac, to_timestamp(x.at / 1000.0), c.kind, c.detail
  from compared x
  cross join lateral (
    select 'firmware' as kind, jsonb_build_object('from', x.firmware, 'to', x.new_firmware) as detail
    where x.new_firmware is distinct from x.firmware
    union all select 'config', jsonb_build_object('from', x.config_version, 'to', x.new_config_version)
    where x.new_config_version is distinct from x.config_version
    union all
    select 'sharedIdentity',
      jsonb_build_object('places', jsonb_build_array(x.new_place - 'booted', x.new_place_before - 'booted'))
    where x.new_shared_at > coalesce(x.shared_at, '-infinity')
      and ${isSharedSql('x.shared_at', 'x.new_shared_at')} is not true
    union all
    select 'line', jsonb_build_object('line', n.line, 'account', n.account, 'from', o.status, 'to', n.status)
      || case when n.code is null then '{}' else jsonb_build_object('code', n.code) end
    from jsonb_to_recordset(
      case when x.new_lines is distinct from x.lines then x.new_lines else '[]' end
    ) as n(line int, account text, status text, code int)
    left join jsonb_to_recordset(x.lines) as o(line int, status text) on o.line = n.line
    where replace(n.status, 'calling', 'registered') <> replace(
      coalesce(o.status, 'unassigned'), 'calling', 'registered'
    )
  ) c
`;

const nameSql = '(select d.name from device d where d.id = l.device_id)';
const entry = columns(DeviceLog, 'l', ['id', 'at', 'deviceId', 'mac', 'kind', 'detail'], {
  name: computed<string | null>(nameSql),
});
type Query = RouteInput<typeof listDeviceLog>['query'];
const names = columnNames(DeviceLog, 'l');
const sorts = { at: names.at, name: alphabetic(nameSql), mac: names.mac, kind: names.kind };
const filterColumns = {
  at: filterBy.moment(names.at),
  deviceId: filterBy.id(names.deviceId),
  kind: filterBy.text(names.kind),
};

/** Returns an entry with the name of its task in the reader's language, when no user named the task. */
function inOwnLanguage<R extends { detail: Record<string, unknown> }>({
  detail: { names: all, ...detail },
  ...record
}: R) {
  const name = (all as Partial<Record<string, string>> | undefined)?.[context().language];
  return { ...record, detail: name === undefined ? detail : { ...detail, name } };
}

/**
 * SQL: whether an entry `l` is of a device that the search names. Names come from the devices themselves, so a deleted
 * device is found by its MAC alone, in any spelling (DEV-03).
 */
function isOfSql(search: string, add: (value: unknown) => string): string {
  const isNamed = anyContains(['d.name'], add(containsPattern(search)));
  const named = `l.device_id in (select d.id from device d where ${isNamed})`;
  const hex = macDigits(search);
  return hex === '' ? named : `(${named} or l.mac like ${add(containsPattern(hex))})`;
}

export async function pageOfLog(
  query: Query,
): Promise<{ records: DeviceLogRecord[]; total: number; current: number; size: number }> {
  const page = await readPage({
    query,
    record: entry,
    from: 'device_log l',
    filters: filterColumns,
    where: (add) => [
      ...(query.search ? [isOfSql(query.search, add)] : []),
      ...(query.from ? [`l.at >= ${add(query.from)}::timestamptz`] : []),
      ...(query.to ? [`l.at <= ${add(query.to)}::timestamptz`] : []),
    ],
    sorts,
    order: 'l.at desc, l.id desc',
  });
  return { ...page, records: page.records.map(inOwnLanguage) };
}
