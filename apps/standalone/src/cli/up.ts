import { fork, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { prepare } from './prepare.ts';
import { alive, dataFolder, forgetState, openDataFolder, projectRoot, readSecrets, readState, writeState, type RunState, type Secrets } from './data-folder.ts';
import { startPostgres } from './postgres.ts';
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
}

const neededMemory = 500 * 1024 * 1024;

/** Starts the installation and stays as its supervisor until SIGTERM or SIGINT; with `detach` a copy of itself stays. */
export async function up(options: UpOptions): Promise<void> {
  const folder = dataFolder(options.data);
  openDataFolder(folder);
  const say = options.json ? (): void => undefined : (text: string): void => { process.stderr.write(`  ${text}\n`); };
  const running = readState(folder);
  if (running?.ready && alive(running.supervisor, 'main')) {
    announce(options, running, readSecrets(folder, uuidv7), 'is running already');
    return;
  }
  if (running && alive(running.supervisor, 'main')) throw new Trouble(`Another start of ${folder} is under way (process ${running.supervisor}).`);
  if (options.detach) return detach(options, folder);

  for (const [port, what] of [[options.port, '--port'], [options.mqttPort, '--mqtt-port']] as const) await free(options.host, port, what);
  const memory = availableMemory();
  if (memory < neededMemory) throw new Trouble(`Only ${Math.floor(memory / 1024 / 1024)} MB of memory are free; ${neededMemory / 1024 / 1024} MB are needed.`);

  const state: RunState = { supervisor: process.pid, url: `http://${options.host}:${options.port}`, mqtt: `mqtt://${options.host}:${options.mqttPort}`, postgres: { pid: null, socket: '' }, processes: {}, startedAt: new Date().toISOString(), ready: false };
  writeState(folder, state);
  const began = performance.now();
  try {
    await prepare(say);
    const secrets = readSecrets(folder, uuidv7);
    say('PostgreSQL');
    const postgres = await startPostgres(folder, secrets.postgres);
    state.postgres = { pid: postgres.pid, socket: postgres.socket };
    writeState(folder, state);

    const supervisor = new Supervisor(folder, state);
    const environment = {
      CARILLON_DATA: folder, CARILLON_POSTGRES_HOST: postgres.socket, CARILLON_POSTGRES_PORT: String(postgres.port), CARILLON_HOST: options.host, CARILLON_PORT: String(options.port),
      CARILLON_MQTT_HOST: options.host, CARILLON_MQTT_PORT: String(options.mqttPort), CARILLON_DEMO_DEVICES: String(options.devices), CARILLON_CONSOLE_DIR: join(projectRoot, 'apps/console/dist/site'),
    };
    const stop = async (): Promise<void> => {
      say('stopping');
      await supervisor.stop();
      await postgres.stop();
      forgetState(folder);
      process.exit(0);
    };
    process.once('SIGTERM', () => void stop());
    process.once('SIGINT', () => void stop());
    await supervisor.start('standalone', join(projectRoot, 'dist/standalone/main.js'), [], environment, (step) => say(step));
    if (options.devices > 0 && existsSync(join(folder, 'simulator-devices.jsonl'))) {
      say(`${options.devices} simulated devices`);
      await supervisor.start('simulator', join(projectRoot, 'dist/simulator/main.js'), [
        '--file', join(folder, 'simulator-devices.jsonl'), '--devices', String(options.devices), '--state', join(folder, 'simulator'), '--host', options.host, '--port', String(options.mqttPort),
        '--control', join(folder, 'run', 'simulator.sock'), '--json', '--status-every', '60', ...(options.behaviour ? ['--behaviour', options.behaviour] : []), ...(options.rebootMs === undefined ? [] : ['--reboot-ms', String(options.rebootMs)]),
      ], {});
    }
    state.ready = true;
    writeState(folder, state);
    announce(options, state, secrets, `is ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  } catch (error) {
    forgetState(folder);
    throw error;
  }
}

/** Goes on in a process of its own and comes back when that is ready. */
async function detach(options: UpOptions, folder: string): Promise<void> {
  const log = join(folder, 'logs', 'up.log');
  const out = openSync(log, 'w', 0o600);
  const args = ['up', '--data', folder, '--port', String(options.port), '--mqtt-port', String(options.mqttPort), '--host', options.host, '--devices', String(options.devices), ...(options.behaviour ? ['--behaviour', options.behaviour] : []), ...(options.rebootMs === undefined ? [] : ['--reboot-ms', String(options.rebootMs)])];
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], { detached: true, stdio: ['ignore', out, out], cwd: projectRoot });
  const ended = new Promise<number>((resolve) => { child.once('exit', (code) => resolve(code ?? 1)); });
  child.unref();
  let shown = 0;
  for (;;) {
    const code = await Promise.race([ended, new Promise<undefined>((r) => { setTimeout(r, 100, undefined); })]);
    const text = readFileSync(log, 'utf8');
    if (!options.json) process.stderr.write(text.slice(shown).split('\n').filter((l) => l.startsWith('  ')).map((l) => `${l}\n`).join(''));
    shown = text.lastIndexOf('\n') + 1;
    if (code !== undefined) throw new Trouble(text.split('\n').filter((l) => l.startsWith('carillon: ')).map((l) => l.slice(10)).at(-1) ?? `it ended with code ${code}; see ${log}`);
    const state = readState(folder);
    if (state?.ready && state.supervisor === child.pid) {
      announce(options, state, readSecrets(folder, uuidv7), 'is ready');
      return;
    }
  }
}

function announce(options: UpOptions, state: RunState, secrets: Secrets, how: string): void {
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ url: state.url, mqtt: state.mqtt, admin: secrets.admin, client: secrets.client })}\n`);
    return;
  }
  process.stdout.write(`\nCarillon ${how}.\n\n  Console   ${state.url}\n  Devices   ${state.mqtt}\n  Name      ${secrets.admin.username}\n  Password  ${secrets.admin.password}\n\n`);
}

