import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/**
 * A device that may load the phonebook; its id is the device's. The token is not stored: it is derived from a key that
 * no backup contains, and from the version, which a renewal raises.
 */
export const PhonebookLink = defineEntity({
  name: 'PhonebookLink',
  tableName: 'phonebook_link',
  ...tenant(),
  properties: { ...tenantProperties, version: p.integer(), loadedAt: instant(3).strictNullable() },
});
