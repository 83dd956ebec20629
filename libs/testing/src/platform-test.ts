import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import mqtt from 'mqtt';
import pg from 'pg';
import { keepDeadlocks } from '@carillon/devtools/deadlocks';
import { freePorts } from '@carillon/devtools/free-port';
import { kafkaUserOf } from '@carillon/contracts/services';
import {
  captchaHeaders,
  countDevices,
  createClient,
  getCaptchaWork,
  getTask,
  listTaskDevices,
  listTasks,
  showCaptcha,
  token,
  type Client,
  type TaskRecord,
} from '@carillon/contracts';
import { rawRequest, type RawAnswer } from './raw.ts';
import { doWork } from './captcha.ts';
import { devicesKnownBy } from './devices-known.ts';
import { carillon } from './carillon-cli.ts';
import { eventually } from './eventually.ts';
import { LogWatch } from './log-watch.ts';

export { carillon, projectRoot, type CliAnswer } from './carillon-cli.ts';

/** Creates a folder that PostgreSQL's user may also enter. */
export function dataFolderOf(name: string): string {
  const folder = mkdtempSync(`/tmp/carillon-${name}-`);
  // mkdtemp creates it for its owner only, but under root PostgreSQL runs as another user.
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}

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
interface KafkaPlace {
  bus: 'kafka';
  name: string;
  brokers: string;
  ca: string;
  login: { user: string; password: string; mechanism: 'SCRAM-SHA-256' };
}
interface PostgresPlace {
  bus: 'postgres';
  name: string;
  connection: { host: string; port: number; database: string; user: string; password: string };
}
export interface Ready {
  url: string;
  mqtt: string;
  /** Where phones over HTTP load their configuration; absent when this machine did not start it. */
  phones?: string;
  admin: { username: string; password: string };
  client: { id: string; secret: string };
}
interface Secrets {
  companyId: string;
  admin: Ready['admin'];
  client: Ready['client'];
  viewerPassword: string;
  databases: Record<string, { app: string }>;
  kafka: { admin: string };
}
const secretsOf = (folder: string): Secrets =>
  JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')) as Secrets;
type Effects = Record<string, Record<string, { action: string; count: number }>>;
export interface SimulatorStats {
  devices: number;
  connected: number;
  commands: Record<string, number>;
  effects: Record<string, number>;
  onlines: number;
  offlines: number;
}

/** A running product, started by its own command in a new folder. */
export class Platform {
  readonly folder: string;
  readonly ready: Ready;
  readonly startedMs: number;
  /** The administrator's typed client. */
  readonly call: Client;
  private readonly accessToken: string;
  private readonly watches = new Set<LogWatch>();

