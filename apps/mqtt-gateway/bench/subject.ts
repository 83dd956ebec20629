import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { generate } from 'mqtt-packet';
import { rolldown } from 'rolldown';
import { freePort } from '@carillon/devtools/free-port';
import { commandText, linkCommandTopic, macOf } from '../src/testing/wire.ts';

/** A server for devices in a process of its own. */
export interface Subject {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Prepares one command for each of the first `n` devices; the measurement begins with `command`. */
  prepare(n: number): Promise<void>;
  /** Sends the prepared commands. */
  command(n: number): Promise<void>;
  /** Whether it answers a hello with a welcome. */
  readonly welcomes: boolean;
  end(): Promise<void>;
}

/** Returns user and system time of a process with all its threads in microseconds; the scheduler counts nanoseconds. */
export function cpuUs(pid: number): number {
  let ns = 0;
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    try {
      ns += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      /* the thread has just ended */
    }
  }
  return ns / 1_000;
}

/** Returns the resident memory in kB. */
export const rssKb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

const root = join(import.meta.dirname, '../../..');
const bundles = join(root, 'dist/bench/mqtt-gateway');

/** Bundles Node programs of this folder in the same way as the product's. */
export async function bundle(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const made = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(import.meta.dirname, `${name}.ts`)])),
    platform: 'node',
    tsconfig: join(root, 'tsconfig.base.json'),
    cwd: root,
    resolve: { conditionNames: ['carillon-source'] },
    external: (id) => !/^(\.|\/|@carillon\/|@oxc-project\/runtime)/.test(id),
  });
  await made.write({ dir: bundles, format: 'esm', keepNames: true, entryFileNames: '[name].js' });
  await made.close();
}

/** Starts one of these programs: it prints its port, then answers each line of its standard input. */
export async function nodeSubject(name: string, args: readonly string[] = []): Promise<Subject> {
  const child = spawn(
    process.execPath,
    [...(process.env['BENCH_NODE_FLAGS']?.split(' ') ?? []), join(bundles, `${name}.js`), ...args],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const answer = async (): Promise<{ port: number }> =>
    JSON.parse((await lines.next()).value as string) as { port: number };
  const ask = async (line: string): Promise<void> => {
    child.stdin!.write(`${line}\n`);
    await answer();
  };
  const { port } = await answer();
  return {
    name,
    pid: child.pid!,
    port,
    welcomes: true,
    prepare: (n) => ask(`prepare ${n}`),
    command: (n) => ask(`command ${n}`),
    async end() {
      child.stdin!.end();
      await ended(child);
    },
  };
}

/** Commands that the publisher has in flight; with more, Mosquitto would read several at once. */
const inFlight = Number(process.env['BENCH_INFLIGHT'] ?? 100);

/** Connects a publisher as soon as the broker listens. */
async function publisherOf(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const open = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    if (!open) {
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      continue;
    }
    socket.on('error', () => undefined);
    socket.write(
      generate({
        cmd: 'connect',
        protocolId: 'MQTT',
        protocolVersion: 4,
        clean: true,
        clientId: 'bench',
        keepalive: 0,
      } as never),
    );
    await new Promise((resolve) => {
      socket.once('data', resolve);
    });
    return socket;
  }
}

/**
 * Starts Debian's Mosquitto without a password file or an access list. Commands come from one connection, each in its
 * own write.
 */
export async function mosquitto(): Promise<Subject> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'carillon-mosquitto-'));
  const config = join(folder, 'mosquitto.conf');
  writeFileSync(
    config,
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\nset_tcp_nodelay true\nmax_connections -1\nmax_inflight_messages 0\nmax_queued_messages 0\n`,
  );
  const child = spawn('mosquitto', ['-c', config], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const failed = new Promise<never>((_, reject) =>
    child.once('error', () => reject(new Error('Mosquitto is not installed (Debian: apt-get install mosquitto).'))),
  );
  const publisher = await Promise.race([failed, publisherOf(port)]);
  let packets: Buffer[] = [];
  return {
    name: 'mosquitto',
    pid: child.pid!,
    port,
    welcomes: false,
    async prepare(n) {
      packets = Array.from({ length: n }, (_, i) =>
        generate({
          cmd: 'publish',
          topic: linkCommandTopic(macOf(i)),
          payload: commandText('reboot'),
          qos: 1,
          messageId: 1 + (i % 60_000),
          dup: false,
          retain: false,
        }),
      );
    },
    async command(n) {
      await new Promise<void>((resolve) => {
        let sent = 0,
          acknowledged = 0;
        const more = (): void => {
          while (sent < n && sent - acknowledged < inFlight) publisher.write(packets[sent++]!);
        };
        publisher.on('data', (bytes) => {
          acknowledged += bytes.length / 4;
          if (acknowledged >= n) {
            publisher.removeAllListeners('data');
            resolve();
          } else more();
        });
        more();
      });
    },
    async end() {
      publisher.destroy();
      child.kill('SIGTERM');
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
