import { column, columns, currentSql, type RowOf } from '@carillon/persistence';
import { CompanyLogin } from '../two-step/two-step.entity.ts';
import { User } from '../user/user.entity.ts';
import { heldSql } from '../user/user-scope.ts';
import { ApiToken } from './api-token.entity.ts';

/** Of a token `t` and its user `u`. */
const token = columns(
  ApiToken,
  't',
  ['id', 'companyId', 'userId', 'name', 'scopes', 'hash', 'createdAt', 'expiresAt', 'revokedAt'],
  { createdBy: column(User, 'u', 'username') },
);
export type ApiTokenRow = RowOf<typeof token>;

/** Of makers whose organizations are all among these; null is all there are. */
export async function tokensOfCompany(orgIds: readonly string[] | null): Promise<ApiTokenRow[]> {
  return currentSql().rows(
    token,
    `
      select ${token}
      from api_token t
      join user_account u on u.id = t.user_id
      where ${heldSql('$1')}
      order by t.created_at desc, t.id desc
      limit 500
    `,
    [orgIds],
  );
}

/** Revokes one, or all when none is named, of such makers; returns those that were not revoked before. */
export async function revokeTokens(
  id: string | undefined,
  orgIds: readonly string[] | null,
  now: Date,
): Promise<ApiTokenRow[]> {
  return currentSql().rows(
    token,
    `
      update api_token t
      set revoked_at = $2
      from user_account u
      where u.id = t.user_id and t.revoked_at is null and ($1::uuid is null or t.id = $1)
        and ${heldSql('$3')}
      returning ${token}
    `,
    [id ?? null, now, orgIds],
  );
}

/** Those that may still be used, of all companies that the session sees. */
export async function liveTokens(now: Date): Promise<ApiTokenRow[]> {
  return currentSql().rows(
    token,
    `
      select ${token}
      from api_token t
      join user_account u on u.id = t.user_id
      where t.revoked_at is null and t.expires_at > $1
    `,
    [now],
  );
}

const door = columns(CompanyLogin, 'c', ['apiOpen']);

export async function apiOpen(): Promise<boolean> {
  const [login] = await currentSql().rows(door, `select ${door} from company_login c`);
  return login?.apiOpen ?? false;
}

export async function setApiOpen(companyId: string, open: boolean, now: Date): Promise<void> {
  await currentSql().query(
    `
    insert into company_login as c (id, company_id, api_open, updated_at) values ($1, $1, $2, $3)
    on conflict (id) do update set api_open = excluded.api_open, updated_at = excluded.updated_at`,
    [companyId, open, now],
  );
}
