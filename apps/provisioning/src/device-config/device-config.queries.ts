import { provisioningDeviceConfig, type PhoneKeyFacts, type SipTransport } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { column, columns, computed, currentSql, preparedSql, type RowOf } from '@carillon/persistence';
import { ConfigTemplate } from '../config-template/config-template.entity.ts';
import { isFirstEnded } from '../first-access/first-access.queries.ts';
import { lockLayers, locksFromAbove } from '../config-lock/config-lock.ts';
import { targetNameSql } from '../config-template/target-name.ts';
import { needsCertificateSql, seriesJoinSql } from '../device-model/series.ts';
import { DeviceCopy, SipAccount } from '../sip-account/sip-account.entity.ts';
import { SipServer } from '../sip-server/sip-server.entity.ts';
import { hasCommandSql } from '../phone-command/phone-command.queries.ts';
import { toLoadSql } from '../phone-command/phone-file.queries.ts';
import { hasSessionSql } from '../phone-session/phone-session.queries.ts';
import type { PhoneFile } from '../vendor/file-setting.ts';
import { DeviceConfig } from './device-config.entity.ts';
import { Layers, type Placed } from './effective.ts';

const layer = columns(ConfigTemplate, 't', ['id', 'name', 'level', 'target', 'version', 'values', 'locked'], {
  targetName: computed<string | null>(targetNameSql),
});

/** Returns the templates that are for at least one of these devices, and what companies above lock. */
export async function layersOf(devices: readonly Placed[]): Promise<Layers> {
  const targets = devices.flatMap(({ id, orgId, siteIds, series, model, groupIds }) => [
    id,
    orgId,
    model,
    ...(series === null ? [] : [series]),
    ...siteIds,
    ...groupIds,
  ]);
  const above = lockLayers(await locksFromAbove());
  return new Layers(
    await preparedSql().rows(
      layer,
      `select ${layer} from config_template t where t.target is null or t.target = any($1::text[])`,
      [[...new Set(targets)]],
    ),
    above,
  );
}

/**
 * SQL: a site and those above it as `ids`, the nearest first, and the time zone of the nearest that has one as `zone`.
 */
export const placeSql = (siteId: string): string => `
  with recursive above (id, parent_id, time_zone, steps) as (
    select s.id, s.parent_id, s.time_zone, 0 from site_copy s where s.id = ${siteId}
    union all
    select s.id, s.parent_id, s.time_zone, a.steps + 1
    from above a join site_copy s on s.id = a.parent_id
    where a.steps < 100
  )
  select coalesce(array_agg(id order by steps), '{}') as ids,
    (array_agg(time_zone order by steps) filter (where time_zone is not null))[1] as zone
  from above
`;
const configured = columns(
  DeviceCopy,
  'd',
  ['id', 'companyId', 'orgId', 'mac', 'name', 'model', 'groupIds', 'ownerEpoch', 'secretMark'],
  {
    siteIds: computed<string[]>('place.ids'),
    siteZone: computed<string | null>('place.zone'),
    series: computed<string | null>('r.series'),
    keys: computed<PhoneKeyFacts | null>('r.keys'),
    known: computed<string | null>('r.model'),
    contentId: computed<string | null>('c.content_id'),
    version: computed<string | null>('c.content_version'),
    revision: computed<number | null>('c.revision'),
    lines: computed<number[] | null>('c.lines'),
    changedAt: computed<string | null>('c.changed_at'),
    loadedAt: computed<string | null>('c.loaded_at'),
    loadedVersion: computed<string | null>('c.loaded_version'),
  },
);
export type ConfiguredDevice = RowOf<typeof configured>;

/** Returns devices that the session sees, with the configuration that they are to have so far. */
export const configuredDevices = (condition: string, values: readonly unknown[]): Promise<ConfiguredDevice[]> =>
  preparedSql().rows(
    configured,
    `
      select ${configured}
      from device_copy d
      left join device_config c on c.id = d.id
      cross join lateral (${placeSql('d.site_id')}) place
      ${seriesJoinSql}
      where ${condition}
      order by d.id
    `,
    values,
  );

const assigned = columns(
  SipAccount,
  'a',
  ['id', 'name', 'number', 'displayName', 'authUser', 'authPassword', 'voicemailNumber'],
  {
    deviceId: computed<string>('d.id'),
    line: computed<number>('x.line'),
    serverName: column(SipServer, 's', 'name'),
    address: column(SipServer, 's', 'address'),
    port: column(SipServer, 's', 'port'),
    transport: computed<SipTransport>('s.transport'),
    domain: column(SipServer, 's', 'domain'),
    proxyAddress: column(SipServer, 's', 'proxyAddress'),
    proxyPort: column(SipServer, 's', 'proxyPort'),
    backupAddress: column(SipServer, 's', 'backupAddress'),
    backupPort: column(SipServer, 's', 'backupPort'),
  },
);
export type AssignedLine = RowOf<typeof assigned>;

