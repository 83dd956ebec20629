import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, isFree } from './free-port.ts';
import { certificateSettings, type BrokerCertificate } from './kafka.certificate.ts';
import { jvm, kafkaJars, KafkaUnavailable, type KafkaJars } from './kafka.jars.ts';

export { KafkaUnavailable } from './kafka.jars.ts';

const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' ');

export interface KafkaOptions {
  /** Data folder. The broker continues with the data of an earlier start. */
  folder: string;
  /** With 3 nodes: three replicas, two of which must store a record. */
  nodes?: 1 | 3;
  /**
   * First port; a node takes two: 22000 and 22001, 22002 and 22003 … Free ports when absent; the folder keeps them for
   * its next start.
   */
  port?: number;
  /** Ports that clients get instead, by node: those of a proxy on 127.0.0.1. */
  advertised?: readonly number[];
  heapMb?: number;
  /** Requires logins with permissions; without it the broker accepts all clients. */
  admin?: KafkaAdmin;
  /** With `admin`: uses TLS everywhere, with this certificate of the brokers. */
  certificate?: BrokerCertificate;
  /** Additional lines of server.properties. */
  settings?: Record<string, string>;
  /** Ends with the process that started it, even when that is killed. */
  bound?: boolean;
}

/** User with all permissions: for traffic between brokers and for granting permissions. */
export interface KafkaAdmin {
  user: string;
  password: string;
}

export interface KafkaNode {
  readonly id: number;
  readonly port: number;
  readonly folder: string;
  /** 0 while it does not run. */
  readonly pid: number;
  /** Resolves when the running process has ended for any reason. */
  readonly ended: Promise<void>;
  /** Starts the node and waits until it serves clients. Ends a process that a killed starter left running. */
  start(): Promise<void>;
  /** Shuts the node down in order and waits; kills it after `withinMs` (20 s). */
  stop(withinMs?: number): Promise<void>;
  /** Sends SIGKILL, SIGSTOP or SIGCONT. SIGKILL waits for the end. */
  signal(name: NodeJS.Signals): Promise<void>;
}

export interface Kafka {
  /** Addresses for clients: `127.0.0.1:22000,…`. */
  bootstrap: string;
  nodes: KafkaNode[];
  stop(): Promise<void>;
}

const run = promisify(execFile);
const wait = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Writes a file atomically. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

interface Identity {
  cluster: string;
  ports: number[];
}

async function identity(folder: string, nodes: number, port: number | undefined): Promise<Identity> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'cluster.json');
  const before = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Identity) : undefined;
  if (before && before.ports.length !== 2 * nodes)
    throw new KafkaUnavailable(`${folder} holds a Kafka of ${before.ports.length / 2} nodes, not ${nodes}.`);
  const ports =
    port !== undefined
      ? Array.from({ length: 2 * nodes }, (_, i) => port + i)
      : (before?.ports ?? (await freePorts(2 * nodes)));
  // Kafka's tools take an id with a leading dash for an option.
  const made = { cluster: before?.cluster ?? `C${randomBytes(16).toString('base64url').slice(1)}`, ports };
  await writeWhole(file, JSON.stringify(made));
  return made;
}

/** Returns the settings of every broker for the number of nodes. */
export function brokerSettings(nodes: number): Record<string, string> {
  const copies = String(nodes);
  const inSync = nodes === 1 ? '1' : '2';
  return {
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'auto.create.topics.enable': 'false',
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': '4',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': '4',
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': '4',
    'group.initial.rebalance.delay.ms': '0',
    'group.min.session.timeout.ms': '1000',
    // With the default of 9 s a killed broker is refused as a duplicate of itself when it comes back.
    'broker.session.timeout.ms': '1500',
    'broker.heartbeat.interval.ms': '300',
    // A killed member is removed after 6 s (default: 45), and a new member gets its partitions at once.
    'group.consumer.min.session.timeout.ms': '1000',
    'group.consumer.session.timeout.ms': '6000',
    'group.consumer.min.heartbeat.interval.ms': '100',
    'group.consumer.heartbeat.interval.ms': '1000',
    'group.consumer.min.assignment.interval.ms': '0',
    'group.consumer.assignment.interval.ms': '0',
    'log.cleaner.dedupe.buffer.size': '8388608',
    'offset.metadata.max.bytes': '4096',
  };
}

