import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { v7 as uuidv7 } from 'uuid';
import { phoneAddressOf } from '../device-address.ts';
import {
  dataFolder,
  forgetState,
  openDataFolder,
  projectRoot,
  readSecrets,
  readState,
  writeState,
  type RunState,
} from './data-folder.ts';
import { endLeftovers } from './leftover.ts';
import { hold, holderOf } from './lock.ts';
import type { UpOptions } from './options.ts';
import { dyingMs, requireFreePort } from './port.ts';
import { prepare } from './prepare.ts';
import { Supervisor } from './supervisor.ts';
import { Trouble } from './trouble.ts';
import { startDetached } from './up.detached.ts';
import { UpPrinter } from './up.print.ts';
import { startSimulators, startStandalone, withReachablePhones, type Start } from './up.start.ts';

/**
 * Starts the installation and supervises it until SIGTERM, SIGINT or SIGHUP; with `detach` a background process does
 * so. `command` is the one that parsed the options.
 */
export async function up(options: UpOptions, command: Command): Promise<void> {
  const folder = dataFolder(options.data);
  openDataFolder(folder);
  const printer = new UpPrinter(options.json === true, folder);
  // When two starts race, the second waits for the first and takes over when that fails.
  do {
    const running = await waitForRunning(folder);
    if (running) return printer.announce('is running already', running, readSecrets(folder, uuidv7));
    if (options.detach) {
      const started = await startDetached(command, folder, printer);
      return printer.announce('is ready', started, readSecrets(folder, uuidv7));
    }
  } while (!(await hold(folder)));
  await supervise(options, folder, printer);
}

/** Waits for another supervisor of this folder. Returns its state once it is ready, or `undefined` when none runs. */
async function waitForRunning(folder: string): Promise<RunState | undefined> {
  for (let tries = 0; ; tries++) {
    const holder = await holderOf(folder);
    if (holder === undefined) return undefined;
    const state = readState(folder);
    if (state?.ready && state.supervisor === holder) return state;
    if (tries === 600) throw new Trouble(`Another start of ${folder} is under way and not ready (process ${holder}).`);
    await sleep(200);
  }
}

/** Returns how phones reach their port. */
function phonePort({ host, phonePort: port }: UpOptions): Required<Pick<RunState, 'phones'>> & Partial<RunState> {
  const certificate = process.env['CARILLON_PHONE_TLS_CERTIFICATE'];
  return {
    phones: phoneAddressOf(host, port, process.env),
    // The other processes run in the folder of the project.
    ...(certificate ? { phoneCertificate: resolve(projectRoot, certificate) } : {}),
  };
}

/** Starts everything. Stops it when this process gets a signal or the start fails. */
async function supervise(options: UpOptions, folder: string, printer: UpPrinter): Promise<void> {
  const state: RunState = {
    supervisor: process.pid,
    url: `http://${options.host}:${options.port}`,
    mqtt: `mqtt://${options.host}:${options.mqttPort}`,
    ...phonePort(options),
    postgres: { pid: null, socket: '' },
    processes: {},
    servers: {},
    startedAt: new Date().toISOString(),
    ready: false,
  };
  const supervisor = new Supervisor(folder, state);
  const stop = async (): Promise<void> => {
    if (supervisor.stopping) return;
    printer.step('stopping');
    await supervisor.stop();
    forgetState(folder);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop());
  try {
    // A killed supervisor leaves processes behind that hold the ports and the devices' memory.
    const killed = readState(folder) !== undefined;
    await endLeftovers(folder);
    writeState(folder, state);
    const start = withReachablePhones({ options, folder, state, supervisor, printer });
    await run(start, killed ? dyingMs : 0);
  } catch (error) {
    if (supervisor.stopping) return;
    await supervisor.stop();
    forgetState(folder);
    throw error;
  }
}

/** Starts the parts in order until a stop is requested. `patientMs` is how long to wait for a port. */
async function run(start: Start, patientMs: number): Promise<void> {
  const { options, folder, state, supervisor, printer } = start;
  checkChoices(options);
  await requireFreePort(options.host, options.port, '--port', patientMs);
  await requireFreePort(options.host, options.mqttPort, '--mqtt-port', patientMs);
  await requireFreePort(options.host, options.phonePort, '--phone-port', patientMs);
  checkMemory(options);
  const began = performance.now();
  await prepare(printer.step);
  const secrets = readSecrets(folder, uuidv7);
  if (supervisor.stopping) return;
  printer.step('PostgreSQL');
  const postgres = await supervisor.keepPostgres(secrets.postgres);
  if (supervisor.stopping) return;
  if (options.cluster) {
    // Loaded only here: the bus and its contracts take ten times as long as the rest of this command.
    const { startCluster } = await import('./up.cluster.ts');
    await startCluster(start, postgres, secrets);
  } else await startStandalone(start, postgres);
  if (supervisor.stopping) return;
  await startSimulators(start);
  state.ready = true;
  writeState(folder, state);
  printer.announce(`is ready after ${((performance.now() - began) / 1000).toFixed(1)} s`, state, secrets);
}

function checkChoices({ cluster, gateways, replicas, bus }: UpOptions): void {
  if (cluster && [gateways, replicas].some((count) => count < 1 || count > 20))
    throw new Trouble('--gateways and --replicas are between 1 and 20.');
  if (!['kafka', 'postgres'].includes(bus)) throw new Trouble(`--bus is kafka or postgres, not ${bus}.`);
}

/** Throws `Trouble` when memory is short. In a container its limit counts, not the machine's memory. */
function checkMemory({ cluster, gateways, replicas, neededMemory }: UpOptions): void {
  const free = Math.floor(process.availableMemory() / 1024 / 1024);
  const needed = neededMemory ?? (cluster ? 500 + 130 * (6 * replicas + gateways) : 500);
  if (free < needed) throw new Trouble(`Only ${free} MB of memory are free; ${needed} MB are needed.`);
}
