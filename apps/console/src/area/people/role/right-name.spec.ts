import { expect, test } from 'vitest';
import { menuTree, type MenuDefinition } from '@carillon/contracts';
import en from '../../../kit/text/en_US.json' with { type: 'json' };
import ko from '../../../kit/text/ko.json' with { type: 'json' };
import pt from '../../../kit/text/pt_BR.json' with { type: 'json' };
import zh from '../../../kit/text/zh_CN.json' with { type: 'json' };

const buttons = (nodes: readonly MenuDefinition[]): string[] =>
  nodes.flatMap((n) => [...(n.buttons ?? []), ...buttons(n.children ?? [])]);

test('a role is given rights by their names, never by their keys, in every language', () => {
  expect(
    buttons(menuTree as readonly MenuDefinition[]).filter((key) =>
      [en, ko, pt, zh].some((text) => !(`right.${key}` in text)),
    ),
  ).toEqual([]);
});
