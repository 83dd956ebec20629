import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { outside } from './outside.ts';

/**
 * `npm run build`: bundles the services under dist/ and the console under apps/console/dist/site. Skips what is up to
 * date.
 */
const root = resolve(import.meta.dirname, '../../..');

/** Hashes size and time of every source file: fast, and enough to see that nothing changed on this machine. */
function stampOf(folders: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  const visit = (path: string): void => {
    if (!existsSync(path)) return;
    const info = statSync(path);
    if (info.isFile()) {
      hash.update(`${relative(root, path)}:${info.size}:${info.mtimeMs};`);
      return;
    }
    for (const name of readdirSync(path).sort())
      if (!['dist', 'node_modules', 'test', 'bench'].includes(name) && !/\.(e2e|it|platform|spec)\.ts$/.test(name))
        visit(join(path, name));
  };
  for (const folder of [
    ...folders,
    'package-lock.json',
    'tsconfig.base.json',
    'libs/devtools/src/build.ts',
    'libs/devtools/src/outside.ts',
  ])
    visit(join(root, folder));
  return hash.digest('hex');
}

async function once(name: string, out: string, folders: readonly string[], work: () => Promise<void>): Promise<void> {
  const file = join(root, out, '.stamp');
  const stamp = stampOf(folders);
  if (existsSync(file) && readFileSync(file, 'utf8') === stamp) return;
  process.stdout.write(`building ${name}\n`);
  await work();
  mkdirSync(join(root, out), { recursive: true });
  writeFileSync(file, stamp);
}

const folders = (group: string, but: readonly string[] = []): string[] =>
  readdirSync(join(root, group))
    .filter((n) => !but.includes(n))
    .map((n) => `${group}/${n}`);
const libraries = folders('libs', ['testing', 'devtools']);

/** Name of the chunks with packages. */
const packages = 'packages';

/** Bundles our code and its packages: finding 2,000 small files took a quarter of a process's start. */
async function bundle(app: string, inputs: Record<string, string>): Promise<void> {
  // Imported lazily: usually nothing must be built, and the start of the product waits for this.
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(inputs).map(([name, file]) => [name, join(root, file)])),
    platform: 'node',
    tsconfig: join(root, 'tsconfig.base.json'),
    cwd: root,
    resolve: { conditionNames: ['carillon-source'] },
    external: (id) => isBuiltin(id) || outside.some((name) => id === name || id.startsWith(`${name}/`)),
    // An optional package that is not installed stays an import at run time.
    onLog: (level, log, print) => {
      if (log.code !== 'UNRESOLVED_IMPORT' || !log.id?.includes('node_modules')) print(level, log);
    },
  });
  const { output } = await made.write({
    dir: join(root, 'dist', app),
    format: 'esm',
    sourcemap: true,
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${name.startsWith(packages) ? packages : name}-[hash].js`,
    // Each process loads only the packages that it needs.
    codeSplitting: { groups: [{ name: packages, test: /node_modules/, entriesAware: true }] },
  });
  await made.close();
  // Source maps serve our code only: Node.js reads them all at the start, and those of packages are twice as large as
  // all code.
  for (const chunk of output) {
    if (chunk.type !== 'chunk' || !chunk.name.startsWith(packages)) continue;
    const file = join(root, 'dist', app, chunk.fileName);
    rmSync(`${file}.map`);
    writeFileSync(file, chunk.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  }
  // Files of the previous build stay: a running process may still load them.
  const now = new Set(output.map((o) => o.fileName));
  for (const name of readdirSync(join(root, 'dist', app)))
    if (!now.has(name) && statSync(join(root, 'dist', app, name)).mtimeMs < Date.now() - 24 * 3_600_000)
      rmSync(join(root, 'dist', app, name));
}

/** Worker threads need a file of their own, beside their starter's bundle. */
const threads = {
  'sheet.worker': 'libs/service/src/import/sheet.worker.ts',
  'delta.worker': 'apps/resource/src/delta/delta.worker.ts',
};
await once('services', 'dist/standalone', [...libraries, ...folders('apps', ['console'])], () =>
  bundle('standalone', { main: 'apps/standalone/src/main.ts', ...threads }),
);
// One file per process of the cluster, with shared chunks beside them.
const services = [
  'auth',
  'org',
  'device',
  'provisioning',
  'resource',
  'task',
  'notification',
  'license',
  'gateway',
  'mqtt-gateway',
];
const certificates = 'libs/devtools/src/server/kafka.certificate.ts';
await once('cluster', 'dist/cluster', [...libraries, certificates, ...folders('apps', ['console'])], () =>
  bundle('cluster', {
    install: 'apps/standalone/src/install.main.ts',
    env: 'apps/standalone/src/env.main.ts',
    ...threads,
    ...Object.fromEntries(services.map((name) => [name, `apps/${name}/src/main.ts`])),
  }),
);
await once('simulator', 'dist/simulator', [...libraries, 'apps/simulator'], () =>
  bundle('simulator', { main: 'apps/simulator/src/main.ts' }),
);
await once('console', 'apps/console/dist/site', ['libs/contracts', 'libs/actions', 'apps/console'], async () => {
  // A build started by a test (NODE_ENV=test) would contain and keep React's development code, which is slower and half
  // as large again.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  await build({ root: join(root, 'apps/console'), logLevel: 'error' });
});