async function free(host: string, port: number, option: string): Promise<void> {
  if (port < 1 || port > 65_535) throw new Trouble(`${option} ${port} is no port.`);
  await new Promise<void>((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => reject(new Trouble(
      error.code === 'EADDRINUSE' ? `Port ${port} is taken; choose another with ${option}.`
        : error.code === 'EACCES' ? `Port ${port} needs a right that this user does not have; choose one above 1023 with ${option}.`
          : `${host}:${port} cannot be listened on (${error.code}).`)));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

function availableMemory(): number {
  try {
    return Number(/MemAvailable:\s+(\d+)/.exec(readFileSync('/proc/meminfo', 'utf8'))![1]) * 1024;
  } catch { return freemem(); }
}

/** Keeps the product's processes running: one that ends without being asked is started again, ever more slowly. */
class Supervisor {
  private readonly folder: string;
  private readonly state: RunState;
  private readonly children = new Map<string, ChildProcess>();
  private stopping = false;

  constructor(folder: string, state: RunState) {
    this.folder = folder;
    this.state = state;
  }

  /** Resolves when the process said that it is ready, or when it has begun if it never says so. */
  async start(name: string, file: string, args: readonly string[], environment: Record<string, string>, progress?: (step: string) => void): Promise<void> {
    let pause = 250;
    const run = (): Promise<void> => new Promise((resolve, reject) => {
      const log = openSync(join(this.folder, 'logs', `${name}.log`), 'a', 0o600);
      const child = fork(file, args, { env: { ...process.env, ...environment, NODE_OPTIONS: '' }, execArgv: ['--max-semi-space-size=4', '--enable-source-maps'], stdio: ['ignore', log, log, 'ipc'], cwd: projectRoot });
      this.children.set(name, child);
      this.state.processes[name] = child.pid!;
      writeState(this.folder, this.state);
      const since = Date.now();
      child.on('message', (message: { step?: string; ready?: boolean; failed?: string }) => {
        if (message.step) progress?.(message.step);
        if (message.ready) resolve();
        if (message.failed) reject(new Trouble(`${name} could not start: ${message.failed}`));
      });
      child.on('exit', (code, signal) => {
        reject(new Trouble(`${name} ended before it was ready (${signal ?? code}); see ${join(this.folder, 'logs', `${name}.log`)}`));
        if (this.stopping) return;
        pause = Date.now() - since > 30_000 ? 250 : Math.min(pause * 2, 10_000);
        setTimeout(() => { if (!this.stopping) run().catch(() => undefined); }, pause);
      });
      if (!progress) resolve();
    });
    await run().catch(async (error: unknown) => {
      await this.stop();
      throw error;
    });
  }

  /** The last that was started ends first. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const child of [...this.children.values()].reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = new Promise<void>((resolve) => { child.once('exit', () => resolve()); });
      child.kill('SIGTERM');
      const tooLong = setTimeout(() => child.kill('SIGKILL'), 25_000);
      await ended;
      clearTimeout(tooLong);
    }
  }
}
