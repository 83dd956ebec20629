import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { expect } from 'vitest';
import {
  addDevice,
  addTask,
  CallError,
  countDevices,
  createClient,
  editDevice,
  getTask,
  linkReport,
  listDevices,
  listTasks,
  type Client,
  type TaskRecord,
} from '@carillon/contracts';
import { kafkaUserOf } from '@carillon/contracts/services';
import type { Docker } from '@carillon/devtools/docker';
import { certificateOf } from '@carillon/service/bus';
import { makeInventory } from '@carillon/simulator/inventory';
import { eventually, rawRequest, devicePlace } from '@carillon/testing';
import { logIn, projectRoot, type Ready } from '@carillon/testing/platform';
import { Reporters } from './reporter.ts';

/** An installation in containers or pods, with simulated devices that are connected to it. */
export class Deployed {
  readonly call: Client;
  ids: string[] = [];
  private child: ChildProcess | undefined;

  private constructor(
    readonly ready: Ready,
    readonly folder: string,
    readonly accessToken: string,
  ) {
    this.call = createClient({ baseUrl: ready.url, headers: () => ({ 'carillon-auth': `bearer ${accessToken}` }) });
  }

  static async logIn(ready: Ready, folder: string): Promise<Deployed> {
    return new Deployed(ready, folder, await logIn(ready));
  }

