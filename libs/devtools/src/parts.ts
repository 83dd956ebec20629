import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nouns } from '@carillon/contracts';

/**
 * Finds files in a service's folders that no module registers and that therefore do nothing: controllers, providers,
 * entities, migrations and exports (`exportOf`). Also checks that each noun has a service test and a browser test, and
 * that its changes reach open pages and the operation log.
 */
const root = resolve(import.meta.dirname, '../../..');
const failures: string[] = [];

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
const isSource = (file: string): boolean =>
  file.endsWith('.ts') && !/\.(spec|it|platform|e2e|d)\.ts$|-test\.ts$|\/(testing|bench)\//.test(file);
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

const part = [
  /@(?:Injectable|Controller)\([^)]*\)\s*export class (\w+)/g,
  /export const (\w+) = defineEntity\(/g,
  /Schema\.setClass\((\w+)\)/g,
  /export class (\w+) extends Migration\b/g,
];
const partsIn = (text: string): string[] => part.flatMap((pattern) => [...text.matchAll(pattern)].map((m) => m[1]!));
const names = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);

let parts = 0;
const modules: string[] = [];
for (const app of readdirSync(join(root, 'apps'))) {
  const source = `apps/${app}/src`;
  if (!existsSync(join(root, source))) continue;
  const files = filesOf(source).filter(isSource);
  const own = files.filter((file) => file.endsWith('.module.ts') || file.endsWith('/migrations/index.ts'));
  const named = own.map(textOf).join('\n');
  modules.push(named);
  if (own.length === 0) continue;
  for (const file of files)
    for (const name of own.includes(file) ? [] : partsIn(textOf(file))) {
      parts++;
      if (!names(named, name)) failures.push(`${file}: ${name} is named by none of ${own.join(', ')}`);
    }
}
for (const file of filesOf('libs/contracts/src').filter(isSource))
  for (const [, name] of textOf(file).matchAll(/export const (\w+) = exportOf\(/g)) {
    parts++;
    if (!names(modules.join('\n'), name!))
      failures.push(`${file}: no service's module has ${name} in ExportModule.register`);
  }

const opened = filesOf('apps/console/src')
  .filter((file) => file.endsWith('.e2e.ts'))
  .map(textOf)
  .join('\n');
for (const { name, where, menu } of nouns) {
  const folders = (where.folders as readonly string[]).filter((folder) => /^apps\/(?!console\/)/.test(folder));
  if (!folders.some((folder) => existsSync(join(root, folder)) && filesOf(folder).some((f) => f.endsWith('.it.ts'))))
    failures.push(`${name} has no test against real servers: a file *.it.ts in ${folders.join(' or ')}`);
  const service = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap(filesOf)
    .filter(isSource)
    .map(textOf)
    .join('\n');
  if (!new RegExp(`emitLive\\([^;]*?'${name}'`).test(service))
    failures.push(`${name} tells open pages of no change: no emitLive in ${folders.join(' or ')}`);
  if (!service.includes('auditNote('))
    failures.push(`${name} tells the operation log no names and values: no auditNote in ${folders.join(' or ')}`);
  if (!opened.includes(menu.path)) failures.push(`${name} has no test in the browser: no *.e2e.ts opens ${menu.path}`);
}

for (const [text, found] of [
  ['@Injectable()\nexport class A {', 'A'],
  ["@Controller('x')\nexport class B {", 'B'],
  ['export const C = defineEntity({', 'C'],
  ['DSchema.setClass(D);', 'D'],
  ['export class E extends Migration {', 'E'],
])
  if (partsIn(text!).join() !== found) failures.push(`the check itself misses: ${text}`);

for (const failure of failures) console.error(failure);
console.log(`parts: ${parts} of services, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
