import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A named set of keys of the permission tree (ROLE-01). */
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
    /**
     * The seeded role that it began as, and the permissions that existed when it was last updated for a new version.
     */
    builtIn: p.string().length(32).strictNullable(),
    knownKeys: p.array().defaultRaw("'{}'"),
    updatedAt: changedInstant(3),
  },
});
export class Role extends RoleSchema.class {}
RoleSchema.setClass(Role);
