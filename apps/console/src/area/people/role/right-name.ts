import i18next from 'i18next';
import type { MenuNode } from '@carillon/contracts';

/** The name of a right: the product's in this language, or the administrator's own. */
export function rightName({ id, name, langKey }: { id: string; name: string; langKey: string }): string {
  const key =
    langKey.startsWith('menu.') && !i18next.exists(`right.${id}`) ? `menu.${langKey.slice(5)}` : `right.${id}`;
  return langKey !== '' && i18next.exists(key) ? i18next.t(key as 'menu.home') : name;
}

/** A tree of rights as a list, each before what stands below it. */
export const allRights = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...allRights(node.children)]);
