import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { KeptFile } from '../upload/upload.queries.ts';

/** Configuration in the devices' own syntax. It belongs to the whole company. */
const ConfigFileSchema = defineEntity({
  name: 'ConfigFile',
  tableName: 'config_file',
  indexes: [
    {
      name: 'config_file_name',
      expression: 'create unique index config_file_name on config_file (company_id, lower((name)::text))',
    },
    {
      name: 'config_file_files',
      expression: 'create index config_file_files on config_file using gin (files jsonb_path_ops)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    description: p.string().length(256),
    /** Models that it is for; empty: any. */
    models: p.array().columnType('text[]').$type<string[]>(),
    /** Exactly one. */
    files: p.json<KeptFile[]>(),
    fileName: p.string().length(255),
    size: p.bigint('number'),
    /** Number of contents so far. */
    fileVersion: p.integer(),
    /** Version of the published state: each change increments it. */
    revision: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class ConfigFile extends ConfigFileSchema.class {}
ConfigFileSchema.setClass(ConfigFile);
