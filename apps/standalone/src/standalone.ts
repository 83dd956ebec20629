import { join } from 'node:path';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { z } from 'zod';
import { allTopics } from '@carillon/contracts/topics';
import { authService, seedInstallation } from '@carillon/auth/module';
import { orgService, seedCompany } from '@carillon/org/module';
import { deviceService, newSecret, seedDevices } from '@carillon/device/module';
import { taskService } from '@carillon/task/module';
import { notificationService } from '@carillon/notification/module';
import { gatewayService } from '@carillon/gateway/module';
import { mqttGatewayService } from '@carillon/mqtt-gateway/module';
import { makeInventory } from '@carillon/simulator/inventory';
import { Database, migrate, provision, type Connection } from '@carillon/persistence';
import { migrateBus, PostgresBus } from '@carillon/messaging';
import { hostService, MemoryCache, readConfig, type Hosted, type ServiceDefinition } from '@carillon/service';
import type { standaloneConfig } from './config.ts';
import type { Secrets } from './cli/data-folder.ts';

/** Services that answer calls, behind the API gateway. */
const behind: readonly ServiceDefinition[] = [authService, orgService, deviceService, taskService, notificationService] as unknown as ServiceDefinition[];

export interface Hooks {
  progress(step: string): void;
}

export interface Standalone {
  port: number;
  mqttPort: number;
  close(): Promise<void>;
}

/** Starts everything in this process, in the order in which one needs the other; ready when it resolves. */
export async function startStandalone(config: z.output<typeof standaloneConfig>, secrets: Secrets, hooks: Hooks): Promise<Standalone> {
  const admin = { host: config.postgresHost, port: config.postgresPort, user: config.postgresUser, password: secrets.postgres };
  const connection = (name: string): Connection => ({
    host: admin.host, port: admin.port, database: `carillon_${name}`, user: `carillon_${name}_app`, password: secrets.databases[name]!.app, poolMax: 3,
  });

  hooks.progress('databases');
  for (const { name, database } of [...behind.filter((d) => d.database), { name: 'bus', database: undefined }]) {
    await provision(admin, connection(name), secrets.databases[name]!.owner);
    if (database) await migrate({ connection: connection(name), ...database }, secrets.databases[name]!.owner);
  }
  const { host, port, database } = connection('bus');
  await migrateBus({ host, port, database, user: `${database}_owner`, password: secrets.databases['bus']!.owner });
  // The data folder is locked by its supervisor, so that at most one process of this name lives: it takes over at once.
  const bus = await PostgresBus.open({ connection: { host, port, database, user: connection('bus').user, password: connection('bus').password }, name: 'standalone' });
  await bus.ensureTopics(allTopics);

  const sockets = join(config.data, 'run', 'services');
  rmSync(sockets, { recursive: true, force: true });
  mkdirSync(sockets, { recursive: true, mode: 0o700 });
  const socket = (name: string): string => join(sockets, `${name}.sock`);
  const contextKey = Buffer.from(secrets.contextKey, 'base64url');
  const values = {
    tokenKey: secrets.tokenKey, contextKey: secrets.contextKey, passwordPepper: secrets.pepper, mailKey: secrets.mailKey, publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`, clientId: secrets.client.id, clientSecret: secrets.client.secret,
  };
  const cache = new MemoryCache();
  const hosted: Hosted[] = [];
  const databases = new Map<string, Database>();

  hooks.progress('services');
  for (const definition of behind) {
    const database = await Database.open({ connection: connection(definition.name), ...definition.database! });
    databases.set(definition.name, database);
    hosted.push(await hostService({ definition, config: readConfig(definition.config, values), bus, cache, contextKey, database, listen: { path: socket(definition.name) } }));
  }

  hooks.progress('first data');
  const owner = { companyId: secrets.companyId, orgId: secrets.orgId };
  await seedCompany(databases.get('org')!, { ...owner, name: config.demoDevices > 0 ? 'Carillon Demo' : 'My company', organizationName: 'Head office' });
  await seedInstallation(databases.get('auth')!, {
    ...owner, passwordPepper: Buffer.from(secrets.pepper, 'base64url'), administrator: { ...secrets.admin, oneTime: config.keepFirstPassword === 0 },
    ...(config.demoDevices > 0 ? { viewer: { username: 'viewer', password: secrets.viewerPassword } } : {}),
  });
  await seedDemo(databases.get('device')!, owner, join(config.data, 'simulator-devices.jsonl'), config.demoDevices);

  hooks.progress('gateways');
  hosted.push(await hostService({
    definition: mqttGatewayService as unknown as ServiceDefinition, config: readConfig(mqttGatewayService.config, { host: config.mqttHost, port: config.mqttPort } as never), bus, cache, contextKey, listen: null,
  }));
  hosted.push(await hostService({
    definition: gatewayService as unknown as ServiceDefinition,
    config: readConfig(gatewayService.config, { ...values, consoleDir: config.consoleDir, upstreams: JSON.stringify(Object.fromEntries(behind.map((d) => [d.name, { socketPath: socket(d.name) }]))) } as never),
    bus, cache, contextKey, listen: { host: config.host, port: config.port },
  }));

  const address = hosted.at(-1)!.app.getHttpServer().address() as { port: number };
  return {
    port: address.port, mqttPort: config.mqttPort,
    async close() {
      // Devices first, so that nothing new comes in; the bus last, because everybody writes to it.
      for (const one of hosted.toReversed()) await one.close();
      await bus.close();
      await cache.close();
    },
  };
}

/** Adds the demo's devices that are not there yet. Their secrets stand in a file for the simulator, written first, and nowhere else. */
async function seedDemo(database: Database, owner: { companyId: string; orgId: string }, file: string, count: number): Promise<void> {
  if (count === 0) return;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as { mac: string; secret: string }) : [];
  const secrets = new Map(lines.map((d) => [d.mac, d.secret]));
  const wanted = makeInventory(count, 1).map((d) => ({ ...d, secret: secrets.get(d.mac) ?? newSecret() }));
  if (wanted.length > lines.length) {
    writeFileSync(`${file}.new`, wanted.map((d) => `${JSON.stringify(d)}\n`).join(''), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  }
  await seedDevices(database, owner, wanted);
}
