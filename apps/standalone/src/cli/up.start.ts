import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { kafkaUserOf } from '@carillon/contracts/services';
import { deviceAddressOf } from '../device-address.ts';
import { clusterParts, fileOf, makeSocketFolders, opsSocket } from './cluster.ts';
import { keepConsole } from './console.ts';
import { projectRoot, type RunState, type Secrets } from './data-folder.ts';
import { clusterCa } from './kafka-login.ts';
import type { UpOptions } from './options.ts';
import type { RunningPostgres } from './postgres.ts';
import { clusterKafka, clusterRedis } from './servers.ts';
import { simulatorParts } from './simulator.ts';
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
const folderArgs = ({ folder }: Start): string[] => ['--data', folder];

const site = ({ folder }: Start): string[] => keepConsole(folder, join(projectRoot, 'apps/console/dist/site'));

const postgresSettings = (postgres: RunningPostgres): Record<string, string> => ({
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
      CARILLON_CONSOLE_DIR: current!,
      CARILLON_CONSOLE_BEFORE: before.join(','),
      CARILLON_OPS_SOCKET: opsSocket(folder, 'standalone'),
    },
    printer.step,
  );
}

/** Starts Redis, the bus and every service as separate processes. */
export async function startCluster(start: Start, postgres: RunningPostgres, secrets: Secrets): Promise<void> {
  const { options, folder, supervisor, printer } = start;
  makeSocketFolders(folder);
  printer.step('Redis');
  const redis = await clusterRedis(folder, secrets.redis, printer.step);
  await supervisor.keepServer('redis', 'Redis', () => redis.start());
  const bus = await startBus(start, secrets);
  if (supervisor.stopping) return;
  await supervisor.once(
    'install',
    fileOf('install'),
    folderArgs(start),
    {
      CARILLON_DATA: folder,
      ...postgresSettings(postgres),
      CARILLON_DEMO_DEVICES: String(options.devices),
      ...bus,
    },
    printer.step,
  );
  if (supervisor.stopping) return;
  const { services, gateways } = clusterParts(
    {
      ...options,
      folder,
      bus,
      redisUrl: redis.url,
      publicUrl: process.env['CARILLON_PUBLIC_URL'] ?? `http://${options.host}:${options.port}`,
      deviceAddress:
        process.env['CARILLON_DEVICE_ADDRESS'] ?? deviceAddressOf(options.host, options.mqttPort, options.host),
      site: site(start),
    },
    secrets,
    postgres,
  );
  printer.step(`${services.length} processes of services`);
  await supervisor.startAll(services, folderArgs(start));
  if (supervisor.stopping) return;
  printer.step(`${options.gateways} MQTT and ${options.replicas} API gateways`);
  await supervisor.startAll(gateways, folderArgs(start));
}

/** Starts the cluster's bus. Returns the settings by which processes reach it. */
async function startBus(
  { options, folder, state, supervisor, printer }: Start,
  secrets: Secrets,
): Promise<Record<string, string>> {
  if (options.bus === 'postgres') return { CARILLON_BUS: 'postgres' };
  printer.step('Kafka');
  const kafka = await clusterKafka(folder, { user: kafkaUserOf('admin'), password: secrets.kafka.admin });
  await supervisor.keepServer('kafka', 'Kafka', () => kafka.start());
  state.brokers = kafka.brokers;
  return {
    CARILLON_BUS: 'kafka',
    CARILLON_KAFKA_BROKERS: kafka.brokers,
    CARILLON_KAFKA_CA: clusterCa(folder),
  };
}

/** Starts the simulated devices of the demo company, when it has any. */
export async function startSimulators({ options, folder, supervisor, printer }: Start): Promise<void> {
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
  for (const { name, args } of parts) {
    const all = [...args, '--json', '--status-every', '60', ...reboot, ...load];
    await supervisor.start(name, join(projectRoot, 'dist/simulator/main.js'), all, {});
  }
}
