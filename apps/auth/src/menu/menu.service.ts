import { Injectable } from '@nestjs/common';
import {
  menuTree,
  superKeys,
  type addMenu,
  type editMenu,
  type MenuDefinition,
  type MenuItem,
  type MenuNode,
  type MenuRecord,
  type PermissionKey,
  type RouteInput,
} from '@carillon/contracts';
import { alphabetic, column, columns, currentEntities, currentSql, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, emitLive, fail, failAt, Failure, found } from '@carillon/service';
import { ExternalAppCopy } from '../external-app/external-app.entity.ts';
import { Role } from '../role/role.entity.ts';
import { frameHosts } from './frame-host.consumer.ts';
import { MenuItemRow } from './menu-item.entity.ts';

const changes = columns(MenuItemRow, 'm', [
  'id',
  'key',
  'parent',
  'name',
  'path',
  'source',
  'sort',
  'hidden',
  'keepAlive',
  'roleIds',
]);
const roleName = columns(Role, 'r', ['id', 'name']);
/** A page of another site as a menu entry. */
const page = columns(ExternalAppCopy, 'a', ['id', 'name'], {
  path: column(ExternalAppCopy, 'a', 'address'),
  source: column(ExternalAppCopy, 'a', 'icon'),
  roles: column(ExternalAppCopy, 'a', 'roleIds'),
});

/** The product's entries in their order, ten apart so that others fit between them. */
interface BuiltIn {
  definition: MenuDefinition;
  parent: string | null;
  sort: number;
}
const flat = (tree: readonly MenuDefinition[], parent: string | null): BuiltIn[] =>
  tree.flatMap((definition, i) => [
    { definition, parent, sort: (i + 1) * 10 },
    ...flat(definition.children ?? [], definition.key),
  ]);
const builtIns = flat(menuTree, null);
/** The menu screen itself cannot be hidden, because it could not be brought back. */
const own = 'menu';

/** Returns every entry with the changes of the company's menu administrator (ROLE-02). */
export async function menuEntries(): Promise<MenuRecord[]> {
  const rows = await currentSql().rows(changes, `select ${changes} from menu_item m`);
  const changed = new Map(rows.filter((r) => r.key !== null).map((r) => [r.key, r]));
  const product = builtIns.map(({ definition: d, parent, sort }): MenuRecord => {
    const row = changed.get(d.key);
    return {
      id: d.key,
      name: row?.name ?? d.key,
      ownName: typeof row?.name === 'string',
      langKey: d.langKey,
      path: d.path ?? null,
      source: row?.source ?? d.icon ?? null,
      parent: row ? row.parent : parent,
      sort: row?.sort ?? sort,
      hidden: row ? row.hidden : (d.hidden ?? false),
      builtIn: true,
      meta: { keepAlive: row ? row.keepAlive : (d.keepAlive ?? false), i18n: d.langKey, roles: row?.roleIds ?? null },
    };
  });
  const added = rows
    .filter((r) => r.key === null)
    .map((r): MenuRecord => ({
      id: r.id,
      name: r.name ?? '',
      ownName: true,
      langKey: '',
      path: r.path,
      source: r.source,
      parent: r.parent,
      sort: r.sort,
      hidden: r.hidden,
      builtIn: false,
      meta: { keepAlive: r.keepAlive, i18n: '', roles: r.roleIds },
    }));
  const all = [...product, ...added].sort(
    (a, b) => a.sort - b.sort || Number(b.builtIn) - Number(a.builtIn) || a.id.localeCompare(b.id),
  );
  const ids = new Set(all.map((e) => e.id));
  // An entry whose parent is gone moves to the top level.
  return all.map((entry) => (entry.parent !== null && !ids.has(entry.parent) ? { ...entry, parent: null } : entry));
}

/** Returns the host of another site's page; undefined for a page of this site. */
const hostOf = (path: string | null): string | undefined =>
  path !== null && /^https?:/i.test(path) && URL.canParse(path) ? new URL(path).host : undefined;

/**
 * Returns the entries that may be shown, followed by the pages of other sites, as far as the operator allows their
 * hosts (SYS-10).
 */
async function shown(): Promise<MenuRecord[]> {
  const hosts = await frameHosts();
  const pages = await currentSql().rows(
    page,
    `select ${page} from external_app_copy a order by ${alphabetic('a.name')}, a.id`,
  );
  return [
    ...(await menuEntries()).filter(({ path }) => {
      const host = hostOf(path);
      return host === undefined || hosts.has(host);
    }),
    ...pages.map(({ id, name, path, source, roles }): MenuRecord => ({
      id,
      name,
      ownName: true,
      langKey: '',
      path,
      source,
      parent: null,
      sort: 10_000,
      hidden: false,
      builtIn: false,
      meta: { keepAlive: false, i18n: '', roles },
    })),
  ];
}

