import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allTopics } from '@carillon/contracts/topics';
import { createLogger, setLogDestination } from '@carillon/observability';
import { Database } from '@carillon/persistence';
import { busWithinMs, openBus, printConfig, readConfig } from '@carillon/service';
import { installConfig, installSecrets } from './config.ts';
import { databaseNames } from './cli/data-folder.ts';
import { behind, connectionOf, installDatabases, seed, type InstallSecrets } from './install.ts';

/**
 * What a cluster needs before its services start: databases, migrations, topics, first data. Safe to repeat; ends when
 * it is done.
 */
if (process.argv.includes('--print-config')) {
  process.stdout.write(printConfig([installConfig, installSecrets]));
  process.exit(0);
}

function secretsOf(data: string): InstallSecrets {
  const file = join(data, 'secrets.json');
  if (data !== '' && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as InstallSecrets;
  const given = readConfig(installSecrets);
  return {
    postgres: given.postgresPassword,
    pepper: given.passwordPepper.toString('base64url'),
    admin: { username: given.adminName, password: given.adminPassword },
    viewerPassword: given.viewerPassword,
    companyId: given.companyId,
    orgId: given.orgId,
    databases: Object.fromEntries(
      databaseNames.map((name) => [
        name,
        { app: given[`${name}DatabasePassword`], owner: given[`${name}OwnerPassword`] },
      ]),
    ),
  };
}

const say = (message: Record<string, unknown>): void => {
  process.send?.(message);
};
const log = createLogger('install');

try {
  const config = readConfig(installConfig);
  setLogDestination(undefined, config.logLevel);
  const secrets = secretsOf(config.data);
  const admin = {
    host: config.postgresHost,
    port: config.postgresPort,
    user: config.postgresUser,
    password: secrets.postgres,
  };
  say({ step: 'databases' });
  await installDatabases(admin, secrets);
  say({ step: 'topics' });
  const { host, port, database, user, password } = connectionOf(admin, secrets, 'bus', 1);
  const bus = await openBus(
    config.bus === 'kafka'
      ? { bus: 'kafka', brokers: config.kafkaBrokers, name: 'install', openWithinMs: busWithinMs }
      : { bus: 'postgres', connection: { host, port, database, user, password }, name: 'install' },
  );
  await bus.ensureTopics(allTopics);
  await bus.close();
  say({ step: 'first data' });
  const databases = new Map<string, Database>();
  for (const { name, database: own } of behind)
    databases.set(name, await Database.open({ connection: connectionOf(admin, secrets, name, 1), ...own! }));
  await seed((name) => databases.get(name)!, secrets, {
    demoDevices: config.demoDevices,
    data: config.data,
    keepFirstPassword: config.keepFirstPassword === 1,
  });
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
