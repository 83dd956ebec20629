import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ResourceType } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { KeptFile } from '../upload/upload.queries.ts';

/** Files that phones and doors load besides their firmware (STORE-03). They belong to the whole company. */
const ResourceFileSchema = defineEntity({
  name: 'ResourceFile',
  tableName: 'resource_file',
  indexes: [
    {
      name: 'resource_file_name',
      expression: 'create unique index resource_file_name on resource_file (company_id, lower((name)::text))',
    },
    {
      name: 'resource_file_files',
      expression: 'create index resource_file_files on resource_file using gin (files jsonb_path_ops)',
    },
    {
      name: 'resource_file_untold',
      expression: 'create index resource_file_untold on resource_file (id) where (revision = 0)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    type: p.string().$type<ResourceType>().length(16),
    description: p.string().length(256),
    files: p.json<KeptFile[]>(),
    /** Separated by semicolons (STORE-03). */
    fileNames: p.text(),
    size: p.bigint('number'),
    updatedAt: changedInstant(3),
    /** Version of the published state: each change increments it; 0: not published yet. */
    revision: p.integer().default(0),
  },
});
export class ResourceFile extends ResourceFileSchema.class {}
ResourceFileSchema.setClass(ResourceFile);
