import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inContainers } from './containers.ts';
import type { AdminConnection, Connection } from '@carillon/persistence';

/** One server for each worktree, user and way to run it, so that two of them never meet. */
const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const rootHash = createHash('sha256').update(root).digest('hex').slice(0, 12);
const place = `carillon-test-${process.getuid?.() ?? 0}-${rootHash}${inContainers ? '-container' : ''}`;
const folder = join(tmpdir(), place);
/** Linux frees an abstract name with its process, so no stale lock is possible. */
const lockName = process.platform === 'linux' ? `@${place}` : join(tmpdir(), `${place}.sock`);

let held: Promise<AdminConnection> | undefined;

function ask(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(lockName.replace(/^@/, '\0'));
    socket.setEncoding('utf8').once('data', (line: string) => {
      socket.unref(); // held open until this process ends: that is the lease
      resolve(Number(line));
    });
    socket.once('error', reject).once('close', () => reject(new Error('the test database server ended')));
  });
}

async function start(): Promise<AdminConnection> {
  const node = process.execPath;
  for (let attempt = 0; ; attempt += 1) {
    const port = await ask().catch((error: Error) => {
      if (attempt > 100) throw error;
      return 0;
    });
    if (port) return { host: '127.0.0.1', port, user: 'postgres', password: 'postgres' };
    if (attempt % 25 === 0) {
      // A file of its own: with the worker's stderr it would keep the test run waiting for its end.
      // Never through a link that another user of this machine put there.
      const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
      const errors = openSync(`${folder}.log`, O_APPEND | O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
      const keeper = spawn(
        node,
        [
          '--conditions=carillon-source',
          join(dirname(fileURLToPath(import.meta.url)), 'postgres-keeper.ts'),
          lockName,
          folder,
        ],
        { detached: true, stdio: ['ignore', 'ignore', errors], cwd: root },
      );
      closeSync(errors);
      keeper.unref();
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 40);
    });
  }
}

/**
 * The real PostgreSQL that all test files share, as its superuser. Started by the first call, stopped after the last
 * process that called.
 */
export function testPostgres(): Promise<AdminConnection> {
  held ??= start();
  return held;
}

const fresh = (name: string): string =>
  `${name
    .replace(/[^a-z0-9]+/gi, '_')
    .toLowerCase()
    .slice(0, 40)}_${randomBytes(4).toString('hex')}`;

/**
 * What `provision` and `migrate` of a service need, under names that no other test has. The database does not exist
 * yet.
 */
export async function testConnection(name: string, poolMax = 3): Promise<Connection> {
  const admin = await testPostgres();
  const database = fresh(name);
  return { host: admin.host, port: admin.port, database, user: database, password: 'application', poolMax };
}

/** A new, empty database, owned by the superuser: `postgresql://…`. */
export async function testDatabase(name: string): Promise<string> {
  const admin = await testPostgres();
  const database = fresh(name);
  const client = new pg.Client({ ...admin, database: 'postgres' });
  await client.connect();
  try {
    await client.query(`create database ${client.escapeIdentifier(database)} template template0 strategy file_copy`);
  } finally {
    await client.end();
  }
  return `postgresql://${admin.user}:${admin.password}@${admin.host}:${admin.port}/${database}`;
}
