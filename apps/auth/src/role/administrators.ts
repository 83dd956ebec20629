import { menuTree, type MenuDefinition, type PermissionKey } from '@carillon/contracts';
import { columnNames, columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { fail } from '@carillon/service';
import { User } from '../user/user.entity.ts';
import { lockUsers } from '../user/user.queries.ts';

/** Menu entries for managing users and roles. A user with all permissions below them can repair a mistake. */
const managed = ['user', 'role'];
const rightsOf = (entries: readonly MenuDefinition[], within = false): string[] =>
  entries.flatMap(({ key, buttons = [], children = [] }) => {
    const counts = within || managed.includes(key);
    return [...(counts ? [key, ...buttons] : []), ...rightsOf(children, counts)];
  });
export const administratorRights = rightsOf(menuTree) as PermissionKey[];

/**
 * SQL condition: the user `u` is an administrator, that is active, sees every organization, and has all of `rights`.
 */
const administratorSql = (rights: string): string => `
  u.status = 'normal' and u.all_orgs and ${rights}::text[] <@ array(
    select k
    from user_role x
    join role r on r.id = x.role_id
    cross join unnest(r.permissions) k
    where x.user_id = u.id
  )
`;

const counts = columns(User, 'u', [], {
  any: computed<number>('count(*)::int'),
  super: computed<number>(`(count(*) filter (where ${columnNames(User, 'u').accountType} = 'super'))::int`),
});

/** Counts the administrators by account type. */
async function administrators(): Promise<RowOf<typeof counts>> {
  const sql = `select ${counts} from user_account u where ${administratorSql('$1')}`;
  return (await currentSql().rows(counts, sql, [administratorRights]))[0]!;
}

/**
 * Runs a change of users or of a role, and refuses it when it leaves the company without an administrator, or without
 * one of super type where there was one. Locks all administrators and the users that the change is about first, so that
 * of two administrators who remove each other one is refused. Must run before the change locks anything.
 */
export async function keepingAdministrators<T>(userIds: readonly string[], change: () => Promise<T>): Promise<T> {
  await lockUsers(`(u.id = any ($2::uuid[]) or (${administratorSql('$1')}))`, [administratorRights, userIds], 'update');
  const before = await administrators();
  const result = await change();
  const after = await administrators();
  if ((before.any > 0 && after.any === 0) || (before.super > 0 && after.super === 0)) fail('user.lastAdministrator');
  return result;
}
