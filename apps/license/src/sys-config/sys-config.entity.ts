import { defineEntity, p } from '@mikro-orm/postgresql';
import type { ConfigKey } from '@carillon/contracts';
import { changedInstant } from '@carillon/persistence';

/**
 * A setting of the installation (SYS-01): pictures as bytes, passwords sealed. A missing row
 * means the product's default.
 */
const SysConfigSchema = defineEntity({
  name: 'SysConfig',
  tableName: 'sys_config',
  properties: {
    key: p.string().$type<ConfigKey>().length(32).primary(),
    value: p.json<unknown>().strictNullable(),
    bytes: p.blob().$type<Buffer>().strictNullable(),
    sealed: p.text().strictNullable(),
    version: p.integer(),
    editor: p.string().length(128),
    updatedAt: changedInstant(3),
  },
});
export class SysConfig extends SysConfigSchema.class {}
SysConfigSchema.setClass(SysConfig);
