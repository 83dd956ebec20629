import type { Message } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';

/** Names of a table that are written by a programmer, put into SQL as they are. */
export interface ProjectionTable {
  table: string;
  /** Column of the primary key, of type uuid: the message's key. */
  id: string;
  /** Column and PostgreSQL type of all others that the row gives; `version bigint` and `era int` are added. */
  columns: Readonly<Record<string, string>>;
  /** One of them: which rows had another value of it before is told. */
  moves?: string;
}

/**
 * `changed` counts rows, those that are gone included; `moved` are the keys of rows that had another value in the
 * table's `moves`.
 */
export interface Projected {
  changed: number;
  moved: string[];
}

/**
 * Brings a copy of a compacted topic up to the messages: the newest of each key, never one whose version is not higher
 * than the copy's. A higher era (a restore at the owner) starts versions anew. A tombstone deletes. Run it inside a
 * handler, whose transaction belongs to the messages' company.
 */
export async function project<M extends Message>(
  to: ProjectionTable,
  messages: readonly M[],
  row: (data: NonNullable<M['data']>, message: M) => Record<string, unknown>,
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
  const [gone, here] = [
    [...newest.values()].filter((m) => m.data === null),
    [...newest.values()].filter((m) => m.data !== null),
  ];
  let changed = 0;
  if (gone.length > 0) {
    changed += (
      await currentSql().query(`delete from "${to.table}" where "${to.id}" = any ($1::uuid[])`, [
        gone.map((m) => m.key),
      ])
    ).rowCount;
  }
  if (here.length === 0) return { changed, moved: [] };
  const columns = { [to.id]: 'uuid', ...to.columns, version: 'bigint', era: 'int' };
  const names = Object.keys(columns).map((c) => `"${c}"`);
  const rows = here.map((m) => ({
    ...row(m.data as NonNullable<M['data']>, m),
    [to.id]: m.key,
    version: m.version ?? 0,
    era: m.era,
  }));
  const result = await currentSql().query<{ moved?: string }>(
    `
    insert into "${to.table}" as copy (${names.join(', ')})
    select ${names.join(', ')} from jsonb_to_recordset($1::jsonb) as x (${Object.entries(columns)
      .map(([c, type]) => `"${c}" ${type}`)
      .join(', ')})
    on conflict ("${to.id}") do update set ${names
      .slice(1)
      .map((c) => `${c} = excluded.${c}`)
      .join(', ')}
    where (copy.era, copy.version) < (excluded.era, excluded.version)
    ${to.moves ? `returning case when old."${to.moves}" <> new."${to.moves}" then new."${to.id}" end as moved` : ''}`,
    [JSON.stringify(rows)],
  );
  return { changed: changed + result.rowCount, moved: result.rows.flatMap((r) => r.moved ?? []) };
}
