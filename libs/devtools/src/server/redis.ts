import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { connect } from 'node:net';

/** A program that runs as `redis-server`. */
export interface RedisProgram {
  file: string;
  argv0: string;
}

const onPath = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .concat('/usr/sbin', '/usr/bin', '/usr/local/bin')
    .map((dir) => join(dir, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });

/**
 * Returns Redis or Valkey of this machine. Debian's `redis-check-rdb` is the same program under another name, and its
 * package `redis-tools` starts no service, unlike `redis-server`.
 */
export function findRedis(): RedisProgram | null {
  for (const [name, argv0] of [
    ['redis-server', 'redis-server'],
    ['valkey-server', 'valkey-server'],
    ['redis-check-rdb', 'redis-server'],
    ['valkey-check-rdb', 'valkey-server'],
  ] as const) {
    const file = onPath(name);
    if (file === undefined) continue;
    const said = spawnSync(file, ['--version'], { argv0, encoding: 'utf8' }).stdout ?? '';
    const major = Number(/v=(\d+)\./.exec(said)?.[1] ?? 0);
    // GETDEL, which consumes one-time codes, needs 6.2.
    if (major >= 7) return { file, argv0 };
  }
  return null;
}

export const redisMissing =
  'Redis 7 or newer is missing (Debian: apt-get install redis-tools, which starts no service; or redis-server).';

/** Installs Redis with the system's packages when this user may. Throws an error with one sentence otherwise. */
export function ensureRedis(say: (text: string) => void = () => {}): RedisProgram {
  const found = findRedis();
  if (found) return found;
  if (process.getuid?.() !== 0 || onPath('apt-get') === undefined) throw new Error(redisMissing);
  say('installing Redis');
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  const install = () =>
    spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'redis-tools'], quiet).status === 0;
  if (!install()) {
    spawnSync('apt-get', ['update', '-q'], quiet);
    install();
  }
  const installed = findRedis();
  if (!installed) throw new Error(redisMissing);
  return installed;
}

export interface RedisServerOptions {
  port: number;
  /** Working folder with the log, created when absent. */
  dir: string;
  /**
   * Memory limit, such as `256mb`. The keys closest to their expiry are evicted first: a cache may forget, and a claim
   * ends with its lease.
   */
  memory?: string;
  password?: string;
}

export interface RedisServer {
  pid: number;
  port: number;
  /** Value for a service's `redisUrl`. */
  url: string;
  process: ChildProcess;
  /** Resolves when the process has ended for any reason. */
  exited: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a real Redis on loopback. It stores nothing on disk: a restart gives an empty Redis, and a full disk does not
 * stop it.
 */
export async function startRedis(
  options: RedisServerOptions,
  program: RedisProgram = ensureRedis(),
): Promise<RedisServer> {
  const { port, dir, password } = options;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const settings = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${JSON.stringify(dir)}`,
    'logfile redis.log',
    'save ""',
    'appendonly no',
    'daemonize no',
    'protected-mode yes',
    'tcp-backlog 511',
    `maxmemory ${options.memory ?? '256mb'}`,
    'maxmemory-policy volatile-lru',
    ...(password === undefined ? [] : [`requirepass ${JSON.stringify(password)}`]),
  ];
  // Settings go over stdin, because every user of the machine can read a password on the command line.
  const child = spawn(program.file, ['-'], {
    argv0: program.argv0,
    cwd: dir,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  child.stdin!.on('error', () => {}).end(`${settings.join('\n')}\n`);
  let ended = false;
  void exited.then(() => {
    ended = true;
  });
  const until = Date.now() + 15_000;
  while (!(await redisAnswers(port, password))) {
    if (ended || Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`Redis did not start on port ${port}; see ${join(dir, 'redis.log')}`);
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  return {
    pid: child.pid!,
    port,
    process: child,
    exited,
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    async stop() {
      if (ended) return;
      // A stopped process handles no other signal, and nothing needs an orderly shutdown.
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Returns whether a Redis with this password answers PING on a port of 127.0.0.1. */
export function redisAnswers(port: number, password?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let said = '';
    const end = (well: boolean): void => {
      socket.destroy();
      resolve(well);
    };
    socket
      .setTimeout(1_000, () => end(false))
      .on('error', () => end(false))
      .on('close', () => resolve(false));
    socket.on('data', (chunk) => {
      said += chunk.toString();
      if (said.includes('PONG')) end(true);
      else if (/^-/m.test(said)) end(false);
    });
    const word = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
    socket.write(`${password === undefined ? '' : `*2\r\n${word('AUTH')}${word(password)}`}*1\r\n${word('PING')}`);
  });
}
