import { p } from '@mikro-orm/postgresql';

/**
 * Declares who may see a row. A tenant's table spreads `tenantProperties` and `...tenant()` (with `organization: true`
 * when its rows belong to organizations): it becomes a permissive policy for the company and a restrictive one for
 * organizations, because PostgreSQL would OR two permissive ones. The ORM adds no `where` of its own (`default:
 * false`): PostgreSQL alone decides, for raw SQL too.
 */
export const tenantProperties = {
  id: p.uuid().primary(),
  companyId: p.uuid(),
};

/**
 * SQL: whether the user sees all organizations of the company. The three expressions are subqueries, so that they are
 * evaluated once instead of per row (docs/adr/0009-search-and-lists.md).
 */
export const seesAllSql = `(select current_setting('app.org_ids')) = '*'`;
/** SQL: ids of the visible organizations; null for a user who sees all. */
export const ownOrganizationsSql = `(select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])`;
/** SQL: id of the acting user; null for the system. */
export const ownUserSql = `(select nullif(current_setting('app.user_id', true), '')::uuid)`;

/** `*` is the whole company; anything else is the list of visible ids. */
export const organizationPolicy = `(${seesAllSql} or org_id = any (${ownOrganizationsSql}::uuid[]))`;

/**
 * Policy of an object that belongs to several organizations: visible to users who see all, to its creator, and to users
 * who see a row of `table` about it.
 */
export const sharedPolicy = (
  row: string,
  { table, column, owner }: { table: string; column: string; owner: string },
): string => {
  const seen = `exists (select 1 from ${table} seen where seen.${column} = ${row}.id)`;
  return `(${seesAllSql} or ${owner} = ${ownUserSql} or ${seen})`;
};

interface TenantOptions {
  /** Rows have `orgId`, and a user sees only those of their organizations. */
  organization?: boolean;
  /** Rows belong to the organizations named by rows of another table, which has `organization: true`. */
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
