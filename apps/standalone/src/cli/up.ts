import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { clusterParts, fileOf, makeSocketFolders, opsSocket } from './cluster.ts';
import { keepConsole } from './console.ts';
import { prepare } from './prepare.ts';
import {
  dataFolder,
  forgetState,
  openDataFolder,
  projectRoot,
  readSecrets,
  readState,
  writeState,
  type RunState,
  type Secrets,
} from './data-folder.ts';
import { endLeftovers } from './leftover.ts';
import { hold, holderOf } from './lock.ts';
import type { RunningPostgres } from './postgres.ts';
import { clusterKafka, clusterRedis } from './servers.ts';
import { simulatorParts } from './simulator.ts';
import { Supervisor } from './supervisor.ts';
import { Trouble } from './trouble.ts';

export interface UpOptions {
  data?: string;
  port: number;
  mqttPort: number;
  host: string;
  devices: number;
  detach?: boolean;
  json?: boolean;
  behaviour?: string;
  rebootMs?: number;
  /** Memory that must be free, MB; what the way to run needs when absent. */
  neededMemory?: number;
  /** Every service in processes of its own. */
  cluster?: boolean;
  gateways: number;
  replicas: number;
  /** What carries the cluster's events. */
  bus: string;
}

const wait = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, undefined);
  });

/**
 * Starts the installation and stays as its supervisor until SIGTERM, SIGINT or SIGHUP; with `detach` a copy of itself
 * stays.
 */
