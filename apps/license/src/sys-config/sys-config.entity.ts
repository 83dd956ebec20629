import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * A setting of the installation (spec, section 3, "System config"). A picture is bytes, a password sealed; what is not
 * there is the product's default.
 */
const SysConfigSchema = defineEntity({
  name: 'SysConfig',
  tableName: 'sys_config',
  properties: {
    key: p.string().length(32).primary(),
    value: p.json().nullable(),
    bytes: p.blob().nullable(),
    sealed: p.text().nullable(),
    version: p.integer(),
    editor: p.string().length(128),
    updatedAt: p.datetime(3),
  },
});
export class SysConfig extends SysConfigSchema.class {}
SysConfigSchema.setClass(SysConfig);
