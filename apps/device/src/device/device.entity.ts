import { defineEntity, p } from '@mikro-orm/postgresql';
import { columnNames, instant, tenant, tenantProperties } from '@carillon/persistence';
import type { DevicePlace, DeviceRecord } from '@carillon/contracts';
import { deviceStateSql, seenSql } from '@carillon/contracts/device-filter';

/** A place with the time of the device's start, Unix time in seconds. */
export type StoredPlace = DevicePlace & { booted: number };

/** A phone or a door, with its owner's data and its last report. */
export const Device = defineEntity({
  name: 'Device',
  tableName: 'device',
  indexes: [
    {
      name: 'device_online_gateway',
      expression: 'create index device_online_gateway on device (gateway) where online',
    },
    {
      name: 'device_left_site',
      expression: 'create index device_left_site on device (left_site_id) where (left_site_id is not null)',
    },
    {
      name: 'device_company_state',
      expression: 'create index device_company_state on device (company_id, state) include (org_id)',
    },
    {
      name: 'device_company_site',
      expression: 'create index device_company_site on device (company_id, site_id) include (org_id)',
    },
    {
      name: 'device_company_server',
      expression: 'create index device_company_server on device (company_id, server_id) include (org_id)',
    },
    {
      name: 'device_company_name',
      expression:
        'create index device_company_name on device (company_id, name collate "und-x-icu", id) include (org_id)',
    },
    {
      name: 'device_company_model',
      expression: 'create index device_company_model on device (company_id, model, id) include (org_id)',
    },
    {
      name: 'device_accounts',
      expression: 'create index device_accounts on device using gin (accounts jsonb_path_ops)',
    },
    {
      name: 'device_company_seen',
      expression:
        'create index device_company_seen on device (company_id, seen_at desc nulls last, id) include (org_id)',
    },
    {
      name: 'device_tags',
      expression: `create index device_tags on device using gin (tags) where (tags <> '{}'::jsonb)`,
    },
    {
      name: 'device_company_mac',
      expression: 'create unique index device_company_mac on device (company_id, mac)',
    },
    { name: 'device_mac', expression: 'create index device_mac on device (mac)' },
    {
      name: 'device_disabled',
      expression: 'create index device_disabled on device (company_id) where (not enabled)',
    },
  ],
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    /** 12 lower-case hex digits. `mac_owner` names the only company that may have it. */
    mac: p.string().length(12),
    name: p.string().length(64),
    model: p.string().length(128),
    sn: p.string().length(128),
    firmware: p.string().length(128).strictNullable(),
    hardware: p.string().length(128).strictNullable(),
    lte: p.string().length(128).strictNullable(),
    internalIp: p.string().length(64).strictNullable(),
    publicIp: p.string().length(64).strictNullable(),
    dnd: p.string().$type<NonNullable<DeviceRecord['dnd']>>().length(16).strictNullable(),
    certificate: p.boolean().strictNullable(),
    lines: p.json<DeviceRecord['lines']>(),
    /** The doors that it has reported, with their last state. */
    doors: p.json<DeviceRecord['doors']>().default([]),
    /** SIP accounts by the line that should have them; `lines` has the reported ones. */
    accounts: p.json<{ line: number; accountId: string }[]>().default([]),
    calls: p.integer(),
    capabilities: p.json<string[]>(),
    configVersion: p.string().length(128).strictNullable(),
    configured: p.boolean(),
    configFailed: p.boolean(),
    /** The version it was to have that it last reported: without it, it cannot have drifted from that. */
    configHad: p.string().length(32).strictNullable(),
    configDriftedAt: instant(3).strictNullable(),
    failedLines: p.integer(),
    /** Presence by the claim's epoch: a lower epoch is outdated. */
    online: p.boolean(),
    epoch: p.bigint('number'),
    gateway: p.string().length(128).strictNullable(),
    state: p.string().$type<DeviceRecord['state']>().length(16).generated(`(${deviceStateSql()}) stored`),
    /** Rises when the device moves to another company. */
    ownerEpoch: p.integer(),
    /** The reset that it gets at its first contact, because it came from another company after it was in use. */
    resetId: p.uuid().strictNullable(),
    version: p.integer(),
    enabled: p.boolean().default(true),
    /** SHA-256 of the secret, which is stored nowhere. */
    secretHash: p.string().length(64),
    previousHash: p.string().length(64).strictNullable(),
    siteId: p.uuid().strictNullable(),
    /** The SIP server for its lines, kept while that server's deletion can be undone. */
    serverId: p.uuid().strictNullable(),
    /** Its device groups, all of its own organization. */
    groupIds: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    /** Values by key (DEV-14). */
    tags: p.json<Record<string, string>>().defaultRaw(`'{}'`),
    /** The deleted site that it was in, until it is placed elsewhere. */
    leftSiteId: p.uuid().strictNullable(),
    /** Set after the first contact, or when a person has placed it: it is no longer placed automatically. */
    placed: p.boolean().default(false),
    /** While online: when it came. While offline: when it was last seen. */
    lastOnlineAt: instant().strictNullable(),
    /**
     * For sorting and filtering only: online devices come last. It may be infinity, which is no valid instant, so it is
     * never read.
     */
    seenAt: instant()
      .strictNullable()
      .generated(`(${seenSql('online', 'last_online_at')}) stored`),
    lastConfigAt: instant().strictNullable(),
    /** Where its last hello came from, and where the hellos before came from. */
    place: p.json<StoredPlace>().strictNullable(),
    placeBefore: p.json<StoredPlace>().strictNullable(),
    placeChangedAt: instant().strictNullable(),
    /** When it last was found that two devices use its identity in turn. */
    sharedAt: instant().strictNullable(),
    createdAt: instant(),
  },
  ...tenant({ organization: true }),
});

/** Columns of a device that are stored and not generated. */
export const storedColumns: readonly string[] = Object.entries(columnNames(Device))
  .filter(([property]) => !Device.meta.properties[property as 'id'].generated)
  .map(([, column]) => column);

/** A deleted device as it was, while its deletion can be undone. */
export const DeletedDevice = defineEntity({
  name: 'DeletedDevice',
  tableName: 'device_deleted',
  indexes: [
    { name: 'device_deleted_mac', expression: 'create index device_deleted_mac on device_deleted (mac)' },
    { name: 'device_deleted_at', expression: 'create index device_deleted_at on device_deleted (deleted_at)' },
  ],
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    userId: p.uuid(),
    mac: p.string().length(12),
    row: p.json(),
    deletedAt: instant(),
  },
  ...tenant({ organization: true }),
});

/** The text that `contains` searches, maintained by triggers (migrations/20261121-search.ts). */
export const DeviceSearchText = defineEntity({
  name: 'DeviceSearchText',
  tableName: 'device_search',
  indexes: [
    {
      name: 'device_search_text',
      expression: 'create index device_search_text on device_search using gin (company_id, text gin_trgm_ops)',
    },
    {
      name: 'device_search_name',
      expression:
        'create index device_search_name on device_search (company_id, name collate "und-x-icu", device_id) include (org_id, text)',
    },
  ],
  properties: {
    deviceId: p.uuid().primary(),
    companyId: p.uuid(),
    orgId: p.uuid(),
    name: p.string().length(64),
    text: p.text(),
  },
  ...tenant({ organization: true }),
});
