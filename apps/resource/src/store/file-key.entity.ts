import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** The key of a file whose bytes are sealed. Its id is the file's; a file without one is stored as uploaded. */
const FileKeySchema = defineEntity({
  name: 'FileKey',
  tableName: 'file_key',
  indexes: [
    { name: 'file_key_object', expression: 'create unique index file_key_object on file_key (object_id)' },
    { name: 'file_key_company', expression: 'create index file_key_company on file_key (company_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** The sealed bytes in the store; differs from the file's id when it was stored plainly before. */
    objectId: p.uuid(),
    /** A ciphertext of `CompanySecrets`. */
    sealed: p.text(),
    madeAt: instant(3),
  },
});
export class FileKey extends FileKeySchema.class {}
FileKeySchema.setClass(FileKey);
