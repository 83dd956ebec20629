import { menuOf, type NounDefinition, type RightsOfNoun } from './define/noun.ts';
import { fixedMenu, type MenuDefinition } from './menu.ts';
import { nouns } from './nouns.ts';

export { actionRights } from './device/action-rights.ts';
export type { FixedMenuIcon, FixedMenuKey, MenuDefinition } from './menu.ts';

type ButtonOf<E> = E extends { buttons: readonly (infer B)[] } ? B : never;
type KeysOf<E> = E extends { key: infer K }
  ? K | ButtonOf<E> | (E extends { children: readonly (infer C)[] } ? KeysOf<C> : never)
  : never;
/** A menu's key or a button's key. */
export type PermissionKey = (KeysOf<(typeof fixedMenu)[number]> & string) | RightsOfNoun<(typeof nouns)[number]>;

const placed: readonly NounDefinition[] = nouns;
const withNouns = (entries: readonly MenuDefinition[]): readonly MenuDefinition[] =>
  entries.flatMap((entry) => [
    ...placed.filter(({ menu }) => menu.before === entry.key).map(menuOf),
    entry.children
      ? {
          ...entry,
          children: [...withNouns(entry.children), ...placed.filter(({ menu }) => menu.in === entry.key).map(menuOf)],
        }
      : entry,
  ]);

/**
 * The permission tree: one constant for the guard, the menu, the roles and the console. A role stores keys; a call
 * names one.
 */
export const menuTree = withNouns(fixedMenu);

const keysOf = (m: MenuDefinition): PermissionKey[] => [
  m.key as PermissionKey,
  ...((m.buttons ?? []) as readonly PermissionKey[]),
  ...(m.children ?? []).flatMap(keysOf),
];
export const permissionKeys: readonly PermissionKey[] = menuTree.flatMap(keysOf);

const superOf = (m: MenuDefinition): PermissionKey[] => (m.superOnly ? keysOf(m) : (m.children ?? []).flatMap(superOf));
/** Keys that only the super administrator's kind of account can use. */
export const superKeys: readonly PermissionKey[] = menuTree.flatMap(superOf);

/** Seeded roles: everything, and looking only. */
export const seededRoles = {
  administrator: permissionKeys,
  viewer: ['home', 'device', 'deviceLog', 'task', 'alarm'] as readonly PermissionKey[],
} as const;
