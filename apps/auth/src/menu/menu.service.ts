import { menuTree, type MenuDefinition, type MenuItem } from '@carillon/contracts';

/** The menu of who has these keys; an entry with no key of its own left shows only when it holds one that is granted (SHELL-03). */
export function menuOf(permissions: readonly string[], tree: readonly MenuDefinition[] = menuTree): MenuItem[] {
  return tree.flatMap((entry) => {
    const children = menuOf(permissions, entry.children ?? []);
    if (!permissions.includes(entry.key) && children.length === 0) return [];
    return [{
      id: entry.key, name: entry.key, langKey: entry.langKey, path: entry.path ?? null, source: entry.icon ?? null, children,
      meta: { i18n: entry.langKey, ...(entry.keepAlive ? { keepAlive: true } : {}) },
    }];
  });
}

/** The granted button keys (spec, section 6), in the tree's order. */
export function buttonsOf(permissions: readonly string[], tree: readonly MenuDefinition[] = menuTree): string[] {
  return tree.flatMap((entry) => [...(entry.buttons ?? []).filter((key) => permissions.includes(key)), ...buttonsOf(permissions, entry.children ?? [])]);
}
