import { defineEntity, p } from '@mikro-orm/postgresql';
import type { TemplateLevel } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * What devices load, kept as it was when a command named it. Its id follows from the company and the content. It may
 * contain passwords: `CompanySecrets` encrypts it.
 */
export const ConfigContent = defineEntity({
  name: 'ConfigContent',
  tableName: 'config_content',
  indexes: [
    {
      name: 'config_content_version',
      expression: 'create index config_content_version on config_content (company_id, version)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    sealed: p.text(),
    /** What a device reports that has it. Null in contents of earlier releases that no device was to have any more. */
    version: p.string().length(32).strictNullable(),
    /** When it last became what a device is to have, or was replaced as that. */
    usedAt: instant(3),
  },
});

/** The templates and accounts that a configuration was made of. */
export interface ConfigSources {
  /** Templates with the version that they had, and the settings that they decided. */
  templates: readonly { id: string; name: string; version: number; keys: readonly string[] }[];
  accounts: readonly { line: number; id: string; name: string }[];
}

/** The configuration that a device is to have; its id is the device's. */
export const DeviceConfig = defineEntity({
  name: 'DeviceConfig',
  tableName: 'device_config',
  indexes: [
    { name: 'device_config_content', expression: 'create index device_config_content on device_config (content_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** Null when the device is to have nothing any more. */
    contentId: p.uuid().strictNullable(),
    /** What the device reports as its `configVersion` when it has it. */
    contentVersion: p.string().length(32).strictNullable(),
    /** Rises by one with each other content: the version of the published state, and of the file of a vendor. */
    revision: p.integer(),
    /** Lines that have, or once had, an account in a configuration from here. */
    lines: p.array().columnType('int[]').$type<number[]>(),
    changedAt: instant(3),
    loadedAt: instant(3).strictNullable(),
    loadedVersion: p.string().length(32).strictNullable(),
    /** What the content was made of; null for those that an earlier release made. */
    sources: p.json<ConfigSources>().strictNullable(),
  },
});

/** What concerns the configuration of devices: a template by its level, a name of a model, or a part of them. */
export type Concern = TemplateLevel | 'modelName' | 'account' | 'server';

/** A committed change whose devices are not marked as due yet. */
export const ConfigChange = defineEntity({
  name: 'ConfigChange',
  tableName: 'config_change',
  indexes: [
    {
      name: 'config_change_company',
      expression: 'create index config_change_company on config_change (company_id, id)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    concern: p.string().$type<Concern>().length(16),
    targets: p.array().columnType('text[]').$type<string[]>(),
  },
});

/** Devices whose configuration is to be made again; the id is the device's. */
export const ConfigDue = defineEntity({
  name: 'ConfigDue',
  tableName: 'config_due',
  indexes: [
    { name: 'config_due_company', expression: 'create index config_due_company on config_due (company_id, id)' },
  ],
  ...tenant(),
  properties: { ...tenantProperties, since: instant(3) },
});
