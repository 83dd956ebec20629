import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { parseSync } from 'vite';

/** docs/attack-cases.md, C9: no pattern takes long on input from outside (ASVS 1.3.12). */
const root = resolve(import.meta.dirname, '../../..');
/** So many that a linear pattern needs some milliseconds and a quadratic one many seconds, on any machine. */
const characters = 100_000;
const mostMs = 1_000;

function* sources(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      if (!['dist', 'node_modules', 'test', 'testing', 'conformance', 'bench', 'cli'].includes(entry.name))
        yield* sources(path);
    } else if (/\.tsx?$/.test(entry.name) && !/\.(spec|it|platform|e2e|d|bench)\.tsx?$|-test\.ts$/.test(entry.name))
      yield path;
  }
}

interface Found {
  where: string;
  pattern: string;
  flags: string;
}
function regexes(value: unknown, where: string, found: Found[]): void {
  if (typeof value !== 'object' || value === null) return;
  const { regex } = value as { regex?: { pattern: string; flags: string } };
  if (regex) found.push({ where, ...regex });
  for (const child of Object.values(value)) regexes(child, where, found);
}

const runs = new Map<string, string[]>();
/** Returns long runs of accepted characters with a rejected end, where a bad pattern tries every way to split them. */
const runsOf = (pattern: string): string[] => {
  const letters = new Set([...'aA0 -_./:@\n"\'[](){}<>,;=?&%+*|', ...pattern.replaceAll(/\\./g, '')]);
  return [...letters].flatMap((c) => {
    if (!runs.has(c)) runs.set(c, [c.repeat(characters) + '\u0000!', `a${c}`.repeat(characters / 2) + '\u0000!']);
    return runs.get(c)!;
  });
};

/** Files of `apps` and `libs`, except those of tests and tools. */
const all = ['apps', 'libs'].flatMap((group) =>
  readdirSync(join(root, group))
    .filter((name) => !['devtools', 'testing'].includes(name))
    .flatMap((name) => [...sources(join(root, group, name, 'src'))]),
);

test('no pattern of the product takes a second for 100,000 repeated characters', () => {
  const found: Found[] = [];
  for (const file of all) regexes(parseSync(file, readFileSync(file, 'utf8')).program, relative(root, file), found);
  expect(found.length).toBeGreaterThan(150);
  const context = createContext({ of: undefined as unknown, text: '' });
  const run = new Script('of.lastIndex = 0; of.test(text)');
  const slow: string[] = [];
  const takes = ({ pattern, flags }: Pick<Found, 'pattern' | 'flags'>): boolean => {
    context['of'] = new RegExp(pattern, flags.replace('y', ''));
    return runsOf(pattern).some((text) => {
      context['text'] = text;
      try {
        run.runInContext(context, { timeout: mostMs });
        return false;
      } catch {
        return true;
      }
    });
  };
  for (const one of found) if (takes(one)) slow.push(`${one.where}: /${one.pattern}/`);
  expect(slow).toEqual([]);
  // Self-test with patterns that are known to be slow.
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '(x+x+)+y', '^([a-z]+)*\\d$', '(.*,){11}P'])
    expect(takes({ pattern, flags: '' }), pattern).toBe(true);
}, 120_000);
