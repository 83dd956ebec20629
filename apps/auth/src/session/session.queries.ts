import { column, columns, currentSql, uuidv7, type RowOf } from '@carillon/persistence';
import { RefreshToken, Session, type sessionEnds } from './session.entity.ts';

/** Columns of a refresh token `r` and its session `s`. */
const refresh = columns(RefreshToken, 'r', ['companyId', 'sessionId', 'usedAt'], {
  userId: column(Session, 's', 'userId'),
  sessionStartedAt: column(Session, 's', 'createdAt'),
  lastActiveAt: column(Session, 's', 'lastActiveAt'),
  endedAt: column(Session, 's', 'endedAt'),
});
const open = columns(Session, 's', ['id', 'browser', 'address'], {
  startedAt: column(Session, 's', 'createdAt'),
  lastSeenAt: column(Session, 's', 'lastActiveAt'),
});
export type OpenSession = RowOf<typeof open>;
const ended = columns(Session, 's', ['id', 'companyId']);
const unlock = columns(Session, 's', [], {
  hash: column(Session, 's', 'lockHash'),
  tries: column(Session, 's', 'lockFailures'),
});

export async function insertSession(session: {
  id: string;
  companyId: string;
  userId: string;
  now: Date;
  address: string | null;
  browser: string | null;
}): Promise<void> {
  await currentSql().query(
    `
      insert into session (id, company_id, user_id, created_at, last_active_at, address, browser)
      values ($1, $2, $3, $4, $4, $5, $6)
    `,
    [session.id, session.companyId, session.userId, session.now, session.address, session.browser],
  );
}

export async function insertRefreshToken(token: {
  companyId: string;
  sessionId: string;
  hash: Buffer;
  now: Date;
  expiresAt: Date;
}): Promise<void> {
  await currentSql().query(
    `
      insert into refresh_token (id, company_id, session_id, hash, created_at, expires_at)
      values ($1, $2, $3, $4, $5, $6)
    `,
    [uuidv7(), token.companyId, token.sessionId, token.hash, token.now, token.expiresAt],
  );
}

/** Returns a refresh token with its session: a token does not name its company. */
export async function findRefreshToken(hash: Buffer): Promise<RowOf<typeof refresh> | undefined> {
  const [token] = await currentSql().rows(
    refresh,
    `select ${refresh} from refresh_token r join session s on s.id = r.session_id where r.hash = $1`,
    [hash],
  );
  return token;
}

/** Consumes a token. Returns true for exactly one of any number of parallel calls (AUTH-07). */
export async function useRefreshToken(hash: Buffer, now: Date): Promise<boolean> {
  const { rows } = await currentSql().query(
    'update refresh_token set used_at = $2 where hash = $1 and used_at is null and expires_at > $2 returning id',
    [hash, now],
  );
  return rows.length === 1;
}

export async function markEnded(sessionId: string, now: Date, reason: (typeof sessionEnds)[number]): Promise<boolean> {
  const { rows } = await currentSql().query(
    'update session set ended_at = $2, end_reason = $3 where id = $1 and ended_at is null returning id',
    [sessionId, now, reason],
  );
  return rows.length === 1;
}

/** Ends all sessions of a user except one. Returns those that were open. */
export async function markAllEnded(
  userId: string,
  now: Date,
  reason: (typeof sessionEnds)[number],
  but: string | null,
): Promise<{ id: string; companyId: string }[]> {
  return currentSql().rows(
    ended,
    `
      update session s
      set ended_at = $2, end_reason = $3
      where s.user_id = $1 and s.ended_at is null and s.id is distinct from $4
      returning ${ended}
    `,
    [userId, now, reason, but],
  );
}

/** Ends the sessions of a user beyond the `most` that were active last. Returns those that were open. */
export async function markExcessEnded(
  userId: string,
  now: Date,
  most: number,
): Promise<{ id: string; companyId: string }[]> {
  return currentSql().rows(
    ended,
    `
      update session s
      set ended_at = $2, end_reason = 'limit'
      where s.id in (
        select o.id
        from session o
        where o.user_id = $1 and o.ended_at is null
        order by o.last_active_at desc, o.id desc
        offset $3
      )
      returning ${ended}
    `,
    [userId, now, most],
  );
}

/**
 * Returns whether a session is open, and keeps it open until the running transaction ends. `alone` excludes other
 * holders.
 */
export async function holdSession(sessionId: string, how: 'shared' | 'alone' = 'shared'): Promise<boolean> {
  const { rowCount } = await currentSql().query(
    `
      select 1 as one
      from session
      where id = $1 and ended_at is null
      for ${how === 'shared' ? 'share' : 'no key update'}
    `,
    [sessionId],
  );
  return rowCount > 0;
}

/** Locks the session with a hash, or unlocks it with null; resets the failures. */
export async function storeLock(sessionId: string, hash: string | null): Promise<void> {
  await currentSql().query('update session set lock_hash = $2, lock_failures = 0 where id = $1 and ended_at is null', [
    sessionId,
    hash,
  ]);
}

/** Counts an unlock attempt atomically. Returns `over` when the limit was already reached. */
export async function countUnlock(
  sessionId: string,
  most: number,
): Promise<{ hash: string; tries: number } | 'unlocked' | 'over'> {
  const rows = await currentSql().rows(
    unlock,
    `
      update session s
      set lock_failures = s.lock_failures + case when s.lock_hash is null then 0 else 1 end
      where s.id = $1 and s.ended_at is null
      returning ${unlock}
    `,
    [sessionId],
  );
  const row = rows[0];
  if (!row || row.tries > most) return 'over';
  return row.hash === null ? 'unlocked' : { hash: row.hash, tries: row.tries };
}

/** Returns a user's live sessions, newest first. */
export async function openSessions(userId: string, since: { active: Date; started: Date }): Promise<OpenSession[]> {
  return currentSql().rows(
    open,
    `
      select ${open}
      from session s
      where user_id = $1 and ended_at is null and last_active_at > $2 and created_at > $3
      order by created_at desc, id desc
      limit 200
    `,
    [userId, since.active, since.started],
  );
}

/**
 * Stores the activity of many sessions at once. Never moves a time backwards, so repeated and late messages do no harm.
 */
export async function storeActivity(sessionIds: readonly string[], instants: readonly Date[]): Promise<void> {
  await currentSql().query(
    `
    update session s set last_active_at = a.at from unnest($1::uuid[], $2::timestamptz[]) a(id, at)
    where s.id = a.id and s.ended_at is null and a.at > s.last_active_at`,
    [sessionIds, instants],
  );
}

/** Deletes expired tokens, and sessions from before `startedBefore` without a token. */
export async function deleteOld(now: Date, startedBefore: Date): Promise<number> {
  const tokens = await currentSql().query('delete from refresh_token where expires_at < $1', [now]);
  const sessions = await currentSql().query(
    `
      delete from session s
      where s.created_at < $1 and not exists (select from refresh_token r where r.session_id = s.id)
    `,
    [startedBefore],
  );
  return tokens.rowCount + sessions.rowCount;
}
