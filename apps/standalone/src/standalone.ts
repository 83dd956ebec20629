import { join } from 'node:path';
import { mkdirSync, rmSync } from 'node:fs';
import type { z } from 'zod';
import { allTopics } from '@carillon/contracts/topics';
import { gatewayService } from '@carillon/gateway/module';
import { mqttGatewayService } from '@carillon/mqtt-gateway/module';
import { Database, type Connection } from '@carillon/persistence';
import { PostgresBus } from '@carillon/messaging';
import {
  type Health,
  hostService,
  MemoryCache,
  readConfig,
  type Hosted,
  type ServiceDefinition,
} from '@carillon/service';
import { deviceAddressOf } from './device-address.ts';
import type { standaloneConfig } from './config.ts';
import type { Secrets } from './cli/data-folder.ts';
import { behind, connectionOf, installDatabases, seed } from './install.ts';

export interface Hooks {
  progress(step: string): void;
}

export interface Standalone {
  port: number;
  mqttPort: number;
  healths: readonly Health[];
  close(): Promise<void>;
}

/** Starts everything in this process, in dependency order. Resolves when everything is ready. */
export async function startStandalone(
  config: z.output<typeof standaloneConfig>,
  secrets: Secrets,
  hooks: Hooks,
): Promise<Standalone> {
  const admin = {
    host: config.postgresHost,
    port: config.postgresPort,
    user: config.postgresUser,
    password: secrets.postgres,
  };
  const connection = (name: string): Connection => connectionOf(admin, secrets, name, 3);

  hooks.progress('databases');
  await installDatabases(admin, secrets);
  const { host, port, database } = connection('bus');
  // The supervisor locks the data folder, so only one process of this name exists and can take over at once.
  const bus = await PostgresBus.open({
    connection: { host, port, database, user: connection('bus').user, password: connection('bus').password },
    name: 'standalone',
  });
  await bus.ensureTopics(allTopics);

  const sockets = join(config.data, 'run', 'services');
  rmSync(sockets, { recursive: true, force: true });
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  const socket = (name: string): string => join(sockets, `${name}.sock`);
  const contextKey = Buffer.from(secrets.contextKey, 'base64url');
  const values = {
    tokenKey: secrets.tokenKey,
    contextKey: secrets.contextKey,
    passwordPepper: secrets.pepper,
    mailKey: secrets.mailKey,
    dataKey: secrets.dataKey,
    signingKey: secrets.signingKey,
    signingKeyBefore: secrets.signingKeyBefore,
    filesFolder: join(config.data, 'files'),
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
    phoneHost: config.phoneHost,
    phonePort: config.phonePort,
    deviceAddress: config.deviceAddress ?? deviceAddressOf(config.mqttHost, config.mqttPort, config.host),
    clientId: secrets.client.id,
    clientSecret: secrets.client.secret,
  };
  const cache = new MemoryCache();
  const hosted: Hosted[] = [];
  const databases = new Map<string, Database>();

  hooks.progress('services');
  for (const definition of behind) {
    const database = await Database.open({ connection: connection(definition.name), ...definition.database! });
    databases.set(definition.name, database);
    hosted.push(
      await hostService({
        definition,
        config: readConfig(definition.config, values),
        bus,
        cache,
        contextKey,
        database,
        listen: { path: socket(definition.name) },
      }),
    );
  }

  hooks.progress('first data');
  await seed((name) => databases.get(name)!, secrets, {
    demoDevices: config.demoDevices,
    demoPhones: config.demoPhones,
    keepFirstPassword: config.keepFirstPassword === 1,
    data: config.data,
  });

  hooks.progress('gateways');
  hosted.push(
    await hostService({
      definition: mqttGatewayService as unknown as ServiceDefinition,
      config: readConfig(mqttGatewayService.config, {
        host: config.mqttHost,
        port: config.mqttPort,
        diskFolder: config.data,
      } as never),
      bus,
      cache,
      contextKey,
      listen: null,
    }),
  );
  hosted.push(
    await hostService({
      definition: gatewayService as unknown as ServiceDefinition,
      config: readConfig(gatewayService.config, {
        ...values,
        consoleDir: config.consoleDir,
        consoleBefore: config.consoleBefore,
        upstreams: JSON.stringify(Object.fromEntries(behind.map((d) => [d.name, { socketPath: socket(d.name) }]))),
      } as never),
      bus,
      cache,
      contextKey,
      listen: { host: config.host, port: config.port },
    }),
  );

  const address = hosted.at(-1)!.app.getHttpServer().address() as { port: number };
  return {
    port: address.port,
    mqttPort: config.mqttPort,
    healths: hosted.map((one) => one.health),
    async close() {
      // Devices stop first, so that nothing new arrives; the bus stops last, because all services write to it.
      for (const one of hosted.toReversed()) await one.close();
      await bus.close();
      await cache.close();
    },
  };
}