/**
 * Returns the settings of a broker with logins. CLIENT is the clients' listener, CONTROLLER that of controllers. The
 * settings contain the administrator (PLAIN), who must exist before the first user; the brokers store users (SCRAM).
 */
export function loginSettings({ user, password }: KafkaAdmin, certificate: BrokerCertificate | undefined) {
  const protocol = certificate === undefined ? 'SASL_PLAINTEXT' : 'SASL_SSL';
  if (!/^[\w-]+$/.test(user + password)) throw new KafkaUnavailable('name and password have letters, digits, - and _');
  const plain = [
    'org.apache.kafka.common.security.plain.PlainLoginModule required',
    `username="${user}" password="${password}" user_${user}="${password}";`,
  ].join(' ');
  return {
    'listener.security.protocol.map': `CLIENT:${protocol},CONTROLLER:${protocol}`,
    'inter.broker.listener.name': 'CLIENT',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.mechanism.controller.protocol': 'PLAIN',
    'listener.name.client.sasl.enabled.mechanisms': 'SCRAM-SHA-256,PLAIN',
    'listener.name.client.scram-sha-256.sasl.jaas.config':
      'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'listener.name.client.plain.sasl.jaas.config': plain,
    'listener.name.controller.sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.controller.plain.sasl.jaas.config': plain,
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': `User:${user}`,
    ...(certificate ? certificateSettings(certificate) : {}),
  };
}

function properties(id: number, { ports }: Identity, options: KafkaOptions, data: string): string {
  const nodes = ports.length / 2;
  const [port, controller] = [ports[2 * id - 2]!, ports[2 * id - 1]!];
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': String(id),
    'log.dirs': data,
    'controller.quorum.voters': Array.from({ length: nodes }, (_, i) => `${i + 1}@127.0.0.1:${ports[2 * i + 1]}`).join(
      ',',
    ),
    listeners: `CLIENT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `CLIENT://127.0.0.1:${options.advertised?.[id - 1] ?? port}`,
    'listener.security.protocol.map': 'CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'CLIENT',
    ...brokerSettings(nodes),
    ...(options.admin ? loginSettings(options.admin, options.certificate) : {}),
    ...options.settings,
  })
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

/** Sends a request with the simple header of Kafka's protocol. Returns the response without the correlation id. */
type Ask = (api: number, version: number, body: Buffer) => Promise<Buffer>;

const textBytes = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(2);
  length.writeInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** Logs in with SASL PLAIN. Throws when the broker refuses. */
async function logIn(ask: Ask, { user, password }: KafkaAdmin): Promise<void> {
  const handshake = await ask(17, 1, textBytes('PLAIN'));
  const secret = Buffer.from(`\0${user}\0${password}`);
  const length = Buffer.alloc(4);
  length.writeInt32BE(secret.length);
  const answer = handshake.readInt16BE(0) === 0 ? await ask(36, 0, Buffer.concat([length, secret])) : handshake;
  if (answer.readInt16BE(0) !== 0) throw new Error('the broker refuses the administrator');
}

/** Login and certificate for asking a broker. */
export type KafkaDoor = Pick<KafkaOptions, 'admin' | 'certificate'>;

/**
 * Returns the number of brokers that serve clients, by a Metadata request (version 1, no topic); 0 without an answer.
 */
export async function servingBrokers(port: number, { admin, certificate }: KafkaDoor = {}): Promise<number> {
  const at = { port, host: '127.0.0.1' };
  const socket: Socket = certificate ? connectTls({ ...at, ca: certificate.certificate }) : connectPlain(at);
  const closed = new Promise<never>((_, reject) => {
    socket.on('error', reject).on('close', () => reject(new Error('closed')));
  });
  closed.catch(() => undefined);
  const late = setTimeout(() => socket.destroy(), 2_000);
  let got = Buffer.alloc(0);
  let hear = (): void => undefined;
  socket.on('data', (chunk) => {
    got = Buffer.concat([got, chunk]);
    hear();
  });
  const ask: Ask = async (api, version, body) => {
    const head = Buffer.alloc(14);
    head.writeInt32BE(10 + body.length, 0);
    head.writeInt16BE(api, 4);
    head.writeInt16BE(version, 6);
    // Correlation id 1, no client id.
    head.writeInt32BE(1, 8);
    head.writeInt16BE(-1, 12);
    socket.write(Buffer.concat([head, body]));
    const whole = (): boolean => got.length >= 4 && got.length >= 4 + got.readInt32BE(0);
    const heard = new Promise<void>((resolve) => {
      hear = () => {
        if (whole()) resolve();
      };
    });
    await Promise.race([heard, closed]);
    const end = 4 + got.readInt32BE(0);
    const answer = got.subarray(8, end);
    got = got.subarray(end);
    return answer;
  };
  try {
    if (admin) await logIn(ask, admin);
    const noTopics = Buffer.alloc(4);
    // The number of brokers comes first.
    return (await ask(3, 1, noTopics)).readInt32BE(0);
  } catch {
    return 0;
  } finally {
    clearTimeout(late);
    socket.destroy();
  }
}

