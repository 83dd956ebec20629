import { BigIntType, EntitySchema, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { EntityName, Opt } from '@mikro-orm/postgresql';
import { InstantType } from './instant.ts';

/**
 * The columns of an entity in a handwritten statement, for `currentSql().rows(…)`: set-based and performance-critical
 * work stays SQL, and its rows have the entity's own names and types (docs/adr/0014-entities-and-sql.md).
 *
 * ```ts
 * const role = columns(Role, 'r', ['id', 'name', 'updatedAt'], { users: computed<number>('(select count(*) …)') });
 * const rows = await currentSql().rows(role, `select ${role} from role r where r.id = $1`, [id]);
 * ```
 *
 * `rows` is then `{ id: string; name: string; updatedAt: string; users: number }[]`, and a property that the entity
 * does not have does not compile.
 */
export interface Columns<Row> {
  /**
   * Returns the list for `select` or `returning`, each column named like its property: `r.updated_at as "updatedAt"`.
   */
  toString(): string;
  /** Converts a row of the driver to the entity's types, in place: a time becomes ISO 8601, a `bigint` a number. */
  read(row: Record<string, unknown>): Row;
}

/** A column that the table does not have. Its type is unchecked: it is a promise about the SQL. */
export interface Computed<Value> {
  readonly sql: string;
  /** Converts the driver's value if needed; null stays null. */
  readonly read?: ((value: never) => Value) | undefined;
}

type Property<E> = Extract<keyof E, string>;
/** MikroORM marks properties that a new entity may omit; a row has them. */
type Plain<Value> = Value extends Opt<infer Inner> ? Inner : Value;
export type RowOf<List> = List extends Columns<infer Row> ? Row : never;

/** Creates an expression: `computed<string>('max(l.at)', iso)`. */
export const computed = <Value>(sql: string, read?: (value: never) => Value): Computed<Value> => ({ sql, read });

/**
 * Creates a column of another table in the statement, or of the same table under another name, with its entity's type.
 */
export function column<E extends object, Name extends Property<E>>(
  entity: EntityName<E>,
  alias: string,
  property: Name,
): Computed<Plain<E[Name]>> {
  const declared = propertiesOf(entity)[property];
  if (!declared) throw new Error(`${entityName(entity)} has no ${property}`);
  return { sql: columnNames(entity, alias)[property], read: readerOf(declared.type) };
}

/** Creates a list of columns. `alias` is the statement's name for the table, or the table's name. */
export function columns<
  E extends object,
  Name extends Property<E>,
  Extra extends Readonly<Record<string, Computed<unknown>>> = {},
>(
  entity: EntityName<E>,
  alias: string,
  properties: readonly Name[],
  extra: Extra = {} as Extra,
): Columns<
  { [P in Name]: Plain<E[P]> } & {
    -readonly [P in keyof Extra]: Extra[P] extends Computed<infer Value> ? Value : never;
  }
> {
  const all: readonly (readonly [string, Computed<unknown>])[] = [
    ...properties.map((property) => [property, column(entity, alias, property)] as const),
    ...Object.entries(extra),
  ];
  const text = all
    .map(([property, { sql }]) => (sql === `${alias}.${property}` ? sql : `${sql} as "${property}"`))
    .join(', ');
  const readers = all.flatMap(([property, { read }]) => (read ? [[property, read] as const] : []));
  return {
    toString: () => text,
    read(row) {
      for (const [property, read] of readers) if (row[property] !== null) row[property] = read(row[property] as never);
      return row as never;
    },
  };
}

/**
 * Returns the SQL names of an entity's columns, optionally with an alias: for conditions, orders and the lists of
 * `insert` and `update`.
 */
export function columnNames<E extends object>(
  entity: EntityName<E>,
  alias?: string,
): Readonly<Record<Property<E>, string>> {
  const before = alias === undefined ? '' : `${alias}.`;
  return Object.fromEntries(
    Object.entries(propertiesOf(entity)).map(([property, { fieldName }]) => [
      property,
      `${before}${fieldName ?? naming.propertyToColumnName(property)}`,
    ]),
  ) as Record<Property<E>, string>;
}

/** Returns the table of an entity. */
export const tableName = (entity: EntityName): string => schemaOf(entity).tableName;

const naming = new UnderscoreNamingStrategy();

const entityName = (entity: EntityName): string => ('tableName' in entity ? String(entity.name) : entity.name);

function schemaOf(entity: EntityName): EntitySchema {
  const schema = entity instanceof EntitySchema ? entity : EntitySchema.REGISTRY.get(entity as never);
  if (!schema) throw new Error(`${entityName(entity)} is no entity`);
  return schema;
}

/**
 * From the declaration: the ORM's own metadata is complete only with an open database, and statements are built before.
 */
const propertiesOf = (entity: EntityName): Record<string, { type?: unknown; fieldName?: string }> =>
  schemaOf(entity).meta.properties as never;

function readerOf(type: unknown): ((value: never) => never) | undefined {
  return type instanceof InstantType || type instanceof BigIntType
    ? (value) => type.convertToJSValue(value) as never
    : undefined;
}
