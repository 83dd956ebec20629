import { raw } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { addRole, editRole, listRoles, RouteInput, RouteReturn } from '@carillon/contracts';
import {
  alphabetic,
  columnNames,
  columns,
  computed,
  currentEntities,
  currentSql,
  filterBy,
  uuidv7,
} from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import {
  auditNote,
  emitLive,
  fail,
  Failure,
  found,
  keepDeleted,
  readPage,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { MenuItemRow } from '../menu/menu-item.entity.ts';
import { accessChanged } from '../user/access.publisher.ts';
import { effective, usersOfRole } from '../user/user.queries.ts';
import { UserRole } from '../user/user.entity.ts';
import { beyond, mustHold, ownScope } from '../user/user-scope.ts';
import { keepingAdministrators } from './administrators.ts';
import { Role } from './role.entity.ts';

export type RoleRecord = RouteReturn<typeof addRole>;
type Fields = RouteInput<typeof addRole>['body'];

const role = columnNames(Role, 'r');
const users = '(select count(*)::int from user_role x where x.role_id = r.id)';
const record = columns(Role, 'r', ['id', 'name', 'description', 'permissions', 'updatedAt'], {
  users: computed<number>(users),
});
const deleted = columns(Role, 'r', [], { row: computed<object>('to_jsonb(r)') });
const granted = columns(Role, 'r', ['permissions']);
const menu = columns(MenuItemRow, 'm', ['id']);
const filterColumns = {
  name: filterBy.text(role.name),
  description: filterBy.text(role.description),
  users: filterBy.number(users),
  updatedAt: filterBy.moment(role.updatedAt),
};
const sorts = {
  name: alphabetic(role.name),
  description: alphabetic(role.description),
  users: 'users',
  rights: `cardinality(${role.permissions})`,
  updatedAt: role.updatedAt,
};

const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'role_name', 'name', 'role.nameTaken');

/** Manages named sets of permissions (ROLE-01). Users can grant only permissions that they have (USER-02). */
@Injectable()
export class RoleService {
  async list(query: RouteInput<typeof listRoles>['query']): Promise<RouteReturn<typeof listRoles>> {
    return readPage({
      query,
      record,
      from: 'role r',
      searched: [role.name, role.description],
      filters: filterColumns,
      sorts,
      order: sorts.name,
    });
  }

  async listNames(): Promise<{ id: string; name: string; givable: boolean }[]> {
    const scope = await ownScope();
    const roles = await currentEntities().findAll(Role, { orderBy: { [raw(alphabetic('name'))]: 'asc' } });
    return roles.map(({ id, name, permissions }) => ({ id, name, givable: !beyond(scope, permissions) }));
  }

  async get(id: string): Promise<RoleRecord> {
    return found((await currentSql().rows(record, `select ${record} from role r where r.id = $1`, [id]))[0]);
  }

  async add(body: Fields): Promise<RoleRecord> {
    const scope = await ownScope();
    const permissions = [...new Set(body.permissions)];
    if (beyond(scope, permissions, true)) fail('user.beyondOwnRights');
    const id = uuidv7();
    const { companyId } = context();
    currentEntities().create(Role, { ...body, id, companyId, permissions });
    await orNameTaken(currentEntities().flush());
    auditNote({ objectId: id, objectName: body.name, detail: { before: null, after: { ...body, permissions } } });
    await emitLive(companyId, 'role', [id], null);
    return this.get(id);
  }

  async edit(body: RouteInput<typeof editRole>['body']): Promise<RoleRecord> {
    return keepingAdministrators(await usersOfRole(body.id), () => this.change(body));
  }

