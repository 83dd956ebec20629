import { importStates, type ImportRecord, type ImportStatus } from '@carillon/contracts';
import { isTransient } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { currentSql, sessionOf, transaction, turnsSql, type Database } from '@carillon/persistence';
import { runAs, systemContext, type Context } from '@carillon/tenancy';
import { fromUnknown } from '../error.filter.ts';
import { emitLive } from '../live.ts';
import { WorkLoop } from '../work-loop.ts';
import { keyFields } from './import.columns.ts';
import type { ImportAccess } from './import.entity.ts';
import { errorOf, type Importer, type RowPlan, type RowWrite } from './importer.ts';
import {
  countedOn,
  recount,
  refuseTwice,
  rowColumns,
  storeCounts,
  storeRows,
  type RowChange,
  type StoredRow,
} from './import.queries.ts';

const log = createLogger('import');
const tickMs = 5_000;
const leaseSeconds = 20;
const most = 1_000;
/** Imports that run at the same time in a process. */
const atOnce = 2;
const open = `status in ('checking', 'running', 'undoing')`;
const turns = turnsSql('import', open);

type Counts = ImportRecord['counts'];

interface Job {
  id: string;
  companyId: string;
  noun: string;
  status: ImportStatus;
  access: ImportAccess;
}

/** Another process has taken the import, or its owner has deleted it. */
class GivenUp extends Error {}

/** SQL: the rows that a phase still has to process, behind its position. */
const due: Partial<Record<ImportStatus, string>> = {
  checking: 'r.outcome is null and r.number > $3 order by r.number',
  running: `r.state = 'waiting' and r.outcome in ('add', 'update') and r.number > $3 order by r.number`,
  undoing: `r.state = 'done' and r.number < $3 order by r.number desc`,
};
/** Returns the position before the first row, in the order of the phase. */
const beginOf = (status: ImportStatus): number => (status === 'undoing' ? 2_000_000_000 : 0);

const wrong = (errors: Extract<RowPlan<unknown>, { outcome: 'wrong' }>['errors']) =>
  ({ outcome: 'wrong', errors, changes: [] }) as const;

/**
 * Processes imports, some hundred rows per transaction: their effect, its events and the progress are one commit, so
 * that after a crash no row is processed twice. A failing part is halved until the faulty row is found.
 */
export class ImportRunner extends WorkLoop<Job> {
  private readonly importers: ReadonlyMap<string, Importer>;

  constructor(database: Database, importers: readonly Importer[]) {
    super(database, { reason: 'the next import, of all companies', tickMs, atOnce });
    this.importers = new Map(importers.map((importer) => [importer.noun, importer]));
  }

  protected override async claim(): Promise<Job[]> {
    return (
      await currentSql().query<Job>(
        `
          update import i
          set lease_until = now() + make_interval(secs => $1)
          where id = any (
            select w.id
            from import w
            where ${open} and w.lease_until <= now() and ${turns.isNext}
            order by ${turns.order}
            limit ${atOnce}
            for update skip locked
          )
          returning i.id, i.company_id as "companyId", i.noun, i.status, i.access
        `,
        [leaseSeconds],
      )
    ).rows;
  }

  protected override async perform(job: Job): Promise<void> {
    const context: Context = { ...systemContext(job.companyId), ...job.access };
    await runAs(context, async () => {
      try {
        for (let [size, at] = [most, beginOf(job.status)]; ;) {
          if (this.closed) return await this.release(context, job);
          try {
            const next = await this.during(context, () => this.step(job, size, at));
            if (next === undefined) return;
            at = next;
            size = Math.min(most, size * 2);
          } catch (error) {
            if (error instanceof GivenUp || isTransient(error)) throw error;
            if (size > 1) size = Math.ceil(size / 8);
            else await this.during(context, () => this.skip(job, at, error));
          }
        }
      } catch (error) {
        if (!(error instanceof GivenUp)) throw error;
      }
    });
    // The next import of this company has waited for its end.
    this.wake();
  }

  private during<T>(context: Context, work: () => Promise<T>): Promise<T> {
    return transaction(this.database, sessionOf(context), work, { job: true });
  }

  /** Processes the next rows and returns the new position; undefined when the phase is complete. */
  protected async step(job: Job, size: number, at: number): Promise<number | undefined> {
    const { counts, rows } = await this.take(job, size, at);
    const importer = this.importers.get(job.noun)!;
    const changes = await phases[job.status]!(importer, rows);
    await storeRows(changes);
    const over = rows.length < size;
    if (over) {
      if (job.status === 'checking') await refuseTwice(job.id, keyFields(importer.fields)[0]!);
      await recount(job.id, importStates[job.status].next!);
    } else {
      const from = new Map(rows.map((row) => [row.id, row]));
      const moved = changes.map((to) => {
        const { outcome, state } = from.get(to.id)!;
        return { from: { outcome, state }, to: { outcome: to.outcome, state: to.state ?? state } };
      });
      await storeCounts(job.id, countedOn(counts, moved), leaseSeconds);
    }
    await emitLive(job.companyId, 'operation', [job.id], null);
    return over ? undefined : rows.at(-1)!.number;
  }

