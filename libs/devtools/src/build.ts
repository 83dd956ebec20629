import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { outside } from './outside.ts';

/** `npm run build`: the services as bundles under dist/, the console under apps/console/dist/site. Repeats nothing. */
const root = resolve(import.meta.dirname, '../../..');

/** Size and time of every source file: cheap, and enough to know that nothing changed on this machine. */
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

/** The chunks that hold packages. */
const packages = 'packages';

/**
 * A bundle holds our code and its packages: of what a process computes until it is ready, finding 2,000 small files was
 * a quarter.
 */
async function bundle(app: string, inputs: Record<string, string>): Promise<void> {
  // Loaded when there is something to build: mostly there is nothing, and whoever starts the product waits for this.
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(inputs).map(([name, file]) => [name, join(root, file)])),
    platform: 'node',
    tsconfig: join(root, 'apps/standalone/tsconfig.json'),
    cwd: root,
    resolve: { conditionNames: ['carillon-source'] },
    external: (id) => isBuiltin(id) || outside.some((name) => id === name || id.startsWith(`${name}/`)),
    // What a package takes only where it is installed, and is not here, is asked for when the process runs, as before.
    onLog: (level, log, tell) => {
      if (log.code !== 'UNRESOLVED_IMPORT' || !log.id?.includes('node_modules')) tell(level, log);
    },
  });
  const { output } = await made.write({
    dir: join(root, 'dist', app),
    format: 'esm',
    sourcemap: true,
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${name.startsWith(packages) ? packages : name}-[hash].js`,
    // Each process loads what it needs itself, and no package of another.
    codeSplitting: { groups: [{ name: packages, test: /node_modules/, entriesAware: true }] },
  });
  await made.close();
  // The way back to the source is for our code: Node reads each map at the start, and these are twice as large as all
  // code.
  for (const chunk of output) {
    if (chunk.type !== 'chunk' || !chunk.name.startsWith(packages)) continue;
    const file = join(root, 'dist', app, chunk.fileName);
    rmSync(`${file}.map`);
    writeFileSync(file, chunk.code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  }
  // Not those of the build before: what runs may still load a part of it.
  const now = new Set(output.map((o) => o.fileName));
  for (const name of readdirSync(join(root, 'dist', app)))
    if (!now.has(name) && statSync(join(root, 'dist', app, name)).mtimeMs < Date.now() - 24 * 3_600_000)
      rmSync(join(root, 'dist', app, name));
}

/** What runs in a thread of its own is a file of its own, beside whoever starts it. */
const threads = {
  'sheet.worker': 'libs/service/src/import/sheet.worker.ts',
  'delta.worker': 'apps/resource/src/delta/delta.worker.ts',
};
await once('services', 'dist/standalone', [...libraries, ...folders('apps', ['console'])], () =>
  bundle('standalone', { main: 'apps/standalone/src/main.ts', ...threads }),
);
// One file for each process of the cluster; what they share stands beside them once.
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
  // A build that a test began (NODE_ENV=test) would carry React's development code, half as large again and slower, and
  // be kept.
  process.env['NODE_ENV'] = 'production';
  const { build } = await import('vite');
  await build({ root: join(root, 'apps/console'), logLevel: 'error' });
});
