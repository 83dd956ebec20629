import type {
  BaselineReason,
  BaselineState,
  getDeviceBaseline,
  listBaselineDevices,
  listBaselines,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  column,
  columnNames,
  columns,
  computed,
  currentSql,
  filterBy,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { everyFirmwareSql } from '../file/firmware-copy.entity.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Baseline } from './baseline.entity.ts';
import { followSql, isAskedSql, isTurnedDownSql, lastAskedSql, maySql } from './follow.ts';

export type BaselineRecord = RouteReturn<typeof listBaselines>['records'][number];

const own = [
  'id',
  'name',
  'firmwareId',
  'mac',
  'model',
  'siteId',
  'groupId',
  'active',
  'timeZone',
  'creatorId',
] as const;
const record = columns(Baseline, 'b', [...own, 'creatorName', 'retriedAt', 'updatedAt'], {
  from: column(Baseline, 'b', 'fromLocal'),
  to: column(Baseline, 'b', 'toLocal'),
  firmware: computed<BaselineRecord['firmware']>(
    `
      (
        select jsonb_build_object('id', f.id, 'name', f.file ->> 'name', 'version', f.file ->> 'version')
        from ${everyFirmwareSql} f
        where f.id = b.firmware_id
        limit 1
      )
    `,
  ),
  device: computed<BaselineRecord['device']>(
    // A device that was added again may be copied before its deletion.
    `
      (
        select jsonb_build_object('id', d.id, 'name', d.name)
        from device_copy d
        where d.mac = b.mac
        order by d.id desc
        limit 1
      )
    `,
  ),
  site: computed<BaselineRecord['site']>(
    `(select jsonb_build_object('id', s.id, 'name', s.name) from site_copy s where s.id = b.site_id)`,
  ),
  held: computed<boolean>(`(b.active and not ${maySql})`),
  approval: computed<BaselineRecord['approval']>(`
    (
      select jsonb_build_object(
        'state', case
          when ${isAskedSql} then 'asked'
          when t.approval ->> 'state' = 'refused' then 'refused'
          when t.status = 'timeout' then 'expired'
          else 'canceled'
        end,
        'taskId', t.id, 'taskNumber', t.number,
        'at', case
          when ${isAskedSql} then t.approval ->> 'askedAt'
          else to_char(t.ended_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        end,
        'by', case when t.approval ->> 'state' = 'refused' then t.approval ->> 'by' end,
        'reason', t.approval ->> 'reason'
      )
      from ${lastAskedSql} t
      where b.active and (${isAskedSql} or ${isTurnedDownSql})
    )
  `),
});
const from = 'baseline b left join creator_copy u on u.id = b.creator_id';
const count = columns(Baseline, 'b', [], { n: computed<number>('count(*)::int') });
const name = columnNames(Baseline, 'b');
const sorts = { name: alphabetic(name.name), updatedAt: name.updatedAt };
const filterColumns = {
  name: filterBy.text(name.name),
  active: filterBy.flag(name.active),
  updatedAt: filterBy.moment(name.updatedAt),
};

const none: Record<BaselineState, number> = { onVersion: 0, behind: 0, stuck: 0, unable: 0, newer: 0, unknown: 0 };
const stated = columns(DeviceCopy, 'x', [], {
  baselineId: computed<string>('x.baseline_id'),
  state: computed<BaselineState>('x.state'),
  n: computed<number>('count(*)::int'),
});

/** Adds the counts of each state, over all devices that the reader sees. */
async function counted(records: readonly Omit<BaselineRecord, 'inScope' | 'counts'>[]): Promise<BaselineRecord[]> {
  const rows = records.some((b) => b.active)
    ? await currentSql().rows(
        stated,
        `
          select ${stated}
          from ${followSql('0')} x
          where x.baseline_id = any($1::uuid[])
          group by x.baseline_id, x.state
        `,
        [records.map((b) => b.id)],
      )
    : [];
  const byBaseline = Map.groupBy(rows, (row) => row.baselineId);
  return records.map((b) => {
    const states = byBaseline.get(b.id) ?? [];
    return {
      ...b,
      inScope: states.reduce((sum, { n }) => sum + n, 0),
      counts: { ...none, ...Object.fromEntries(states.map(({ state, n }) => [state, n])) },
    };
  });
}

export async function pageOfBaselines(
  query: RouteInput<typeof listBaselines>['query'],
): Promise<RouteReturn<typeof listBaselines>> {
  const page = await readPage({
    query,
    record,
    from,
    counted: 'baseline b',
    searched: (like) => `
      ${anyContains([name.name, name.model, name.mac], like)}
      or exists (select 1 from site_copy s where s.id = b.site_id and ${anyContains(['s.name'], like)})
    `,
    filters: filterColumns,
    sorts,
    order: `${alphabetic(name.name)}, ${name.id}`,
  });
  return { ...page, records: await counted(page.records) };
}

export async function baselineById(id: string): Promise<BaselineRecord | undefined> {
  return (await counted(await currentSql().rows(record, `select ${record} from ${from} where b.id = $1`, [id])))[0];
}

export async function baselinesOfCompany(): Promise<number> {
  return (await currentSql().rows(count, `select ${count} from baseline b`))[0]!.n;
}

const device = columns(DeviceCopy, 'x', ['id', 'name', 'mac', 'model', 'firmware'], {
  online: computed<boolean>('x.online'),
  state: computed<BaselineState>('x.state'),
  reason: computed<BaselineReason | null>('x.reason'),
});

/** Returns the devices that follow a baseline, stuck ones first. */
export async function pageOfDevices(
  id: string,
  query: RouteInput<typeof listBaselineDevices>['query'],
  retryMs: number,
): Promise<RouteReturn<typeof listBaselineDevices>> {
  return readPage({
    query,
    record: device,
    from: `${followSql('$1')} x`,
    values: [retryMs],
    searched: ['x.name', 'x.mac', 'x.firmware'],
    where: (add) => [
      `x.baseline_id = ${add(id)}`,
      ...(query.state ? [`x.state = any(${add(query.state)}::text[])`] : []),
    ],
    order: `
      array_position(array['stuck', 'behind', 'unable', 'unknown', 'newer', 'onVersion'], x.state),
      ${alphabetic('x.name')}, x.id
    `,
  });
}

const followed = columns(DeviceCopy, 'x', [], {
  id: computed<string>('x.baseline_id'),
  name: computed<string>('(select b.name from baseline b where b.id = x.baseline_id)'),
  version: computed<string>('x.wanted'),
  state: computed<BaselineState>('x.state'),
  reason: computed<BaselineReason | null>('x.reason'),
});

/** Returns the baseline that a device follows; null when it follows none. */
export async function baselineOfDevice(
  id: string,
  retryMs: number,
): Promise<RouteReturn<typeof getDeviceBaseline>['baseline']> {
  const sql = `select ${followed} from ${followSql('$2', '$1')} x where x.id = $1`;
  return (await currentSql().rows(followed, sql, [id, retryMs]))[0] ?? null;
}

const macDevice = columns(DeviceCopy, 'd', ['model']);
/** Returns the model of the device with this MAC; undefined when there is none. */
export async function modelByMac(mac: string): Promise<string | undefined> {
  return (
    await currentSql().rows(
      macDevice,
      `select ${macDevice} from device_copy d where d.mac = $1 order by d.id desc limit 1`,
      [mac],
    )
  )[0]?.model;
}
