import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Checks the import rules (ARCHITECTURE.md, "Invariants") by reading the sources, so that no missing cache can hide a
 * violation. `--self-test` plants one of each violation in memory and fails unless all are found.
 */
const root = resolve(import.meta.dirname, '../../..');

interface Project {
  name: string;
  dir: string;
  type: string;
  scope: string;
  dependencies: Record<string, string>;
  exports: Record<string, unknown>;
}

const projects: Project[] = ['apps', 'libs'].flatMap((group) =>
  readdirSync(join(root, group))
    .filter((n) => existsSync(join(root, group, n, 'package.json')))
    .map((n) => {
      const p = JSON.parse(readFileSync(join(root, group, n, 'package.json'), 'utf8')) as {
        name: string;
        dependencies?: Record<string, string>;
        exports?: Record<string, unknown>;
        nx: { tags: string[] };
      };
      const tag = (kind: string): string => p.nx.tags.find((t) => t.startsWith(`${kind}:`))!.slice(kind.length + 1);
      return {
        name: p.name,
        dir: join(root, group, n),
        type: tag('type'),
        scope: tag('scope'),
        dependencies: p.dependencies ?? {},
        exports: p.exports ?? {},
      };
    }),
);
const byName = new Map(projects.map((p) => [p.name, p]));

/** Libraries in layers: a library may import those before it. */
const layers = [
  'contracts',
  'actions',
  'device-sdk',
  'observability',
  'tenancy',
  'persistence',
  'messaging',
  'service',
  'testing',
  'devtools',
];
const mayUse: Record<string, readonly string[]> = {
  contracts: [],
  actions: ['contracts'],
  'device-sdk': ['contracts'],
  observability: ['contracts'],
  tenancy: ['contracts', 'observability'],
  console: ['contracts', 'actions'],
  simulator: ['contracts', 'actions', 'device-sdk'],
};
/** Packages that only the listed projects may import. */
const onlyIn: Record<string, readonly string[]> = {
  '@platformatic/kafka': ['messaging'],
  aedes: ['mqtt-gateway'],
  pg: ['persistence', 'messaging', 'testing', 'standalone'],
  zod: [],
};
/**
 * The console's layers, lowest first. A file imports from its own folder and from those before it. A new area needs a
 * place in this list.
 */
const consoleStoreys = [
  'kit/browser',
  'kit/session',
  'kit/api',
  'kit/text',
  'kit/theme',
  'kit/live',
  'kit/part',
  'kit/grid',
  'kit/import',
  'kit/upload',
  'area/people',
  'area/organization',
  'area/task',
  'area/device',
  'area/resource',
  'area/sip',
  'area/channel',
  'area/system',
  'area/home',
  'frame',
];
const testFile =
  /\.(spec|it|platform|e2e|fixture)\.tsx?$|-test\.ts$|\/test-[\w-]+\.ts$|\/(test|bench|testing|conformance)\/|\/shots\.ts$/;

/** Returns the file's layer in `consoleStoreys`; the console's start files are above all of them. */
function storeyOf(path: string): number {
  if (!path.includes('/')) return consoleStoreys.length;
  return consoleStoreys.findIndex((storey) => path.startsWith(`${storey}/`));
}

function wrongStorey(from: Project, file: string, target: string): string | undefined {
  const source = join(from.dir, 'src');
  if (from.scope !== 'console' || !file.startsWith(`${source}/`) || !target.startsWith(`${source}/`)) return undefined;
  const own = storeyOf(relative(source, file));
  const other = storeyOf(relative(source, target));
  if (own === -1) return 'stands in no storey of the console (consoleStoreys in boundaries.ts)';
  return other > own || other === -1 ? `imports ${relative(source, target)}, which lies above it` : undefined;
}

function wrongImport(from: Project, file: string, specifier: string): string | undefined {
  const isTest = testFile.test(file);
  if (specifier.startsWith('.')) {
    const target = resolve(dirname(file), specifier);
    if (!target.startsWith(from.dir + '/')) return `leaves its project by ${specifier}`;
    return isTest ? undefined : wrongStorey(from, file, target);
  }
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0]!;
  const to = byName.get(name);
  if (!to) {
    const only = onlyIn[name];
    return only && only.length > 0 && !only.includes(from.scope) && !isTest
      ? `${name} belongs in ${only.join(', ')} alone`
      : undefined;
  }
  if (to === from) return undefined;
  const path = `.${specifier.slice(name.length)}`;
  if (!(path in to.exports)) return `${specifier} is not exported by ${name}`;
  if (isTest) return undefined;
  if (!(name in from.dependencies)) return `${name} is not in its package.json`;
  if (to.scope === 'testing') return 'testing is for tests';
  if (to.type !== 'lib') return from.scope === 'standalone' ? undefined : `imports the service ${name}`;
  const allowed = mayUse[from.scope];
  if (allowed) return allowed.includes(to.scope) ? undefined : `may not use ${name}`;
  if (from.type === 'lib' && layers.indexOf(to.scope) >= layers.indexOf(from.scope)) return `${name} lies above it`;
  if (to.scope === 'actions' && !['task', 'mqtt-gateway', 'devtools'].includes(from.scope))
    return 'actions are for task, MQTT gateway, console and simulator';
  return undefined;
}

