import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeSocketFolders, opsSocket } from './cluster.ts';
import { keepConsole } from './console.ts';
import { projectRoot, type RunState } from './data-folder.ts';
import type { UpOptions } from './options.ts';
import type { RunningPostgres } from './postgres.ts';
import {
  demoPhoneMakers,
  demoPhonesFile,
  phoneSimulator,
  simulatorParts,
  whyUnreachable,
  type SimulatorPart,
} from './simulator.ts';
import type { Supervisor } from './supervisor.ts';
import type { UpPrinter } from './up.print.ts';

/** State of a start. */
export interface Start {
  options: UpOptions;
  folder: string;
  state: RunState;
  supervisor: Supervisor;
  printer: UpPrinter;
}

/** The folder among the arguments tells `ps` and the next `up` which installation a process belongs to. */
export const folderArgs = ({ folder }: Start): string[] => ['--data', folder];

/** Returns the folders of the console, the current one first. */
export const site = ({ folder }: Start): string[] => keepConsole(folder, join(projectRoot, 'apps/console/dist/site'));

/** Returns the settings by which processes reach PostgreSQL. */
export const postgresSettings = (postgres: RunningPostgres): Record<string, string> => ({
  CARILLON_POSTGRES_HOST: postgres.socket,
  CARILLON_POSTGRES_PORT: String(postgres.port),
});

/** Starts all services, the gateways and the console as one process. */
export async function startStandalone(start: Start, postgres: RunningPostgres): Promise<void> {
  const { options, folder, supervisor, printer } = start;
  const [current, ...before] = site(start);
  makeSocketFolders(folder);
  await supervisor.start(
    'standalone',
    join(projectRoot, 'dist/standalone/main.js'),
    folderArgs(start),
    {
      CARILLON_DATA: folder,
      ...postgresSettings(postgres),
      CARILLON_HOST: options.host,
      CARILLON_PORT: String(options.port),
      CARILLON_MQTT_HOST: options.host,
      CARILLON_MQTT_PORT: String(options.mqttPort),
      CARILLON_PHONE_HOST: options.host,
      CARILLON_PHONE_PORT: String(options.phonePort),
      CARILLON_DEMO_DEVICES: String(options.devices),
      CARILLON_DEMO_PHONES: String(options.phones),
      CARILLON_CONSOLE_DIR: current!,
      CARILLON_CONSOLE_BEFORE: before.join(','),
      CARILLON_OPS_SOCKET: opsSocket(folder, 'standalone'),
    },
    printer.step,
  );
}

/** Returns the start without the demo company's phones, and says so, when they could not use the port for phones. */
export function withReachablePhones(start: Start): Start {
  const { options, state, printer } = start;
  if (options.devices === 0 || options.phones === 0) return start;
  const why = whyUnreachable(state.phones!, state.phoneCertificate);
  if (why === undefined) return start;
  printer.step(`no simulated phones over HTTP: ${why}`);
  return { ...start, options: { ...options, phones: 0 } };
}

/** Starts the simulated devices of the demo company, when it has any. */
export async function startSimulators(start: Start): Promise<void> {
  const { options, folder, supervisor, printer } = start;
  if (options.devices === 0 || !existsSync(join(folder, 'simulator-devices.jsonl'))) return;
  printer.step(`${options.devices} simulated devices`);
  const parts = simulatorParts(folder, {
    devices: options.devices,
    host: options.host,
    port: String(options.mqttPort),
    behaviour: options.behaviour,
  });
  const reboot = options.rebootMs === undefined ? [] : ['--reboot-ms', String(options.rebootMs)];
  const load = options.loadKbit === undefined ? [] : ['--load-kbit', String(options.loadKbit)];
  for (const { name, args } of [...parts, ...phoneParts(start)]) {
    const all = [...args, '--json', '--status-every', '60', ...reboot, ...load];
    await supervisor.start(name, join(projectRoot, 'dist/simulator/main.js'), all, {});
  }
}

/** The standard port, unless the platform sends its NOTIFYs to another one. */
const sipPort = (): number => Number(process.env['CARILLON_PHONE_SIP_PORT'] ?? 5060);

/** Returns the process of the demo company's phones over HTTP, when it has any. Says how many there are. */
function phoneParts({ options, folder, state, printer }: Start): SimulatorPart[] {
  const file = join(folder, demoPhonesFile);
  if (options.phones === 0 || !existsSync(file)) return [];
  const made = readFileSync(file, 'utf8').trim().split('\n').length;
  const devices = Math.min(made, options.phones);
  const rest = made < options.phones ? ', because only the first start makes them' : '';
  printer.step(`${devices} simulated phones over HTTP${rest}`);
  const port = { server: state.phones!, certificate: state.phoneCertificate, sipPort: sipPort() };
  return [phoneSimulator(folder, { kind: demoPhoneMakers.join(','), devices, ...port, file })];
}
