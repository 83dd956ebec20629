import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * An upload, which belongs to its uploader. The driver knows how much has arrived, so that a crash cannot leave a wrong
 * number.
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
    /** The noun it is for. */
    noun: p.string().length(32),
    name: p.string().length(255),
    size: p.bigint('number'),
    /** Null until it is complete and passed its check. */
    storedId: p.uuid().strictNullable(),
    /** Who receives a part now, and until when that is assumed without a renewal. */
    writer: p.uuid().strictNullable(),
    writingUntil: instant(3).strictNullable(),
    expiresAt: instant(3),
  },
});
export class Upload extends UploadSchema.class {}
UploadSchema.setClass(Upload);
