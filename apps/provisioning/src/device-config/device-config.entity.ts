import { defineEntity, p } from '@mikro-orm/postgresql';
import type { SettingValues } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** What devices load, kept as it was when a command named it. Its id follows from the company and the text. */
export const ConfigContent = defineEntity({
  name: 'ConfigContent',
  tableName: 'config_content',
  ...tenant(),
  properties: {
    ...tenantProperties,
    values: p.json<SettingValues>(),
    /** The values as a device on the MQTT link loads them. */
    text: p.text(),
    sha256: p.string().length(64),
    madeAt: instant(3),
  },
});

/** The configuration that a device is to have; its id is the device's. */
export const DeviceConfig = defineEntity({
  name: 'DeviceConfig',
  tableName: 'device_config',
  ...tenant(),
  properties: {
    ...tenantProperties,
    contentId: p.uuid(),
    /** What the device reports as its `configVersion` when it has it. */
    contentVersion: p.string().length(32),
    /** Rises by one with each other content: the version of the published state, and of the file of a vendor. */
    revision: p.integer(),
    changedAt: instant(3),
    loadedAt: instant(3).strictNullable(),
    loadedVersion: p.string().length(32).strictNullable(),
  },
});

/** A walk over the devices of a changed template; its id is the template's. */
export const ConfigPassRow = defineEntity({
  name: 'ConfigPassRow',
  tableName: 'config_pass',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** Null: all devices. */
    model: p.string().length(64).strictNullable(),
    after: p.uuid().strictNullable(),
    leaseUntil: instant(3),
  },
});
