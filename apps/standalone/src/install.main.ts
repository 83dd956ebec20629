import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTopics } from '@carillon/contracts/topics';
import { createLogger, setLogDestination } from '@carillon/observability';
import { Database } from '@carillon/persistence';
import { openBus, readConfig } from '@carillon/service';
import { installConfig } from './config.ts';
import { behind, connectionOf, installDatabases, seed } from './install.ts';
import type { Secrets } from './cli/data-folder.ts';

/** What a cluster needs before its services start: databases, migrations, topics, first data. Safe to repeat; ends when it is done. */
const config = readConfig(installConfig);
setLogDestination(undefined, config.logLevel);
const log = createLogger('install');
const say = (message: Record<string, unknown>): void => { process.send?.(message); };
const secrets = JSON.parse(readFileSync(join(config.data, 'secrets.json'), 'utf8')) as Secrets;
const admin = { host: config.postgresHost, port: config.postgresPort, user: config.postgresUser, password: secrets.postgres };

try {
  say({ step: 'databases' });
  await installDatabases(admin, secrets);
  say({ step: 'topics' });
  const { host, port, database, user, password } = connectionOf(admin, secrets, 'bus', 1);
  const bus = await openBus(config.bus === 'kafka' ? { bus: 'kafka', brokers: config.kafkaBrokers, name: 'install' } : { bus: 'postgres', connection: { host, port, database, user, password }, name: 'install' });
  await bus.ensureTopics(allTopics);
  await bus.close();
  say({ step: 'first data' });
  const databases = new Map<string, Database>();
  for (const { name, database: own } of behind) databases.set(name, await Database.open({ connection: connectionOf(admin, secrets, name, 1), ...own! }));
  await seed((name) => databases.get(name)!, secrets, { demoDevices: config.demoDevices, data: config.data, keepFirstPassword: config.keepFirstPassword === 1 });
  for (const one of databases.values()) await one.close();
  log.info('installed');
  say({ ready: true });
  process.disconnect?.();
} catch (error) {
  log.fatal({ err: error }, 'could not be installed');
  say({ failed: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  setTimeout(() => process.exit(1), 200);
}