/** Returns whether the process runs with this configuration. Another process may have got its pid. */
function runs(pid: number, file: string): boolean {
  try {
    return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(file);
  } catch {
    return false;
  }
}

/** `setpriv` (util-linux) makes the kernel end a process with its parent. */
const boundCommand = (bound: boolean): string[] =>
  bound && existsSync('/usr/bin/setpriv') ? ['/usr/bin/setpriv', '--pdeathsig', 'KILL'] : [];

class Node implements KafkaNode {
  readonly id: number;
  readonly port: number;
  readonly folder: string;
  ended: Promise<void> = Promise.resolve();
  private child: ChildProcess | undefined;
  private readonly ports: readonly number[];
  private readonly file: string;
  private readonly command: string[];
  private readonly bound: boolean;
  private readonly door: KafkaDoor;

  constructor(
    id: number,
    ports: readonly [number, number],
    folder: string,
    file: string,
    command: string[],
    bound: boolean,
    door: KafkaDoor,
  ) {
    this.id = id;
    this.port = ports[0];
    this.ports = ports;
    this.folder = folder;
    this.file = file;
    this.command = command;
    this.bound = bound;
    this.door = door;
  }

  get pid(): number {
    return this.child && this.child.exitCode === null && this.child.signalCode === null ? (this.child.pid ?? 0) : 0;
  }

  async start(): Promise<void> {
    if (this.pid) return;
    await this.endLeftOver();
    await this.untilFree();
    const logFile = join(this.folder, 'kafka.log');
    const log = openSync(logFile, 'a', 0o600);
    const [program, ...args] = this.command as [string, ...string[]];
    const child = spawn(program, args, { cwd: this.folder, detached: !this.bound, stdio: ['ignore', log, log] });
    closeSync(log);
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    if (!this.bound) child.unref();
    writeFileSync(join(this.folder, 'pid'), String(child.pid ?? 0));
    for (const until = Date.now() + 60_000; (await servingBrokers(this.port, this.door)) === 0; await wait(25)) {
      const why = this.pid === 0 ? 'it ended' : Date.now() > until ? 'no answer in 60 s' : undefined;
      if (why) throw new KafkaUnavailable(`Kafka's node ${this.id} did not start (${why}): ${lastLines(logFile)}`);
    }
  }

  async stop(withinMs = 20_000): Promise<void> {
    const { child } = this;
    if (!this.pid || !child) return;
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
    await this.ended;
    clearTimeout(late);
    rmSync(join(this.folder, 'pid'), { force: true });
  }

  async signal(name: NodeJS.Signals): Promise<void> {
    if (!this.pid) return;
    this.child!.kill(name);
    if (name === 'SIGKILL') await this.ended;
  }

  private async endLeftOver(): Promise<void> {
    let pid = 0;
    try {
      pid = Number(readFileSync(join(this.folder, 'pid'), 'utf8'));
    } catch {
      return;
    }
    if (!runs(pid, this.file)) return;
    const send = (name: NodeJS.Signals): void => {
      try {
        process.kill(pid, name);
      } catch {
        /* it has ended by itself */
      }
    };
    send('SIGCONT');
    send('SIGTERM');
    for (const until = Date.now() + 20_000; runs(pid, this.file); await wait(20))
      if (Date.now() > until) send('SIGKILL');
  }

  /**
   * Waits until the ports are free. A killed process may hold them for a moment when its command line is already gone.
   */
  private async untilFree(): Promise<void> {
    for (const port of this.ports)
      for (const until = Date.now() + 20_000; !(await isFree(port)) && Date.now() < until;) await wait(20);
  }
}

