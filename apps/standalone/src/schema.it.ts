import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authService } from '@carillon/auth/module';
import { deviceService } from '@carillon/device/module';
import { licenseService } from '@carillon/license/module';
import { provisioningService } from '@carillon/provisioning/module';
import { resourceService } from '@carillon/resource/module';
import { notificationService } from '@carillon/notification/module';
import { orgService } from '@carillon/org/module';
import { taskService } from '@carillon/task/module';
import {
  compareSchemas,
  declaredSchema,
  migrate,
  provision,
  readSchema,
  type SchemaFacts,
} from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { testConnection, testPostgres } from '@carillon/testing/postgres';

const definitions = [
  authService,
  orgService,
  deviceService,
  taskService,
  notificationService,
  licenseService,
  provisioningService,
  resourceService,
] as unknown as ServiceDefinition[];

/** Returns a service's migrated database as the superuser, and the schema that its entities declare. */
async function bothSchemas(definition: ServiceDefinition) {
  const admin = await testPostgres();
  const connection = await testConnection(definition.name);
  const options = { connection, ...definition.database! };
  await provision(admin, connection, 'owner');
  await migrate(options, 'owner');
  const client = new pg.Client({ ...admin, database: connection.database });
  await client.connect();
  return { client, declared: await declaredSchema(admin, options) };
}

describe.each(definitions.map((definition) => [definition.name, definition] as const))('%s', (_, definition) => {
  it('has entities that match its migrated database', async () => {
    const { client, declared } = await bothSchemas(definition);
    try {
      expect(compareSchemas(declared, await readSchema(client))).toEqual([]);
    } finally {
      await client.end();
    }
  });
});

describe('a difference between entities and database', () => {
  let client: pg.Client;
  let declared: SchemaFacts;
  beforeAll(async () => {
    ({ client, declared } = await bothSchemas(deviceService as unknown as ServiceDefinition));
  });
  afterAll(() => client?.end());

  it.each([
    ['a column less', 'alter table device drop column lte', 'column device.lte'],
    ['a column more', 'alter table device add column planted text', 'column device.planted'],
    ['another type', 'alter table device alter column lte type text', 'column device.lte'],
    ['another length', 'alter table device alter column hardware type varchar(129)', 'column device.hardware'],
    ['a column that may be null', 'alter table device alter column model drop not null', 'column device.model'],
    ['another default', 'alter table device alter column placed set default true', 'column device.placed'],
    ['a table more', 'create table planted (id int)', 'planted'],
    ['an index less', 'drop index device_left_site', 'index device.device_left_site'],
    [
      'an index on something else',
      'drop index device_left_site; create index device_left_site on device (site_id)',
      'index device.device_left_site',
    ],
    ['an index more', 'create index planted on device (lte)', 'index device.planted'],
    ['a check more', 'alter table device add check (length(name) > 0)', 'constraint device'],
    ['another policy', 'alter policy organization on device using (true)', 'policy device.organization'],
    [
      'a restrictive policy that became permissive',
      'drop policy organization on device; create policy organization on device using (true)',
      'policy device.organization',
    ],
    ['a policy more', 'create policy planted on device using (true)', 'policy device.planted'],
    [
      'policies that the owner passes',
      'alter table device no force row level security',
      'row level security of device',
    ],
    ['policies that are off', 'alter table device disable row level security', 'row level security of device'],
  ])('is named: %s', async (_, sql, what) => {
    await client.query('begin');
    try {
      await client.query(sql);
      const differences = compareSchemas(declared, await readSchema(client));
      expect(differences.length).toBeGreaterThan(0);
      expect(differences.filter((difference) => !difference.includes(what))).toEqual([]);
    } finally {
      await client.query('rollback');
    }
  });
});
