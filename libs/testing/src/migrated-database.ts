import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  connectionTo,
  migrate,
  platformRole,
  provision,
  type Connection,
  type DatabaseOptions,
} from '@carillon/persistence';
import { testConnection, testPostgres } from './postgres.ts';

/** Entities, migrations and extensions of a service. */
export type Schema = Omit<DatabaseOptions, 'connection'>;

/** Templates that this process made or found, by name. */
const templates = new Map<string, Promise<void>>();

/** Returns the name of the template, which changes with every statement of a migration. */
async function templateOf(service: string, { migrations }: Schema): Promise<string> {
  const hash = createHash('sha256');
  for (const Migration of migrations) {
    // A migration only collects its statements, for which it needs no driver.
    const migration = new Migration(undefined, undefined);
    await migration.up();
    hash.update(JSON.stringify(migration.getQueries()));
  }
  return `template_${service.replaceAll(/\W/g, '_')}_${hash.digest('hex').slice(0, 12)}`;
}

/** Creates and migrates the template unless another test process did. */
async function makeTemplate(template: string, schema: Schema): Promise<void> {
  const admin = await testPostgres();
  const client = connectionTo({ ...admin, database: 'postgres' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rows } = await client.query<{ ready: boolean }>(
      'select datistemplate as ready from pg_database where datname = $1',
      [template],
    );
    if (rows[0]?.ready) return;
    const name = pg.escapeIdentifier(template);
    // A process was killed while it migrated this one.
    if (rows[0]) await client.query(`drop database ${name} with (force)`);
    const connection = { ...(await testConnection(template)), database: template, user: template };
    await provision(admin, connection, 'owner');
    await migrate({ connection, ...schema }, 'owner');
    await client.query(`alter database ${name} is_template true allow_connections false`);
  } finally {
    await client.end();
  }
}

/**
 * Creates a database with the roles and the newest schema of a service, and returns its connection. It is a copy of a
 * template whose roles still own the tables, so the three roles of the new database inherit theirs.
 */
export async function migratedDatabase(service: string, schema: Schema): Promise<Connection> {
  const template = await templateOf(service, schema);
  if (!templates.has(template)) templates.set(template, makeTemplate(template, schema));
  await templates.get(template);
  const admin = await testPostgres();
  const connection = await testConnection(service);
  const client = connectionTo({ ...admin, database: 'postgres' });
  await client.connect();
  try {
    const { database, user } = connection;
    const owner = pg.escapeIdentifier(`${database}_owner`);
    await client.query(`create role ${owner}`);
    await client.query(
      `create database ${pg.escapeIdentifier(database)} owner ${owner} template ${pg.escapeIdentifier(template)}`,
    );
    await provision(admin, connection, 'owner');
    for (const [from, to] of [
      [template, user],
      [`${template}_owner`, `${database}_owner`],
      [platformRole(template), platformRole(database)],
    ] as const)
      await client.query(
        `grant ${pg.escapeIdentifier(from)} to ${pg.escapeIdentifier(to)} with inherit true, set false`,
      );
  } finally {
    await client.end();
  }
  return connection;
}
