import { MikroORM, type AnyEntity, type EntityManager, type EntityName } from '@mikro-orm/postgresql';
import { Migrator } from '@mikro-orm/migrations';
import type { Constructor } from '@mikro-orm/core';
import type { Migration } from '@mikro-orm/migrations';
import type pg from 'pg';

/** Where a service's database is and as whom it is used. `host` may be the folder of a Unix socket. */
export interface Connection {
  host: string;
  port: number;
  database: string;
  user: string;
  password: string;
  /** At most this many connections: 3 in standalone, 5 per replica in the cluster. */
  poolMax: number;
}

export interface DatabaseOptions {
  connection: Connection;
  /** What `defineEntity` returns. Its full type names every column and fits no common list. */
  entities: readonly object[];
  migrations: readonly Constructor<Migration>[];
  /** PostgreSQL's extensions that the entities' indexes need; a migration creates them. */
  extensions?: readonly string[];
}

/** A service's own database, used as its application role, which owns nothing and is bound by every policy. */
export class Database {
  readonly orm: MikroORM;
  /** The ORM's own pool: transactions take their connection from it. */
  readonly pool: pg.Pool;
  readonly name: string;
  private permits: number;
  private readonly waiting: (() => void)[] = [];

  private constructor(orm: MikroORM, pool: pg.Pool, { database, poolMax }: Connection) {
    this.orm = orm;
    this.pool = pool;
    this.name = database;
    this.permits = Math.max(1, poolMax - 1);
  }

  static async open(options: DatabaseOptions): Promise<Database> {
    const orm = new MikroORM(ormOptions(options));
    const pool = (await orm.em.getConnection().getNativeClient()) as unknown as pg.Pool;
    // A connection that ends while nobody uses it is replaced at the next use; without a listener it would end the
    // process.
    pool.on('error', () => undefined);
    return new Database(orm, pool, options.connection);
  }

  get em(): EntityManager {
    return this.orm.em as EntityManager;
  }

  /**
   * Waits until work that nobody waits for may take a connection: one is always left to calls, however much there is to
   * catch up with. Returns how to give it back.
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

  /** Whether a query is answered within the time, ms. */
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

/** The ORM's options: the same for the application, the migrations (as owner) and the checks. */
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
    // A connection that is not needed is given back: idle ones are what standalone's memory goes to.
    pool: { min: 0, max: connection.poolMax, idleTimeoutMillis: 10_000 },
    // Every statement that nobody waits for any more ends by itself.
    driverOptions: {
      connectionTimeoutMillis: 10_000,
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
