import { hasText, t } from '../../../kit/text/translate.ts';
import type { MenuNode } from '@carillon/contracts';

/** Returns the name of a permission: the product's in this language, or the administrator's own. */
export function rightName({ id, name, langKey }: { id: string; name: string; langKey: string }): string {
  const key = langKey.startsWith('menu.') && !hasText(`right.${id}`) ? `menu.${langKey.slice(5)}` : `right.${id}`;
  return langKey !== '' && hasText(key) ? t(key as 'menu.home') : name;
}

/** Returns a tree of permissions as a list, each before its children. */
export const allRights = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...allRights(node.children)]);
