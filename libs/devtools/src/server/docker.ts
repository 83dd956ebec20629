import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { builtWithGo, cached, DockerUnavailable, unpacked } from './cached-tool.ts';
import { client, type Docker } from './docker-client.ts';
import { importImages } from './docker-image.ts';

export { DockerUnavailable, execute } from './cached-tool.ts';
export type { Docker } from './docker-client.ts';

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

/** Unpacks the engine and the programs that it calls. Returns their folder. */
async function unpackedEngine(): Promise<string> {
  const engine = await unpacked('docker', packages);
  if (existsSync(join(engine, 'bin-of-ours'))) return engine;
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
  return engine;
}

/** Starts the daemon of a private engine. The engine and its containers end with the test process in every case. */
const startDaemon = (engine: string, folder: string, socket: string, data: string) =>
  spawn(
    'setpriv',
    [
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

/** Removes the empty cgroups of the engine's containers. */
function removeGroups(): void {
  for (const name of readdirSync('/sys/fs/cgroup'))
    for (const group of ['docker', 'k8s.io'])
      try {
        rmdirSync(join('/sys/fs/cgroup', name, group));
      } catch {
        /* there is none, or it is another's */
      }
}

/** Waits until the engine answers. Returns false when it does not within half a minute, or its daemon has ended. */
async function answers(docker: Docker, hasEnded: () => boolean): Promise<boolean> {
  for (const until = Date.now() + 30_000; ;) {
    const isUp = await docker.run(['info']).then(
      () => true,
      () => false,
    );
    if (isUp) return true;
    if (hasEnded() || Date.now() > until) return false;
    await new Promise((r) => {
      setTimeout(r, 200);
    });
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
  const engine = await unpackedEngine();
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
  const daemon = startDaemon(engine, folder, socket, data);
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
    removeGroups();
    rmSync(`${data}.lock`, { force: true });
  });
  if (!(await answers(docker, () => daemon.exitCode !== null))) {
    await docker.stop();
    throw new DockerUnavailable(`Docker did not start here: ${said.trim().split('\n').at(-1)}`);
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
