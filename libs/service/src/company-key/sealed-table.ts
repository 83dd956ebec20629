import { createLogger } from '@carillon/observability';
import { currentSql } from '@carillon/persistence';
import type { CompanySecrets, Renewer } from '../company-secrets.ts';

const log = createLogger('company-key');

/** A table with ciphertexts of `CompanySecrets`. */
export interface SealedTable {
  table: string;
  /** SQL condition for the rows that have ciphertexts, when not all do; the alias of a row is `t`. */
  where?: string;
  texts: readonly SealedText[];
}

export interface SealedText {
  column: string;
  /** Field of a JSON column. */
  field?: string;
  /** What the ciphertext is bound to besides an id; by default `table.column`. */
  place?: string;
  /** Column of that id, when it is not the row's own. */
  idFrom?: string;
}

/** Rows by ids, or the next ones after an id. */
export type WhichRows = { ids: readonly string[] } | { after: string; limit: number };

export interface Renewed {
  /** Id of the last row that was read; null: no rows follow. */
  last: string | null;
  done: number;
  /** Texts that could not be decrypted: they stay unchanged. */
  failed: number;
}

const textSql = ({ column, field }: SealedText): string =>
  field === undefined ? `t."${column}"` : `t."${column}" ->> '${field}'`;
/** SQL: whether a key older than `$1` sealed the text; null for text that is not a ciphertext. */
const oldSql = (text: SealedText): string => `substring(${textSql(text)} from '^([0-9]{1,9})[.]')::int < $1`;
const anyOldSql = ({ texts, where }: SealedTable): string =>
  `(${texts.map(oldSql).join(' or ')})${where === undefined ? '' : ` and (${where})`}`;

/**
 * Counts the company's texts that older keys have sealed, in one snapshot, so that rows that move between tables are
 * not missed.
 */
export async function countOld(tables: readonly SealedTable[], version: number): Promise<number> {
  const counts = tables.map(
    (table) => `
      select ${table.texts.map((text) => `count(*) filter (where ${oldSql(text)})`).join(' + ')} as n
      from "${table.table}" t
      where ${anyOldSql(table)}
    `,
  );
  const { rows } = await currentSql().query<{ n: number }>(
    `select coalesce(sum(n), 0)::int as n from (${counts.join(' union all ')}) c`,
    [version],
  );
  return rows[0]!.n;
}

/**
 * Re-encrypts what older keys have sealed in some rows, in a transaction of their company. A pass through a table skips
 * locked rows without waiting; the count finds them later.
 */
export async function renewTexts(
  secrets: CompanySecrets,
  table: SealedTable,
  version: number,
  which: WhichRows,
  renewer?: Renewer,
): Promise<Renewed> {
  const each = table.texts.map(
    (text, at) => `
      case when ${oldSql(text)} then jsonb_build_object(
        'at', ${at}, 'id', t."${text.idFrom ?? 'id'}", 'sealed', ${textSql(text)}
      ) end
    `,
  );
  const byId = 'ids' in which;
  const { rows } = await currentSql().query<{
    id: string;
    texts: ({ at: number; id: string; sealed: string } | null)[];
  }>(
    `
      select t.id, jsonb_build_array(${each.join(', ')}) as texts
      from "${table.table}" t
      where ${anyOldSql(table)} and ${byId ? 't.id = any ($2::uuid[])' : 't.id > $2'}
      order by t.id
      ${byId ? '' : 'limit $3'}
      for update of t ${byId ? '' : 'skip locked'}
    `,
    byId ? [version, which.ids] : [version, which.after, which.limit],
  );
  const { renew } = renewer ?? (await secrets.renewer());
  const result: Renewed = { last: byId || rows.length < which.limit ? null : rows.at(-1)!.id, done: 0, failed: 0 };
  const patches = [];
  for (const row of rows) {
    const patch: Record<string, string | Record<string, string>> = {};
    for (const found of row.texts) {
      if (found === null) continue;
      const { column, field, place = `${table.table}.${column}` } = table.texts[found.at]!;
      try {
        const sealed = await renew(`${place} ${found.id}`, found.sealed);
        if (field === undefined) patch[column] = sealed;
        else patch[column] = { ...(patch[column] as Record<string, string> | undefined), [field]: sealed };
        result.done++;
      } catch (err) {
        log.warn({ err, table: table.table, id: row.id, column }, 'a secret cannot be opened and stays as it is');
        result.failed++;
      }
    }
    patches.push({ id: row.id, patch });
  }
  if (result.done > 0)
    await currentSql().query(
      `
        update "${table.table}" t
        set ${[...new Set(table.texts.map((text) => text.column))].map((column) => patchSql(table, column)).join(', ')}
        from jsonb_to_recordset($1::jsonb) as x(id uuid, patch jsonb)
        where t.id = x.id
      `,
      [JSON.stringify(patches)],
    );
  return result;
}

const patchSql = ({ texts }: SealedTable, column: string): string =>
  texts.some((text) => text.column === column && text.field !== undefined)
    ? `"${column}" = t."${column}" || coalesce(x.patch -> '${column}', '{}')`
    : `"${column}" = coalesce(x.patch ->> '${column}', t."${column}")`;
