import { currentSql, iso, uuidv7 } from '@carillon/persistence';

export interface ApiTokenRow {
  id: string;
  companyId: string;
  userId: string;
  name: string;
  scopes: string[];
  hash: Buffer;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
  revokedAt: string | null;
}

const columns = `
  t.id, t.company_id as "companyId", t.user_id as "userId", t.name, t.scopes, t.hash, u.username as "createdBy",
  t.created_at as "createdAt", t.expires_at as "expiresAt", t.revoked_at as "revokedAt"
`;
const plain = (r: ApiTokenRow): ApiTokenRow => ({
  ...r,
  createdAt: iso(r.createdAt)!,
  expiresAt: iso(r.expiresAt)!,
  revokedAt: iso(r.revokedAt),
});

export async function tokensOfCompany(): Promise<ApiTokenRow[]> {
  return (
    await currentSql().query<ApiTokenRow>(
      `
        select ${columns}
        from api_token t
        join user_account u on u.id = t.user_id
        order by t.created_at desc, t.id desc
        limit 500
      `,
    )
  ).rows.map(plain);
}

export async function insertToken(
  token: { companyId: string; userId: string; name: string; scopes: readonly string[]; hash: Buffer; expiresAt: Date },
  now: Date,
): Promise<string> {
  const id = uuidv7();
  await currentSql().query(
    `
      insert into api_token (id, company_id, user_id, name, scopes, hash, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
    `,
    [id, token.companyId, token.userId, token.name, [...token.scopes], token.hash, now, token.expiresAt],
  );
  return id;
}

/** Revokes one, or all when none is named; answers those that were not revoked before. */
export async function revokeTokens(id: string | undefined, now: Date): Promise<ApiTokenRow[]> {
  return (
    await currentSql().query<ApiTokenRow>(
      `
        update api_token t
        set revoked_at = $2
        from user_account u
        where u.id = t.user_id and t.revoked_at is null and ($1::uuid is null or t.id = $1)
        returning ${columns}
      `,
      [id ?? null, now],
    )
  ).rows.map(plain);
}

/** Those that may still be used, of all companies that the session sees. */
export async function liveTokens(now: Date): Promise<ApiTokenRow[]> {
  return (
    await currentSql().query<ApiTokenRow>(
      `
        select ${columns}
        from api_token t
        join user_account u on u.id = t.user_id
        where t.revoked_at is null and t.expires_at > $1
      `,
      [now],
    )
  ).rows.map(plain);
}

export async function apiOpen(): Promise<boolean> {
  return (
    (await currentSql().query<{ open: boolean }>('select api_open as open from company_login')).rows[0]?.open ?? false
  );
}

export async function setApiOpen(companyId: string, open: boolean, now: Date): Promise<void> {
  await currentSql().query(
    `
    insert into company_login as c (id, company_id, api_open, updated_at) values ($1, $1, $2, $3)
    on conflict (id) do update set api_open = excluded.api_open, updated_at = excluded.updated_at`,
    [companyId, open, now],
  );
}
