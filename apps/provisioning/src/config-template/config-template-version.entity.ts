import { defineEntity, p } from '@mikro-orm/postgresql';
import type { SettingValues, TemplateKey } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** The values that a configuration template had in one of its versions (CFG-04). */
const ConfigTemplateVersionSchema = defineEntity({
  name: 'ConfigTemplateVersion',
  tableName: 'config_template_version',
  indexes: [
    {
      name: 'config_template_version_number',
      expression:
        'create unique index config_template_version_number on config_template_version (template_id, version)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    templateId: p.uuid(),
    version: p.integer(),
    values: p.json<SettingValues>(),
    locked: p.array().columnType('text[]').$type<TemplateKey[]>().defaultRaw(`'{}'`),
    /** Empty for the versions that were made before versions were kept. */
    author: p.string().length(128),
    reason: p.string().length(256),
    /** The version whose values it took again. */
    backTo: p.integer().strictNullable(),
    madeAt: instant(3),
  },
});
export class ConfigTemplateVersion extends ConfigTemplateVersionSchema.class {}
ConfigTemplateVersionSchema.setClass(ConfigTemplateVersion);
