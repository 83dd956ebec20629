import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const namedIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| ') && line.includes('`'))
    .flatMap((line) => {
      const cells = line.split(/(?<!\\) \| /);
      let file = '';
      return [...cells.at(-1)!.matchAll(/`([^`]+)`|"([^"]+)"/g)].flatMap(([, path, title]) => {
        if (path === undefined) return [{ line: cells[0]!, file, title: title! }];
        file = path;
        return [];
      });
    });

/** Returns the titles of a file's tests and groups. */
const titlesOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /\b(?:test|it|describe)(?:\.\w+)*(?:\([^\n]*?\)|\(\[[^]*?\](?: as const)?\))?\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g,
    ),
  ].map(([, single, double, template]) => (single ?? double ?? template)!.replaceAll(/\\(.)/g, '$1'));

test.each([
  ['attack-cases.md', 90],
  ['fault-cases.md', 30],
])('every test that docs/%s names is in its file', (name, least) => {
  const named = namedIn(page(name));
  expect(named.length).toBeGreaterThan(least);
  const files = new Map<string, string[]>();
  const missing = named.filter(({ file, title }) => {
    if (!existsSync(join(root, file))) return true;
    if (!files.has(file)) files.set(file, titlesOf(file));
    return !files.get(file)!.some((known) => known.includes(title));
  });
  expect(missing.map(({ line, file, title }) => `${line}: ${file} "${title}"`)).toEqual([]);
});

test('every case of groups A, B, C and E has a row, or its area is listed as not built yet', () => {
  const text = page('attack-cases.md');
  const numbers = {
    A: [1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 14, 15, 16, 18, 19, 20, 22, 23, 24, 26, 27, 29, 30],
    B: [1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 18, 19, 21, 23, 24, 25, 26, 28],
    C: [1, 2, 3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 21],
    E: [1, 3, 4, 6, 7, 9, 10, 11, 13],
  };
  const missing = Object.entries(numbers)
    .flatMap(([group, all]) => all.map((n) => `${group}${n}`))
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(text));
  expect(missing).toEqual([]);
});
