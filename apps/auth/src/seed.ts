import { createHash } from 'node:crypto';
import { companySession, currentSql, transaction, uuidv7, type Database } from '@carillon/persistence';
import { hashPassword } from './login/password.service.ts';
import { seedRoles } from './role/built-in-role.service.ts';
import { accessChanged } from './user/access.publisher.ts';
import { insertUser } from './user/new-user.ts';

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
      const isFirst = person.role === 'administrator';
      await insertUser({
        id,
        companyId: seed.companyId,
        username: person.username,
        nickname: person.username,
        // The first administrator runs the installation (USER-03).
        accountType: isFirst ? 'super' : 'ordinary',
        status: 'normal',
        passwordHash: hashes[i]!,
        mustChangePassword: person.oneTime ?? false,
        activatedAt: new Date().toISOString(),
        allOrgs: isFirst,
        orgIds: [seed.orgId],
        defaultOrgId: seed.orgId,
      });
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
