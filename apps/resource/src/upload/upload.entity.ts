import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * A file on its way, its uploader's own. How much of it has come is what the driver says: a crash leaves no other
 * number behind.
 */
const UploadSchema = defineEntity({
  name: 'Upload',
  tableName: 'upload',
  indexes: [
    { name: 'upload_user', expression: 'create index upload_user on upload (user_id)' },
    { name: 'upload_expires', expression: 'create index upload_expires on upload (expires_at)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    userId: p.uuid(),
    /** What it is for. */
    noun: p.string().length(32),
    name: p.string().length(255),
    size: p.bigint('number'),
    /** Null until it is whole and was found good. */
    storedId: p.uuid().strictNullable(),
    /** Who receives a part of it now, and until when that is believed without a sign of life. */
    writer: p.uuid().strictNullable(),
    writingUntil: instant(3).strictNullable(),
    expiresAt: instant(3),
  },
});
export class Upload extends UploadSchema.class {}
UploadSchema.setClass(Upload);