export async function up(options: UpOptions): Promise<void> {
  const folder = dataFolder(options.data);
  openDataFolder(folder);
  // Of two that begin at the same moment the second waits for the first, and takes its place when that fails.
  do {
    if (await isRunning(options, folder)) return;
    if (options.detach) return detach(options, folder);
  } while (!(await hold(folder)));

  const say = options.json
    ? (): void => undefined
    : (text: string): void => {
        process.stderr.write(`  ${text}\n`);
      };
  const state: RunState = {
    supervisor: process.pid,
    url: `http://${options.host}:${options.port}`,
    mqtt: `mqtt://${options.host}:${options.mqttPort}`,
    postgres: { pid: null, socket: '' },
    processes: {},
    servers: {},
    startedAt: new Date().toISOString(),
    ready: false,
  };
  const supervisor = new Supervisor(folder, state);
  const stop = async (): Promise<void> => {
    if (supervisor.stopping) return;
    say('stopping');
    await supervisor.stop();
    forgetState(folder);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
  try {
    // A supervisor that was killed leaves processes behind; they hold the ports and the devices' memory.
    const killed = readState(folder) !== undefined;
    await endLeftovers(folder);
    writeState(folder, state);
    await run(options, folder, state, supervisor, say, killed ? dyingMs : 0);
  } catch (error) {
    if (supervisor.stopping) return;
    await supervisor.stop();
    forgetState(folder);
    throw error;
  }
}

async function run(
  options: UpOptions,
  folder: string,
  state: RunState,
  supervisor: Supervisor,
  say: (text: string) => void,
  patientMs: number,
): Promise<void> {
  if (
    options.cluster &&
    (options.gateways < 1 || options.replicas < 1 || options.gateways > 20 || options.replicas > 20)
  )
    throw new Trouble('--gateways and --replicas are between 1 and 20.');
  if (!['kafka', 'postgres'].includes(options.bus))
    throw new Trouble(`--bus is kafka or postgres, not ${options.bus}.`);
  for (const [port, what] of [
    [options.port, '--port'],
    [options.mqttPort, '--mqtt-port'],
  ] as const)
    await free(options.host, port, what, patientMs);
  // What a container may use counts, not what its machine has.
  const memory = Math.floor(process.availableMemory() / 1024 / 1024);
  const needed =
    options.neededMemory ?? (options.cluster ? 500 + 130 * (6 * options.replicas + options.gateways) : 500);
  if (memory < needed) throw new Trouble(`Only ${memory} MB of memory are free; ${needed} MB are needed.`);
  const began = performance.now();
  await prepare(say);
  const secrets = readSecrets(folder, uuidv7);
  if (supervisor.stopping) return;
  say('PostgreSQL');
  const postgres = await supervisor.keepPostgres(secrets.postgres);
  if (supervisor.stopping) return;
  await (options.cluster ? startCluster : startOne)(options, folder, secrets, postgres, supervisor, say, state);
  if (supervisor.stopping) return;
  if (options.devices > 0 && existsSync(join(folder, 'simulator-devices.jsonl'))) {
    say(`${options.devices} simulated devices`);
    for (const { name, args } of simulatorParts(folder, {
      devices: options.devices,
      host: options.host,
      port: String(options.mqttPort),
      behaviour: options.behaviour,
    })) {
      await supervisor.start(
        name,
        join(projectRoot, 'dist/simulator/main.js'),
        [
          ...args,
          '--json',
          '--status-every',
          '60',
          ...(options.rebootMs === undefined ? [] : ['--reboot-ms', String(options.rebootMs)]),
        ],
        {},
      );
    }
  }
  state.ready = true;
  writeState(folder, state);
  announce(options, state, secrets, `is ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

async function startOne(
  options: UpOptions,
  folder: string,
  _secrets: Secrets,
  postgres: RunningPostgres,
  supervisor: Supervisor,
  say: (text: string) => void,
): Promise<void> {
  const [site, ...before] = keepConsole(folder, join(projectRoot, 'apps/console/dist/site'));
  makeSocketFolders(folder);
  // The folder among the arguments tells whose process it is, to `ps` and to the next `up`.
  await supervisor.start(
    'standalone',
    join(projectRoot, 'dist/standalone/main.js'),
    ['--data', folder],
    {
      CARILLON_DATA: folder,
      CARILLON_POSTGRES_HOST: postgres.socket,
      CARILLON_POSTGRES_PORT: String(postgres.port),
      CARILLON_HOST: options.host,
      CARILLON_PORT: String(options.port),
      CARILLON_MQTT_HOST: options.host,
      CARILLON_MQTT_PORT: String(options.mqttPort),
      CARILLON_DEMO_DEVICES: String(options.devices),
      CARILLON_CONSOLE_DIR: site!,
      CARILLON_CONSOLE_BEFORE: before.join(','),
      CARILLON_OPS_SOCKET: opsSocket(folder, 'standalone'),
    },
    say,
  );
}

async function startCluster(
  options: UpOptions,
  folder: string,
  secrets: Secrets,
  postgres: RunningPostgres,
  supervisor: Supervisor,
  say: (text: string) => void,
  state: RunState,
): Promise<void> {
  makeSocketFolders(folder);
  say('Redis');
  const redis = await clusterRedis(folder, secrets.redis, say);
  await supervisor.keepServer('redis', 'Redis', () => redis.start());
  let bus: Record<string, string> = { CARILLON_BUS: 'postgres' };
  if (options.bus === 'kafka') {
    say('Kafka');
    const kafka = await clusterKafka(folder);
    await supervisor.keepServer('kafka', 'Kafka', () => kafka.start());
    bus = { CARILLON_BUS: 'kafka', CARILLON_KAFKA_BROKERS: kafka.brokers };
    state.brokers = kafka.brokers;
  }
  if (supervisor.stopping) return;
  await supervisor.once(
    'install',
    fileOf('install'),
    ['--data', folder],
    {
      CARILLON_DATA: folder,
      CARILLON_POSTGRES_HOST: postgres.socket,
      CARILLON_POSTGRES_PORT: String(postgres.port),
      CARILLON_DEMO_DEVICES: String(options.devices),
      ...bus,
    },
    say,
  );
  if (supervisor.stopping) return;
  const { services, gateways } = clusterParts(
    {
      ...options,
      folder,
      bus,
      redisUrl: redis.url,
      publicUrl: process.env['CARILLON_PUBLIC_URL'] ?? `http://${options.host}:${options.port}`,
      site: keepConsole(folder, join(projectRoot, 'apps/console/dist/site')),
    },
    secrets,
    postgres,
  );
  say(`${services.length} processes of services`);
  await supervisor.startAll(services, ['--data', folder]);
  if (supervisor.stopping) return;
  say(`${options.gateways} MQTT and ${options.replicas} API gateways`);
  await supervisor.startAll(gateways, ['--data', folder]);
}

