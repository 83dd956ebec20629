import { p } from '@mikro-orm/postgresql';

/**
 * The one declaration of who sees a row. A table of a tenant spreads `tenantProperties` and `...tenant()` (with
 * `organization: true` when its rows belong to organizations): it becomes PostgreSQL's permissive policy for the
 * company and, restrictive beside it, the one for organizations. Two permissive policies would be ORed. The ORM adds no
 * `where` of its own (`default: false`): PostgreSQL alone decides, for raw SQL too.
 */
export const tenantProperties = {
  id: p.uuid().primary(),
  companyId: p.uuid(),
};

/**
 * Who sees all organizations of the company. In subqueries all three: evaluated once, not for each row
 * (docs/adr/0009-search-and-lists.md).
 */
export const seesAllSql = `(select current_setting('app.org_ids')) = '*'`;
/** Ids of the organizations that are seen; null for who sees all. */
export const ownOrganizationsSql = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
/** Who acts; null for the system. */
export const ownUserSql = `(select nullif(current_setting('app.user_id', true), '')::uuid)`;

/** `*` is all of the company; anything else the ids that the user may see. */
export const organizationPolicy = `(${seesAllSql} or org_id = any (${ownOrganizationsSql}::uuid[]))`;

/**
 * For what belongs to several organizations: seen by who sees all, by who made it and by who sees a row of `table`
 * about it.
 */
export const sharedPolicy = (
  of: string,
  { table, column, owner }: { table: string; column: string; owner: string },
): string =>
  `(${seesAllSql} or ${owner} = ${ownUserSql} or exists (select 1 from ${table} seen where seen.${column} = ${of}.id))`;

interface TenantOptions {
  /** Rows carry `orgId`, and a user sees those of his organizations only. */
  organization?: boolean;
  /** Rows belong to the organizations that rows of another table, which has `organization: true`, name for them. */
  shared?: { of: string; table: string; column: string; owner: string };
}

export function tenant(options: TenantOptions = {}) {
  return {
    rowLevelSecurity: 'force' as const,
    filters: {
      company: {
        name: 'company',
        default: false,
        args: true,
        rls: { setting: 'app.company_id' },
        cond: (args: { companyId: string }) => ({ companyId: args.companyId }),
      },
    },
    ...(options.organization
      ? {
          policies: [
            {
              name: 'organization',
              type: 'restrictive' as const,
              using: organizationPolicy,
              check: organizationPolicy,
            },
          ],
        }
      : {}),
    ...(options.shared
      ? {
          policies: [
            {
              name: 'organization',
              type: 'restrictive' as const,
              using: sharedPolicy(options.shared.of, options.shared),
              check: sharedPolicy(options.shared.of, options.shared),
            },
          ],
        }
      : {}),
  };
}
