import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Storage alarms that were published for a company (kind 2). Its id is the company's. */
const StorageSchema = defineEntity({
  name: 'Storage',
  tableName: 'storage',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** The alarm for low storage was published. */
    low: p.boolean(),
    /** The alarm for full storage was published: use must fall below this number of bytes before the next one. */
    fullBelow: p.bigint('number').strictNullable(),
  },
});
export class Storage extends StorageSchema.class {}
StorageSchema.setClass(Storage);
