import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * docs/where.md must name existing paths only, and every feature folder at least once: the one-minute rule, checked.
 */
const root = resolve(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/where.md'), 'utf8');
const named = [...text.matchAll(/`((?:apps|libs|docs|loadtest|deploy|helm)\/[^`\s]+)`/g)].map((m) => m[1]!);
const failures = named
  .filter((path) => !existsSync(join(root, path)))
  .map((path) => `docs/where.md names ${path}, which is not there`);

/** Folders that hold no feature: how a service is made, not what it does. */
const form = new Set(['migrations', 'projections', 'testing', 'conformance', 'test']);

/** The feature folders in a folder; one that holds nothing but folders is a storey, and they are the features. */
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
