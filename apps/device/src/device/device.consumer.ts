import { Controller } from '@nestjs/common';
import {
  linkGateway,
  linkHandover,
  linkReport,
  linkSession,
  phoneGateway,
  type EventData,
  type Message,
} from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { columns, computed, currentDatabase, currentSql, platform, preparedSql } from '@carillon/persistence';
import { Device, storedColumns, type StoredPlace } from './device.entity.ts';
import { deadGatewaySql, emitLive, shareGatewayLock, storeGateway } from '@carillon/service';
import { endResets, resetAtContact } from '../channel-order/device-reset.service.ts';
import { changesSql, note } from '../device-log/device-log.queries.ts';
import { judgeDrift } from '../device-config/config-drift.ts';
import { placeNew } from '../site/place.ts';
import { withoutOvertaken } from './http-report.ts';
import { publishDevices, publishCertificateNeed, viewExtras, viewProperties } from './device.publisher.ts';
import { endOldSecrets } from './device.service.ts';
import { placeColumns } from './shared-identity.ts';

type Session = Message<typeof linkSession>;
type Report = Message<typeof linkReport>;
type Hello = EventData<typeof linkReport, 'hello'>;
type Gateway = Message<typeof linkGateway>;

/** What a report changes in its device; absent means unchanged. */
interface Patch {
  id: string;
  owner_epoch: number;
  firmware?: string;
  hardware?: string;
  lte?: string;
  internal_ip?: string;
  model?: string;
  sn?: string;
  capabilities?: string[];
  config_version?: string;
  config_failed?: boolean;
  lines?: unknown[];
  doors?: unknown[];
  failed_lines?: number;
  calls?: number;
  dnd?: string;
  certificate?: boolean;
  place?: StoredPlace;
  reset?: boolean;
  at: number;
}

/**
 * Returns SQL that changes existing rows by an INSERT that always conflicts. On a table that was just filled and not
 * analyzed, an UPDATE would search all devices of a company. Here each row is read by its primary key in a lateral
 * query with a lock, which PostgreSQL can neither join nor answer from another index; a locked row cannot disappear
 * before the INSERT (docs/adr/0007).
 */
const change = (from: string, values: Readonly<Record<string, string>>): string => `
  insert into device as d (${storedColumns.join(', ')})
  select ${storedColumns.map((c) => values[c] ?? `x.${c}`).join(', ')}
  from ${from}
  on conflict (id) do update set ${Object.keys(values)
    .map((c) => `${c} = excluded.${c}`)
    .join(', ')}
`;
const byKey = 'cross join lateral (select * from device y where y.id = m.id for update) x';

/** Columns that a report may change; other services copy those in `viewed`. */
const viewed = [
  'firmware',
  'internal_ip',
  'model',
  'sn',
  'capabilities',
  'configured',
  'config_failed',
  'config_version',
  'failed_lines',
];
const stated = [
  'hardware',
  'lte',
  'reset_id',
  'lines',
  'doors',
  'calls',
  'dnd',
  'certificate',
  ...Object.keys(placeColumns),
];
const unless: Readonly<Record<string, string>> = {
  ...placeColumns,
  // A report names only the doors that changed.
  doors: `
    case when m.doors is null then x.doors else (
      select coalesce(jsonb_agg(u.told order by u.door), '[]')
      from (
        select distinct on ((a.told ->> 'door')::int) (a.told ->> 'door')::int as door, a.told
        from (
          select n.told, 0 as age, n.at from jsonb_array_elements(m.doors) with ordinality n(told, at)
          union all
          select o.told, 1, o.at from jsonb_array_elements(x.doors) with ordinality o(told, at)
        ) a
        order by (a.told ->> 'door')::int, a.age, a.at desc
      ) u
    ) end
  `,
  reset_id: 'case when m.reset then null else x.reset_id end',
  config_version: 'case when m.reset then m.config_version else coalesce(m.config_version, x.config_version) end',
  config_failed:
    'case when m.reset then coalesce(m.config_failed, false) else coalesce(m.config_failed, x.config_failed) end',
  configured:
    'case when m.reset then m.config_version is not null else x.configured or m.config_version is not null end',
};
const differs = (columns: readonly string[]): string =>
  `(${columns.map((c) => `x.new_${c}`).join(', ')}) is distinct from (${columns.map((c) => `x.${c}`).join(', ')})`;

