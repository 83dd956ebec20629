import { expect, test } from 'vitest';
import { allRoutes } from '@carillon/contracts/routes';
import { languages, menuTree, type MenuDefinition } from '@carillon/contracts';
import { allTexts } from '../../../texts.ts';

const buttons = (nodes: readonly MenuDefinition[]): string[] =>
  nodes.flatMap((n) => [...(n.buttons ?? []), ...buttons(n.children ?? [])]);
const withoutText = (keys: readonly string[]) =>
  languages.flatMap((language) => {
    const texts = allTexts(language);
    return keys.filter((key) => !(key in texts)).map((key) => `${language} ${key}`);
  });

test('shows rights of a role by their names, never by their keys, in every language', () => {
  expect(withoutText(buttons(menuTree).map((key) => `right.${key}`))).toEqual([]);
});

test('has a name for every page of the menu in every language', () => {
  const names = (nodes: readonly MenuDefinition[]): string[] =>
    nodes.flatMap((n) => [n.langKey, ...names(n.children ?? [])]);
  expect(withoutText(names(menuTree))).toEqual([]);
});

test('has words for every change of the operation log in every language', () => {
  const words = allRoutes.map(({ route }) => route.audit).filter((word) => word !== 'none' && word !== 'session');
  expect(withoutText(words.map((word) => `audit.${word}`))).toEqual([]);
});
