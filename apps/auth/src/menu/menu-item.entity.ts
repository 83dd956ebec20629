import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** What a company's menu administrator changed in an entry of the product (`key`), or an entry that they added. */
const MenuItemSchema = defineEntity({
  name: 'MenuItemRow',
  tableName: 'menu_item',
  indexes: [{ name: 'menu_item_key', expression: 'create unique index menu_item_key on menu_item (company_id, key)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    key: p.string().length(64).strictNullable(),
    parent: p.string().length(64).strictNullable(),
    name: p.string().length(64).strictNullable(),
    path: p.string().length(512).strictNullable(),
    source: p.string().length(64).strictNullable(),
    sort: p.integer(),
    hidden: p.boolean(),
    keepAlive: p.boolean(),
    roleIds: p.array().columnType('uuid[]').strictNullable(),
    updatedAt: changedInstant(3),
  },
});
export class MenuItemRow extends MenuItemSchema.class {}
MenuItemSchema.setClass(MenuItemRow);