  private constructor(folder: string, ready: Ready, startedMs: number, accessToken: string) {
    this.folder = folder;
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

  get isCluster(): boolean {
    return !('standalone' in this.state().processes);
  }

  /** Names of the processes that the supervisor manages. */
  get processes(): string[] {
    return Object.keys(this.state().processes);
  }

  /**
   * Follows all service logs from their current end. `line` resolves to the first match with the name of its process.
   */
  logs(): {
    line(
      fits: (line: Record<string, unknown>) => boolean,
      withinMs?: number,
    ): Promise<{ process: string; line: Record<string, unknown> }>;
    close(): void;
  } {
    const watches = this.processes
      .filter((name) => name !== 'simulator')
      .map((name) => ({ name, watch: this.log(name) }));
    return {
      line: (fits, withinMs) =>
        Promise.any(
          watches.map(({ name, watch }) => watch.line(fits, withinMs).then((line) => ({ process: name, line }))),
        ).catch((error: AggregateError) => {
          throw error.errors[0];
        }),
      close: () => {
        for (const { watch } of watches) watch.close();
      },
    };
  }

  log(name: string, from: 'start' | 'end' = 'end'): LogWatch {
    const log = new LogWatch(join(this.folder, 'logs', `${name}.log`), from);
    this.watches.add(log);
    return log;
  }

  private state(): {
    supervisor: number;
    postgres: { pid: number; socket: string };
    processes: Record<string, number>;
    servers: Record<string, { pid: number }>;
    brokers?: string;
  } {
    return JSON.parse(readFileSync(join(this.folder, 'run', 'state.json'), 'utf8')) as never;
  }

  /** Returns the pid of the supervisor, a server or a process, by its name in `status`. */
  pid(name: string): number {
    const { supervisor, postgres, servers, processes } = this.state();
    return name === 'supervisor'
      ? supervisor
      : name === 'postgres'
        ? postgres.pid
        : (servers[name]?.pid ?? processes[name]!);
  }

  /** Addresses of the cluster's Kafka. */
  get brokers(): string | undefined {
    return this.state().brokers;
  }

  /** Path of the certificate of the cluster's Kafka. */
  get kafkaCa(): string {
    return join(this.folder, 'kafka', 'certificate.pem');
  }

  /** Returns where the administrator reaches the bus, for `openBus`. */
  busPlace(name: string): KafkaPlace | PostgresPlace {
    const secrets = secretsOf(this.folder);
    const { brokers } = this;
    if (brokers === undefined)
      return {
        bus: 'postgres',
        name,
        connection: {
          host: this.socket,
          port: 5432,
          database: 'carillon_bus',
          user: 'carillon_bus_app',
          password: secrets.databases['bus']!.app,
        },
      };
    const login = { user: kafkaUserOf('admin'), password: secrets.kafka.admin, mechanism: 'SCRAM-SHA-256' } as const;
    return { bus: 'kafka', brokers, name, ca: this.kafkaCa, login };
  }

  get socket(): string {
    return this.state().postgres.socket;
  }

  /** Returns the password of a database's application role, for tests that use the database or the bus directly. */
  databasePassword(name: string): string {
    return secretsOf(this.folder).databases[name]!.app;
  }

  /** The first company's id. */
  get companyId(): string {
    return secretsOf(this.folder).companyId;
  }

  /** The demo company's second user, who has read permissions only. */
  get viewer(): { username: string; password: string } {
    return { username: 'viewer', password: secretsOf(this.folder).viewerPassword };
  }

  kill(name: string, signal: NodeJS.Signals = 'SIGKILL'): void {
    process.kill(this.pid(name), signal);
  }

  /** Pauses a process with its children (PostgreSQL's sessions are processes). Returns a function that resumes them. */
  freeze(name: string): () => void {
    const send = (pid: number, signal: NodeJS.Signals): void => {
      try {
        process.kill(pid, signal);
      } catch {
        /* it has ended */
      }
    };
    const pids = [this.pid(name)];
    // Pause the parent first, so that it starts no further child.
    for (const pid of pids) {
      send(pid, 'SIGSTOP');
      pids.push(
        ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
      );
    }
    return () => {
      for (const pid of pids) send(pid, 'SIGCONT');
    };
  }

  /** Returns what `status --json` prints about the processes. */
  async status(): Promise<{
    ready: boolean;
    processes: {
      name: string;
      pid: number;
      running: boolean;
      memoryKb: number | null;
      age: number | null;
      lag: number | null;
    }[];
    disks: { name: string; freeBytes: number; totalBytes: number; reserveBytes: number }[];
  }> {
    return JSON.parse((await carillon(['status', '--data', this.folder, '--json'])).stdout) as never;
  }

  /** Requests a path of a process's ops socket. */
  ops(name: string, path: '/livez' | '/readyz' | '/metrics'): Promise<RawAnswer> {
    return rawRequest({ socketPath: join(this.folder, 'run', 'ops', `${name}.sock`) }, { path });
  }

  /** Requests a path of the running simulator's control socket. */
  async simulator<T>(path: string, body?: object): Promise<T> {
    const ask = () =>
      rawRequest(
        { socketPath: join(this.folder, 'run', 'simulator.sock') },
        {
          path,
          method: body ? 'POST' : 'GET',
          headers: { host: '127.0.0.1', ...(body ? { 'content-type': 'application/json' } : {}) },
          ...(body ? { body: JSON.stringify(body) } : {}),
        },
      );
    // After the death of its supervisor the simulator is replaced, so that nothing listens for a moment.
    const answer = await ask().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED') throw error;
      return eventually(ask);
    });
    if (answer.status !== 200) throw new Error(`simulator ${path}: ${answer.status} ${answer.text}`);
    return answer.json as T;
  }

  stats(): Promise<SimulatorStats> {
    return this.simulator('/stats');
  }

  devices(): Promise<
    {
      mac: string;
      online: boolean;
      behaviour: string;
      firmware: string;
      image?: string;
      config?: { version: string; sha256: string; keys: string[] };
      file?: { version: string; values: Record<string, string> };
      resources?: { kind: string; name: string; files: { name: string; size: number; sha256: string }[] }[];
      shows?: Record<string, string>;
      /** `opened`: how often since the start of the simulator; `openedAt`: when last, Unix time in milliseconds. */
      doors?: { door: number; status: string; opened: number; openedAt?: number }[];
    }[]
  > {
    return this.simulator('/devices');
  }

  async behave(macs: readonly string[], behaviour: string): Promise<void> {
    await Promise.all(macs.map((mac) => this.simulator('/behaviour', { mac, behaviour })));
  }

  /** Returns how often each device ran its commands, by its own durable count. */
  async effects(): Promise<Map<string, { id: string; action: string; count: number }[]>> {
    const effects = await this.simulator<Effects>('/effects');
    return new Map(
      Object.entries(effects).map(([mac, of]) => [mac, Object.entries(of).map(([id, effect]) => ({ id, ...effect }))]),
    );
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

  /** Returns the end of a process's log. */
  private lastLines(name: string): string {
    const log = join(this.folder, 'logs', `${name}.log`);
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-6).join('\n') : '';
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

/**
 * Fetch for a cluster whose processes are killed on purpose: retries reads without an answer like a browser, but no
 * changes.
 */
const patientFetch: typeof fetch = async (input, init) => {
  const reads = (init?.method ?? 'GET') === 'GET';
  for (const until = Date.now() + 60_000; ;) {
    try {
      const response = await fetch(input, { ...init, signal: AbortSignal.timeout(reads ? 5_000 : 40_000) });
      if (!reads || response.status !== 503 || Date.now() > until) return response;
      await response.body?.cancel();
    } catch (error) {
      if (!reads || Date.now() > until) throw error;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 200);
    });
  }
};

/** Logs in like the console; the call takes an MD5 of the password (spec, section 7). */
export async function logIn({ url, admin, client }: Ready): Promise<string> {
  const headers: Record<string, string> = {
    authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
  };
  const call = createClient({ baseUrl: url, headers: () => headers });
  const password = createHash('md5').update(admin.password).digest('hex');
  return (
    await eventually(async () => {
      if (await call(showCaptcha, { query: { username: admin.username } })) {
        const work = await call(getCaptchaWork);
        Object.assign(headers, { [captchaHeaders.key]: work.key, [captchaHeaders.code]: doWork(work) });
      }
      return call(token, {
        query: {},
        body: { grant_type: 'captcha', scope: 'all', username: admin.username, password },
      });
    })
  ).access_token;
}

/** Returns the processes that have a folder among their arguments or work in it. */
export function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return command.includes(folder) && !command.includes('vitest') ? [`${pid} ${command.slice(0, 400)}`] : [];
      } catch {
        return [];
      }
    });
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
