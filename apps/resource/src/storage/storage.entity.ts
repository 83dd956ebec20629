import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Of which alarms of its storage a company was told (kind 2). Its id is the company's. */
const StorageSchema = defineEntity({
  name: 'Storage',
  tableName: 'storage',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** That it is low. */
    low: p.boolean(),
    /** That it is full, or was too full for an upload: bytes that the use has to fall below to be told again. */
    fullBelow: p.bigint('number').strictNullable(),
  },
});
export class Storage extends StorageSchema.class {}
StorageSchema.setClass(Storage);
