import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Companies that exist, from `org.company.v1`: news for all are sent to each. */
const CompanyCopySchema = defineEntity({
  name: 'CompanyCopy',
  tableName: 'company_copy',
  ...tenant(),
  properties: { ...tenantProperties, version: p.bigint('number'), era: p.integer() },
});
export class CompanyCopy extends CompanyCopySchema.class {}
CompanyCopySchema.setClass(CompanyCopy);
