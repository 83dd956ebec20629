import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { seededRoles, superKeys, type PermissionKey } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import {
  columns,
  companySession,
  currentEntities,
  currentSql,
  Database,
  platform,
  transaction,
  uuidv7,
  type RowOf,
} from '@carillon/persistence';
import { accessChanged } from '../user/access.publisher.ts';
import { hasRoleSql, lockUsers, usersOfRole } from '../user/user.queries.ts';
import { Role } from './role.entity.ts';

type Seed = keyof typeof seededRoles;
const seeds = Object.entries(seededRoles) as [Seed, readonly PermissionKey[]][];
const log = createLogger('auth');
const owned = columns(Role, 'r', ['id', 'companyId']);
const rights = columns(Role, 'r', ['builtIn', 'permissions', 'knownKeys']);

/**
 * Creates the initial roles of a company and returns their ids by name. `whole` includes the super administrator's
 * permissions.
 */
export async function seedRoles(companyId: string, whole: boolean): Promise<Record<Seed, string>> {
  const made: Partial<Record<Seed, string>> = {};
  for (const [name, keys] of seeds) {
    const id = (made[name] = uuidv7());
    const permissions = keys.filter((key) => whole || !superKeys.includes(key));
    const builtIn = { builtIn: name, knownKeys: [...keys] };
    currentEntities().create(Role, { id, companyId, name, description: '', permissions, ...builtIn });
  }
  return made as Record<Seed, string>;
}

/**
 * Adds the permissions of a new version to the seeded roles at the start, even when they were renamed. A permission
 * that such a role knew and that was removed stays away. Safe in several processes, because the row is locked.
 */
@Injectable()
export class BuiltInRoles implements OnApplicationBootstrap {
  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    const old = await platform(this.database, 'find seeded roles that do not know every right', async () => {
      const behind: RowOf<typeof owned>[] = [];
      const sql = `select ${owned} from role r where r.built_in = $1 and not r.known_keys @> $2`;
      for (const [name, keys] of seeds) behind.push(...(await currentSql().rows(owned, sql, [name, [...keys]])));
      return behind;
    });
    for (const { id, companyId } of old)
      await transaction(this.database, companySession(companyId), () => this.bringUpToDate(id));
    if (old.length > 0) log.info({ roles: old.length }, 'seeded roles have the rights of this version');
  }

  private async bringUpToDate(id: string): Promise<void> {
    // An edit of the role also locks its users before the role.
    await lockUsers(hasRoleSql('$1'), [id]);
    const [role] = await currentSql().rows(rights, `select ${rights} from role r where r.id = $1 for update`, [id]);
    if (!role) return;
    const keys: readonly PermissionKey[] = seededRoles[role.builtIn as Seed];
    const whole = role.permissions.some((key) => superKeys.includes(key as PermissionKey));
    const added = keys.filter(
      (key) => !role.knownKeys.includes(key) && !role.permissions.includes(key) && (whole || !superKeys.includes(key)),
    );
    await currentSql().query(
      `
        update role
        set permissions = permissions || $2::text[], known_keys = $3,
          updated_at = case when $4 then now() else updated_at end
        where id = $1
      `,
      [id, added, [...new Set([...role.knownKeys, ...keys])], added.length > 0],
    );
    if (added.length > 0) await accessChanged(await usersOfRole(id));
  }
}
