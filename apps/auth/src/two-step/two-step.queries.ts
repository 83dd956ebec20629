import { currentSql, iso, uuidv7 } from '@carillon/persistence';

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

/** Names of who could not log in any more: no email, no app, no passkey. */
export async function shutOutBy(most: number): Promise<{ total: number; names: string[] }> {
  const { rows } = await currentSql().query<{ username: string; total: number }>(
    `
      select username, count(*) over ()::int as total
      from user_account u
      where coalesce(u.email, '') = ''
        and not exists (select from totp t where t.user_id = u.id and t.confirmed_at is not null)
        and not exists (select from passkey p where p.user_id = u.id)
      order by username
      limit $1
    `,
    [most],
  );
  return { total: rows[0]?.total ?? 0, names: rows.map((r) => r.username) };
}

export async function setTwoStep(companyId: string, open: boolean, now: Date): Promise<void> {
  await currentSql().query(
    `
    insert into company_login as c (id, company_id, two_step, updated_at) values ($1, $1, $2, $3)
    on conflict (id) do update set two_step = excluded.two_step, updated_at = excluded.updated_at`,
    [companyId, open, now],
  );
}

/** A secret that waits for its first code. One that counts already stays until then. */
export async function storeTotp(user: { id: string; companyId: string }, secret: string, now: Date): Promise<void> {
  await currentSql().query(
    `
    insert into totp as t (id, company_id, user_id, secret, confirmed_at, last_step) values ($1, $2, $3, $4, $5, 0)
    on conflict (user_id) do update set secret = excluded.secret, confirmed_at = excluded.confirmed_at, last_step = 0`,
    [uuidv7(), user.companyId, user.id, secret, now],
  );
}

export async function totpSecret(userId: string): Promise<string | undefined> {
  return (
    await currentSql().query<{ secret: string }>(
      'select secret from totp where user_id = $1 and confirmed_at is not null',
      [userId],
    )
  ).rows[0]?.secret;
}

/** Takes a code's step for its one use: of any number of parallel tries exactly one gets true. */
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
  await currentSql().query('delete from totp where user_id = $1', [userId]);
}

export async function replaceRecoveryCodes(
  user: { id: string; companyId: string },
  hashes: readonly Buffer[],
): Promise<void> {
  await currentSql().query('delete from recovery_code where user_id = $1', [user.id]);
  for (const hash of hashes)
    await currentSql().query('insert into recovery_code (id, company_id, user_id, hash) values ($1, $2, $3, $4)', [
      uuidv7(),
      user.companyId,
      user.id,
      hash,
    ]);
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

export interface PasskeyRow {
  id: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

export async function passkeysOf(userId: string): Promise<PasskeyRow[]> {
  const { rows } = await currentSql().query<PasskeyRow>(
    `
      select id, credential_id as "credentialId", public_key as "publicKey", counter::int8 as counter, transports,
        name, created_at as "createdAt", last_used_at as "lastUsedAt"
      from passkey
      where user_id = $1
      order by created_at
    `,
    [userId],
  );
  return rows.map((r) => ({
    ...r,
    counter: Number(r.counter),
    createdAt: iso(r.createdAt)!,
    lastUsedAt: iso(r.lastUsedAt),
  }));
}

export async function storePasskey(
  user: { id: string; companyId: string },
  key: { credentialId: string; publicKey: Uint8Array; counter: number; transports: readonly string[]; name: string },
  now: Date,
): Promise<void> {
  await currentSql().query(
    `
      insert into passkey (
        id, company_id, user_id, credential_id, public_key, counter, transports, name, created_at
      )
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    `,
    [
      uuidv7(),
      user.companyId,
      user.id,
      key.credentialId,
      Buffer.from(key.publicKey),
      key.counter,
      [...key.transports],
      key.name,
      now,
    ],
  );
}

/**
 * A counter that does not rise says that a key was copied (WebAuthn, section 6.1.1); one that is always 0 does not
 * count.
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
  return (
    (await currentSql().query('delete from passkey where user_id = $1 and id = $2 returning id', [userId, id])).rows
      .length === 1
  );
}
