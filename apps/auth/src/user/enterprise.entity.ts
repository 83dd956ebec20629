import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** A company's contact details (enterprise setting). The row's id is the company's. */
const EnterpriseSchema = defineEntity({
  name: 'Enterprise',
  tableName: 'enterprise',
  ...tenant(),
  properties: {
    ...tenantProperties,
    contact: p.string().length(64),
    phone: p.string().length(32),
    address: p.string().length(256),
    website: p.string().length(256),
    updatedAt: instant(3),
  },
});
export class Enterprise extends EnterpriseSchema.class {}
EnterpriseSchema.setClass(Enterprise);