function* sources(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      if (!['dist', 'node_modules'].includes(entry.name)) yield* sources(join(dir, entry.name));
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield join(dir, entry.name);
  }
}

/** Imports between the files of one project, or between their folders. */
type ImportGraph = Map<string, Set<string>>;

function addImport(graph: ImportGraph, from: string, to: string): void {
  if (from === to) return;
  const targets = graph.get(from) ?? new Set();
  graph.set(from, targets.add(to));
}

/** Returns the cycles of a graph, each as the path back to its start. */
function circlesIn(graph: ImportGraph): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): void => {
    const start = path.indexOf(node);
    if (start !== -1) circles.push([...path.slice(start), node]);
    if (start !== -1 || finished.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    path.pop();
    finished.add(node);
  };
  for (const node of graph.keys()) visit(node);
  return circles;
}

const importPattern =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;
const environmentReaders = new Set(['libs/service/src/config.ts']);
let files = 0;

function check(project: Project, file: string, text: string): string[] {
  const at = relative(root, file);
  const wrong = [...text.matchAll(importPattern)].flatMap((m) => {
    const reason = wrongImport(project, file, (m[1] ?? m[2] ?? m[3])!);
    return reason ? [`${at}: ${reason}`] : [];
  });
  const isTest = testFile.test(file);
  const cli = at.startsWith('apps/standalone/src/cli/') || at.startsWith('libs/devtools/');
  if (!isTest && !cli && /process\.env\b/.test(text) && !environmentReaders.has(at))
    wrong.push(`${at}: reads the environment outside of defineConfig`);
  if (
    !isTest &&
    at !== 'libs/devtools/src/boundaries.ts' &&
    /company_id\s*=\s*\$|where[^`'"]*company_id\s*=/i.test(text) &&
    !at.includes('/migrations/') &&
    !at.startsWith('libs/persistence/')
  )
    wrong.push(`${at}: filters by company by hand`);
  return wrong;
}

const failures: string[] = [];
for (const project of projects) {
  const fileImports: ImportGraph = new Map();
  const folderImports: ImportGraph = new Map();
  for (const file of sources(project.dir)) {
    files++;
    const text = readFileSync(file, 'utf8');
    failures.push(...check(project, file, text));
    if (testFile.test(file)) continue;
    for (const m of text.matchAll(importPattern)) {
      const specifier = (m[1] ?? m[2] ?? m[3])!;
      if (!/^\..*\.tsx?$/.test(specifier)) continue;
      const target = resolve(dirname(file), specifier);
      addImport(fileImports, relative(root, file), relative(root, target));
      addImport(folderImports, relative(root, dirname(file)), relative(root, dirname(target)));
    }
  }
  const circles = [...circlesIn(fileImports), ...(project.scope === 'console' ? circlesIn(folderImports) : [])];
  failures.push(...circles.map((circle) => `imports in a circle: ${circle.join(' -> ')}`));
}

const device = byName.get('@carillon/device')!;
const consoleProject = byName.get('@carillon/console')!;
const planted: [Project, string, string][] = [
  [device, 'src/a.ts', "import { x } from '@carillon/task/module';"],
  [device, 'src/a.ts', "import { x } from '../../task/src/task/task.service.ts';"],
  [device, 'src/a.ts', "import { x } from '@carillon/contracts/src/routes.ts';"],
  [device, 'src/a.ts', "import { x } from '@carillon/actions';"],
  [device, 'src/a.ts', 'const x = process.env.X;'],
  [device, 'src/a.ts', 'sql.query(`select * from device where company_id = $1`)'],
  [consoleProject, 'src/main.ts', "import { x } from '@carillon/persistence';"],
  [consoleProject, 'src/kit/part/a.tsx', "import { x } from '../../area/task/action/actions.tsx';"],
  [consoleProject, 'src/kit/text/a.ts', "import { x } from '../grid/search.ts';"],
  [consoleProject, 'src/area/people/user/a.tsx', "import type { x } from '../../device/record/device.calls.ts';"],
  [consoleProject, 'src/area/home/a.tsx', "export { x } from '../../frame/shell/shell.tsx';"],
  [consoleProject, 'src/area/people/user/a.tsx', "import { x } from '../../../main.tsx';"],
  [consoleProject, 'src/attic/a.ts', "import { x } from '../kit/text/text.ts';"],
  [byName.get('@carillon/contracts')!, 'src/a.ts', "import { x } from '@carillon/tenancy';"],
];
for (const [project, file, text] of planted) {
  if (check(project, join(project.dir, file), text).length === 0) failures.push(`the check itself misses: ${text}`);
}

const plantedCircle: ImportGraph = new Map();
for (const [from, to] of ['ab', 'bc', 'cb', 'bd', 'ad']) addImport(plantedCircle, from!, to!);
if (circlesIn(plantedCircle).join() !== 'b,c,b') failures.push('the check itself misses a circle of imports');

for (const failure of failures) console.error(failure);
console.log(`boundaries: ${files} files, ${failures.length} wrong`);
process.exitCode = failures.length > 0 ? 1 : 0;
