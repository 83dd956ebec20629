import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { User } from '../user/user.entity.ts';

const user = columns(
  User,
  'u',
  [
    'id',
    'companyId',
    'username',
    'nickname',
    'status',
    'passwordHash',
    'defaultOrgId',
    'timezoneId',
    'countryId',
    'avatar',
    'email',
    'mustChangePassword',
  ],
  {
    /** As org told it last. */
    companyStatus: computed<string>(
      `coalesce((select c.status from company_copy c where c.id = u.company_id), 'normal')`,
    ),
  },
);
export type LoginUser = RowOf<typeof user>;

/** Whose name or email this is, in any company: a login does not say its company. */
export async function findByName(name: string): Promise<LoginUser | undefined> {
  const [found] = await currentSql().rows(
    user,
    `
      select ${user}
      from user_account u
      where lower(u.username) = lower($1) or lower(u.email) = lower($1)
      order by lower(u.username) = lower($1) desc
      limit 1
    `,
    [name],
  );
  return found;
}

export async function findUser(id: string): Promise<LoginUser | undefined> {
  return (await currentSql().rows(user, `select ${user} from user_account u where u.id = $1`, [id]))[0];
}

export async function isLocked(nameHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    'select 1 as one from login_failure where name_hash = $1 and locked_until > $2',
    [nameHash, now],
  );
  return rowCount > 0;
}

/** Failed logins of a name that still count. */
export async function failuresOf(nameHash: Buffer, since: Date): Promise<number> {
  const { rows } = await currentSql().query<{ failures: number }>(
    `
      select (select count(*)::int from unnest(failed_at) t where t > $2) as failures
      from login_failure
      where name_hash = $1
    `,
    [nameHash, since],
  );
  return rows[0]?.failures ?? 0;
}

/**
 * Counts one failure in one statement, so that parallel ones are all counted. Answers whether the name is locked now.
 */
export async function countFailure(
  nameHash: Buffer,
  now: Date,
  limits: { failures: number; windowSeconds: number; lockSeconds: number },
): Promise<boolean> {
  const since = new Date(now.getTime() - limits.windowSeconds * 1000);
  const until = new Date(now.getTime() + limits.lockSeconds * 1000);
  const { rows } = await currentSql().query<{ locked: boolean }>(
    `
      insert into login_failure as f (name_hash, failed_at, locked_until)
      values ($1, array[$2::timestamptz], case when $4::int <= 1 then $5::timestamptz end)
      on conflict (name_hash) do update set failed_at = array(
        select t
        from unnest(f.failed_at) t
        where t > $3
        order by t desc
        limit $4::int - 1
      ) || $2::timestamptz,
        locked_until = case when f.locked_until > $2 then f.locked_until when (
          select count(*) from unnest(f.failed_at) t where t > $3
        ) >= $4::int - 1 then $5 end
      returning coalesce(locked_until > $2, false) as locked
    `,
    [nameHash, now, since, limits.failures, until],
  );
  return rows[0]!.locked;
}

/** Marks the account of a lock that has just come; false when it was marked already. */
export async function markLocked(userId: string, nameHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
    update user_account u set locked_until = f.locked_until from login_failure f
    where f.name_hash = $2 and u.id = $1 and f.locked_until > $3 and u.locked_until is distinct from f.locked_until`,
    [userId, nameHash, now],
  );
  return rowCount > 0;
}

/** Takes the count back, but no lock that has come meanwhile. */
export async function forgetFailures(nameHash: Buffer, now: Date): Promise<void> {
  await currentSql().query(
    'delete from login_failure where name_hash = $1 and (locked_until is null or locked_until <= $2)',
    [nameHash, now],
  );
}

/** Names that nobody tried for a day. */
export async function forgetOldFailures(before: Date): Promise<number> {
  return (
    await currentSql().query(
      'delete from login_failure where not exists (select from unnest(failed_at) t where t > $1)',
      [before],
    )
  ).rowCount;
}

export async function storeLogin(userId: string, now: Date, newHash: string | undefined): Promise<void> {
  await currentSql().query(
    'update user_account set last_login_at = $2, password_hash = coalesce($3, password_hash) where id = $1',
    [userId, now, newHash ?? null],
  );
}
