import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { authAccess, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Copy of users' permissions, for tasks that run long after their order (decisions of the fleet, 12). */
export const CreatorCopy = defineEntity({
  name: 'CreatorCopy',
  tableName: 'creator_copy',
  properties: {
    ...tenantProperties,
    active: p.boolean(),
    permissions: p.json<string[]>(),
    allOrgs: p.boolean(),
    orgIds: p.array().columnType('uuid[]'),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant(),
});

@Controller()
export class CreatorProjection {
  @On(authAccess, ['access'])
  async copyAccess(messages: Message<typeof authAccess>[]): Promise<void> {
    await project(CreatorCopy, messages, ({ companyId, status, permissions, allOrgs = false, orgIds }) => ({
      companyId,
      active: status === 'normal',
      permissions,
      allOrgs,
      orgIds: allOrgs ? [] : orgIds,
    }));
  }
}

/**
 * SQL: the organizations in which task `t` may still change devices, in the form of `app.org_ids`: those of its order
 * that its creator `u` still sees. For an unknown creator those of the order.
 */
export const orderedOrgIdsSql = `
  coalesce(
    case
      when u.id is null or u.all_orgs then case
        when t.access ->> 'orgIds' = '*' then '*'
        else (select string_agg(x, ',') from jsonb_array_elements_text(t.access -> 'orgIds') x)
      end
      when t.access ->> 'orgIds' = '*' then array_to_string(u.org_ids, ',')
      else (
        select string_agg(x, ',')
        from jsonb_array_elements_text(t.access -> 'orgIds') x
        where x::uuid = any(u.org_ids)
      )
    end,
    ''
  )
`;