const addressed = columns(Device, 'd', ['id', 'orgId', 'companyId']);
const presence = columns(Device, 'd', [
  'id',
  'mac',
  'orgId',
  'companyId',
  'ownerEpoch',
  'placed',
  'online',
  'gateway',
  'resetId',
]);
const sessionSql = `
  ${change(
    `
    jsonb_to_recordset($1::jsonb) as m(
      id uuid, epoch bigint, online boolean, gateway text, address text, at float8, owner_epoch int
    ) ${byKey}
    where x.owner_epoch = m.owner_epoch and (m.epoch > x.epoch or (m.epoch = x.epoch and x.online and not m.online))
  `,
    {
      online: `m.online and not ${deadGatewaySql('m.gateway', 'm.at')}`,
      epoch: 'm.epoch',
      gateway: 'm.gateway',
      public_ip: 'coalesce(m.address, x.public_ip)',
      last_online_at: 'greatest(x.last_online_at, to_timestamp(m.at / 1000.0))',
    },
  )}
  returning ${presence}
`;

const reported = columns(Device, 'd', [...viewProperties, 'placed'], {
  ...viewExtras,
  viewChanged: computed<boolean>('x.view_changed'),
  modelBefore: computed<string>('x.model'),
  configChanged: computed<boolean>('d.config_version is distinct from x.config_version'),
});
const reportSql = `
  with known as (
    select x.*, m.at,
      case when m.config_version is distinct from x.config_version and m.config_version is not null then
        to_timestamp(m.at / 1000.0) else x.last_config_at end as new_last_config_at,
      ${[...viewed, ...stated].map((c) => `${unless[c] ?? `coalesce(m.${c}, x.${c})`} as new_${c}`).join(', ')}
    from jsonb_to_recordset($1::jsonb) as m(
      id uuid, owner_epoch int, firmware text, hardware text, lte text, internal_ip text, model text, sn text,
      capabilities jsonb, config_version text, config_failed boolean, lines jsonb, doors jsonb, failed_lines int,
      calls int, dnd text, certificate boolean, place jsonb, reset boolean, at float8
    ) ${byKey}
    where x.owner_epoch = m.owner_epoch
  ),
  compared as (
    select x.*, ${differs(viewed)} or x.accounts <> '[]' and ${differs(['lines'])}
      or jsonb_array_length(x.new_doors) <> jsonb_array_length(x.doors) as view_changed
    from known x
  ),
  logged as (${changesSql}),
  changed as (
    ${change(`compared x where x.view_changed or ${differs(stated)}`, {
      ...Object.fromEntries([...viewed, ...stated, 'last_config_at'].map((c) => [c, `x.new_${c}`])),
      version: 'x.version + case when x.view_changed then 1 else 0 end',
    })}
        returning d.*
  )
  select ${reported}
  from changed d
  join compared x on x.id = d.id
`;

const placeOf = ({ address, receivedAt, payload }: Hello): StoredPlace => ({
  address,
  ip: payload.ip,
  sn: payload.sn,
  booted: Math.round(receivedAt / 1_000 - payload.uptime),
});

/** Sorts rows by id, so that two batches lock them in the same order and cannot deadlock. */
const inOrder = (rows: ReadonlyMap<string, { id: string }>): string =>
  JSON.stringify([...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1)));

/** Stores messages of devices and gateways, a batch of one company at a time, with one statement each. */
@Controller()
export class DeviceConsumer {
  /**
   * Stores online and offline. In a batch the highest epoch wins, and its last message; an epoch below the row's is
   * outdated.
   */
  @On(linkSession, ['online', 'offline'])
  async session(messages: Session[]): Promise<void> {
    const last = new Map<
      string,
      {
        id: string;
        epoch: number;
        online: boolean;
        gateway: string;
        address: string | null;
        at: number;
        owner_epoch: number;
      }
    >();
    for (const { type, data } of messages) {
      if (!data) continue;
      const seen = last.get(data.deviceId);
      if (seen && seen.epoch > data.epoch) continue;
      last.set(data.deviceId, {
        id: data.deviceId,
        epoch: data.epoch,
        online: type === 'online',
        gateway: data.gateway,
        address: 'address' in data ? data.address : null,
        at: data.at,
        owner_epoch: data.ownerEpoch,
      });
    }
    await shareGatewayLock();
    const renewed = messages.flatMap(({ data }) =>
      data && 'secretHash' in data && data.secretHash ? [{ id: data.deviceId, hash: data.secretHash }] : [],
    );
    if (renewed.length > 0) await endOldSecrets(renewed);
    await note(messages);
    const rows = await preparedSql().rows(presence, sessionSql, [inOrder(last)]);
    await placeNew(rows.flatMap((r) => (r.placed ? [] : [r.id])));
    // The command goes to the MQTT gateways: a phone over HTTP would never see it.
    await resetAtContact(rows.filter((r) => r.online && r.gateway !== phoneGateway));
    if (rows.length > 0)
      await emitLive(
        rows[0]!.companyId,
        'device',
        rows.map((r) => r.id),
        rows.map((r) => r.orgId),
      );
  }

