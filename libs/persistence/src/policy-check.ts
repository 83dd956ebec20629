import { currentSql } from './transaction.ts';

/** Tables that deliberately have no tenant: those of the bus and of the migrations. */
export const systemTables = ['migration', 'outbox', 'inbox'];

/**
 * Checks the policies in the database: every table outside of `untenanted` must have forced row security, exactly one
 * permissive policy that names the company, and otherwise only restrictive ones. Returns the violations as sentences.
 */
export async function checkPolicies(untenanted: readonly string[]): Promise<string[]> {
  const { rows } = await currentSql().query<{
    name: string;
    enabled: boolean;
    forced: boolean;
    owner: boolean;
    permissive: string[];
    restrictive: string[];
  }>(`
    select c.relname as name, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      pg_get_userbyid(c.relowner) = current_user as owner,
      coalesce(array_agg(p.qual) filter (where p.permissive = 'PERMISSIVE'), '{}') as permissive,
      coalesce(array_agg(p.policyname::text) filter (where p.permissive = 'RESTRICTIVE'), '{}') as restrictive
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_policies p on p.schemaname = n.nspname and p.tablename = c.relname
    where n.nspname = 'public' and c.relkind in ('r', 'p')
    group by c.oid
    order by c.relname
  `);
  const known = new Set([...systemTables, ...untenanted]);
  return rows.flatMap((t) => {
    if (t.owner) return [`${t.name}: owned by the application role`];
    if (known.has(t.name)) return [];
    const wrong: string[] = [];
    if (!t.enabled || !t.forced) wrong.push(`${t.name}: row level security is not forced`);
    if (t.permissive.length !== 1) wrong.push(`${t.name}: ${t.permissive.length} permissive policies instead of one`);
    else if (!t.permissive[0]!.includes('app.company_id'))
      wrong.push(`${t.name}: its policy does not read the company`);
    return wrong;
  });
}
