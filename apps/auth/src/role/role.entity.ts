import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** Keys of the permission tree under a name (spec, section 6). */
const RoleSchema = defineEntity({
  name: 'Role',
  tableName: 'role',
  indexes: [
    { name: 'role_name', expression: 'create unique index role_name on role (company_id, lower((name)::text))' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    description: p.text(),
    permissions: p.array(),
    /** Which of the seeded roles it began as, and the rights that there were when it was last brought up to date. */
    builtIn: p.string().length(32).strictNullable(),
    knownKeys: p.array().defaultRaw("'{}'"),
    updatedAt: changedInstant(3),
  },
});
export class Role extends RoleSchema.class {}
RoleSchema.setClass(Role);