/**
 * Returns the menu for these permissions and roles (SHELL-03): the product's entries with a granted key and all added
 * entries, each only when it is for all roles or for one of these. A group appears only when an entry in it does.
 */
export function menuFor(
  entries: readonly MenuRecord[],
  permissions: readonly string[],
  roles: readonly { id: string; name: string }[],
  parent: string | null = null,
): MenuItem[] {
  return entries
    .filter((entry) => entry.parent === parent)
    .flatMap((entry) => {
      if (entry.meta.roles !== null && !entry.meta.roles.some((id) => roles.some((role) => role.id === id))) return [];
      const children = menuFor(entries, permissions, roles, entry.id);
      const granted = entry.builtIn ? permissions.includes(entry.id) && entry.path !== null : entry.path !== null;
      if (!granted && children.length === 0) return [];
      const meta = {
        ...(entry.meta.i18n === '' || entry.ownName ? {} : { i18n: entry.meta.i18n }),
        ...(entry.meta.keepAlive ? { keepAlive: true } : {}),
        ...(entry.hidden ? { hidden: true } : {}),
        ...(entry.meta.roles === null
          ? {}
          : { roles: roles.filter((role) => entry.meta.roles!.includes(role.id)).map((role) => role.name) }),
      };
      // A name that the administrator chose applies to all languages: without a language key it is shown as it is.
      return [
        {
          id: entry.id,
          name: entry.name,
          langKey: entry.ownName ? '' : entry.langKey,
          path: granted ? entry.path : null,
          source: entry.source,
          children,
          meta,
        },
      ];
    });
}

/**
 * Returns the granted button keys (SHELL-03) in the tree's order, including hidden entries, which are
 * permissions of their own.
 */
export function buttonsFor(permissions: readonly string[], tree: readonly MenuDefinition[] = menuTree): string[] {
  return tree.flatMap((entry) => [
    ...(entry.hidden && permissions.includes(entry.key) ? [entry.key] : []),
    ...(entry.buttons ?? []).filter((key) => permissions.includes(key)),
    ...buttonsFor(permissions, entry.children ?? []),
  ]);
}

async function checkHost(path: string | null): Promise<void> {
  const host = hostOf(path);
  if (path !== null && /^https?:/i.test(path) && host === undefined) failAt('path', 'menu.pathFormat');
  if (host !== undefined && !(await frameHosts()).has(host)) failAt('path', 'config.appHostNotAllowed');
}

/** Returns the columns of an added entry from the fields of the call. */
const fieldsOf = ({ parent, source, sort, hidden, meta }: RouteInput<typeof addMenu | typeof editMenu>['body']) => ({
  parent,
  source,
  sort,
  hidden,
  keepAlive: meta.keepAlive,
});

@Injectable()
export class MenuService {
  async route(permissions: readonly string[]): Promise<MenuItem[]> {
    const roles = await currentSql().rows(
      roleName,
      `select ${roleName} from user_role x join role r on r.id = x.role_id where x.user_id = $1`,
      [context().userId],
    );
    return menuFor(await shown(), permissions, roles);
  }

  /** Returns the menu and the buttons for a role that is not saved yet, or that has unsaved changes. */
  async preview(
    permissions: readonly string[],
    roleId: string | undefined,
  ): Promise<{ menu: MenuItem[]; buttons: string[] }> {
    const role = roleId === undefined ? undefined : found(await currentEntities().findOne(Role, roleId));
    const usable = permissions.filter(
      (key) => !superKeys.includes(key as PermissionKey) || context().permissions.includes(key),
    );
    return { menu: menuFor(await shown(), usable, role ? [role] : []), buttons: buttonsFor(usable) };
  }

  /**
   * Returns the permissions that the caller may grant, with those of the role marked. Permissions that the caller lacks
   * are left out.
   */
  async tree(roleId: string | undefined, without: readonly string[] = []): Promise<MenuNode[]> {
    const role = roleId === undefined ? undefined : found(await currentEntities().findOne(Role, roleId));
    const granted = new Set(role?.permissions);
    const may = new Set(context().permissions.filter((key) => !without.includes(key)));
    const names = new Map((await menuEntries()).map((e) => [e.id, e]));
    const node = (
      id: string,
      type: MenuNode['type'],
      parent: string | null,
      langKey: string,
      children: MenuNode[],
    ): MenuNode => {
      const entry = names.get(id);
      const place = entry
        ? { path: entry.path, source: entry.source, meta: entry.meta }
        : { path: null, source: null, meta: { keepAlive: false, i18n: langKey, roles: null } };
      return {
        id,
        name: entry?.name ?? id,
        langKey: entry?.ownName ? '' : langKey,
        ...place,
        type,
        parent,
        roleId: granted.has(id) ? roleId! : null,
        granted: granted.has(id),
        children,
      };
    };
    const nodes = (tree: readonly MenuDefinition[], parent: string | null): MenuNode[] =>
      tree.flatMap((d) => {
        const buttons = (d.buttons ?? [])
          .filter((key) => may.has(key))
          .map((key) => node(key, 'button', d.key, `right.${key}`, []));
        const children = [...buttons, ...nodes(d.children ?? [], d.key)];
        return may.has(d.key) || children.length > 0
          ? [node(d.key, d.hidden ? 'button' : 'menu', parent, d.langKey, children)]
          : [];
      });
    return nodes(menuTree, null);
  }

