import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ResourceType } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';
import type { KeptFile } from '../upload/upload.queries.ts';

/** What phones and doors load beside their firmware (spec, section 3). It belongs to the whole company. */
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
    /** Split by semicolon (spec, section 5). */
    fileNames: p.text(),
    size: p.bigint('number'),
    updatedAt: changedInstant(3),
    /** Of what others were told of it: each change has one more; 0: nobody was told yet. */
    revision: p.integer().default(0),
  },
});
export class ResourceFile extends ResourceFileSchema.class {}
ResourceFileSchema.setClass(ResourceFile);
