import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { seededRoles, superKeys, type PermissionKey } from '@carillon/contracts';
import { createLogger } from '@carillon/observability';
import { companySession, currentSql, Database, platform, transaction, uuidv7 } from '@carillon/persistence';
import { accessChanged } from '../user/access.service.ts';
import { usersOfRole } from '../user/user.queries.ts';

type Seed = keyof typeof seededRoles;
const seeds = Object.entries(seededRoles) as [Seed, readonly PermissionKey[]][];
const log = createLogger('auth');

/** The roles that a company begins with, by name. `whole`: with the rights of the super administrator alone. */
export async function seedRoles(companyId: string, whole: boolean): Promise<Record<Seed, string>> {
  const made: Partial<Record<Seed, string>> = {};
  for (const [name, keys] of seeds) {
    const id = (made[name] = uuidv7());
    const permissions = keys.filter((key) => whole || !superKeys.includes(key));
    await currentSql().query(
      `
        insert into role (id, company_id, name, description, permissions, built_in, known_keys, updated_at)
        values ($1, $2, $3, '', $4, $3, $5, now())
      `,
      [id, companyId, name, permissions, [...keys]],
    );
  }
  return made as Record<Seed, string>;
}

/**
 * At start: rights that came with a new version go to the seeded roles that are to have them, under whatever name. A
 * right that such a role knew and was relieved of stays away. Safe in several processes: the row is locked.
 */
@Injectable()
export class BuiltInRoles implements OnApplicationBootstrap {
  constructor(private readonly database: Database) {}

  async onApplicationBootstrap(): Promise<void> {
    const old = await platform(this.database, 'find seeded roles that do not know every right', async () => {
      const found: { id: string; companyId: string }[] = [];
      for (const [name, keys] of seeds)
        found.push(
          ...(
            await currentSql().query<{ id: string; companyId: string }>(
              'select id, company_id as "companyId" from role where built_in = $1 and not known_keys @> $2',
              [name, [...keys]],
            )
          ).rows,
        );
      return found;
    });
    for (const { id, companyId } of old)
      await transaction(this.database, companySession(companyId), () => this.bringUpToDate(id));
    if (old.length > 0) log.info({ roles: old.length }, 'seeded roles have the rights of this version');
  }

  private async bringUpToDate(id: string): Promise<void> {
    const { rows } = await currentSql().query<{ builtIn: Seed; permissions: string[]; known: string[] }>(
      'select built_in as "builtIn", permissions, known_keys as known from role where id = $1 for update',
      [id],
    );
    const role = rows[0];
    if (!role) return;
    const keys: readonly PermissionKey[] = seededRoles[role.builtIn];
    const whole = role.permissions.some((key) => superKeys.includes(key as PermissionKey));
    const added = keys.filter(
      (key) => !role.known.includes(key) && !role.permissions.includes(key) && (whole || !superKeys.includes(key)),
    );
    await currentSql().query(
      `
        update role
        set permissions = permissions || $2::text[], known_keys = $3,
          updated_at = case when $4 then now() else updated_at end
        where id = $1
      `,
      [id, added, [...new Set([...role.known, ...keys])], added.length > 0],
    );
    if (added.length > 0) await accessChanged(await usersOfRole(id));
  }
}