  async list(): Promise<MenuRecord[]> {
    return menuEntries();
  }

  /** Returns the groups, which are the visible entries without a page. */
  async parents(): Promise<MenuRecord[]> {
    return (await menuEntries()).filter((entry) => entry.path === null && !entry.hidden);
  }

  async get(id: string): Promise<MenuRecord> {
    return found((await menuEntries()).find((entry) => entry.id === id));
  }

  async add(body: RouteInput<typeof addMenu>['body']): Promise<MenuRecord> {
    await this.checkParent(undefined, body.parent);
    await checkHost(body.path);
    const id = uuidv7();
    const { companyId } = context();
    currentEntities().create(MenuItemRow, {
      ...fieldsOf(body),
      id,
      companyId,
      key: null,
      name: body.name,
      path: body.path,
      roleIds: await this.rolesOf(body.meta.roles),
    });
    auditNote({ objectId: id, objectName: body.name, detail: { before: null, after: body } });
    await emitLive(companyId, 'menu', ['menu'], null);
    return this.get(id);
  }

  async edit(body: RouteInput<typeof editMenu>['body']): Promise<MenuRecord> {
    const before = await this.get(body.id);
    await this.checkParent(body.id, body.parent);
    const { companyId } = context();
    const roles = await this.rolesOf(body.meta.roles);
    if (before.builtIn) {
      if (body.id === own && (body.hidden || roles !== null)) fail('menu.selfHidden');
      await currentSql().query(
        `
          insert into menu_item (
            id, company_id, key, parent, name, path, source, sort, hidden, keep_alive, role_ids, updated_at
          )
          values ($1, $2, $3, $4, $5, null, $6, $7, $8, $9, $10, now())
          on conflict (company_id, key) do update set parent = excluded.parent, name = excluded.name,
            source = excluded.source, sort = excluded.sort, hidden = excluded.hidden,
            keep_alive = excluded.keep_alive, role_ids = excluded.role_ids, updated_at = now()
        `,
        [
          uuidv7(),
          companyId,
          body.id,
          body.parent,
          body.name,
          body.source,
          body.sort,
          body.hidden,
          body.meta.keepAlive,
          roles,
        ],
      );
    } else {
      // An entry whose host is no longer allowed can still be renamed or hidden.
      if (body.path !== undefined && body.path !== before.path) await checkHost(body.path);
      if (body.name === null)
        throw new Failure('common.invalid', {}, [{ path: 'name', error: 'common.fieldRequired' }]);
      const item = found(await currentEntities().findOne(MenuItemRow, body.id));
      const path = body.path === undefined ? before.path : body.path;
      currentEntities().assign(item, { ...fieldsOf(body), name: body.name, path, roleIds: roles });
    }
    const after = await this.get(body.id);
    auditNote({ objectId: body.id, objectName: after.name, detail: { before, after } });
    await emitLive(companyId, 'menu', ['menu'], null);
    return after;
  }

  async delete(ids: readonly string[]): Promise<number> {
    const entries = await menuEntries();
    const chosen = [...new Set(ids)].map((id) => found(entries.find((entry) => entry.id === id)));
    auditNote({
      objectName: chosen
        .map((e) => e.name)
        .join(', ')
        .slice(0, 256),
      detail: { before: chosen },
    });
    if (chosen.some((entry) => entry.builtIn)) fail('menu.builtIn');
    if (entries.some((entry) => entry.parent !== null && ids.includes(entry.parent) && !ids.includes(entry.id)))
      fail('menu.hasChildren');
    await currentEntities().nativeDelete(MenuItemRow, { id: { $in: chosen.map((e) => e.id) } });
    await emitLive(context().companyId, 'menu', ['menu'], null);
    return chosen.length;
  }

  /** Checks that the parent exists and is not below the entry itself. */
  private async checkParent(id: string | undefined, parent: string | null): Promise<void> {
    const entries = await menuEntries();
    for (let at = parent; at !== null;) {
      if (at === id) failAt('parent', 'menu.parentLoop');
      at = found(entries.find((entry) => entry.id === at)).parent;
    }
  }

  private async rolesOf(ids: readonly string[] | null): Promise<string[] | null> {
    if (ids === null || ids.length === 0) return null;
    const wanted = [...new Set(ids)];
    if ((await currentEntities().count(Role, { id: { $in: wanted } })) !== wanted.length) fail('common.notFound');
    return wanted;
  }
}
