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

/** One server per worktree, user and mode, so that none is shared by accident. */
const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const rootHash = createHash('sha256').update(root).digest('hex').slice(0, 12);
const place = `carillon-test-${process.getuid?.() ?? 0}-${rootHash}${inContainers ? '-container' : ''}`;
const folder = join(tmpdir(), place);
/** Linux frees an abstract name with its process, so a stale lock is impossible. */
const lockName = process.platform === 'linux' ? `@${place}` : join(tmpdir(), `${place}.sock`);

let held: Promise<AdminConnection> | undefined;

function ask(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(lockName.replace(/^@/, '\0'));
    socket.setEncoding('utf8').once('data', (line: string) => {
      socket.unref(); // stays open until this process ends: that is the lease
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
      // A separate file: the worker's stderr would keep the test run waiting for the server's end. O_NOFOLLOW, because
      // another user of this machine could have put a link there.
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
 * Returns the superuser's connection to the PostgreSQL that all test files share. The first call starts it; it stops
 * after the last process that called.
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
 * Returns the connection for a service's `provision` and `migrate`, with names that no other test has. The database
 * does not exist yet.
 */
export async function testConnection(name: string, poolMax = 3): Promise<Connection> {
  const admin = await testPostgres();
  const database = fresh(name);
  return { host: admin.host, port: admin.port, database, user: database, password: 'application', poolMax };
}

/** Creates an empty database, owned by the superuser. Returns its URL: `postgresql://…`. */
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
