import { BigIntType, EntitySchema, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { EntityName, Opt } from '@mikro-orm/postgresql';
import { InstantType } from './instant.ts';

/**
 * The columns of an entity in a statement that is written by hand, for `currentSql().rows(…)`: set-based and measured
 * work stays SQL, and its rows have the entity's own names and types (docs/adr/0014-entities-and-sql.md).
 *
 * ```ts
 * const role = columns(Role, 'r', ['id', 'name', 'updatedAt'], { users: computed<number>('(select count(*) …)') });
 * const rows = await currentSql().rows(role, `select ${role} from role r where r.id = $1`, [id]);
 * ```
 *
 * `rows` is then `{ id: string; name: string; updatedAt: string; users: number }[]`, and a property that the entity does
 * not have does not compile.
 */
export interface Columns<Row> {
  /** The list for `select` or `returning`, each column under the property's name: `r.updated_at as "updatedAt"`. */
  toString(): string;
  /** Turns a row of the driver into the entity's types, in place: a time becomes ISO 8601, a `bigint` a number. */
  read(row: Record<string, unknown>): Row;
}

/** A column that the table does not have. The type is a promise about the SQL: nothing checks it. */
export interface Computed<Value> {
  readonly sql: string;
  /** Turns what the driver gives into the value, where that is not the same; null stays null. */
  readonly read?: ((value: never) => Value) | undefined;
}

type Property<E> = Extract<keyof E, string>;
/** MikroORM marks what may be absent in a new entity; a row has it. */
type Plain<Value> = Value extends Opt<infer Inner> ? Inner : Value;
export type RowOf<List> = List extends Columns<infer Row> ? Row : never;

/** An expression: `computed<string>('max(l.at)', iso)`. */
export const computed = <Value>(sql: string, read?: (value: never) => Value): Computed<Value> => ({ sql, read });

/** A column of another table of the statement, or of the same one under another name, with its entity's type. */
export function column<E extends object, Name extends Property<E>>(
  entity: EntityName<E>,
  alias: string,
  property: Name,
): Computed<Plain<E[Name]>> {
  const declared = propertiesOf(entity)[property];
  if (!declared) throw new Error(`${entityName(entity)} has no ${property}`);
  return { sql: columnNames(entity, alias)[property], read: readerOf(declared.type) };
}

/** `alias` is what the statement calls the table, or the table's name. */
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
 * What the columns of an entity are called in SQL, behind an alias when one is given: for conditions, orders and the
 * lists of `insert` and `update`.
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

/** The table of an entity. */
export const tableName = (entity: EntityName): string => schemaOf(entity).tableName;

const naming = new UnderscoreNamingStrategy();

const entityName = (entity: EntityName): string => ('tableName' in entity ? String(entity.name) : entity.name);

function schemaOf(entity: EntityName): EntitySchema {
  const schema = entity instanceof EntitySchema ? entity : EntitySchema.REGISTRY.get(entity as never);
  if (!schema) throw new Error(`${entityName(entity)} is no entity`);
  return schema;
}

/** As declared: the ORM's own metadata is complete only when a database is open, and statements are built before. */
const propertiesOf = (entity: EntityName): Record<string, { type?: unknown; fieldName?: string }> =>
  schemaOf(entity).meta.properties as never;

function readerOf(type: unknown): ((value: never) => never) | undefined {
  return type instanceof InstantType || type instanceof BigIntType
    ? (value) => type.convertToJSValue(value) as never
    : undefined;
}
