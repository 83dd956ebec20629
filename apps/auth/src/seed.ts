import { createHash } from 'node:crypto';
import { companySession, currentSql, transaction, uuidv7, type Database } from '@carillon/persistence';
import { hashPassword } from './login/password.service.ts';
import { seedRoles } from './role/built-in-role.service.ts';
import { accessChanged } from './user/access.ts';

export interface SeedUser {
  username: string;
  /** In clear text: the caller shows it once and forgets it. */
  password: string;
  /** The user must choose a password before they can do anything else. */
  oneTime?: boolean;
}

export interface Installation {
  companyId: string;
  orgId: string;
  /** The key of the setting `passwordPepper`. */
  passwordPepper: Buffer;
  administrator: SeedUser;
  /** A user with read-only access, for a demo company. */
  viewer?: SeedUser;
}

/**
 * Creates the initial roles and the first users of a company. Returns false and changes nothing when the company has
 * users already, so that a second start does not seed again.
 */
export async function seedInstallation(database: Database, seed: Installation): Promise<boolean> {
  const people = [
    { role: 'administrator' as const, ...seed.administrator },
    ...(seed.viewer ? [{ role: 'viewer' as const, ...seed.viewer }] : []),
  ];
  const hashes = await Promise.all(
    people.map((p) => hashPassword(createHash('md5').update(p.password).digest('hex'), seed.passwordPepper)),
  );
  return transaction(database, companySession(seed.companyId), async () => {
    const sql = currentSql();
    if ((await sql.query('select 1 as one from user_account limit 1')).rowCount > 0) return false;
    const roles = await seedRoles(seed.companyId, true);
    const ids: string[] = [];
    for (const [i, person] of people.entries()) {
      const id = uuidv7();
      ids.push(id);
      await sql.query(
        `
          insert into user_account (
            id, company_id, username, nickname, account_type, status, password_hash, all_orgs, activated_at,
            org_ids, default_org_id, timezone_id, country_id, tokens_valid_after, version, created_at, updated_at,
            must_change_password
          )
          values ($1, $2, $3, $3, $8, 'normal', $4, $9, now(), $5, $6, 1, 1, to_timestamp(0), 0, now(), now(), $7)
        `,
        [
          id,
          seed.companyId,
          person.username,
          hashes[i],
          [seed.orgId],
          seed.orgId,
          person.oneTime ?? false,
          // The first administrator runs the installation (spec, section 6).
          person.role === 'administrator' ? 'super' : 'ordinary',
          person.role === 'administrator',
        ],
      );
      await sql.query('insert into user_role (id, company_id, user_id, role_id) values ($1, $2, $3, $4)', [
        uuidv7(),
        seed.companyId,
        id,
        roles[person.role],
      ]);
    }
    await accessChanged(ids);
    return true;
  });
}
