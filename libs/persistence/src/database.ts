import { MikroORM, type AnyEntity, type EntityManager, type EntityName } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import type pg from 'pg';
import { CompanyTurns } from './company-turns.ts';

/** How long a transaction waits for a connection. */
const connectWithinMs = 10_000;

/** Location and user of a service's database. `host` may be the folder of a Unix socket. */
export interface Connection {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** Most connections: 3 in standalone, 5 per replica in the cluster. */
  poolMax: number;
}

export interface DatabaseOptions {
  connection: Connection;
  /** Results of `defineEntity`. Their full types name every column and fit no common list. */
  entities: readonly object[];
  migrations: readonly Constructor<Migration>[];
  /** PostgreSQL extensions that the entities' indexes need; a migration creates them. */
  extensions?: readonly string[];
}

/** A service's own database, used as its application role, which owns nothing and is subject to every policy. */
export class Database {
  readonly orm: MikroORM;
  /** The ORM's own pool: transactions take their connections from it. */
  readonly pool: pg.Pool;
  readonly name: string;
  /** Turns of the companies' calls. */
  readonly turns: CompanyTurns;
  private permits: number;
  private readonly waiting: (() => void)[] = [];

  private constructor(orm: MikroORM, pool: pg.Pool, { database, poolMax }: Connection) {
    this.orm = orm;
    this.pool = pool;
    this.name = database;
    this.permits = Math.max(1, poolMax - 1);
    this.turns = new CompanyTurns(Math.max(1, poolMax - 1), connectWithinMs);
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const orm = new MikroORM(ormOptions(options));
    const pool = (await orm.em.getConnection().getNativeClient()) as unknown as pg.Pool;
    // An idle connection that ends is replaced at the next use; without a listener it would end the process.
    pool.on('error', () => undefined);
    return new Database(orm, pool, options.connection);
  }

  get em(): EntityManager {
    return this.orm.em as EntityManager;
  }

  /**
   * Waits until background work may take a connection: one always remains for calls, however much work there is.
   * Returns a function that gives the place back.
   */
  async background(): Promise<() => void> {
    if (this.permits > 0) this.permits--;
    else
      await new Promise<void>((go) => {
        this.waiting.push(go);
      });
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.permits++;
    };
  }

  /** Returns whether a query is answered within the time, ms. */
  async healthy(withinMs = 2_000): Promise<boolean> {
    const answer = this.pool.query('select 1').then(
      () => true,
      () => false,
    );
    return Promise.race([
      answer,
      new Promise<boolean>((r) => {
        setTimeout(r, withinMs, false).unref();
      }),
    ]);
  }

  async close(): Promise<void> {
    await this.orm.close();
  }
}

/** Returns the ORM's options: the same for the application, the migrations (as owner) and the checks. */
export function ormOptions({ connection, entities, migrations }: DatabaseOptions) {
  return {
    host: connection.host,
    port: connection.port,
    dbName: connection.database,
    user: connection.user,
    password: connection.password,
    entities: [...entities] as EntityName<AnyEntity>[],
    extensions: [Migrator],
    forceUtcTimezone: true,
    discovery: { warnWhenNoEntities: false },
    // Idle connections are closed, because they would dominate standalone's memory.
    pool: { min: 0, max: connection.poolMax, idleTimeoutMillis: 10_000 },
    // Every abandoned statement ends by itself.
    driverOptions: {
      connectionTimeoutMillis: connectWithinMs,
      // A new connection plans its prepared statements for the sizes that the tables have then (docs/adr/0049).
      maxLifetimeSeconds: 30,
      statement_timeout: 60_000,
      idle_in_transaction_session_timeout: 60_000,
      application_name: connection.database,
    },
    migrations: {
      migrationsList: [...migrations].map((m) => ({ name: m.name, class: m })),
      snapshot: false,
      tableName: 'migration',
    },
  };
}
