import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nouns } from '@carillon/contracts';

/**
 * Checks that docs/where.md names only existing paths and every feature folder at least once. `--write` generates its
 * table of nouns from the contracts.
 */
const root = resolve(import.meta.dirname, '../../..');
const page = join(root, 'docs/where.md');
const before = readFileSync(page, 'utf8');
const rows = nouns
  .map(({ where }) => `| ${where.does} | ${where.folders.map((path) => `\`${path}\``).join(', ')} |`)
  .join('\n');
const text = before.replace(
  /(?<=<!-- nouns:[^\n]*-->\n)[\s\S]*?(?=<!-- end of nouns -->)/,
  () => `\n| Noun | Where |\n|---|---|\n${rows}\n\n`,
);
if (process.argv.includes('--write')) writeFileSync(page, text);
const named = [...text.matchAll(/`((?:apps|libs|docs|loadtest|deploy|helm)\/[^`\s]+)`/g)].map((m) => m[1]!);
const failures = [
  ...(text === before || process.argv.includes('--write')
    ? []
    : ['docs/where.md: its nouns are not those of the contracts (./carillon write)']),
  ...named
    .filter((path) => !existsSync(join(root, path)))
    .map((path) => `docs/where.md names ${path}, which is not there`),
];

/** Folders without features: they belong to the structure of a service. */
const form = new Set(['migrations', 'projections', 'testing', 'conformance', 'test']);

/** Yields the feature folders of a folder; a folder that contains only folders is a group of them. */
function* featureFolders(folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (!entry.isDirectory() || form.has(entry.name)) continue;
    const path = `${folder}/${entry.name}`;
    const isStorey = readdirSync(join(root, path), { withFileTypes: true }).every((inner) => inner.isDirectory());
    if (isStorey) yield* featureFolders(path);
    else yield path;
  }
}
for (const app of readdirSync(join(root, 'apps'))) {
  if (!existsSync(join(root, 'apps', app, 'src'))) continue;
  for (const folder of featureFolders(`apps/${app}/src`))
    if (!named.some((path) => path === folder || path.startsWith(`${folder}/`)))
      failures.push(`docs/where.md does not name ${folder}`);
}
for (const failure of failures) console.error(failure);
console.log(`where: ${named.length} paths, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