  /** Adds devices and simulates them. Each keeps its own durable count of what it did. */
  async connect(count: number): Promise<void> {
    const lines: string[] = [];
    const place = await devicePlace(this.call);
    for (const item of makeInventory(count, 11)) {
      const { device, secret } = await this.call(addDevice, { body: { ...place, ...item } });
      this.ids.push(device.id);
      lines.push(JSON.stringify({ ...item, secret }));
    }
    mkdirSync(this.folder, { recursive: true });
    const file = join(this.folder, 'devices.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const { hostname, port } = new URL(this.ready.mqtt);
    this.child = spawn(
      process.execPath,
      [
        join(projectRoot, 'dist/simulator/main.js'),
        '--file',
        file,
        '--state',
        join(this.folder, 'simulator'),
        '--host',
        hostname,
        '--port',
        port,
        '--control',
        this.control,
        '--reboot-ms',
        '500',
        '--back-off',
        '500,5000',
        '--json',
      ],
      { stdio: 'ignore' },
    );
    await eventually(async () => {
      const { connected } = await this.simulator<{ connected: number }>('/stats');
      const { state } = await this.call(countDevices, { query: {} });
      if (connected !== count || (state['online'] ?? 0) + (state['notConfigured'] ?? 0) < count)
        throw new Error(`${connected} connected, ${JSON.stringify(state)}`);
    }, 60_000);
    // The task service receives the devices' hellos last; only a task shows that it has them.
    let tries = 0;
    await eventually(async () => {
      const { counts } = await this.reboot(`Introduction ${++tries}`);
      if (counts.success !== count) throw new Error(`not all are known yet: ${JSON.stringify(counts)}`);
    }, 60_000);
  }

  private get control(): string {
    return join(this.folder, 'simulator.sock');
  }

  private async simulator<T>(path: string): Promise<T> {
    return (await rawRequest({ socketPath: this.control }, { path, headers: { host: '127.0.0.1' } })).json as T;
  }

  /** Returns by MAC how often each device ran its commands. */
  async effects(): Promise<Map<string, number>> {
    const effects = await this.simulator<Record<string, Record<string, { count: number }>>>('/effects');
    return new Map(
      Object.entries(effects).map(([mac, effect]) => [
        mac,
        Object.values(effect).reduce((sum, { count }) => sum + count, 0),
      ]),
    );
  }

  async reboot(name: string, withinMs = 60_000): Promise<TaskRecord> {
    // The list tells whether an order without an answer arrived.
    await this.call(addTask, { body: { name, action: 'reboot', params: {}, target: { ids: this.ids } } }).catch(
      () => undefined,
    );
    const { id } = await eventually(async () => {
      const found = await this.call(listTasks, { query: { search: name } });
      if (found.total !== 1) throw new Error(`${found.total} tasks are named ${name}`);
      return found.records[0]!;
    }, 30_000);
    return eventually(async () => {
      const task = await this.call(getTask, { params: { id } });
      if (task.endedAt === null) throw new Error(`the task is ${task.status}: ${JSON.stringify(task.counts)}`);
      return task;
    }, withinMs);
  }

  /**
   * Runs calls, tasks and device events during `roll`. Checks that one retry fixes each failed call, that each device
   * runs each task once, and that no acknowledged event is lost.
   */
  async underLoad(roll: () => Promise<unknown>, stored: (topic: string) => Promise<string>): Promise<string> {
    const count = this.ids.length;
    const reporters = await Reporters.start(this, 3, 2_000);
    const before = await this.effects();
    const sums = { calls: 0, repeated: 0, tasks: 0 };
    const failed: string[] = [];
    let rolling = true;
    const once = async (what: () => Promise<unknown>): Promise<void> => {
      try {
        await what();
      } catch {
        sums.repeated++;
        // What a user does on "try again".
        await delay(1_000);
        await what().catch((error: unknown) => {
          failed.push(error instanceof CallError ? `${error.code} ${error.error} ${error.message}` : String(error));
        });
      }
      sums.calls++;
    };
    const load = [0, 1].map(async (n) => {
      for (let i = 0; rolling; i++) {
        await once(() => this.call(listDevices, { query: { page: 1, limit: 20 } }));
        await once(() => this.call(editDevice, { body: { id: this.ids[n]!, name: `Phone ${n} ${i}` } }));
        await delay(100);
      }
    });
    const tasks: TaskRecord[] = [];
    const ordering = (async () => {
      while (rolling) {
        tasks.push(await this.reboot(`Rolling ${crypto.randomUUID().slice(0, 8)}`, 180_000));
        sums.tasks++;
        await delay(2_000);
      }
    })();
    // A failure is thrown below; until then it is no unhandled one.
    ordering.catch(() => {});
    try {
      await roll();
    } finally {
      rolling = false;
      await Promise.all([...load, ordering]);
      await reporters.stop();
    }
    expect(failed).toEqual([]);
    for (const { name, counts } of tasks)
      expect([name, counts]).toMatchObject([name, { total: count, success: count }]);
    await eventually(async () => {
      const after = await this.effects();
      expect([...after].filter(([mac, times]) => times - (before.get(mac) ?? 0) !== tasks.length)).toEqual([]);
    });
    const kept = new Set((await stored(linkReport.name)).match(/n-[0-9a-f]{12}-\d+/g));
    expect(reporters.acknowledged.size).toBeGreaterThan(30);
    expect([...reporters.acknowledged].filter((id) => !kept.has(id))).toEqual([]);
    return `${sums.calls} calls, ${sums.repeated} repeated once; ${sums.tasks} tasks of ${count} devices, each done once; ${reporters.acknowledged.size} events acknowledged, 0 lost`;
  }

  async close(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    const ended = new Promise((done) => {
      this.child!.once('exit', done);
    });
    this.child.kill('SIGTERM');
    await ended;
  }
}

const readerPackages = '/reader/node_modules';
/** Options of `docker run` for `topicReader`: the image contains no package that reads topics. */
const readerOptions: readonly string[] = ['-v', `${join(projectRoot, 'node_modules')}:${readerPackages}:ro`];

/** Returns a script that prints a topic, to run in a container of the image beside the brokers. */
const topicReader = (
  brokers: string,
  topic: string,
  { username, password, certificate }: { username: string; password: string; certificate: string },
): string => `
const { Consumer, stringDeserializers } = await import('${readerPackages}/@platformatic/kafka/dist/index.js');
const consumer = new Consumer({ groupId: 'look-up', clientId: 'look-up',
  bootstrapBrokers: ${JSON.stringify(brokers.split(','))},
  tls: { ca: ${JSON.stringify(certificate)} },
  sasl: ${JSON.stringify({ mechanism: 'SCRAM-SHA-256', username, password })}, deserializers: stringDeserializers });
const stream = await consumer.consume({ topics: [${JSON.stringify(topic)}], mode: 'earliest', autocommit: false,
  sessionTimeout: 10000, heartbeatInterval: 500 });
let last = Date.now();
setInterval(() => { if (Date.now() - last > 4000) process.exit(0); }, 200);
for await (const { value } of stream) { last = Date.now(); process.stdout.write(value + '\\n'); }
`;

/** Returns the login of the Kafka administrator that the variables of an installation name. */
export const kafkaLogin = (file: string): { username: string; password: string; certificate: string } => {
  const made = parseEnv(readFileSync(file, 'utf8'));
  return {
    username: kafkaUserOf('admin'),
    password: made['CARILLON_ADMIN_KAFKA_PASSWORD']!,
    certificate: certificateOf(made['CARILLON_KAFKA_CERTIFICATE']!),
  };
};

/** Returns the addresses of an installation with the logins that its variables name. */
export function readyOf(file: string, url: string, mqtt: string): Ready {
  const env = parseEnv(readFileSync(file, 'utf8'));
  return {
    url,
    mqtt,
    admin: { username: env['CARILLON_ADMIN_NAME']!, password: env['CARILLON_ADMIN_PASSWORD']! },
    client: { id: env['CARILLON_CLIENT_ID']!, secret: env['CARILLON_CLIENT_SECRET']! },
  };
}

/** Reads a topic from within the network of the servers. Returns what `topicReader` prints. */
export const readTopic = (
  docker: Docker,
  network: string,
  topic: string,
  login: ReturnType<typeof kafkaLogin>,
): Promise<string> =>
  docker.run([
    'run',
    '--rm',
    '--network',
    network,
    ...readerOptions,
    '--entrypoint',
    'node',
    'carillon:next',
    '--input-type=module',
    '-e',
    topicReader('kafka:9092', topic, login),
  ]);