/** Returns the accounts on the lines of these devices, with their servers; passwords are sealed. */
export const assignedLines = (deviceIds: readonly string[]): Promise<AssignedLine[]> =>
  preparedSql().rows(
    assigned,
    `
      select ${assigned}
      from device_copy d
      cross join lateral jsonb_to_recordset(d.accounts) as x("accountId" uuid, line int)
      join sip_account a on a.id = x."accountId"
      join sip_server s on s.id = a.server_id
      where d.id = any($1::uuid[]) and not s.closed
      order by d.id, x.line
    `,
    [deviceIds],
  );

/** SQL: the version that a device `d` reports. */
const openVersionSql = '(select p.version from config_period p where p.device_id = d.id and p.until_at is null)';

/** The content is read by a plain comparison of its key: behind a policy, an expression would read all contents. */
const loading = (contentId: string) =>
  columns(DeviceCopy, 'd', ['id', 'companyId', 'mac', 'model', 'ownerEpoch', 'secretMark'], {
    version: column(DeviceConfig, 'c', 'contentVersion'),
    revision: column(DeviceConfig, 'c', 'revision'),
    contentId: computed<string>(contentId),
    sealed: computed<string | null>(`(select x.sealed from config_content x where x.id = ${contentId})`),
    loadedVersion: computed<string | null>('c.loaded_version'),
    reported: computed<string | null>(openVersionSql),
    toLoad: computed<PhoneFile | null>(toLoadSql),
    firstEnded: isFirstEnded,
    needsCertificate: computed<boolean>(needsCertificateSql),
    /** Whether its last load is so long ago, or so much waits for this one, that it is stored though nothing changed. */
    isOld: computed<boolean>(
      `(coalesce(c.loaded_at < now() - interval '1 minute', true) or not ${hasSessionSql} or ${hasCommandSql})`,
    ),
  });
const [loadingOwn, loadingGiven] = [loading('c.content_id'), loading('$2::uuid')];
type LoadingRow = RowOf<typeof loadingOwn>;
export type LoadingDevice = LoadingRow & { sealed: string };
const hasContent = (row: LoadingRow): row is LoadingDevice => row.sealed !== null;

const mayLoadSql = `
  from device_copy d
  join device_config c on c.id = d.id
  where d.enabled and not exists (select 1 from company_copy o where o.id = d.company_id and not o.open)
`;
const ownSql = `select ${loadingOwn} ${mayLoadSql} and d.id = any($1::uuid[])`;
const givenSql = `select ${loadingGiven} ${mayLoadSql} and d.id = $1`;

/**
 * Returns the devices of the running company that may load their configurations, by id, with the content that each is
 * to have. Those that are disabled, have no content or whose company is closed are left out.
 */
export async function loadingDevices(ids: readonly string[]): Promise<Map<string, LoadingDevice>> {
  const rows = await preparedSql().rows(loadingOwn, ownSql, [ids]);
  return new Map(rows.filter(hasContent).map((row) => [row.id, row]));
}

/** Returns one of {@link loadingDevices}, or undefined. */
export const loadingDevice = async (id: string): Promise<LoadingDevice | undefined> =>
  (await loadingDevices([id])).get(id);

/** Returns a device that may load its configuration, with a content that a command named; undefined without it. */
export async function deviceWithContent(id: string, contentId: string): Promise<LoadingDevice | undefined> {
  const [row] = await preparedSql().rows(loadingGiven, givenSql, [id, contentId]);
  return row && hasContent(row) ? row : undefined;
}

/** Returns whether the running company still has a device. */
export const isDevice = async (id: string): Promise<boolean> =>
  (await preparedSql().query('select 1 from device_copy d where d.id = $1', [id])).rowCount > 0;

const gone = columns(DeviceConfig, 'c', ['id', 'companyId', 'revision']);

const emitGone = (rows: readonly RowOf<typeof gone>[]): Promise<void> =>
  emitMany(
    provisioningDeviceConfig,
    'config',
    rows.map(({ id, companyId, revision }) => ({ key: id, companyId, data: null, version: revision })),
  );

/**
 * Stores that these devices are to have nothing any more, and publishes that. The revision stays: some makers apply a
 * file only when its version is higher than that of the last one.
 */
export async function endConfigs(devices: readonly Pick<ConfiguredDevice, 'id'>[]): Promise<void> {
  if (devices.length === 0) return;
  const rows = await currentSql().rows(
    gone,
    `
      update device_config c
      set content_id = null, content_version = null, revision = c.revision + 1, changed_at = now()
      where c.id = any($1::uuid[])
      returning ${gone}
    `,
    [devices.map(({ id }) => id)],
  );
  await emitGone(rows);
}

/** Forgets the configurations of deleted devices, and publishes that. */
export async function forgetConfigs(deviceIds: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(
    gone,
    `
      delete from device_config c
      where c.id = any($1::uuid[]) and not exists (select 1 from device_copy d where d.id = c.id)
      returning ${gone}
    `,
    [deviceIds],
  );
  await emitGone(rows.map((row) => ({ ...row, revision: row.revision + 1 })));
}