/** Prepares what `startKafka` starts, formatted but not running, for callers that manage the processes themselves. */
export async function prepareKafka(options: KafkaOptions): Promise<Kafka> {
  const jars = await kafkaJars();
  await makeArchive(jars);
  return prepare(options, jars, [
    '-XX:SharedArchiveFile=' + jars.archive,
    '-Xshare:auto',
    '-Xlog:cds=off',
    '-Xlog:cds+dynamic=off',
  ]);
}

async function prepare(options: KafkaOptions, jars: KafkaJars, more: readonly string[]): Promise<Kafka> {
  const who = await identity(options.folder, options.nodes ?? 1, options.port);
  const nodes = await Promise.all(
    Array.from({ length: options.nodes ?? 1 }, async (_, i) => {
      const folder = join(options.folder, `node-${i + 1}`);
      const data = join(folder, 'data');
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, 'server.properties');
      await writeWhole(file, properties(i + 1, who, options, data));
      if (!existsSync(join(folder, 'formatted'))) {
        await rm(data, { recursive: true, force: true });
        try {
          await run('java', [
            '-Xmx128m',
            ...jvm,
            ...(existsSync(jars.archive) ? more : []),
            '-cp',
            jars.classPath,
            'kafka.tools.StorageTool',
            'format',
            '-t',
            who.cluster,
            '-c',
            file,
          ]);
        } catch (error) {
          throw new KafkaUnavailable(
            `Kafka's data folder ${data} could not be made: ${String((error as { stderr?: string }).stderr ?? error)
              .trim()
              .split('\n')
              .at(-1)}`,
          );
        }
        await writeFile(join(folder, 'formatted'), '');
      }
      const heap = options.heapMb ?? 256;
      const bound = options.bound ?? false;
      return new Node(
        i + 1,
        [who.ports[2 * i]!, who.ports[2 * i + 1]!],
        folder,
        file,
        [
          ...boundCommand(bound),
          'java',
          ...more,
          `-Xms${Math.min(128, heap)}m`,
          `-Xmx${heap}m`,
          ...jvm,
          '-cp',
          jars.classPath,
          'kafka.Kafka',
          file,
        ],
        bound,
        options,
      );
    }),
  );
  return {
    bootstrap: nodes.map((n) => `127.0.0.1:${options.advertised?.[n.id - 1] ?? n.port}`).join(','),
    nodes,
    stop: async () => {
      await Promise.all(nodes.map((n) => n.stop()));
    },
  };
}

/** Starts one or three real brokers on loopback. Resolves when all of them serve clients. */
export async function startKafka(options: KafkaOptions): Promise<Kafka> {
  const kafka = await prepareKafka(options);
  await startNodes(kafka, options);
  return kafka;
}

async function startNodes(kafka: Kafka, door: KafkaDoor = {}): Promise<void> {
  try {
    await Promise.all(kafka.nodes.map((n) => n.start()));
    for (const until = Date.now() + 30_000; ; await wait(25)) {
      const known = await Promise.all(kafka.nodes.map((n) => servingBrokers(n.port, door)));
      if (known.every((n) => n === kafka.nodes.length)) return;
      if (Date.now() > until) throw new KafkaUnavailable('the Kafka nodes do not find each other');
    }
  } catch (error) {
    await kafka.stop();
    throw error;
  }
}

/** Starts and stops a broker once to archive its classes: later starts take 1 s of CPU instead of 3. */
async function makeArchive(jars: KafkaJars): Promise<void> {
  if (existsSync(jars.archive)) return;
  const folder = await mkdtemp(join(tmpdir(), 'carillon-kafka-'));
  const made = join(folder, 'classes.jsa');
  try {
    const kafka = await prepare({ folder, bound: true }, jars, [
      `-XX:ArchiveClassesAtExit=${made}`,
      '-Xlog:cds=off',
      '-Xlog:cds+dynamic=off',
    ]);
    await startNodes(kafka);
    await kafka.nodes[0]!.stop(60_000);
    // Copied beside the target first: the source is on another file system, and another process may do the same.
    const beside = `${jars.archive}.${process.pid}`;
    await writeFile(beside, await readFile(made));
    await rename(beside, jars.archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
