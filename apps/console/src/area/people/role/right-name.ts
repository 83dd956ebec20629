import { hasText, t } from '../../../kit/text/translate.ts';
import type { MenuNode } from '@carillon/contracts';

/** The name of a right: the product's in this language, or the administrator's own. */
export function rightName({ id, name, langKey }: { id: string; name: string; langKey: string }): string {
  const key = langKey.startsWith('menu.') && !hasText(`right.${id}`) ? `menu.${langKey.slice(5)}` : `right.${id}`;
  return langKey !== '' && hasText(key) ? t(key as 'menu.home') : name;
}

/** A tree of rights as a list, each before what stands below it. */
export const allRights = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...allRights(node.children)]);
