import pg from 'pg';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Connection, DatabaseOptions } from './database.ts';
import { ormOptions } from './database.ts';
import { platformRole } from './platform.ts';

/** A user who may create roles and databases. */
export interface AdminConnection {
  host: string;
  port: number;
  user: string;
  password: string;
}

const quote = (name: string): string => pg.escapeIdentifier(name);

/** Creates a client. A lost connection fails the pending statement; without a listener it would end the process too. */
export function connectionTo(config: pg.ClientConfig): pg.Client {
  return new pg.Client(config).on('error', () => undefined);
}

/**
 * Creates a service's database with its three roles: the owner (migrations only), the application (owns nothing,
 * subject to the policies) and the platform (no login, BYPASSRLS, used by SET ROLE). Safe to repeat.
 */
export async function provision(admin: AdminConnection, connection: Connection, ownerPassword: string): Promise<void> {
  const owner = `${connection.database}_owner`;
  const bypass = platformRole(connection.database);
  const root = connectionTo({
    host: admin.host,
    port: admin.port,
    user: admin.user,
    password: admin.password,
    database: 'postgres',
  });
  await root.connect();
  try {
    const has = async (sql: string, name: string): Promise<boolean> => (await root.query(sql, [name])).rowCount === 1;
    const role = 'select 1 from pg_roles where rolname = $1';
    const login = async (name: string, password: string): Promise<void> => {
      const verb = (await has(role, name)) ? 'alter' : 'create';
      await root.query(
        `${verb} role ${quote(name)} login noinherit nosuperuser nocreatedb nocreaterole password ${pg.escapeLiteral(password)}`,
      );
    };
    await login(owner, ownerPassword);
    await login(connection.user, connection.password);
    if (!(await has(role, bypass))) await root.query(`create role ${quote(bypass)} nologin bypassrls`);
    await root.query(`grant ${quote(bypass)} to ${quote(connection.user)} with inherit false, set true`);
    if (!(await has('select 1 from pg_database where datname = $1', connection.database))) {
      await root.query(`create database ${quote(connection.database)} owner ${quote(owner)}`);
    }
    // Repeated each time: a start that was killed between these statements must not leave a database that its service
    // cannot open.
    await root.query(`revoke all on database ${quote(connection.database)} from public`);
    await searchable(admin, connection.database);
    await root.query(`grant connect on database ${quote(connection.database)} to ${quote(connection.user)}`);
  } finally {
    await root.end();
  }
  const inside = connectionTo({
    host: admin.host,
    port: admin.port,
    user: owner,
    password: ownerPassword,
    database: connection.database,
  });
  await inside.connect();
  try {
    for (const [what, rights] of [
      ['tables', 'select, insert, update, delete'],
      ['sequences', 'usage, select'],
    ]) {
      await inside.query(
        `alter default privileges in schema public grant ${rights} on ${what} to ${quote(connection.user)}, ${quote(bypass)}`,
      );
    }
  } finally {
    await inside.end();
  }
}

/**
 * Lets LIKE and `@>` of JSON use an index under policies, by marking them leakproof: neither has an error that depends
 * on a row, so they reveal nothing about hidden rows. Without superuser (some hosted servers) they scan the company's
 * rows, which is measured for LIKE (`bench device-list`).
 */
async function searchable(admin: AdminConnection, database: string): Promise<void> {
  const inside = connectionTo({
    host: admin.host,
    port: admin.port,
    user: admin.user,
    password: admin.password,
    database,
  });
  try {
    await inside.connect();
    await inside.query('alter function pg_catalog.textlike(text, text) leakproof');
    await inside.query('alter function pg_catalog.jsonb_contains(jsonb, jsonb) leakproof');
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
  } finally {
    await inside.end();
  }
}

/** Migrates a database to the newest version, as its owner. Returns the names of the migrations that ran. */
export async function migrate(options: DatabaseOptions, ownerPassword: string): Promise<string[]> {
  const owner = {
    ...options.connection,
    user: `${options.connection.database}_owner`,
    password: ownerPassword,
    poolMax: 1,
  };
  const orm = new MikroORM(ormOptions({ ...options, connection: owner }));
  try {
    const done = await orm.migrator.up();
    return done.map((m) => m.name);
  } finally {
    await orm.close();
  }
}