  @On(linkHandover, ['wiped'])
  async wiped(messages: Message<typeof linkHandover>[]): Promise<void> {
    await endResets(messages.flatMap(({ data }) => (data ? [data.deviceId] : [])));
  }

  /** A gateway that starts declares its older instances dead: their devices are offline until they reconnect. */
  @On(linkGateway, ['started', 'gone'])
  async gateway(messages: Gateway[]): Promise<void> {
    for (const { type, data } of messages) {
      if (!data) continue;
      await storeGateway(type, data);
      const rows = await platform(
        currentDatabase(),
        'a gateway process died with the sessions of several companies',
        () =>
          currentSql().rows(
            addressed,
            `
                with lost as (
                  update device
                  set online = false, last_online_at = greatest(last_online_at, to_timestamp($3 / 1000.0))
                  where online
                    and
                      ${type === 'started' ? `gateway like $1 || '#%' and gateway <> $2` : '$1::text is not null and gateway = $2'}
                  returning id, org_id, company_id, mac
                ),
                logged as (
                  insert into device_log (id, company_id, org_id, device_id, mac, at, kind, detail)
                  select gen_random_uuid(), company_id, org_id, id, mac, to_timestamp($3 / 1000.0), 'offline',
                    '{"reason": "gatewayLost"}'
                  from lost
                )
                select ${addressed}
                from lost d
              `,
            [data.name, data.gateway, data.at],
          ),
      );
      for (const [companyId, devices] of Map.groupBy(rows, (r) => r.companyId))
        await emitLive(
          companyId,
          'device',
          devices.map((r) => r.id),
          devices.map((r) => r.orgId),
        );
    }
  }

  /** Stores the reports of devices. Publishes only changes that other services copy. */
  @On(linkReport, ['hello', 'state', 'event', 'phone'])
  async report(messages: Report[]): Promise<void> {
    const noted = await note(messages);
    const patches = new Map<string, Patch>();
    for (const message of await withoutOvertaken(messages)) {
      if (!message.data || message.type === 'event') continue;
      const { deviceId, ownerEpoch, receivedAt } = message.data;
      const patch = patches.get(deviceId) ?? { id: deviceId, owner_epoch: ownerEpoch, at: receivedAt };
      patches.set(deviceId, patch);
      const payload = message.data.payload as Record<string, unknown> & {
        lines?: { status: string }[];
        doors?: unknown[];
        boot?: string;
      };
      const take = (column: keyof Patch, value: unknown): void => {
        if (value !== undefined) (patch as unknown as Record<string, unknown>)[column] = value;
      };
      for (const key of [
        'firmware',
        'hardware',
        'lte',
        'model',
        'sn',
        'capabilities',
        'calls',
        'dnd',
        'certificate',
      ] as const)
        take(key, payload[key]);
      take('internal_ip', payload['ip']);
      if (message.type === 'hello') patch.place = placeOf(message.data as Hello);
      take('config_version', payload['configVersion']);
      // An accepted configuration ends the failure; a hello only tells which configuration the device has.
      if (message.type === 'state')
        take('config_failed', payload['configFailed'] ?? (payload['configVersion'] === undefined ? undefined : false));
      if (payload.boot === 'reset') {
        patch.reset = true;
        delete patch.config_version;
        delete patch.config_failed;
        take('config_version', payload['configVersion']);
      }
      if (payload.doors) patch.doors = [...(patch.doors ?? []), ...payload.doors];
      if (payload.lines) {
        patch.lines = payload.lines;
        patch.failed_lines = payload.lines.filter((l) => l.status === 'failed' || l.status === 'abnormal').length;
      }
    }
    const changed = patches.size === 0 ? [] : await preparedSql().rows(reported, reportSql, [inOrder(patches)]);
    const views = changed
      .filter((r) => r.viewChanged)
      .map(({ viewChanged: _, placed: __, modelBefore: ___, configChanged: ____, ...view }) => view);
    if (views.length > 0) await publishDevices(views);
    await judgeDrift(changed.flatMap(({ id, configChanged }) => (configChanged ? [id] : [])));
    await publishCertificateNeed(changed);
    await placeNew(changed.flatMap((r) => (r.placed ? [] : [r.id])));
    const refreshed = [...changed, ...noted];
    if (refreshed.length > 0)
      await emitLive(
        messages[0]!.companyId!,
        'device',
        [...new Set(refreshed.map((r) => r.id))],
        refreshed.map((r) => r.orgId),
      );
  }
}
