import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import mqtt from 'mqtt';
import pg from 'pg';
import { keepDeadlocks } from '@carillon/devtools/deadlocks';
import { freePorts } from '@carillon/devtools/free-port';
import {
  countDevices,
  createClient,
  getTask,
  listTaskDevices,
  listTasks,
  type Client,
  type TaskRecord,
} from '@carillon/contracts';
import { devicesKnownBy } from './devices-known.ts';
import { carillon } from './carillon-cli.ts';
import { eventually } from './eventually.ts';
import { dataFolderOf, Installation, processesOf, secretsOf, type Ready } from './installation.ts';
import { logIn, patientFetch } from './platform-session.ts';

export { carillon, projectRoot, type CliAnswer } from './carillon-cli.ts';
export { dataFolderOf, processesOf, type Ready, type SimulatorStats } from './installation.ts';
export { logIn } from './platform-session.ts';

export interface PlatformOptions {
  name: string;
  devices: number;
  /** Phones over HTTP of the demo company; none when absent. */
  phones?: number;
  /** Number of devices that connect; all when absent. */
  online?: number;
  env?: Record<string, string>;
  args?: readonly string[];
  /** Size of a separate disk for the data folder (`640m`); needs root. */
  disk?: string;
  /** Number of processes per service; `./carillon test --cluster` decides when absent. */
  cluster?: { gateways: number; replicas: number };
}
/** Both modes, for tests that must pass in each. */
export const waysToRun = { standalone: {}, cluster: { cluster: { gateways: 2, replicas: 2 } } } as const;
/** The mode of tests that do not choose one. */
const asked = process.env.CARILLON_TEST_WAY === 'cluster' ? waysToRun.cluster.cluster : undefined;

/** A running product, started by its own command in a new folder. */
export class Platform extends Installation {
  readonly ready: Ready;
  readonly startedMs: number;
  /** The administrator's typed client. */
  readonly call: Client;
  private readonly accessToken: string;

  private constructor(folder: string, ready: Ready, startedMs: number, accessToken: string) {
    super(folder);
    this.ready = ready;
    this.startedMs = startedMs;
    this.accessToken = accessToken;
    this.call = this.client();
  }

