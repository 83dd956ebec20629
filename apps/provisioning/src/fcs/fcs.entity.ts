import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventData, licenseConfig } from '@carillon/contracts';
import { tenant, tenantProperties } from '@carillon/persistence';

/** FCS in the installation, copied from `license.config.v1`: whether it is used, and its servers. One row or none. */
const FcsSettingSchema = defineEntity({
  name: 'FcsSetting',
  tableName: 'fcs_setting',
  properties: {
    key: p.string().length(32).primary(),
    setting: p.json<EventData<typeof licenseConfig, 'fcs'>>(),
    version: p.bigint('number'),
  },
});
export class FcsSetting extends FcsSettingSchema.class {}
FcsSettingSchema.setClass(FcsSetting);

/** What a company may have of FCS, from `org.company.v1`, and how many accounts it has. */
const CompanyCopySchema = defineEntity({
  name: 'CompanyCopy',
  tableName: 'company_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    fcsEnabled: p.boolean(),
    /** Without what it has given on to its channels. */
    fcsLimit: p.integer(),
    fcsUsed: p.integer(),
    /** Rises with each change of what is used. */
    useVersion: p.integer().default(0),
    fcsUrl: p.string().length(256),
    fcsDomain: p.string().length(253),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
export class CompanyCopy extends CompanyCopySchema.class {}
CompanyCopySchema.setClass(CompanyCopy);
