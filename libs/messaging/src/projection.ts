import type { Message } from '@carillon/contracts';
import { columnNames, preparedSql, tableName, type EntityName } from '@carillon/persistence';

/** Properties that the copy of a topic needs: the message's key and version. */
interface Copy {
  id: string;
  version: number;
  era: number;
}
/** Values that a message sets in its row: all other properties. */
type Fields<E> = { [P in Exclude<Extract<keyof E, string>, keyof Copy>]: E[P] };

/**
 * `changed` counts rows, including deleted ones; `moved` are the keys of rows whose property `moves` had another value.
 */
export interface Projected {
  changed: number;
  moved: string[];
}

/**
 * Updates a copy of a compacted topic: applies the newest message of each key, if its version is higher than the
 * copy's. A higher era (a restore at the owner) resets versions. A tombstone deletes. Run it inside a handler, whose
 * transaction belongs to the messages' company.
 */
export async function project<E extends Copy, M extends Message>(
  entity: EntityName<E>,
  messages: readonly M[],
  fieldsOf: (data: NonNullable<M['data']>, message: M) => Fields<E>,
  moves?: Extract<keyof Fields<E>, string>,
): Promise<Projected> {
  const newest = new Map<string, M>();
  for (const message of messages) {
    const known = newest.get(message.key);
    if (
      !known ||
      message.data === null ||
      message.era > known.era ||
      (message.era === known.era && (message.version ?? 0) >= (known.version ?? 0))
    )
      newest.set(message.key, message);
  }
  const [deleted, present] = [
    [...newest.values()].filter((m) => m.data === null),
    [...newest.values()].filter((m) => m.data !== null),
  ];
  const table = `"${tableName(entity)}"`;
  const names = columnNames(entity);
  let changed = 0;
  if (deleted.length > 0) {
    const sql = `delete from ${table} where ${names.id} = any ($1::uuid[])`;
    changed += (await preparedSql().query(sql, [deleted.map((m) => m.key)])).rowCount;
  }
  if (present.length === 0) return { changed, moved: [] };
  const rows = present.map((message) => {
    const fields = fieldsOf(message.data as NonNullable<M['data']>, message);
    const row: Copy = { ...fields, id: message.key, version: message.version ?? 0, era: message.era };
    return Object.fromEntries(
      Object.entries(row).map(([property, value]) => [names[property as keyof typeof names], value]),
    );
  });
  const list = Object.values<string>(names);
  const updates = list.filter((name) => name !== names.id).map((name) => `${name} = excluded.${name}`);
  const moved = moves && `old.${names[moves]} <> new.${names[moves]}`;
  const result = await preparedSql().query<{ moved: string | null }>(
    `
      insert into ${table} as copy (${list.join(', ')})
      select ${list.join(', ')}
      from jsonb_populate_recordset(null::${table}, $1::jsonb)
      on conflict (${names.id}) do update set ${updates.join(', ')}
      where (copy.era, copy.version) < (excluded.era, excluded.version)
      ${moved ? `returning case when ${moved} then new.${names.id} end as moved` : ''}
    `,
    [JSON.stringify(rows)],
  );
  return { changed: changed + result.rowCount, moved: result.rows.flatMap((row) => row.moved ?? []) };
}
