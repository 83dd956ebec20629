import { useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { bladeUserInfo, MenuItem, PermissionKey, RouteOutput } from '@carillon/contracts';
import { call, remote } from './call.ts';
import { keep } from '../browser/storage.ts';

const menuRoute = remote('menuRoute', 'GET /api/f/mc/menu/route');
const menuButtons = remote('menuButtons', 'GET /api/f/mc/menu/buttons');
const userInfo = remote('bladeUserInfo', 'GET /api/blade-auth/oauth/user-info');
const organizations = remote('listOrganizationNames', 'GET /api/f/mc/org');

/** Stores the user for the next page load (SHELL-12), without the picture, which is too large. */
function keepUser(user: RouteOutput<typeof bladeUserInfo>) {
  const { userId, username, nickname, email, companyName, roles } = user;
  keep('user', { userId, username, nickname, email, companyName, roles });
  return user;
}

const oncePerSession = { staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY };
export const useMenu = () =>
  useQuery({
    queryKey: ['session', 'menu'],
    queryFn: ({ signal }) => call(menuRoute, {}, { signal }),
    ...oncePerSession,
  });
export const useUser = () =>
  useQuery({
    queryKey: ['session', 'user'],
    queryFn: ({ signal }) => call(userInfo, {}, { signal }).then(keepUser),
    ...oncePerSession,
  });
export const useOrganizations = () =>
  useQuery({
    queryKey: ['session', 'organizations'],
    queryFn: ({ signal }) => call(organizations, {}, { signal }),
    ...oncePerSession,
  });

/** Returns the user's permissions: an element without its permission is not rendered (SHELL-14). */
export function useAccess(): { ready: boolean; can: (...keys: PermissionKey[]) => boolean } {
  const { data } = useQuery({
    queryKey: ['session', 'buttons'],
    queryFn: ({ signal }) => call(menuButtons, {}, { signal }),
    ...oncePerSession,
  });
  return useMemo(
    () => ({ ready: data !== undefined, can: (...keys) => keys.every((k) => data?.includes(k) === true) }),
    [data],
  );
}

/**
 * Returns a menu path as a route of the console, without `/index` at its end (SHELL-03).
 */
export const routePath = (path: string) => path.replace(/\/index$/, '');

/**
 * Returns the address of a menu entry: a page of this console or, for a path with `html` or another site, the page that
 * embeds it (SHELL-03).
 */
export const hrefOf = ({ id, path }: MenuItem): string =>
  /html|^https?:/i.test(path!) ? `/myiframe/${encodeURIComponent(id)}` : routePath(path!);

/** Returns every page that the menu grants to this user, including those without a menu entry. */
export function pages(menu: readonly MenuItem[], roles: readonly string[]): MenuItem[] {
  return menu
    .filter((m) => m.meta.roles === undefined || m.meta.roles.some((r) => roles.includes(r)))
    .flatMap((m) => [...(m.path === null ? [] : [m]), ...pages(m.children, roles)]);
}

/** Returns the visible menu as a tree for this user, without empty groups. */
export const menuTree = (menu: readonly MenuItem[], roles: readonly string[]): MenuItem[] =>
  menu
    .filter(
      (m) => m.meta.hidden !== true && (m.meta.roles === undefined || m.meta.roles.some((r) => roles.includes(r))),
    )
    .map((m) => ({ ...m, children: menuTree(m.children, roles) }))
    .filter((m) => m.path !== null || m.children.length > 0);

/** Returns the visible menu entries of this user, in order. */
export const leaves = (menu: readonly MenuItem[], roles: readonly string[]): MenuItem[] =>
  pages(menu, roles).filter((m) => m.meta.hidden !== true);

/** Returns whether the menu grants the page of this path. */
export function useGranted(path: string): boolean {
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  return pages(menu ?? [], user?.roles ?? []).some((m) => hrefOf(m) === path);
}

/** Makes the cheapest call, to report that the user is present. */
export const reportPresence = (): Promise<unknown> => call(userInfo);
