import { defineEntity, p } from '@mikro-orm/postgresql';
import type { EventData, licenseConfig } from '@carillon/contracts';
import { tenant, tenantProperties } from '@carillon/persistence';

/**
 * The installation's FCS setting, copied from `license.config.v1`: whether it is enabled, and its servers. At most one
 * row.
 */
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

/** A company's place in the tree and its FCS limits, from `org.company.v1`, and its number of accounts. */
const CompanyCopySchema = defineEntity({
  name: 'CompanyCopy',
  tableName: 'company_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    /** Both empty in a copy from the release before, until the company is published again. */
    name: p.string().length(128).default(''),
    /** Ids from the installation's own company down to this one: `/a/b/`. */
    path: p.text().default(''),
    fcsEnabled: p.boolean(),
    /** Without the part that was given to its channels. */
    fcsLimit: p.integer(),
    fcsUsed: p.integer(),
    /** Rises with each change of `fcsUsed`. */
    useVersion: p.integer().default(0),
    fcsUrl: p.string().length(256),
    fcsDomain: p.string().length(253),
    /** Whether its users may work. */
    open: p.boolean().default(true),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
export class CompanyCopy extends CompanyCopySchema.class {}
CompanyCopySchema.setClass(CompanyCopy);
