import { Injectable } from '@nestjs/common';
import {
  toPage,
  type addRole,
  type editRole,
  type listRoles,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { containsPattern, currentSql, iso, orderBy, parameters, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, emitLive, fail, Failure, found, keepDeleted, takeBack, unlessTaken } from '@carillon/service';
import { accessChanged } from '../user/access.service.ts';
import { effective, usersOfRole } from '../user/user.queries.ts';
import { beyond, ownScope } from '../user/user-scope.ts';

export type RoleRecord = RouteReturn<typeof addRole>;
type Fields = RouteInput<typeof addRole>['body'];

const columns = `
  r.id, r.name, r.description, r.permissions,
  (select count(*)::int from user_role x where x.role_id = r.id) as users, r.updated_at as "updatedAt"
`;
const toRecord = (row: RoleRecord): RoleRecord => ({ ...row, updatedAt: iso(row.updatedAt) });

const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'role_name', 'name', 'role.nameTaken');

/** Rights under a name (ROLE-01). Whoever gives some has them himself (USER-02). */
@Injectable()
export class RoleService {
  async list(query: RouteInput<typeof listRoles>['query']): Promise<RouteReturn<typeof listRoles>> {
    const { page, limit } = toPage(query);
    const { add, values } = parameters();
    const like = query.search ? add(containsPattern(query.search)) : undefined;
    const where = like ? `where r.name ilike ${like} or r.description ilike ${like}` : '';
    const total = (await currentSql().query<{ n: number }>(`select count(*)::int as n from role r ${where}`, values))
      .rows[0]!.n;
    const { rows } = await currentSql().query<RoleRecord>(
      `
        select ${columns}
        from role r ${where}
        order by ${orderBy(query.sort, { name: 'lower(r.name)', updatedAt: 'r.updated_at' }, 'lower(r.name)')}
        limit ${add(limit)} offset ${add((page - 1) * limit)}
      `,
      values,
    );
    return { records: rows.map(toRecord), total, current: page, size: limit };
  }

  async names(): Promise<{ id: string; name: string; givable: boolean }[]> {
    const scope = await ownScope();
    const { rows } = await currentSql().query<{ id: string; name: string; permissions: string[] }>(
      'select id, name, permissions from role order by lower(name)',
    );
    return rows.map(({ id, name, permissions }) => ({ id, name, givable: !beyond(scope, permissions) }));
  }

  async get(id: string): Promise<RoleRecord> {
    const { rows } = await currentSql().query<RoleRecord>(`select ${columns} from role r where r.id = $1`, [id]);
    return toRecord(found(rows[0]));
  }

  async add(body: Fields): Promise<RoleRecord> {
    const scope = await ownScope();
    const permissions = [...new Set(body.permissions)];
    if (beyond(scope, permissions, true)) fail('user.beyondOwnRights');
    const id = uuidv7();
    const { companyId } = context();
    await orNameTaken(
      currentSql().query(
        `
          insert into role (id, company_id, name, description, permissions, updated_at)
          values ($1, $2, $3, $4, $5, now())
        `,
        [id, companyId, body.name, body.description, permissions],
      ),
    );
    auditNote({ objectId: id, objectName: body.name, detail: { before: null, after: { ...body, permissions } } });
    await emitLive(companyId, 'role', [id], null);
    return this.get(id);
  }

  async edit(body: RouteInput<typeof editRole>['body']): Promise<RoleRecord> {
    const scope = await ownScope();
    const before = await this.get(body.id);
    const permissions = [...new Set(body.permissions)];
    // A right of the super administrator's that is in the role already may stay in it; nobody else adds or takes it.
    if (beyond(scope, before.permissions, true) || beyond(scope, permissions, true)) fail('user.beyondOwnRights');
    await orNameTaken(
      currentSql().query(
        'update role set name = $2, description = $3, permissions = $4, updated_at = now() where id = $1',
        [body.id, body.name, body.description, permissions],
      ),
    );
    const users = await usersOfRole(body.id);
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
      detail: {
        before: { name: before.name, description: before.description, permissions: before.permissions },
        after: { name: body.name, description: body.description, permissions },
        users: users.length,
      },
    });
    await emitLive(companyId, 'role', [body.id], null);
    // Whoever has it sees his menu and buttons anew.
    await emitLive(companyId, 'menu', ['menu'], null);
    return this.get(body.id);
  }

  async delete(ids: readonly string[]): Promise<number> {
    const scope = await ownScope();
    const names: string[] = [];
    for (const id of new Set(ids)) {
      const role = await this.get(id);
      names.push(role.name);
      auditNote({
        ...(ids.length === 1 ? { objectId: id } : {}),
        objectName: names.join(', ').slice(0, 256),
        detail: { before: names },
      });
      if (beyond(scope, role.permissions, true)) fail('user.beyondOwnRights');
      // The foreign key says no to a user who was given it meanwhile.
      const users = (
        await currentSql().query<{ n: number }>('select count(*)::int as n from user_role where role_id = $1', [id])
      ).rows[0]!.n;
      if (users > 0) fail('role.inUse', { users });
      const { rows } = await currentSql()
        .query<{ row: object }>('delete from role r where id = $1 returning to_jsonb(r) as row', [id])
        .catch((error: unknown) => {
          if ((error as { code?: string }).code === '23503') throw new Failure('role.inUse', { users: 1 });
          throw error;
        });
      const menus = await currentSql().query<{ id: string }>(
        'update menu_item set role_ids = array_remove(role_ids, $1) where $1 = any (role_ids) returning id',
        [id],
      );
      await keepDeleted('role', id, { role: rows[0]!.row, menus: menus.rows.map((m) => m.id) });
    }
    await emitLive(context().companyId, 'role', [...ids], null);
    return names.length;
  }

  /** Also in the menu entries that were for it, unless they are for everybody or gone by now. */
  async restore(ids: readonly string[]): Promise<number> {
    const scope = await ownScope();
    const kept = await takeBack<{ role: { id: string; name: string; permissions: string[] }; menus: string[] }>(
      'role',
      'role',
      ids,
    );
    if (kept.length === 0) return 0;
    const names = kept.map((k) => k.role.name);
    auditNote({
      ...(kept.length === 1 ? { objectId: kept[0]!.role.id } : {}),
      objectName: names.join(', ').slice(0, 256),
      detail: { before: null, after: names },
    });
    for (const { role, menus } of kept) {
      if (beyond(scope, role.permissions, true)) fail('user.beyondOwnRights');
      await orNameTaken(
        currentSql().query('insert into role select r.* from jsonb_populate_record(null::role, $1::jsonb) r', [
          JSON.stringify(role),
        ]),
      );
      await currentSql().query(
        `
          update menu_item
          set role_ids = array_append(role_ids, $1)
          where id = any ($2::uuid[]) and role_ids is not null
        `,
        [role.id, menus],
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
    const { rows } = await currentSql().query<{ k: string }>(
      `
        select distinct k
        from user_role x
        join role r on r.id = x.role_id
        cross join unnest(r.permissions) k
        where x.user_id = $1
      `,
      [userId],
    );
    return effective(
      rows.map((r) => r.k),
      accountType,
    );
  }
}
