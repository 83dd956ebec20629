import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@carillon/devtools/free-port';
import { redisAnswers, startRedis, type RedisServer } from '@carillon/devtools/redis';
import { inContainers, startContainer } from './containers.ts';

/** A real Redis for one test file, with controls for faults. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty, after `kill`. */
  start(): Promise<void>;
  /** SIGSTOP: it accepts connections and answers nothing. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}

/** Ends the server when this process was killed: the guard's standard input ends with it. */
function guard(pid: number, dir: string): ChildProcess {
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      `cat >/dev/null; grep -q redis-server /proc/${pid}/cmdline 2>/dev/null && kill -9 ${pid}; rm -rf "$1"`,
      'guard',
      dir,
    ],
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  child.stdin!.on('error', () => {});
  return child;
}

async function containerRedis(): Promise<TestRedis> {
  const container = await startContainer({
    image: 'redis',
    port: 6379,
    command: ['redis-server', '--bind', '0.0.0.0', '--protected-mode', 'no', '--save', '', '--appendonly', 'no'],
    serves: redisAnswers,
  });
  return {
    url: `redis://127.0.0.1:${container.port}`,
    port: container.port,
    kill: () => container.kill(),
    start: () => container.start(),
    freeze: () => container.pause(),
    thaw: () => container.unpause(),
    stop: () => container.remove(),
  };
}

export function testRedis(): Promise<TestRedis> {
  return inContainers ? containerRedis() : processRedis();
}

async function processRedis(): Promise<TestRedis> {
  const dir = mkdtempSync(join(tmpdir(), 'carillon-redis-'));
  const port = await freePort();
  let server: RedisServer;
  let watched: ChildProcess;
  const start = async (): Promise<void> => {
    server = await startRedis({ port, dir });
    watched = guard(server.pid, dir);
    server.process.unref();
  };
  const kill = async (): Promise<void> => {
    await server.stop();
    watched.kill('SIGKILL');
  };
  await start();
  return {
    url: server!.url,
    port,
    kill,
    start,
    freeze: async () => void process.kill(server.pid, 'SIGSTOP'),
    thaw: async () => void process.kill(server.pid, 'SIGCONT'),
    async stop() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