  private async change(body: RouteInput<typeof editRole>['body']): Promise<RoleRecord> {
    const scope = await ownScope();
    const changed = found(await currentEntities().findOne(Role, body.id));
    const before = { name: changed.name, description: changed.description, permissions: changed.permissions };
    const permissions = [...new Set(body.permissions)];
    // A role may hold super-administrator permissions already; only users who have these may add or remove them.
    if (beyond(scope, before.permissions, true) || beyond(scope, permissions, true)) fail('user.beyondOwnRights');
    const after = { name: body.name, description: body.description, permissions };
    currentEntities().assign(changed, after);
    await orNameTaken(currentEntities().flush());
    const users = await usersOfRole(body.id);
    // The edit changes the permissions of each of these users.
    await mustHold(scope, users);
    if (
      scope.userId !== null &&
      users.includes(scope.userId) &&
      !(await this.rightsOf(scope.userId, scope.accountType)).includes('editRole')
    )
      fail('user.notYourself');
    await accessChanged(users);
    const { companyId } = context();
    auditNote({
      objectId: body.id,
      objectName: body.name,
      detail: { before, after, users: users.length },
    });
    await emitLive(companyId, 'role', [body.id], null);
    // Users with this role reload their menu and buttons.
    await emitLive(companyId, 'menu', ['menu'], null);
    return this.get(body.id);
  }

  async delete(ids: readonly string[]): Promise<number> {
    const scope = await ownScope();
    const names: string[] = [];
    for (const id of new Set(ids)) {
      const { name, permissions } = await this.get(id);
      names.push(name);
      auditNote({
        ...(ids.length === 1 ? { objectId: id } : {}),
        objectName: names.join(', ').slice(0, 256),
        detail: { before: names },
      });
      if (beyond(scope, permissions, true)) fail('user.beyondOwnRights');
      // The foreign key refuses the deletion when a user got the role in the meantime.
      const users = await currentEntities().count(UserRole, { roleId: id });
      if (users > 0) fail('role.inUse', { users });
      const [gone] = await currentSql()
        .rows(deleted, `delete from role r where r.id = $1 returning ${deleted}`, [id])
        .catch((error: unknown) => {
          if ((error as { code?: string }).code === '23503') throw new Failure('role.inUse', { users: 1 });
          throw error;
        });
      const menus = await currentSql().rows(
        menu,
        `
          update menu_item m
          set role_ids = array_remove(m.role_ids, $1)
          where $1 = any (m.role_ids)
          returning ${menu}
        `,
        [id],
      );
      await keepDeleted('role', id, { role: gone!.row, menus: menus.map((m) => m.id) });
    }
    await emitLive(context().companyId, 'role', [...ids], null);
    return names.length;
  }

  /** Restores roles, also in their menu entries, unless an entry is for everyone or deleted by now. */
  async restore(ids: readonly string[]): Promise<number> {
    const scope = await ownScope();
    const kept = await takeBack<{ role: { id: string; name: string; permissions: string[] }; menus: string[] }>(
      'role',
      'role',
      ids,
    );
    if (kept.length === 0) return 0;
    noteRestored(kept.map(({ role }) => role));
    for (const { role: restored, menus } of kept) {
      if (beyond(scope, restored.permissions, true)) fail('user.beyondOwnRights');
      await orNameTaken(
        currentSql().query('insert into role select r.* from jsonb_populate_record(null::role, $1::jsonb) r', [
          JSON.stringify(restored),
        ]),
      );
      await currentSql().query(
        `
          update menu_item
          set role_ids = array_append(role_ids, $1)
          where id = any ($2::uuid[]) and role_ids is not null
        `,
        [restored.id, menus],
      );
    }
    await emitLive(
      context().companyId,
      'role',
      kept.map((k) => k.role.id),
      null,
    );
    return kept.length;
  }

  private async rightsOf(userId: string, accountType: string): Promise<string[]> {
    const roles = await currentSql().rows(
      granted,
      `select ${granted} from user_role x join role r on r.id = x.role_id where x.user_id = $1`,
      [userId],
    );
    return effective([...new Set(roles.flatMap((r) => r.permissions))], accountType);
  }
}
