import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { menuItem, menuNode, menuRecord } from './menu.schemas.ts';

/** Id of an entry: a permission key for built-in entries, a UUID for added ones. */
const menuId = z.string().min(1).max(64);
const fields = {
  parent: menuId.nullable(),
  name: z.string().trim().min(1).max(64),
  source: z.string().trim().max(64).nullable(),
  sort: z.number().int().min(0).max(9_999),
  hidden: z.boolean(),
  meta: z.strictObject({ keepAlive: z.boolean(), roles: z.array(id).max(100).nullable() }),
};
/**
 * What opens embedded (SHELL-03): an address of another site, or a page of this one whose path contains "html".
 */
const address = z
  .string()
  .trim()
  .max(512)
  .regex(/^(https?:\/\/[^\s/]+|\/(?![/\\])\S*html)/i, 'menu.pathFormat')
  .refine((path) => !/^\/api(\/|$)/i.test(URL.parse(path, 'https://own.page')?.pathname ?? ''), 'menu.pathFormat')
  .nullable();

export const menuRoute = route({
  method: 'GET',
  path: '/api/f/mc/menu/route',
  summary: 'The menu of the user',
  permission: 'session',
  visitors: true,
  audit: 'none',
  response: z.array(menuItem),
  errors: [],
});

export const menuButtons = route({
  method: 'GET',
  path: '/api/f/mc/menu/buttons',
  summary: 'The button keys of the user',
  permission: 'session',
  visitors: true,
  audit: 'none',
  response: z.array(z.string()),
  errors: [],
});

/**
 * Returns the permissions that the caller may grant, as a tree with the button keys as leaves; with a role, those of
 * the role.
 */
export const menuTreeOf = route({
  method: 'GET',
  path: '/api/f/mc/menu/tree',
  summary: 'The menu tree to pick rights from, with those of a role',
  permission: 'role',
  audit: 'none',
  query: z.object({ roleId: id.optional() }),
  response: z.array(menuNode),
  errors: [],
});

export const listMenus = route({
  method: 'GET',
  path: '/api/f/mc/menu/list',
  summary: 'All menu entries',
  permission: 'menu',
  audit: 'none',
  response: z.array(menuRecord),
  errors: [],
});

export const listParentMenus = route({
  method: 'GET',
  path: '/api/f/mc/menu/parent',
  summary: 'Entries that others can lie below',
  permission: 'menu',
  audit: 'none',
  response: z.array(menuRecord),
  errors: [],
});

/** Returns the menu and buttons that a role with these permissions would have, before it is saved. */
export const previewMenu = route({
  method: 'GET',
  path: '/api/f/mc/menu/preview',
  summary: 'The menu that a set of rights would show',
  permission: 'role',
  audit: 'none',
  query: z.object({
    permissions: z
      .preprocess((v) => (v === undefined || Array.isArray(v) ? v : [v]), z.array(z.string().max(64)).max(500))
      .optional(),
    roleId: id.optional(),
  }),
  response: z.object({ menu: z.array(menuItem), buttons: z.array(z.string()) }),
  errors: [],
});

export const getMenu = route({
  method: 'GET',
  path: '/api/f/mc/menu/{id}',
  summary: 'One menu entry',
  permission: 'menu',
  audit: 'none',
  params: z.object({ id: menuId }),
  response: menuRecord,
  errors: [],
});

/** Adds a page of another site to the menu, or a group when there is no address. */
export const addMenu = route({
  method: 'POST',
  path: '/api/f/mc/menu/',
  summary: 'Add a menu entry',
  permission: 'addMenu',
  audit: 'menu.add',
  status: 201,
  body: z.strictObject({ ...fields, path: address }),
  response: menuRecord,
  errors: ['menu.pathFormat', 'menu.parentLoop', 'config.appHostNotAllowed'],
});

/** Edits an entry. The address of a built-in entry cannot change; `name: null` restores its own name. */
export const editMenu = route({
  method: 'PUT',
  path: '/api/f/mc/menu',
  summary: 'Edit a menu entry',
  permission: 'editMenu',
  audit: 'menu.edit',
  body: z.strictObject({ id: menuId, ...fields, name: fields.name.nullable(), path: address.optional() }),
  response: menuRecord,
  errors: ['menu.pathFormat', 'menu.parentLoop', 'menu.selfHidden', 'config.appHostNotAllowed'],
});

export const deleteMenus = route({
  method: 'DELETE',
  path: '/api/f/mc/menu/',
  summary: 'Delete menu entries that were added',
  permission: 'deleteMenu',
  audit: 'menu.delete',
  query: z.object({
    ids: z.preprocess(
      (v) => (Array.isArray(v) ? v : typeof v === 'string' ? v.split(',') : v),
      z.array(menuId).min(1).max(200),
    ),
  }),
  response: z.object({ deleted: z.number() }),
  errors: ['menu.builtIn', 'menu.hasChildren'],
});
