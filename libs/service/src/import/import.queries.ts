import type { ImportOutcome, ImportRecord, ImportRowState, ImportStatus } from '@carillon/contracts';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import { importEntity, importRowEntity, type RowError } from './import.entity.ts';

export const importColumns = columns(importEntity(), 'i', [
  'id',
  'noun',
  'name',
  'sheet',
  'status',
  'ignored',
  'counts',
  'createdAt',
]);
export type StoredImport = RowOf<typeof importColumns>;

export const rowColumns = columns(importRowEntity(), 'r', [
  'id',
  'number',
  'cells',
  'outcome',
  'state',
  'faults',
  'errors',
  'changes',
  'objectId',
  'before',
  'after',
]);
export type StoredRow = RowOf<typeof rowColumns>;

type Counts = ImportRecord['counts'];
type Place = Pick<StoredRow, 'outcome' | 'state'>;

/** Adds (or subtracts) a row in its current state to the counts. */
function placeCounts({ outcome, state }: Place, by: 1 | -1, counts: Counts): void {
  if (outcome !== null) {
    counts.checked += by;
    counts[outcome] += by;
  }
  if (state !== 'waiting') counts.done += by;
  if (state === 'undone' || state === 'kept') counts[state] += by;
}

/** Returns the counts after these rows moved, because recounting all rows takes longer than a part. */
export function countedOn(before: Counts, moved: readonly { from: Place; to: Place }[]): Counts {
  const counts = { ...before };
  for (const { from, to } of moved) {
    placeCounts(from, -1, counts);
    placeCounts(to, 1, counts);
  }
  return counts;
}

/** Stores the counts and extends the lease. */
export async function storeCounts(id: string, counts: Counts, leaseSeconds: number): Promise<void> {
  await currentSql().query(
    'update import set counts = $2, lease_until = now() + make_interval(secs => $3) where id = $1',
    [id, JSON.stringify(counts), leaseSeconds],
  );
}

/** Sets the status, recounts all rows in the running transaction and ends the lease. */
export async function recount(id: string, status: ImportStatus): Promise<void> {
  await currentSql().query(
    `
      update import i
      set status = $2, counts = c.counts, lease_until = now()
      from (
        select jsonb_build_object(
          'total', count(*), 'checked', count(*) filter (where r.outcome is not null),
          'add', count(*) filter (where r.outcome = 'add'), 'update', count(*) filter (where r.outcome = 'update'),
          'unchanged', count(*) filter (where r.outcome = 'unchanged'),
          'wrong', count(*) filter (where r.outcome = 'wrong'), 'done', count(*) filter (where r.state <> 'waiting'),
          'undone', count(*) filter (where r.state = 'undone'), 'kept', count(*) filter (where r.state = 'kept')
        ) as counts
        from import_row r
        where r.import_id = $1
      ) c
      where i.id = $1
    `,
    [id, status],
  );
}

export interface RowChange {
  id: string;
  outcome: ImportOutcome;
  state?: ImportRowState;
  key?: string | null;
  errors?: readonly RowError[];
  changes?: readonly string[];
  objectId?: string;
  before?: object | null;
  after?: object;
}

export async function storeRows(rows: readonly RowChange[]): Promise<void> {
  if (rows.length === 0) return;
  await currentSql().query(
    `
      update import_row r
      set outcome = x.outcome, state = coalesce(x.state, r.state), key = coalesce(x.key, r.key),
        errors = coalesce(x.errors, '[]'), changes = coalesce(x.changes, r.changes),
        object_id = coalesce(x."objectId", r.object_id), before = coalesce(x.before, r.before),
        after = coalesce(x.after, r.after)
      from jsonb_to_recordset($1::jsonb) as x(
        id uuid, outcome text, state text, key text, errors jsonb, changes jsonb, "objectId" uuid, before jsonb,
        after jsonb
      )
      where r.id = x.id
    `,
    [JSON.stringify(rows)],
  );
}

/** Refuses rows about the same object, except the first. */
export async function refuseTwice(id: string, field: string): Promise<void> {
  await currentSql().query(
    `
      update import_row r
      set outcome = 'wrong', changes = '[]', errors = jsonb_build_array(
        jsonb_build_object('field', $2::text, 'error', 'import.rowTwice', 'values', jsonb_build_object('row', f.first))
      )
      from (
        select id, min(number) over (partition by key) as first
        from import_row
        where import_id = $1 and key is not null
      ) f
      where r.id = f.id and r.number > f.first and r.outcome <> 'wrong'
    `,
    [id, field],
  );
}
