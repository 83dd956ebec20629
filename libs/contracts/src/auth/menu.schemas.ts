import { z } from 'zod';
import { id } from '../define/list.ts';

/** A menu item as the server sends it (ROLE-02). */
export interface MenuItem {
  id: string;
  name: string;
  langKey: string;
  path: string | null;
  source: string | null;
  children: MenuItem[];
  meta: { keepAlive?: boolean; i18n?: string; roles?: string[]; hidden?: boolean };
}
export const menuItem: z.ZodType<MenuItem> = z
  .lazy(() =>
    z.object({
      id: z.string(),
      name: z.string(),
      langKey: z.string(),
      path: z.string().nullable(),
      source: z.string().nullable(),
      children: z.array(menuItem),
      meta: z.object({
        keepAlive: z.boolean().optional(),
        i18n: z.string().optional(),
        roles: z.array(z.string()).optional(),
        hidden: z.boolean().optional(),
      }),
    }),
  )
  .meta({ id: 'MenuItem' });

/** An entry as an administrator sees it: with its parent and the requested role (ROLE-02). */
export const menuRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    ownName: z.boolean(),
    langKey: z.string(),
    path: z.string().nullable(),
    source: z.string().nullable(),
    parent: z.string().nullable(),
    sort: z.number(),
    hidden: z.boolean(),
    builtIn: z.boolean(),
    meta: z.object({ keepAlive: z.boolean(), i18n: z.string(), roles: z.array(id).nullable() }),
  })
  .meta({ id: 'MenuRecord' });
export type MenuRecord = z.output<typeof menuRecord>;

/**
 * A permission in the tree, with all fields of a menu item (ROLE-02). `roleId` is the requested role when that
 * role has this permission.
 */
export interface MenuNode {
  id: string;
  name: string;
  langKey: string;
  path: string | null;
  source: string | null;
  type: 'menu' | 'button';
  parent: string | null;
  roleId: string | null;
  granted: boolean;
  children: MenuNode[];
  meta: { keepAlive: boolean; i18n: string; roles: string[] | null };
}
export const menuNode: z.ZodType<MenuNode> = z
  .lazy(() =>
    z.object({
      id: z.string(),
      name: z.string(),
      langKey: z.string(),
      path: z.string().nullable(),
      source: z.string().nullable(),
      type: z.enum(['menu', 'button']),
      parent: z.string().nullable(),
      roleId: id.nullable(),
      granted: z.boolean(),
      children: z.array(menuNode),
      meta: z.object({ keepAlive: z.boolean(), i18n: z.string(), roles: z.array(id).nullable() }),
    }),
  )
  .meta({ id: 'MenuNode' });
