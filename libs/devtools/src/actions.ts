import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { actions, type Action } from '@carillon/actions';
import { actionRights } from '@carillon/contracts/permissions';

/**
 * Generates what follows from the folders of `libs/actions`: the permissions in the contracts, and the tables of
 * docs/device-link.md and docs/where.md. `--write` writes them; without it they are compared. Both check each folder.
 */
const root = resolve(import.meta.dirname, '../../..');
const folders = join(root, 'libs/actions/src');
const command = './carillon write';
const write = process.argv.includes('--write');
const all = Object.values(actions);
const failures: string[] = [];

const folderOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** Returns what the folders of actions (by their files) or the registry (by its keys) lack. */
function missingIn(given: ReadonlyMap<string, readonly string[]>, keys: readonly string[]): string[] {
  const listed = keys.map(folderOf);
  return [
    ...[...given].flatMap(([folder, files]) => {
      const path = `libs/actions/src/${folder}`;
      if (!listed.includes(folder))
        return [`${path} has no line in libs/actions/src/registry.ts, or its action's key is another`];
      return [`${folder}.action.ts`, `${folder}.text.ts`, `${folder}.spec.ts`]
        .filter((file) => !files.includes(file))
        .map((file) => `${path}/${file} is missing`);
    }),
    ...listed.filter((folder) => !given.has(folder)).map((folder) => `libs/actions/src/${folder} is missing`),
  ];
}
const filesByFolder = new Map(
  readdirSync(folders, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, readdirSync(join(folders, name))]),
);
failures.push(
  ...missingIn(
    filesByFolder,
    all.map(({ key }) => key),
  ),
);
const planted = missingIn(
  new Map([
    ['no-line', []],
    ['no-tests', ['no-tests.action.ts', 'no-tests.text.ts']],
  ]),
  ['noTests', 'noFolder'],
);
if (planted.length !== 3) failures.push(`the check itself sees ${planted.length} of 3 planted faults`);

const rightsFile = 'libs/contracts/src/device/action-rights.ts';
const rights = [...new Set(all.map((action) => action.right))];
if (write) {
  const before = readFileSync(join(root, rightsFile), 'utf8');
  const list = `[${rights.map((right) => `'${right}'`).join(', ')}]`;
  writeFileSync(
    join(root, rightsFile),
    before.replace(/(?<=actionRights = )\[[^\]]*\]/, () => list),
  );
} else if (rights.join() !== actionRights.join())
  failures.push(`${rightsFile} has ${actionRights.join(', ')}, the actions have ${rights.join(', ')}: ${command}`);

interface Property {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
}
const isSafe = (n: number | undefined): n is number => n !== undefined && Math.abs(n) < Number.MAX_SAFE_INTEGER;
function typeText({ type, enum: words, minimum, maximum }: Property): string {
  if (words) return words.map((word) => `"${word}"`).join('\\|');
  if (isSafe(minimum) && isSafe(maximum)) return `${minimum}-${maximum}`;
  return type === 'boolean' ? 'bool' : type === 'integer' ? 'number' : (type ?? 'object');
}
/** Formats arguments: `{ seconds: 5-120, whenIdle?: bool }`. */
function argsText({ args }: Action): string {
  const { properties = {}, required = [] } = args.toJSONSchema({ io: 'input' }) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(
    ([name, property]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(property)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Compares or writes the table of actions, which stands between two marks in a page. */
function compareTable(page: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
  const file = join(root, page);
  const before = readFileSync(file, 'utf8');
  const after = before.replace(
    /(?<=<!-- actions:[^\n]*-->\n)[\s\S]*?(?=<!-- end of actions -->)/,
    () => `\n${table}\n\n`,
  );
  if (write) writeFileSync(file, after);
  else if (before !== after) failures.push(`${page} does not say what the actions say: ${command}`);
}
compareTable(
  'docs/device-link.md',
  ['action', 'args', 'passes others', 'notes'],
  all.map((action) => [
    `\`${action.key}\``,
    `\`${argsText(action)}\``,
    action.changesDevice ? 'no' : 'yes',
    action.link,
  ]),
);
compareTable(
  'docs/where.md',
  ['Action', 'Where'],
  all.map(({ key, texts }) => [texts.name.en_US, `\`libs/actions/src/${folderOf(key)}\``]),
);

for (const failure of failures) console.error(failure);
console.log(`actions: ${all.length}, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
