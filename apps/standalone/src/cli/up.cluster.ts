import { kafkaUserOf } from '@carillon/contracts/services';
import { deviceAddressOf } from '../device-address.ts';
import { clusterParts, fileOf, makeSocketFolders } from './cluster.ts';
import type { Secrets } from './data-folder.ts';
import { clusterCa } from './kafka-login.ts';
import type { RunningPostgres } from './postgres.ts';
import { clusterKafka, clusterRedis } from './servers.ts';
import { folderArgs, postgresSettings, site, type Start } from './up.start.ts';

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
      CARILLON_DEMO_PHONES: String(options.phones),
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
