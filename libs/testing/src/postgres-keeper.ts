/**
 * Keeps one PostgreSQL server for all test files of a worktree. The first test starts it. It holds a socket whose name
 * is the lock, and each user keeps a connection to that socket open. Some seconds after the last connection has closed
 * (the run ended or was killed), it stops the server and removes the data.
 */
import { mkdir, readFile, rm, chown } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '@carillon/devtools/free-port';
import { inContainers, startContainer } from './containers.ts';
import { binaries, initdb, settings, startPostgres, stopPostgres } from './postgres-binaries.ts';

const [, , lockName, folder] = process.argv as [string, string, string, string];
const socketName = lockName.replace(/^@/, '\0'); // Linux prints an abstract name with `@`
const graceMs = 5_000;

const waiting = new Set<Socket>();
let users = 0;
let port = 0;
let idle: NodeJS.Timeout | undefined;

const lock = createServer((socket) => {
  users += 1;
  clearTimeout(idle);
  const answer = (): void => {
    socket.write(`${port}\n`);
  };
  if (port) answer();
  else waiting.add(socket);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    waiting.delete(socket);
    users -= 1;
    if (users === 0) idle = setTimeout(() => void end(0), graceMs);
  });
});
lock.once('error', () => process.exit(0)); // another keeper was first
await new Promise<void>((resolve) => {
  lock.listen(socketName, resolve);
});

/** Stops the server of a killed keeper. */
async function stopLeftOver(dataDir: string): Promise<void> {
  const pid = Number((await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (command.includes(dataDir)) process.kill(pid, 'SIGQUIT');
}

/** A running server; `ended` resolves when it has ended for any reason. */
interface Running {
  port: number;
  ended: Promise<void>;
  stop(): Promise<void>;
}

async function runProcess(): Promise<Running> {
  const data = join(folder, 'data');
  await stopLeftOver(data);
  await rm(folder, { recursive: true, force: true });
  // Fails when the folder exists again: another process created it.
  await mkdir(folder, { mode: 0o755 });
  const programs = await binaries();
  if (programs.user) await chown(folder, programs.user.uid, programs.user.gid);
  await initdb(programs, data);
  const wanted = await freePort();
  const server = await startPostgres(programs, data, wanted, settings);
  return {
    port: wanted,
    ended: new Promise((resolve) => {
      server.once('exit', () => resolve());
    }),
    async stop() {
      await stopPostgres(server, 'immediate');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runContainer(): Promise<Running> {
  const container = await startContainer({
    image: 'postgres',
    port: 5432,
    environment: { POSTGRES_PASSWORD: 'postgres' },
    command: ['postgres', ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    memory: { '/var/lib/postgresql': 'rw,size=4g,mode=1777' },
    async serves(at) {
      const client = new pg.Client({ host: '127.0.0.1', port: at, user: 'postgres', password: 'postgres' });
      await client.connect();
      await client.end();
      return true;
    },
  });
  return { port: container.port, ended: container.ended, stop: () => container.remove() };
}

const server = await (inContainers ? runContainer() : runProcess());
void server.ended.then(() => end(1));
port = server.port;
for (const socket of waiting) socket.write(`${port}\n`);
waiting.clear();
if (users === 0) idle = setTimeout(() => void end(0), graceMs);

let ending = false;
async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  lock.close();
  await server.stop();
  if (!socketName.startsWith('\0')) await rm(socketName, { force: true });
  process.exit(code);
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end(0));
