import type { z } from 'zod';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger, setLogDestination } from '@carillon/observability';
import { Database, type AdminConnection } from '@carillon/persistence';
import { busWithinMs, openBus, printConfig, readConfig } from '@carillon/service';
import { declaredTopics, kafkaUsers } from '@carillon/service/bus-access';
import { installConfig, installSecrets } from './config.ts';
import { databaseNames, kafkaPasswordKey, kafkaPasswordNames, type Secrets } from './cli/data-folder.ts';
import { renewKeysAt } from './renew-keys.ts';
import { behind, connectionOf, installDatabases, seed, type InstallSecrets } from './install.ts';

/**
 * Prepares a cluster before its services start: databases, migrations, topics, first data. Repeatable. With
 * `--renew-keys` it only requests new keys for all companies of a running cluster.
 */
if (process.argv.includes('--print-config')) {
  process.stdout.write(printConfig([installConfig, installSecrets]));
  process.exit(0);
}

/** Passwords of Kafka's users, as far as they are known. */
type KafkaPasswords = Partial<Secrets['kafka']>;

function secretsOf(data: string): InstallSecrets & { kafka?: KafkaPasswords } {
  const file = join(data, 'secrets.json');
  if (data !== '' && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  const given = readConfig(installSecrets);
  return {
    postgres: given.postgresPassword,
    pepper: given.passwordPepper.toString('base64url'),
    admin: { username: given.adminName, password: given.adminPassword },
    viewerPassword: given.viewerPassword,
    companyId: given.companyId,
    orgId: given.orgId,
    kafka: Object.fromEntries(
      kafkaPasswordNames.map((name) => [name, (given as Record<string, unknown>)[kafkaPasswordKey(name)]]),
    ),
    databases: Object.fromEntries(
      databaseNames.map((name) => [
        name,
        { app: given[`${name}DatabasePassword`], owner: given[`${name}OwnerPassword`] },
      ]),
    ),
  };
}

/** Creates the topics, and the users with their permissions when the administrator's password is known. */
async function installKafka(config: z.output<typeof installConfig>, passwords: KafkaPasswords = {}): Promise<void> {
  const { KafkaBus } = await import('@carillon/messaging/kafka');
  const { admin } = passwords;
  const bus = await openBus({
    bus: 'kafka',
    brokers: config.kafkaBrokers,
    name: 'install',
    openWithinMs: busWithinMs,
    ca: config.kafkaCa,
    ...(admin === undefined
      ? {}
      : { login: { user: config.kafkaAdminUser, password: admin, mechanism: config.kafkaAdminMechanism } }),
  });
  await bus.ensureTopics(declaredTopics);
  if (admin !== undefined && bus instanceof KafkaBus)
    await bus.admit([
      // An administrator from the brokers' settings also gets a stored login.
      ...(config.kafkaAdminMechanism === 'PLAIN'
        ? [{ name: config.kafkaAdminUser, password: admin, writes: [], reads: [], groups: [] }]
        : []),
      ...kafkaUsers((service) => {
        const password = passwords[service];
        if (password === undefined) throw new Error(`the password of ${service} on Kafka is missing`);
        return password;
      }),
    ]);
  await bus.close();
}

const say = (message: Record<string, unknown>): void => {
  process.send?.(message);
};
const log = createLogger('install');

async function install(
  config: z.output<typeof installConfig>,
  admin: AdminConnection,
  secrets: ReturnType<typeof secretsOf>,
): Promise<void> {
  say({ step: 'databases' });
  await installDatabases(admin, secrets);
  say({ step: 'topics' });
  const { host, port, database, user, password } = connectionOf(admin, secrets, 'bus', 1);
  if (config.bus === 'kafka') await installKafka(config, secrets.kafka);
  else {
    const bus = await openBus({
      bus: 'postgres',
      connection: { host, port, database, user, password },
      name: 'install',
    });
    await bus.ensureTopics(declaredTopics);
    await bus.close();
  }
  say({ step: 'first data' });
  const databases = new Map<string, Database>();
  for (const { name, database: own } of behind)
    databases.set(name, await Database.open({ connection: connectionOf(admin, secrets, name, 1), ...own! }));
  await seed((name) => databases.get(name)!, secrets, {
    demoDevices: config.demoDevices,
    demoPhones: config.demoPhones,
    data: config.data,
    keepFirstPassword: config.keepFirstPassword === 1,
  });
  for (const one of databases.values()) await one.close();
}

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
  if (process.argv.includes('--renew-keys'))
    for (const line of await renewKeysAt((service) => connectionOf(admin, secrets, service, 1))) log.info(line);
  else {
    await install(config, admin, secrets);
    log.info('installed');
  }
  say({ ready: true });
  process.disconnect?.();
} catch (error) {
  log.fatal({ err: error }, 'could not be installed');
  say({ failed: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  setTimeout(() => process.exit(1), 200);
}
