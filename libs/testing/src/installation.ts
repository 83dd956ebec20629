import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaUserOf } from '@carillon/contracts/services';
import { rawRequest, type RawAnswer } from './raw.ts';
import { carillon } from './carillon-cli.ts';
import { eventually } from './eventually.ts';
import { LogWatch } from './log-watch.ts';

/** Creates a folder that PostgreSQL's user may also enter. */
export function dataFolderOf(name: string): string {
  const folder = mkdtempSync(`/tmp/carillon-${name}-`);
  // mkdtemp creates it for its owner only, but under root PostgreSQL runs as another user.
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o755 });
  return folder;
}

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
export const secretsOf = (folder: string): Secrets =>
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

/** The folder of a running product: its processes, logs, secrets and the simulator's control socket. */
export class Installation {
  readonly folder: string;
  protected readonly watches = new Set<LogWatch>();

  constructor(folder: string) {
    this.folder = folder;
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
      Object.entries(effects).map(([mac, commands]) => [
        mac,
        Object.entries(commands).map(([id, effect]) => ({ id, ...effect })),
      ]),
    );
  }

  /** Returns the end of a process's log. */
  protected lastLines(name: string): string {
    const log = join(this.folder, 'logs', `${name}.log`);
    return existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-6).join('\n') : '';
  }
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
