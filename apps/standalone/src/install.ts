import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { authService, seedInstallation } from '@carillon/auth/module';
import { orgService, seedCompany } from '@carillon/org/module';
import { deviceService, newSecret, seedDevices, seedGroup } from '@carillon/device/module';
import { provisioningService, seedFirstAccess, seedGroupTemplate } from '@carillon/provisioning/module';
import { resourceService } from '@carillon/resource/module';
import { taskService } from '@carillon/task/module';
import { licenseService, seedTimes } from '@carillon/license/module';
import { notificationService } from '@carillon/notification/module';
import { makeInventory, makePhones } from '@carillon/simulator/inventory';
import { migrate, provision, type AdminConnection, type Connection, type Database } from '@carillon/persistence';
import { migrateBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import type { Secrets } from './cli/data-folder.ts';
import { demoPhoneMakers, demoPhonesFile } from './cli/simulator.ts';

/** The secrets that the preparation of an installation needs. */
export type InstallSecrets = Pick<
  Secrets,
  'postgres' | 'databases' | 'pepper' | 'admin' | 'viewerPassword' | 'companyId' | 'orgId'
>;

/** Services behind the API gateway. */
export const behind: readonly ServiceDefinition[] = [
  authService,
  orgService,
  deviceService,
  provisioningService,
  resourceService,
  taskService,
  notificationService,
  licenseService,
] as unknown as ServiceDefinition[];

/** Returns the connection to a service's database as its application role. */
export function connectionOf(
  admin: AdminConnection,
  secrets: InstallSecrets,
  name: string,
  poolMax: number,
): Connection {
  return {
    host: admin.host,
    port: admin.port,
    database: `carillon_${name}`,
    user: `carillon_${name}_app`,
    password: secrets.databases[name]!.app,
    poolMax,
  };
}

/**
 * Creates or migrates every database with its roles, all at the same time. Runs in one process, before any service
 * starts.
 */
export async function installDatabases(admin: AdminConnection, secrets: InstallSecrets): Promise<void> {
  const install = async (name: string, migrateAs: (connection: Connection, owner: string) => Promise<unknown>) => {
    const connection = connectionOf(admin, secrets, name, 1);
    const { owner } = secrets.databases[name]!;
    await provision(admin, connection, owner);
    await migrateAs(connection, owner);
  };
  await Promise.all([
    ...behind.flatMap(({ name, database }) =>
      database ? install(name, (connection, owner) => migrate({ connection, ...database }, owner)) : [],
    ),
    install('bus', ({ host, port, database }, password) =>
      migrateBus({ host, port, database, user: 'carillon_bus_owner', password }),
    ),
  ]);
}

/** Creates the first company, its administrator and the demo's devices. Existing data stays unchanged. */
export async function seed(
  databaseOf: (name: string) => Database,
  secrets: InstallSecrets,
  {
    demoDevices,
    demoPhones,
    data,
    keepFirstPassword,
  }: { demoDevices: number; demoPhones: number; data: string; keepFirstPassword: boolean },
): Promise<void> {
  const owner = { companyId: secrets.companyId, orgId: secrets.orgId };
  await seedCompany(databaseOf('org'), {
    ...owner,
    name: demoDevices > 0 ? 'Carillon Demo' : 'My company',
    organizationName: 'Head office',
  });
  await seedInstallation(databaseOf('auth'), {
    ...owner,
    passwordPepper: Buffer.from(secrets.pepper, 'base64url'),
    administrator: { ...secrets.admin, oneTime: !keepFirstPassword },
    ...(demoDevices > 0 ? { viewer: { username: 'viewer', password: secrets.viewerPassword } } : {}),
  });
  await seedTimes(databaseOf('license'));
  await seedDemo(databaseOf('device'), owner, join(data, 'simulator-devices.jsonl'), demoDevices);
  if (demoDevices > 0 && demoPhones > 0)
    await seedDemoPhones(databaseOf, owner, {
      file: join(data, demoPhonesFile),
      count: demoPhones,
      devices: demoDevices,
    });
}

/** Adds the missing devices of the demo. Only a file for the simulator holds their secrets; it is written first. */
async function seedDemo(
  database: Database,
  owner: { companyId: string; orgId: string },
  file: string,
  count: number,
): Promise<void> {
  if (count === 0) return;
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { mac: string; secret: string })
    : [];
  const secrets = new Map(lines.map((d) => [d.mac, d.secret]));
  const wanted = makeInventory(count, 1).map((d) => ({ ...d, secret: secrets.get(d.mac) ?? newSecret() }));
  if (wanted.length > lines.length) writeWhole(file, wanted);
  await seedDevices(database, owner, wanted);
}

const demoPhones = {
  group: { name: 'Phones over HTTP', description: 'Simulated phones that load their configuration over HTTP' },
  values: { 'phone.language': 'en', 'time.server': 'pool.ntp.org' },
} as const;

/**
 * Adds the demo's phones over HTTP once, with a group, a template and an open first access: they know only the server's
 * address. The file for the simulator is written last, so that an interrupted start does it again.
 */
async function seedDemoPhones(
  databaseOf: (name: string) => Database,
  owner: { companyId: string; orgId: string },
  { file, count, devices }: { file: string; count: number; devices: number },
): Promise<void> {
  if (existsSync(file)) return;
  const taken = new Set(makeInventory(devices, 1).map(({ mac }) => mac));
  // Another seed than that of `simulate --kind`, whose phones nobody has added.
  const phones = makePhones(demoPhoneMakers, count, 2, taken);
  const groupId = await seedGroup(databaseOf('device'), owner, demoPhones.group);
  const template = { groupId, name: demoPhones.group.name, values: demoPhones.values };
  // First: the configuration of a device is made when the device is known.
  await seedGroupTemplate(databaseOf('provisioning'), owner.companyId, template);
  const wanted = phones.map((phone) => ({ ...phone, secret: newSecret(), groupIds: [groupId] }));
  const ids = await seedDevices(databaseOf('device'), owner, wanted);
  await seedFirstAccess(databaseOf('provisioning'), owner.companyId, ids);
  writeWhole(file, phones);
}

/** Writes a file for the simulator that only its owner may read. */
function writeWhole(file: string, lines: readonly object[]): void {
  writeFileSync(`${file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
