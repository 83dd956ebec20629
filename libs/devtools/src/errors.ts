import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCatalogue } from '@carillon/contracts/errors';
import { awaitedErrors } from '@carillon/contracts/errors-awaited';

/**
 * Lists each error of the catalogue that no source throws and that is not awaited, and each awaited one that is thrown.
 * Listing an error in a call does not count.
 */
const root = resolve(import.meta.dirname, '../../..');
const isSource = (file: string): boolean =>
  /\.tsx?$/.test(file) &&
  !/node_modules|\.d\.ts$|\.(spec|it|e2e|platform|bench|errors|noun|text)\.tsx?$|errors\.(help|awaited)\.ts$/.test(
    file,
  ) &&
  !file.startsWith('devtools/');

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(isSource)
    .map((file) => readFileSync(join(root, folder, file), 'utf8').replace(/^ *errors: \[[^\]]*\]/gm, ''));
}

function findings(texts: readonly string[], keys: readonly string[], awaited: Readonly<Record<string, string>>) {
  const all = texts.join('\n');
  return keys.flatMap((key) => {
    const isUsed = all.includes(`'${key}'`);
    if (isUsed === !(key in awaited)) return [];
    return [
      isUsed
        ? `${key} is answered: take it from libs/contracts/src/errors.awaited.ts`
        : `${key} is answered by nothing: remove it, or name the row that brings it in libs/contracts/src/errors.awaited.ts`,
    ];
  });
}

const failures = findings(
  ['apps', 'libs'].flatMap(sources),
  Object.keys(errorCatalogue),
  awaitedErrors as Record<string, string>,
);
// Self-test with one planted error of each kind, so that the check cannot pass by finding nothing.
const planted = findings([`fail('a.used'); fail('a.both');`], ['a.used', 'a.both', 'a.unused'], { 'a.both': 'X-01' });
if (planted.length !== 2) failures.push('the planted errors were not found');
for (const failure of failures) console.error(failure);
console.log(`errors: ${Object.keys(errorCatalogue).length}, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
