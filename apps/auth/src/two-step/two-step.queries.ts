import { columns, computed, currentEntities, currentSql, parameters, uuidv7 } from '@carillon/persistence';
import { visible } from '../user/user-list.queries.ts';
import { User } from '../user/user.entity.ts';
import { Passkey, RecoveryCode, Totp } from './two-step.entity.ts';

export interface SecondSteps {
  company: boolean;
  totp: boolean;
  recoveryCodes: number;
  passkeys: number;
}

export async function secondStepsOf(userId: string): Promise<SecondSteps> {
  const { rows } = await currentSql().query<SecondSteps>(
    `
    select coalesce((select two_step from company_login), false) as company,
      exists (select from totp where user_id = $1 and confirmed_at is not null) as totp,
      (select count(*)::int from recovery_code where user_id = $1 and used_at is null) as "recoveryCodes",
      (select count(*)::int from passkey where user_id = $1) as passkeys`,
    [userId],
  );
  return rows[0]!;
}

/**
 * Returns the users who could not log in with two-step login, because they have no email, app or passkey: how many, and
 * the names of those whom the caller sees.
 */
export async function shutOutBy(most: number): Promise<{ total: number; names: string[] }> {
  const { add, values } = parameters();
  const user = columns(User, 'u', ['username'], { seen: computed<boolean>(visible(add)) });
  const rows = await currentSql().rows(
    user,
    `
      select ${user}
      from user_account u
      where coalesce(u.email, '') = ''
        and not exists (select from totp t where t.user_id = u.id and t.confirmed_at is not null)
        and not exists (select from passkey p where p.user_id = u.id)
      order by username
    `,
    values,
  );
  const seen = rows.filter((r) => r.seen).slice(0, most);
  return { total: rows.length, names: seen.map((r) => r.username) };
}

export async function setTwoStep(companyId: string, open: boolean, now: Date): Promise<void> {
  await currentSql().query(
    `
    insert into company_login as c (id, company_id, two_step, updated_at) values ($1, $1, $2, $3)
    on conflict (id) do update set two_step = excluded.two_step, updated_at = excluded.updated_at`,
    [companyId, open, now],
  );
}

/** Stores a secret that waits for its first code. A confirmed secret stays in use until then. */
export async function storeTotp(user: { id: string; companyId: string }, secret: string, now: Date): Promise<void> {
  await currentSql().query(
    `
    insert into totp as t (id, company_id, user_id, secret, confirmed_at, last_step) values ($1, $2, $3, $4, $5, 0)
    on conflict (user_id) do update set secret = excluded.secret, confirmed_at = excluded.confirmed_at, last_step = 0`,
    [uuidv7(), user.companyId, user.id, secret, now],
  );
}

const secret = columns(Totp, 't', ['secret']);

export async function totpSecret(userId: string): Promise<string | undefined> {
  const sql = `select ${secret} from totp t where t.user_id = $1 and t.confirmed_at is not null`;
  return (await currentSql().rows(secret, sql, [userId]))[0]?.secret;
}

/** Consumes the time step of a code. Returns true for exactly one of any number of parallel calls. */
export async function takeStep(userId: string, step: number): Promise<boolean> {
  return (
    (
      await currentSql().query('update totp set last_step = $2 where user_id = $1 and last_step < $2 returning id', [
        userId,
        step,
      ])
    ).rows.length === 1
  );
}

export async function deleteTotp(userId: string): Promise<void> {
  await currentEntities().nativeDelete(Totp, { userId });
}

export async function replaceRecoveryCodes(
  user: { id: string; companyId: string },
  hashes: readonly Buffer[],
): Promise<void> {
  const { id: userId, companyId } = user;
  await currentEntities().nativeDelete(RecoveryCode, { userId });
  for (const hash of hashes)
    currentEntities().create(RecoveryCode, { id: uuidv7(), companyId, userId, hash, usedAt: null });
}

export async function takeRecoveryCode(userId: string, hash: Buffer, now: Date): Promise<boolean> {
  return (
    (
      await currentSql().query(
        'update recovery_code set used_at = $3 where user_id = $1 and hash = $2 and used_at is null returning id',
        [userId, hash, now],
      )
    ).rows.length === 1
  );
}

export type PasskeyRow = Pick<
  Passkey,
  'id' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name' | 'createdAt' | 'lastUsedAt'
>;

export function passkeysOf(userId: string): Promise<PasskeyRow[]> {
  return currentEntities().find(Passkey, { userId }, { orderBy: { createdAt: 'asc' } });
}

export async function storePasskey(
  user: { id: string; companyId: string },
  key: { credentialId: string; publicKey: Uint8Array; counter: number; transports: readonly string[]; name: string },
  now: Date,
): Promise<void> {
  currentEntities().create(Passkey, {
    id: uuidv7(),
    companyId: user.companyId,
    userId: user.id,
    credentialId: key.credentialId,
    publicKey: Buffer.from(key.publicKey),
    counter: key.counter,
    transports: [...key.transports],
    name: key.name,
    createdAt: now.toISOString(),
    lastUsedAt: null,
  });
}

/**
 * Stores a passkey's new counter. A counter that does not rise means a copied key (WebAuthn, section 6.1.1); a constant
 * 0 means no counter.
 */
export async function usePasskey(id: string, counter: number, now: Date): Promise<boolean> {
  return (
    (
      await currentSql().query(
        `
          update passkey
          set counter = $2, last_used_at = $3
          where id = $1 and (counter < $2 or (counter = 0 and $2 = 0))
          returning id
        `,
        [id, counter, now],
      )
    ).rows.length === 1
  );
}

export async function deletePasskey(userId: string, id: string): Promise<boolean> {
  return (await currentEntities().nativeDelete(Passkey, { userId, id })) === 1;
}