/** Whether somebody else runs this folder: then it is announced, once it is ready. False when nobody does. */
async function isRunning(options: UpOptions, folder: string): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const holder = await holderOf(folder);
    if (holder === undefined) return false;
    const state = readState(folder);
    if (state?.ready && state.supervisor === holder) {
      announce(options, state, readSecrets(folder, uuidv7), 'is running already');
      return true;
    }
    if (tries === 600) throw new Trouble(`Another start of ${folder} is under way and not ready (process ${holder}).`);
    await wait(200);
  }
}

/** Goes on in a process of its own and comes back when that is ready. */
async function detach(options: UpOptions, folder: string): Promise<void> {
  const log = join(folder, 'logs', 'up.log');
  const out = openSync(log, 'w', 0o600);
  const args = [
    'up',
    '--data',
    folder,
    '--port',
    String(options.port),
    '--mqtt-port',
    String(options.mqttPort),
    '--host',
    options.host,
    '--devices',
    String(options.devices),
    ...(options.neededMemory === undefined ? [] : ['--needed-memory', String(options.neededMemory)]),
    ...(options.cluster
      ? [
          '--cluster',
          '--gateways',
          String(options.gateways),
          '--replicas',
          String(options.replicas),
          '--bus',
          options.bus,
        ]
      : []),
    ...(options.behaviour ? ['--behaviour', options.behaviour] : []),
    ...(options.rebootMs === undefined ? [] : ['--reboot-ms', String(options.rebootMs)]),
  ];
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
    detached: true,
    // Not its standard output: it says the password there, and that is no line of a log.
    stdio: ['ignore', 'ignore', out],
    cwd: projectRoot,
  });
  closeSync(out);
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
  });
  child.unref();
  let shown = 0;
  for (;;) {
    const code = await Promise.race([ended, wait(100)]);
    const text = readFileSync(log, 'utf8');
    if (!options.json)
      process.stderr.write(
        text
          .slice(shown)
          .split('\n')
          .filter((l) => l.startsWith('  ') && !l.startsWith('  Password'))
          .map((l) => `${l}\n`)
          .join(''),
      );
    shown = text.lastIndexOf('\n') + 1;
    const state = readState(folder);
    if (state?.ready && (state.supervisor === child.pid || code === 0)) {
      announce(options, state, readSecrets(folder, uuidv7), 'is ready');
      return;
    }
    if (code !== undefined)
      throw new Trouble(
        text
          .split('\n')
          .filter((l) => l.startsWith('carillon: '))
          .map((l) => l.slice(10))
          .at(-1) ?? `it ended with code ${code}; see ${log}`,
      );
  }
}

function announce(options: UpOptions, state: RunState, secrets: Secrets, how: string): void {
  if (options.json) {
    process.stdout.write(
      `${JSON.stringify({ url: state.url, mqtt: state.mqtt, admin: secrets.admin, client: secrets.client })}\n`,
    );
    return;
  }
  process.stdout.write(
    `\nCarillon ${how}.\n\n  Console   ${state.url}\n  Devices   ${state.mqtt}\n  Name      ${secrets.admin.username}\n  Password  ${secrets.admin.password}\n\n`,
  );
}

/**
 * A process that was killed has no command line any more while its sockets are still being closed: nothing else tells
 * that it is about to go.
 */
const dyingMs = 5_000;

async function free(host: string, port: number, option: string, patientMs: number): Promise<void> {
  if (port < 1 || port > 65_535) throw new Trouble(`${option} ${port} is no port.`);
  for (const until = Date.now() + patientMs; ; await wait(50)) {
    try {
      return await listenOnce(host, port, option);
    } catch (error) {
      if (Date.now() >= until) throw error;
    }
  }
}

async function listenOnce(host: string, port: number, option: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Trouble(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is taken; choose another with ${option}.`
            : error.code === 'EACCES'
              ? `Port ${port} needs a right that this user does not have; choose one above 1023 with ${option}.`
              : `${host}:${port} cannot be listened on (${error.code}).`,
        ),
      ),
    );
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}
