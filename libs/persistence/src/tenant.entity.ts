import { p } from '@mikro-orm/postgresql';

/**
 * The one declaration of who sees a row. A table of a tenant spreads `tenantProperties` and `...tenant()` (with
 * `organization: true` when its rows belong to organizations): it becomes PostgreSQL's permissive policy for the company
 * and, restrictive beside it, the one for organizations. Two permissive policies would be ORed. The ORM adds no `where`
 * of its own (`default: false`): PostgreSQL alone decides, for raw SQL too.
 */
export const tenantProperties = {
  id: p.uuid().primary(),
  companyId: p.uuid(),
};

/** `*` is all of the company; anything else the ids that the user may see. */
export const organizationPolicy = `((select current_setting('app.org_ids')) = '*' or org_id = any ((select string_to_array(nullif(current_setting('app.org_ids'), '*'), ',')::uuid[])::uuid[]))`;

interface TenantOptions {
  /** Rows carry `orgId`, and a user sees those of his organizations only. */
  organization?: boolean;
}

export function tenant(options: TenantOptions = {}) {
  return {
    rowLevelSecurity: 'force' as const,
    filters: {
      company: {
        name: 'company', default: false, args: true, rls: { setting: 'app.company_id' },
        cond: (args: { companyId: string }) => ({ companyId: args.companyId }),
      },
    },
    ...(options.organization ? { policies: [{ name: 'organization', type: 'restrictive' as const, using: organizationPolicy, check: organizationPolicy }] } : {}),
  };
}
