import { defineEntity, p } from '@mikro-orm/postgresql';
import type { SettingValues, TemplateKey, TemplateLevel } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** Settings for all devices of a company or for some of them (CFG-01). They belong to the whole company. */
const ConfigTemplateSchema = defineEntity({
  name: 'ConfigTemplate',
  tableName: 'config_template',
  indexes: [
    {
      name: 'config_template_name',
      expression: 'create unique index config_template_name on config_template (company_id, lower((name)::text))',
    },
    {
      name: 'config_template_target',
      expression:
        "create unique index config_template_target on config_template (company_id, level, coalesce(target, ''::character varying))",
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    description: p.string().length(256),
    level: p.string().$type<TemplateLevel>().length(16),
    /** Name of a model or series; id of an organization, site, group or device; null for all devices. */
    target: p.string().length(64).strictNullable(),
    values: p.json<SettingValues>(),
    /** Settings that win over every other level, and over every level of the companies below; for all devices only. */
    locked: p.array().columnType('text[]').$type<TemplateKey[]>().defaultRaw(`'{}'`),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class ConfigTemplate extends ConfigTemplateSchema.class {}
ConfigTemplateSchema.setClass(ConfigTemplate);
