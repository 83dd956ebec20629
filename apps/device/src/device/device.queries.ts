import { toPage, type DeviceFilter, type DeviceRecord, type countDevices, type RouteInput, type listDevices } from '@carillon/contracts';
import { deviceFilterSql } from '@carillon/contracts/device-filter';
import { currentSql, iso, orderBy, parameters } from '@carillon/persistence';
import { found } from '@carillon/service';
import type { DeviceLine } from './device.entity.ts';

/** A row as PostgreSQL gives it, in the columns of {@link columns}. */
export interface DeviceRow {
  id: string; org_id: string; mac: string; name: string; model: string; sn: string; firmware: string | null; hardware: string | null; state: DeviceRecord['state'];
  internal_ip: string | null; public_ip: string | null; lte: string | null; dnd: DeviceRecord['dnd']; certificate: boolean | null; lines: DeviceLine[]; calls: number; capabilities: string[];
  config_version: string | null; last_online_at: string | null; last_config_at: string | null; created_at: string;
}

export const columns = `id, org_id, mac, name, model, sn, firmware, hardware, state, internal_ip, public_ip, lte, dnd, certificate, lines, calls, capabilities, config_version, last_online_at, last_config_at, created_at`;

export const toRecord = (r: DeviceRow): DeviceRecord => ({
  id: r.id, orgId: r.org_id, mac: r.mac, name: r.name, model: r.model, sn: r.sn, firmware: r.firmware, hardware: r.hardware, state: r.state, internalIp: r.internal_ip, publicIp: r.public_ip,
  lte: r.lte, dnd: r.dnd, certificate: r.certificate, lines: r.lines as DeviceRecord['lines'], calls: r.calls, capabilities: r.capabilities, configVersion: r.config_version,
  lastOnlineAt: iso(r.last_online_at), lastConfigAt: iso(r.last_config_at), createdAt: iso(r.created_at),
});

const sortColumns = { name: 'd.name', mac: 'd.mac', model: 'd.model', sn: 'd.sn', firmware: 'd.firmware', state: 'd.state', internalIp: 'd.internal_ip', lastOnlineAt: 'd.last_online_at', createdAt: 'd.created_at' };

/** The filter that lists, counts and tasks share, and the one that only a look has. */
const whereOf = (filter: DeviceFilter & { line?: string[] | undefined }, add: (value: unknown) => string): string =>
  deviceFilterSql(filter, add) + (filter.line ? ` and exists (select 1 from jsonb_array_elements(d.lines) l where l ->> 'status' = any(${add(filter.line)}::text[]))` : '');

/** A page with the exact count. */
export async function pageOfDevices(query: RouteInput<typeof listDevices>['query']) {
  const { page, limit } = toPage(query);
  const filter = parameters();
  const where = whereOf(query, filter.add);
  const total = await currentSql().query<{ total: number }>(`select count(*)::int as total from device d where ${where}`, filter.values);
  const paged = parameters(filter.values);
  const rows = await currentSql().query<DeviceRow>(
    `select ${columns} from device d where ${where} order by ${orderBy(query.sort, sortColumns, 'd.name, id')} limit ${paged.add(limit)} offset ${paged.add((page - 1) * limit)}`, paged.values);
  return { records: rows.rows.map(toRecord), total: total.rows[0]!.total, current: page, size: limit };
}

export async function countOfDevices(filter: RouteInput<typeof countDevices>['query']) {
  const { values, add } = parameters();
  const where = whereOf(filter, add);
  const lines = filter.withLines === 'true';
  const { rows } = await currentSql().query<{ kind: string; value: string | null; count: number }>(`
    with d as materialized (select state, model, firmware${lines ? ', lines' : ''} from device d where ${where})
    select 'state' as kind, state as value, count(*)::int as count from d group by state
    union all (select 'model', model, count(*)::int from d group by model order by 3 desc limit 100)
    union all (select 'firmware', firmware, count(*)::int from d where firmware is not null group by firmware order by 3 desc limit 100)
    ${lines ? `union all select 'line', l ->> 'status', count(*)::int from d, jsonb_array_elements(d.lines) l group by 2` : ''}`, values);
  const of = (kind: string) => rows.filter((r) => r.kind === kind);
  return {
    total: of('state').reduce((sum, r) => sum + r.count, 0),
    state: Object.fromEntries(of('state').map((r) => [r.value!, r.count])),
    ...(lines ? { lines: Object.fromEntries(of('line').map((r) => [r.value!, r.count])) } : {}),
    models: of('model').map((r) => ({ model: r.value!, count: r.count })),
    firmwares: of('firmware').map((r) => ({ firmware: r.value!, count: r.count })),
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A device by its id, or by its MAC in any spelling (DEV-03). */
export async function deviceByIdOrMac(key: string): Promise<DeviceRecord> {
  const hex = key.replace(/[:-]/g, '').toLowerCase();
  const byId = uuid.test(key);
  if (!byId && !/^[0-9a-f]{12}$/.test(hex)) found(null, 'device.macNotFound');
  const { rows } = await currentSql().query<DeviceRow>(`select ${columns} from device where ${byId ? 'id' : 'mac'} = $1`, [byId ? key : hex]);
  return toRecord(found(rows[0], byId ? 'common.notFound' : 'device.macNotFound'));
}
