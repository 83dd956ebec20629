import { alphabetic, currentSql } from '@carillon/persistence';
import { cameBack, deletedRows, keepDeleted } from '@carillon/service';

/**
 * Tables whose rows are deleted with an account: roles, second steps, links, provider logins, API tokens. Sessions end
 * for good.
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
 * Restores users with those of their roles and organizations that still exist; earlier tokens stay invalid. A user
 * whose login name or email is taken by now is not restored, but can be once it is free.
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
              (select c.id from organization_copy c order by ${alphabetic('c.name')}, c.id limit 1), r.default_org_id
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

/** Moves deleted users of one organization to the other, so that they are restored there (ORG-01). */
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