  static async start(options: PlatformOptions): Promise<Platform> {
    const folder = dataFolderOf(options.name);
    const [port, mqttPort, phonePort] = await freePorts(3);
    const cluster = options.cluster ?? asked;
    if (
      options.disk &&
      spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${options.disk},mode=0755`, 'none', folder]).status !== 0
    )
      throw new Error('no disk could be mounted');
    try {
      const up = await carillon(
        [
          'up',
          '--data',
          folder,
          '--port',
          String(port),
          '--mqtt-port',
          String(mqttPort),
          '--phone-port',
          String(phonePort),
          '--devices',
          String(options.devices),
          '--phones',
          String(options.phones ?? 0),
          '--detach',
          '--json',
          ...(cluster
            ? ['--cluster', '--gateways', String(cluster.gateways), '--replicas', String(cluster.replicas)]
            : []),
          ...(options.args ?? []),
        ],
        { env: { CARILLON_KEEP_FIRST_PASSWORD: '1', ...options.env } },
      );
      if (up.code !== 0) throw new Error(`up ended with ${up.code}: ${up.stderr}`);
      const ready = JSON.parse(up.stdout) as Ready;
      const accessToken = await logIn(ready);
      const platform = new Platform(folder, ready, up.ms, accessToken);
      if (options.devices > 0) {
        await platform.allOnline(options.online ?? options.devices);
        await platform.introduceOthers();
        const { devices, phones = 0, online = devices } = options;
        await platform.devicesKnown(devices + phones, online + phones);
      }
      return platform;
    } catch (error) {
      await carillon(['down', '--data', folder]);
      if (options.disk) spawnSync('umount', [folder]);
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Connects to a product that runs in this folder; its starter closes it. */
  static async join(folder: string): Promise<Platform> {
    const { url, mqtt } = JSON.parse(readFileSync(join(folder, 'run', 'state.json'), 'utf8')) as Ready;
    const ready = { ...secretsOf(folder), url, mqtt };
    return new Platform(folder, ready, 0, await logIn(ready));
  }

  /** The authorization header of the administrator's session, for raw requests. */
  get authorization(): string {
    return `bearer ${this.accessToken}`;
  }

  /** Returns a client that sends additional headers. */
  client(headers: Record<string, string> = {}): Client {
    return createClient({
      baseUrl: this.ready.url,
      headers: () => ({ 'carillon-auth': `bearer ${this.accessToken}`, ...headers }),
      ...(this.isCluster ? { fetch: patientFetch } : {}),
    });
  }

  /** Returns a client without retries. */
  plainClient(): Client {
    return createClient({
      baseUrl: this.ready.url,
      headers: () => ({ 'carillon-auth': `bearer ${this.accessToken}` }),
    });
  }

  /** Waits until `count` devices are connected and the platform knows it. */
  async allOnline(count: number, withinMs = 240_000): Promise<void> {
    await eventually(async () => {
      const { connected } = await this.stats();
      const { state } = await this.call(countDevices, { query: {} });
      const online = (state['online'] ?? 0) + (state['abnormal'] ?? 0);
      // Unconfigured devices are counted as such, online or not.
      if (connected !== count || online + (state['notConfigured'] ?? 0) < count)
        throw new Error(`${connected} connected, ${JSON.stringify(state)} of ${count}`);
    }, withinMs);
  }

  /** Waits until the task service knows its devices' capabilities and which are online. */
  private async devicesKnown(capable: number, online: number): Promise<void> {
    const { postgres } = JSON.parse(readFileSync(join(this.folder, 'secrets.json'), 'utf8')) as { postgres: string };
    const client = new pg.Client({
      host: this.socket,
      port: 5432,
      user: 'postgres',
      password: postgres,
      database: 'carillon_task',
    });
    await client.connect();
    try {
      await devicesKnownBy((sql) => client.query(sql), capable, online);
    } finally {
      await client.end();
    }
  }

  /**
   * Lets devices that the simulator keeps offline send their hello once, because every action is refused without it.
   */
  private async introduceOthers(): Promise<void> {
    const away = new Set(
      (await this.devices()).filter((device) => device.behaviour === 'offline').map(({ mac }) => mac),
    );
    const credentials = readFileSync(join(this.folder, 'simulator-devices.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { mac: string; secret: string; model: string; sn: string });
    for (const { mac, secret, model, sn } of credentials.filter((device) => away.has(device.mac))) {
      const device = await mqtt.connectAsync(this.ready.mqtt, {
        clientId: mac,
        username: mac,
        password: secret,
        reconnectPeriod: 0,
      });
      const facts = { model, sn, firmware: '2.12.22.2', ip: '10.20.0.9', uptime: 1, boot: 'power' };
      await device.publishAsync(`d/${mac}/hello`, JSON.stringify({ ...facts, capabilities: ['reboot'] }), { qos: 1 });
      await device.endAsync();
    }
  }

  taskNamed(name: string): Promise<TaskRecord> {
    return eventually(async () => {
      const found = await this.call(listTasks, { query: { search: name } });
      if (found.total !== 1) throw new Error(`${found.total} tasks are named ${name}`);
      return found.records[0]!;
    }, 30_000);
  }

  /** Returns the task once it has ended. Rejects with its state and its unfinished devices when it does not. */
  async ended(id: string, withinMs = 180_000): Promise<TaskRecord> {
    try {
      return await eventually(async () => {
        const task = await this.call(getTask, { params: { id } });
        if (task.endedAt === null) throw new Error(`the task is ${task.status}: ${JSON.stringify(task.counts)}`);
        return task;
      }, withinMs);
    } catch (error) {
      // A failing lookup must not hide the original error.
      const left = (await this.taskDevices(id).catch(() => []))
        .filter((d) => d.durationMs === null && !['success', 'fail', 'timeout', 'cancel'].includes(d.status))
        .slice(0, 5);
      throw new Error(`${(error as Error).message}; ${JSON.stringify(left)}`, { cause: error });
    }
  }

  /** Returns every device of a task, all pages. */
  async taskDevices(id: string) {
    const records = [];
    for (let page = 1; ; page++) {
      const found = await this.call(listTaskDevices, { params: { id }, query: { page, limit: 100 } });
      records.push(...found.records);
      if (found.records.length === 0 || records.length >= found.total) return records;
    }
  }

  /** Stops and removes everything. Fails when a process is left or did not end by itself. */
  async close(): Promise<void> {
    for (const watch of this.watches) watch.close();
    const down = await carillon(['down', '--data', this.folder]);
    const left = processesOf(this.folder);
    const supervisorLog = join(this.folder, 'logs', 'supervisor.log');
    const hard = existsSync(supervisorLog)
      ? readFileSync(supervisorLog, 'utf8')
          .split('\n')
          .filter((line) => line.includes('"point":"ended-hard"'))
          .map((line) => `${line}\n${this.lastLines((JSON.parse(line) as { process: string }).process)}`)
      : [];
    const postgresLog = join(this.folder, 'logs', 'postgres.log');
    if (existsSync(postgresLog)) keepDeadlocks(readFileSync(postgresLog, 'utf8'));
    if (readFileSync('/proc/mounts', 'utf8').includes(` ${this.folder} `)) spawnSync('umount', [this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
    if (down.code !== 0 || left.length > 0 || hard.length > 0)
      throw new Error(
        `down ended with ${down.code}, processes left: ${left.join(', ')}; ${down.stderr}${hard.join('; ')}`,
      );
  }
}

/** Runs SQL in auth's database under the company's policies, for data that no call can set yet. */
export async function authSql<R = Record<string, unknown>>(
  platform: Platform,
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  const client = new pg.Client({
    host: platform.socket,
    port: 5432,
    database: 'carillon_auth',
    user: 'carillon_auth_app',
    password: platform.databasePassword('auth'),
  });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`select set_config('app.company_id', $1, true), set_config('app.org_ids', '*', true)`, [
      platform.companyId,
    ]);
    const { rows } = await client.query(text, values);
    await client.query('commit');
    return rows as R[];
  } finally {
    await client.end();
  }
}
