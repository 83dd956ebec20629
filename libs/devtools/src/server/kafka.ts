import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts, isFree } from './free-port.ts';
import { jvm, kafkaJars, KafkaUnavailable, type KafkaJars } from './kafka.jars.ts';
import { servingBrokers, type KafkaDoor } from './kafka.serving.ts';
import { serverProperties, type Identity, type KafkaSettings } from './kafka.settings.ts';

export { KafkaUnavailable } from './kafka.jars.ts';
export { servingBrokers } from './kafka.serving.ts';
export { brokerSettings, loginSettings, type KafkaAdmin } from './kafka.settings.ts';

const lastLines = (file: string): string => readFileSync(file, 'utf8').trim().split('\n').slice(-3).join(' ');

export interface KafkaOptions extends KafkaSettings {
  /** Data folder. The broker continues with the data of an earlier start. */
  folder: string;
  /** With 3 nodes: three replicas, two of which must store a record. */
  nodes?: 1 | 3;
  /**
   * First port; a node takes two: 22000 and 22001, 22002 and 22003 … Free ports when absent; the folder keeps them for
   * its next start.
   */
  port?: number;
  heapMb?: number;
  /** Ends with the process that started it, even when that is killed. */
  bound?: boolean;
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
      await writeWhole(file, serverProperties(i + 1, who, options, data));
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
