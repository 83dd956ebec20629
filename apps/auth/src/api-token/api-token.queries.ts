import type { listApiTokens, RouteInput, RouteReturn } from '@carillon/contracts';
import {
  alphabetic,
  column,
  columnNames,
  columns,
  computed,
  currentSql,
  filterBy,
  type RowOf,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { CompanyLogin } from '../two-step/two-step.entity.ts';
import { User } from '../user/user.entity.ts';
import { heldSql } from '../user/user-scope.ts';
import { ApiToken } from './api-token.entity.ts';

/** Columns of a token `t` and its user `u`. */
const token = columns(
  ApiToken,
  't',
  ['id', 'companyId', 'userId', 'name', 'scopes', 'hash', 'createdAt', 'expiresAt', 'revokedAt'],
  { createdBy: column(User, 'u', 'username') },
);
export type ApiTokenRow = RowOf<typeof token>;

const names = columnNames(ApiToken, 't');
const maker = columnNames(User, 'u');
const stateSql = `
  case when t.revoked_at is not null then 'revoked' when t.expires_at <= now() then 'expired' else 'active' end
`;
const record = columns(ApiToken, 't', ['id', 'name', 'scopes', 'createdAt', 'expiresAt'], {
  createdBy: column(User, 'u', 'username'),
  state: computed<RouteReturn<typeof listApiTokens>['records'][number]['state']>(stateSql),
});
const filterColumns = {
  name: filterBy.text(names.name),
  state: filterBy.text(`(${stateSql})`),
  createdBy: filterBy.text(maker.username),
  createdAt: filterBy.moment(names.createdAt),
  expiresAt: filterBy.moment(names.expiresAt),
};
const sorts = {
  name: alphabetic(names.name),
  state: `(${stateSql})`,
  createdBy: alphabetic(maker.username),
  createdAt: names.createdAt,
  expiresAt: names.expiresAt,
};

/** Returns a page of the tokens of users whose organizations are all among `orgIds`; null means every organization. */
export async function pageOfTokens(
  query: RouteInput<typeof listApiTokens>['query'],
  orgIds: readonly string[] | null,
): Promise<RouteReturn<typeof listApiTokens>> {
  return readPage({
    query,
    record,
    from: 'api_token t join user_account u on u.id = t.user_id',
    values: [orgIds],
    searched: [names.name, maker.username],
    filters: filterColumns,
    where: () => [heldSql('$1')],
    sorts,
    order: `${names.createdAt} desc, ${names.id} desc`,
  });
}

/**
 * Revokes one token, or all when no id is given, of users whose organizations are all among `orgIds`. Returns the
 * tokens that it revoked.
 */
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

/** Revokes all tokens of some users. Returns the tokens that it revoked. */
export async function revokeTokensOf(userIds: readonly string[]): Promise<ApiTokenRow[]> {
  return currentSql().rows(
    token,
    `
      update api_token t
      set revoked_at = now()
      from user_account u
      where u.id = t.user_id and t.user_id = any($1::uuid[]) and t.revoked_at is null
      returning ${token}
    `,
    [[...userIds]],
  );
}

/** Returns the usable tokens of all companies that the session sees. */
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
