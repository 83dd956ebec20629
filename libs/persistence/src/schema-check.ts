import pg from 'pg';
import { MikroORM } from '@mikro-orm/postgresql';
import { connectionTo, type AdminConnection } from './migrate.ts';
import { ormOptions, type DatabaseOptions } from './database.ts';
import { systemTables } from './policy-check.ts';

/** A schema as PostgreSQL describes it: name and description of each object. */
export type SchemaFacts = ReadonlyMap<string, string>;

/**
 * Reads a schema from the catalog. PostgreSQL prints expressions, types and policies in one normal form, so that two
 * schemas are equal when their facts are.
 */
const factsSql = `
  with tables as (
    select c.oid, c.relname as name, c.relrowsecurity, c.relforcerowsecurity
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname <> all ($1) and not c.relispartition
  )
  select 'column ' || t.name || '.' || a.attname as what,
    concat_ws(' ',
      format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' else 'null' end,
      case a.attgenerated when 's' then 'generated as' when 'v' then 'computed as' else 'default' end
        || ' ' || pg_get_expr(d.adbin, d.adrelid)) as fact
  from tables t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
  union all
  select 'index ' || t.name || '.' || i.relname, pg_get_indexdef(x.indexrelid)
  from tables t
  join pg_index x on x.indrelid = t.oid
  join pg_class i on i.oid = x.indexrelid
  union all
  select 'constraint ' || t.name || ' ' || pg_get_constraintdef(k.oid), 'there'
  from tables t
  join pg_constraint k on k.conrelid = t.oid and k.contype in ('c', 'x')
  union all
  select 'row level security of ' || t.name,
    case when t.relrowsecurity and t.relforcerowsecurity then 'forced' when t.relrowsecurity then 'on' else 'off' end
  from tables t
  union all
  select 'policy ' || p.tablename || '.' || p.policyname,
    concat_ws(' ', lower(p.permissive), lower(p.cmd), 'for', array_to_string(p.roles, ', '),
      'using ' || p.qual, 'check ' || p.with_check)
  from pg_policies p
  where p.schemaname = 'public' and p.tablename <> all ($1)
  union all
  select 'extension ' || extname, 'there' from pg_extension where extname <> 'plpgsql'
  order by 1
`;

/**
 * Reads a database's schema, without the tables of the bus and of the migrations. Foreign keys, triggers and functions
 * are not compared: an entity holds ids, not relations, so only migrations define them.
 */
export async function readSchema(client: pg.ClientBase): Promise<SchemaFacts> {
  const { rows } = await client.query<{ what: string; fact: string }>(factsSql, [systemTables]);
  return new Map(rows.map(({ what, fact }) => [what, fact]));
}

/** Returns the schema that the entities declare: MikroORM creates it in a temporary empty database. */
export async function declaredSchema(
  admin: AdminConnection,
  { entities, connection, extensions = [] }: Pick<DatabaseOptions, 'entities' | 'connection' | 'extensions'>,
): Promise<SchemaFacts> {
  const database = `${connection.database}_declared`;
  const orm = new MikroORM(
    ormOptions({ entities, migrations: [], connection: { ...connection, ...admin, database, poolMax: 1 } }),
  );
  try {
    await orm.schema.ensureDatabase();
    const client = connectionTo({ ...admin, database });
    await client.connect();
    try {
      for (const extension of extensions) await client.query(`create extension ${pg.escapeIdentifier(extension)}`);
      await orm.schema.create();
      return await readSchema(client);
    } finally {
      await client.end();
    }
  } finally {
    await orm.schema.dropDatabase(database);
    await orm.close();
  }
}

/** Returns the differences, a sentence each; empty when entities and database agree. */
export function compareSchemas(declared: SchemaFacts, migrated: SchemaFacts): string[] {
  return [...new Set([...declared.keys(), ...migrated.keys()])].toSorted().flatMap((what) => {
    const [entity, database] = [declared.get(what), migrated.get(what)];
    if (entity === database) return [];
    if (entity === undefined) return [`${what}: no entity declares it; the database has ${database}`];
    if (database === undefined) return [`${what}: the database lacks it; an entity declares ${entity}`];
    return [`${what}: an entity declares ${entity}; the database has ${database}`];
  });
}
