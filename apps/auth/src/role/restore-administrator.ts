import { permissionKeys, superKeys } from '@carillon/contracts';
import {
  columns,
  companySession,
  currentSql,
  platform,
  transaction,
  uuidv7,
  type Database,
} from '@carillon/persistence';
import { runAs, systemContext } from '@carillon/tenancy';
import { findByName } from '../login/login.queries.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { emitUserEntry } from '../user/user-entry.ts';
import { User } from '../user/user.entity.ts';
import { hasRoleSql, lockUsers, usersOfRole } from '../user/user.queries.ts';
import { Role } from './role.entity.ts';

const restored = columns(User, 'u', ['accountType']);
const whole = columns(Role, 'r', ['id']);
const builtInSql = `(select id from role where built_in = 'administrator' order by id limit 1)`;

/**
 * Restores access to a company in which nobody can manage users and roles any more. The user with this login name or
 * email becomes active, sees every organization and gets the full administrator role. Returns the login name, or
 * undefined when there is no such user.
 */
export async function restoreAdministrator(database: Database, name: string): Promise<string | undefined> {
  const user = await platform(database, 'an operator restores an administrator', () => findByName(name));
  if (!user) return undefined;
  const { id, companyId, username } = user;
  await runAs(systemContext(companyId), () =>
    transaction(database, companySession(companyId), async () => {
      await lockUsers(`(u.id = $1 or ${hasRoleSql(builtInSql)})`, [id]);
      const [account] = await currentSql().rows(
        restored,
        `
          update user_account u
          set status = 'normal', all_orgs = true, org_ids = '{}', activated_at = coalesce(u.activated_at, now())
          where u.id = $1
          returning ${restored}
        `,
        [id],
      );
      const permissions = permissionKeys.filter((key) => account?.accountType === 'super' || !superKeys.includes(key));
      const roleId = await wholeRole(companyId, permissions);
      await currentSql().query(
        `
          insert into user_role (id, company_id, user_id, role_id)
          values ($1, $2, $3, $4)
          on conflict (user_id, role_id) do nothing
        `,
        [uuidv7(), companyId, id, roleId],
      );
      await accessChanged(await usersOfRole(roleId));
      await emitUserEntry(id, 'user.restoreAdministrator', 'success', { objectName: username });
    }),
  );
  return username;
}

/** Returns the seeded administrator role after adding these permissions; creates it when it was deleted. */
async function wholeRole(companyId: string, permissions: readonly string[]): Promise<string> {
  const [role] = await currentSql().rows(
    whole,
    `
      update role r
      set permissions = array(select distinct k from unnest(r.permissions || $1::text[]) k), updated_at = now()
      where r.id = ${builtInSql}
      returning ${whole}
    `,
    [permissions],
  );
  if (role) return role.id;
  const id = uuidv7();
  await currentSql().query(
    `
      insert into role (id, company_id, name, description, permissions, built_in, known_keys, updated_at)
      values ($1, $2, $3, '', $4, 'administrator', $4, now())
    `,
    [id, companyId, `administrator ${id.slice(-6)}`, permissions],
  );
  return id;
}