  private async take(job: Job, size: number, at: number): Promise<{ counts: Counts; rows: StoredRow[] }> {
    const { rows: held } = await currentSql().query<{ counts: Counts }>(
      'select counts from import where id = $1 and status = $2 for update',
      [job.id, job.status],
    );
    if (!held[0]) throw new GivenUp();
    const sql = `select ${rowColumns} from import_row r where r.import_id = $1 and ${due[job.status]!} limit $2`;
    return { counts: held[0].counts, rows: await currentSql().rows(rowColumns, sql, [job.id, size, at]) };
  }

  /** Marks the single row that cannot be processed as failed. */
  private async skip(job: Job, at: number, error: unknown): Promise<void> {
    const {
      rows: [row],
    } = await this.take(job, 1, at);
    if (!row) return;
    const failure = fromUnknown(error);
    if (failure.status >= 500) log.error({ err: error, id: job.id, row: row.number }, 'a row could not be imported');
    await storeRows([
      job.status === 'undoing'
        ? { id: row.id, outcome: row.outcome!, state: 'kept' }
        : { id: row.id, ...wrong([errorOf(failure, () => null)]) },
    ]);
  }

  /** Releases the import, so that another process continues at once. */
  private release(context: Context, { id }: Job): Promise<void> {
    return transaction(this.database, sessionOf(context), async () => {
      await currentSql().query('update import set lease_until = now() where id = $1', [id]);
    });
  }
}

async function check(importer: Importer, rows: readonly StoredRow[]): Promise<RowChange[]> {
  const plans = await importer.plan(rows);
  const keys = keyFields(importer.fields);
  return rows.map(({ id, cells, faults }, n) => {
    const plan = plans[n]!;
    const at = new Set(faults.map(({ field }) => field));
    // A key that is not what was typed must not make another row a second one of the same.
    const key = keys.some((field) => at.has(field)) ? null : (importer.keyOf(cells) ?? null);
    const errors = plan.outcome === 'wrong' ? plan.errors.filter(({ field }) => !at.has(field)) : [];
    if (plan.outcome === 'wrong' || faults.length > 0) return { id, key, ...wrong([...faults, ...errors]) };
    return { id, key, outcome: plan.outcome, changes: plan.outcome === 'update' ? plan.changes : [] };
  });
}

async function write(importer: Importer, rows: readonly StoredRow[]): Promise<RowChange[]> {
  const plans = await importer.plan(rows);
  const writes: RowWrite<unknown>[] = [];
  const others: RowChange[] = [];
  for (const [n, { id, outcome }] of rows.entries()) {
    const plan = plans[n]!;
    if (plan.outcome === 'wrong') others.push({ id, ...wrong(plan.errors) });
    else if (plan.outcome === 'unchanged') others.push({ id, outcome: 'unchanged' });
    // The user has not seen in the check what the row would do now.
    else if (plan.outcome !== outcome) others.push({ id, ...wrong([{ field: null, error: 'import.changed' }]) });
    else writes.push({ rowId: id, outcome: plan.outcome, write: plan.write });
  }
  const done = writes.length > 0 ? await importer.write(writes) : [];
  const outcomes = new Map(writes.map((w) => [w.rowId, w.outcome]));
  return [
    ...others,
    ...done.map(({ rowId, ...outcome }) =>
      'errors' in outcome
        ? { id: rowId, ...wrong(outcome.errors) }
        : { id: rowId, outcome: outcomes.get(rowId)!, state: 'done' as const, ...outcome },
    ),
  ];
}

async function undo(importer: Importer, rows: readonly StoredRow[]): Promise<RowChange[]> {
  if (rows.length === 0) return [];
  const undone = await importer.undo(
    rows.map(({ objectId, before, after }) => ({ objectId: objectId!, before, after: after! })),
  );
  return rows.map(({ id, outcome, objectId }) => ({
    id,
    outcome: outcome!,
    state: undone.has(objectId!) ? 'undone' : 'kept',
  }));
}

const phases: Partial<Record<ImportStatus, (importer: Importer, rows: readonly StoredRow[]) => Promise<RowChange[]>>> =
  { checking: check, running: write, undoing: undo };
