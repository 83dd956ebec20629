import { currentSql } from '@carillon/persistence';
import { cameBack, deletedRows, keepDeleted } from '@carillon/service';

/**
 * What goes with an account: roles, second steps, links, logins elsewhere, tokens of programs. Sessions end for good.
 */
export const belongings = [
  'user_role',
  'totp',
  'recovery_code',
  'passkey',
  'oidc_link',
  'api_token',
  'account_link',
] as const;

interface KeptUser extends Record<(typeof belongings)[number], object[]> {
  user_account: { id: string; username: string };
}

const rowsSql = (table: string): string =>
  `(select coalesce(jsonb_agg(to_jsonb(x)), '[]') from ${table} x where x.user_id = u.id) as ${table}`;

export async function keepUser(id: string): Promise<void> {
  const { rows } = await currentSql().query<KeptUser>(
    `
      select to_jsonb(u) as user_account,
        ${belongings.map(rowsSql).join(', ')}
      from user_account u
      where u.id = $1
    `,
    [id],
  );
  await keepDeleted('user', id, rows[0]!);
}

/**
 * Users as they were, in what there still is of their roles and organizations, and with no token of before. Whose login
 * name or email somebody else has by now stays away, and may come back when that is mended.
 */
export async function bringBackUsers(ids: readonly string[]): Promise<{ back: string[]; taken: string[] }> {
  const [back, taken]: [string[], string[]] = [[], []];
  for (const kept of await deletedRows<KeptUser>('user', 'user_account', ids)) {
    const { rowCount } = await currentSql().query(
      `
        insert into user_account
        select n.*
        from jsonb_populate_record(null::user_account, $1::jsonb) r
        cross join lateral (
          select array(
            select o
            from unnest(r.org_ids) with ordinality x(o, n)
            where exists (select 1 from organization_copy c where c.id = o)
            order by n
          ) as ids
        ) still
        cross join lateral jsonb_populate_record(
          r,
          jsonb_build_object(
            'tokens_valid_after', now(), 'org_ids', still.ids, 'default_org_id',
            coalesce(
              (select c.id from organization_copy c where c.id = r.default_org_id), still.ids[1],
              (select c.id from organization_copy c order by lower(c.name), c.id limit 1), r.default_org_id
            )
          )
        ) n
        on conflict do nothing
        returning id
      `,
      [JSON.stringify(kept.user_account)],
    );
    (rowCount === 0 ? taken : back).push(rowCount === 0 ? kept.user_account.username : kept.user_account.id);
    if (rowCount === 0) continue;
    for (const table of belongings) {
      const still = table === 'user_role' ? 'where exists (select 1 from role o where o.id = r.role_id)' : '';
      await currentSql().query(
        `
          insert into ${table}
          select r.*
          from jsonb_populate_recordset(null::${table}, $1::jsonb) r ${still}
          on conflict do nothing
        `,
        [JSON.stringify(kept[table])],
      );
    }
  }
  await cameBack(back);
  return { back, taken };
}

/** Who would come back to one organization comes back to the other (ORG-01). */
export async function moveDeletedUsers(fromId: string, toId: string): Promise<void> {
  await currentSql().query(
    `
      update deleted
      set row = row || jsonb_build_object(
        'user_account',
        row->'user_account' || jsonb_build_object(
          'org_ids',
          (
            select coalesce(jsonb_agg(distinct case when o = $1 then $2 else o end), '[]')
            from jsonb_array_elements_text(row->'user_account'->'org_ids') o
          ),
          'default_org_id',
          case when row->'user_account'->>'default_org_id' = $1 then $2 else row->'user_account'->>'default_org_id'
            end
        )
      )
      where kind = 'user'
        and (row->'user_account'->'org_ids' ? $1::text or row->'user_account'->>'default_org_id' = $1::text)
    `,
    [fromId, toId],
  );
}
