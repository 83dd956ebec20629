import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** Bytes that a company stores once, however often they are uploaded. Its id is the key of the driver. */
const StoredFileSchema = defineEntity({
  name: 'StoredFile',
  tableName: 'stored_file',
  indexes: [
    {
      name: 'stored_file_sha256',
      expression: 'create unique index stored_file_sha256 on stored_file (company_id, sha256)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    sha256: p.string().length(64),
    size: p.bigint('number'),
    /** When something last began to need it. Unused bytes are deleted a while later. */
    usedAt: instant(3),
  },
});
export class StoredFile extends StoredFileSchema.class {}
StoredFileSchema.setClass(StoredFile);
