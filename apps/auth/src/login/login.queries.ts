import { toLoginName } from '@carillon/contracts/login-name';
import { columnNames, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { LoginFailure } from './login-failure.entity.ts';
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
    'zoneChosen',
    'countryId',
    'avatar',
    'email',
    'mustChangePassword',
  ],
  {
    /** The latest status that org published. */
    companyStatus: computed<string>(
      `coalesce((select c.status from company_copy c where c.id = u.company_id), 'normal')`,
    ),
    createSubLimit: computed<number>(
      'coalesce((select c.create_sub_limit from company_copy c where c.id = u.company_id), 0)',
    ),
    fcsLimit: computed<number>('coalesce((select c.fcs_limit from company_copy c where c.id = u.company_id), 0)'),
  },
);
export type LoginUser = RowOf<typeof user>;
const failure = columnNames(LoginFailure, 'f');

/** Finds a user by name or email, in any company and in any letter case: a login does not name its company. */
export async function findByName(name: string): Promise<LoginUser | undefined> {
  const [found] = await currentSql().rows(
    user,
    `
      select ${user}
      from user_account u
      where lower(u.username) in (lower($1), lower($2)) or lower(u.email) = lower($1)
      order by lower(u.username) = lower($1) desc, lower(u.username) = lower($2) desc
      limit 1
    `,
    [name, toLoginName(name)],
  );
  return found;
}

export async function findUser(id: string): Promise<LoginUser | undefined> {
  return (await currentSql().rows(user, `select ${user} from user_account u where u.id = $1`, [id]))[0];
}

/** Returns whether a user's password is still the same, and keeps it so until the running transaction ends. */
export async function holdPassword({ id, passwordHash }: LoginUser): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `select 1 as one from user_account where id = $1 and password_hash = $2 and status = 'normal' for share`,
    [id, passwordHash],
  );
  return rowCount > 0;
}

export async function isLocked(nameHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    'select 1 as one from login_failure where name_hash = $1 and locked_until > $2',
    [nameHash, now],
  );
  return rowCount > 0;
}

/** Returns how many failed logins of a name still count. */
export async function failuresOf(nameHash: Buffer, since: Date): Promise<number> {
  const failed = columns(LoginFailure, 'f', [], {
    times: computed<number>(`(select count(*)::int from unnest(${failure.failedAt}) t where t > $2)`),
  });
  const sql = `select ${failed} from login_failure f where ${failure.nameHash} = $1`;
  return (await currentSql().rows(failed, sql, [nameHash, since]))[0]?.times ?? 0;
}

interface Limits {
  failures: number;
  windowSeconds: number;
  lockSeconds: number;
}
const ago = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000);

/**
 * Counts a failure under the name as typed, before anything is checked, and returns how many there were before. Only
 * captchas depend on this count, never a lock.
 */
export async function countTyped(nameHash: Buffer, now: Date, limits: Limits): Promise<number> {
  const counted = columns(LoginFailure, 'f', [], {
    before: computed<number>(`cardinality(${failure.failedAt}) - 1`),
  });
  const [row] = await currentSql().rows(
    counted,
    `
      insert into login_failure as f (name_hash, failed_at)
      values ($1, array[$2::timestamptz])
      on conflict (name_hash) do update set failed_at = array(
        select t
        from unnest(f.failed_at) t
        where t > $3
        order by t desc
        limit $4::int
      ) || $2::timestamptz
      returning ${counted}
    `,
    [nameHash, now, ago(now, limits.windowSeconds), limits.failures],
  );
  return row!.before;
}

/**
 * Counts an attempt atomically. Returns false when the account is locked or has no attempt left, so of any number of
 * parallel calls at most the limit succeed. Failures from before an expired lock no longer count.
 */
export async function takeTry(nameHash: Buffer, now: Date, limits: Limits): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      insert into login_failure as f (name_hash, failed_at)
      values ($1, array[$2::timestamptz])
      on conflict (name_hash) do update set locked_until = null, failed_at = array(
        select t from unnest(f.failed_at) t where t > $3 and f.locked_until is null order by t
      ) || $2::timestamptz
      where f.locked_until <= $2 or (
        f.locked_until is null and (select count(*) from unnest(f.failed_at) t where t > $3) < $4::int
      )
      returning 1 as one
    `,
    [nameHash, now, ago(now, limits.windowSeconds), limits.failures],
  );
  return rowCount > 0;
}

/** Removes one attempt with this timestamp from the count. */
export async function giveTryBack(nameHash: Buffer, at: Date): Promise<void> {
  await currentSql().query(
    `
      update login_failure f
      set failed_at = failed_at[:array_position(failed_at, $2::timestamptz) - 1] ||
        failed_at[array_position(failed_at, $2::timestamptz) + 1:]
      where name_hash = $1 and $2::timestamptz = any (failed_at)
    `,
    [nameHash, at],
  );
}

/** Locks the name when no attempt is left. Returns whether it is locked now. */
export async function lockAfterTries(nameHash: Buffer, now: Date, limits: Limits): Promise<boolean> {
  const outcome = columns(LoginFailure, 'f', [], {
    locked: computed<boolean>(`coalesce(${failure.lockedUntil} > $2, false)`),
  });
  const [row] = await currentSql().rows(
    outcome,
    `
      update login_failure f
      set locked_until = case when f.locked_until > $2 then f.locked_until when (
        select count(*) from unnest(f.failed_at) t where t > $3
      ) >= $4::int then $5::timestamptz end
      where name_hash = $1
      returning ${outcome}
    `,
    [
      nameHash,
      now,
      ago(now, limits.windowSeconds),
      limits.failures,
      new Date(now.getTime() + limits.lockSeconds * 1000),
    ],
  );
  return row?.locked ?? false;
}

/** Stores a new lock in its account. Returns false when it was stored already. */
export async function markLocked(userId: string, nameHash: Buffer, now: Date): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
    update user_account u set locked_until = f.locked_until from login_failure f
    where f.name_hash = $2 and u.id = $1 and f.locked_until > $3 and u.locked_until is distinct from f.locked_until`,
    [userId, nameHash, now],
  );
  return rowCount > 0;
}

/** Resets the count, but keeps a lock that has started since. */
export async function forgetFailures(nameHash: Buffer, now: Date): Promise<void> {
  await currentSql().query(
    'delete from login_failure where name_hash = $1 and (locked_until is null or locked_until <= $2)',
    [nameHash, now],
  );
}

/** Deletes names without a failure since `before`. */
export async function forgetOldFailures(before: Date): Promise<number> {
  return (
    await currentSql().query(
      'delete from login_failure where not exists (select from unnest(failed_at) t where t > $1)',
      [before],
    )
  ).rowCount;
}

/**
 * Records a login unless the account has changed since it was read: its password was changed, or it was closed, while
 * this login was under way. Locks its row, so that a change that waits for it also ends the new session.
 */
export async function storeLogin(
  { id, passwordHash }: LoginUser,
  now: Date,
  newHash: string | undefined,
): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      update user_account
      set last_login_at = $2, password_hash = coalesce($3, password_hash)
      where id = $1 and password_hash = $4 and status = 'normal'
    `,
    [id, now, newHash ?? null, passwordHash],
  );
  return rowCount > 0;
}
