import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@carillon/contracts/services';
import { projectRoot, type Secrets } from './data-folder.ts';
import type { RunningPostgres } from './postgres.ts';

/** Number of gateways and replicas: `up --cluster --gateways 2 --replicas 2`. */
export interface ClusterSize {
  gateways: number;
  replicas: number;
}

/** One process of the cluster. */
export interface Part {
  name: string;
  file: string;
  environment: Record<string, string>;
}

export interface ClusterOptions extends ClusterSize {
  folder: string;
  host: string;
  port: number;
  mqttPort: number;
  phonePort: number;
  /** Settings of the bus. */
  bus: Record<string, string>;
  redisUrl: string;
  /** URL of the console; links in mails begin with it. */
  publicUrl: string;
  /** Address that devices connect to; the console shows it when a device is added. */
  deviceAddress: string;
  /** Folders of the console's files, the current build first. */
  site: readonly string[];
}

const services = ['auth', 'org', 'device', 'provisioning', 'resource', 'task', 'notification', 'license'] as const;
const numbered = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}-${i + 1}`);
export const opsSocket = (folder: string, name: string): string => join(folder, 'run', 'ops', `${name}.sock`);

/** Empties the socket folders. Call it only when no process of this folder runs. */
export function makeSocketFolders(folder: string): void {
  for (const name of ['services', 'ops']) {
    rmSync(join(folder, 'run', name), { recursive: true, force: true });
    mkdirSync(join(folder, 'run', name), { recursive: true, mode: 0o700 });
  }
}

/** Returns every process with its settings, in start order. Each gets only the secrets that it uses. */
export function clusterParts(
  options: ClusterOptions,
  secrets: Secrets,
  postgres: Pick<RunningPostgres, 'socket' | 'port'>,
): { services: Part[]; gateways: Part[] } {
  const { folder, replicas } = options;
  const socketOf = (name: string): string => join(folder, 'run', 'services', `${name}.sock`);
  const common = (service: ServiceName, name: string): Record<string, string> => ({
    CARILLON_NAME: name,
    CARILLON_OPS_SOCKET: opsSocket(folder, name),
    CARILLON_CONTEXT_KEY: secrets.contextKey,
    CARILLON_DATABASE_HOST: postgres.socket,
    CARILLON_DATABASE_PORT: String(postgres.port),
    ...options.bus,
    CARILLON_REDIS_URL: options.redisUrl,
    ...(options.bus['CARILLON_BUS'] === 'postgres'
      ? { CARILLON_BUS_PASSWORD: secrets.databases['bus']!.app }
      : { CARILLON_KAFKA_PASSWORD: secrets.kafka[service] }),
  });
  const client = {
    CARILLON_TOKEN_KEY: secrets.tokenKey,
    CARILLON_CLIENT_ID: secrets.client.id,
    CARILLON_CLIENT_SECRET: secrets.client.secret,
  };
  const mail = { CARILLON_MAIL_KEY: secrets.mailKey };
  const own: Partial<Record<(typeof services)[number], Record<string, string>>> = {
    auth: { ...client, ...mail, CARILLON_PASSWORD_PEPPER: secrets.pepper, CARILLON_PUBLIC_URL: options.publicUrl },
    device: { CARILLON_DATA_KEY: secrets.dataKey, CARILLON_DEVICE_ADDRESS: options.deviceAddress },
    task: { CARILLON_PUBLIC_URL: options.publicUrl },
    provisioning: {
      CARILLON_DATA_KEY: secrets.dataKey,
      CARILLON_PUBLIC_URL: options.publicUrl,
      CARILLON_PHONE_HOST: options.host,
      CARILLON_PHONE_PORT: String(options.phonePort),
      CARILLON_PHONE_SHARED: String(replicas > 1),
    },
    resource: {
      CARILLON_FILES_FOLDER: join(folder, 'files'),
      CARILLON_DATA_KEY: secrets.dataKey,
      CARILLON_SIGNING_KEY: secrets.signingKey,
      CARILLON_SIGNING_KEY_BEFORE: secrets.signingKeyBefore ?? '',
    },
    notification: mail,
    license: mail,
  };
  const [current, ...before] = options.site;
  return {
    services: services.flatMap((service) =>
      numbered(service, replicas).map((name) => ({
        name,
        file: fileOf(service),
        environment: {
          ...common(service, name),
          CARILLON_HTTP_SOCKET: socketOf(name),
          CARILLON_DATABASE_PASSWORD: secrets.databases[service]!.app,
          ...own[service],
        },
      })),
    ),
    gateways: [
      ...numbered('mqtt-gateway', options.gateways).map((name) => ({
        name,
        file: fileOf('mqtt-gateway'),
        environment: {
          ...common('mqtt-gateway', name),
          CARILLON_HOST: options.host,
          CARILLON_PORT: String(options.mqttPort),
          CARILLON_SHARED: String(options.gateways > 1),
          CARILLON_DISK_FOLDER: folder,
        },
      })),
      ...numbered('gateway', replicas).map((name) => ({
        name,
        file: fileOf('gateway'),
        environment: {
          ...common('gateway', name),
          ...client,
          CARILLON_HTTP_HOST: options.host,
          CARILLON_HTTP_PORT: String(options.port),
          CARILLON_HTTP_SHARED: String(replicas > 1),
          CARILLON_CONSOLE_DIR: current!,
          CARILLON_CONSOLE_BEFORE: before.join(','),
          CARILLON_UPSTREAMS: JSON.stringify(
            Object.fromEntries(
              services.map((service) => [
                service,
                numbered(service, replicas).map((n) => ({ socketPath: socketOf(n) })),
              ]),
            ),
          ),
        },
      })),
    ],
  };
}

export const fileOf = (name: string): string => join(projectRoot, 'dist/cluster', `${name}.js`);
