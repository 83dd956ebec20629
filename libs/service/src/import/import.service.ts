import {
  importStates,
  toPage,
  type ImportFields,
  type ImportRecord,
  type ImportRoutes,
  type ImportStatus,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import {
  afterCommit,
  currentSql,
  type Database,
  holdLock,
  sessionOf,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, type AuditNote } from '../audit.ts';
import { auditedTransaction } from '../audited.ts';
import { fail, failAt, found } from '../failure.ts';
import { emitLive } from '../live.ts';
import {
  comparedText,
  keyFields,
  matchColumns,
  namedRows,
  shownFields,
  typedCells,
  type Mapping,
} from './import.columns.ts';
import type { ImportAccess, RowError } from './import.entity.ts';
import { fileOfWrong, templateOf } from './import.file.ts';
import { importColumns, recount, rowColumns, type StoredImport, type StoredRow } from './import.queries.ts';
import type { ImportRunner } from './import.runner.ts';
import type { ImportSetting } from './import.setting.ts';
import { waitingPlace, type Importer } from './importer.ts';
import { readSheet } from './sheet.ts';
import type { SheetContent } from './sheet.worker.ts';

/** Number of imports of one user that are worked on at a time. */
const atOnce = 3;
const listed = 20;
const rowsAtOnce = 2_000;
/** Most wrong rows in the error file: more cannot be corrected by hand. */
const mostWrong = 50_000;
const dots = '••••••••';

const ownAccess = (): ImportAccess => {
  const { userId, username, orgIds, allOrgs, orgId, permissions, language } = context();
  return { userId, username, orgIds, orgId, permissions, language, ...(allOrgs ? { allOrgs } : {}) };
};

type RowRecord = RouteReturn<ImportRoutes['mend']>;

/** Imports of a service's nouns; each user sees their own (SYS-11). */
export class ImportService {
  private readonly importers: ReadonlyMap<string, Importer>;

  constructor(
    private readonly database: Database,
    private readonly runner: ImportRunner,
    private readonly setting: ImportSetting,
    importers: readonly Importer[],
  ) {
    this.importers = new Map(importers.map((importer) => [importer.noun, importer]));
  }

  template(noun: string): Promise<Buffer> {
    return templateOf(this.importerOf(noun).fields, context().language);
  }

  /** Reads the file outside of any transaction, and stores its content in one. */
  async add(noun: string, { name, file, mapping }: RouteInput<ImportRoutes['add']>['body']) {
    const importer = this.importerOf(noun);
    const who = context();
    importer.admit();
    const content = await readSheet(Buffer.concat(file.map((piece) => Buffer.from(piece, 'base64'))), {
      csv: this.setting.csv,
    });
    if (content.rows.length === 0) fail('import.empty');
    const { headers } = content;
    const fields = shownFields(importer.fields, who.language);
    const chosen = mapping ?? matchColumns(importer.fields, headers, await this.remembered(importer));
    const missing = keyFields(importer.fields).find((field) => (chosen[field] ?? headers.length) >= headers.length);
    if (missing !== undefined && mapping)
      failAt(`mapping.${missing}`, 'import.columnMissing', { field: importer.fields[missing]!.title[who.language] });
    if (missing !== undefined) return { headers, fields, mapping: chosen, import: null };
    const note: AuditNote = {
      objectName: name,
      detail: { count: content.rows.length },
      ...(who.orgIds === '*' ? {} : { orgIds: who.orgIds }),
    };
    const made = await auditedTransaction(this.database, `${noun}.importCheck`, note, async () => {
      const id = await this.stage(importer, name, content, chosen);
      if (mapping) await this.remember(importer, headers, mapping);
      auditNote({ objectId: id });
      return this.get(noun, id);
    });
    return { headers, fields, mapping: chosen, import: made };
  }

  async list(noun: string): Promise<ImportRecord[]> {
    const rows = await currentSql().rows(
      importColumns,
      `select ${importColumns} from import i where user_id = $1 and noun = $2 order by i.id desc limit ${listed}`,
      [context().userId, noun],
    );
    return rows.map((row) => this.record(row));
  }

  async get(noun: string, id: string): Promise<ImportRecord> {
    return this.record(await this.own(noun, id));
  }

  async rows(noun: string, id: string, query: RouteInput<ImportRoutes['rows']>['query']) {
    await this.own(noun, id);
    const { page, limit } = toPage(query);
    const where = 'r.import_id = $1 and ($2::text is null or r.outcome = $2) and ($3::text is null or r.state = $3)';
    const values = [id, query.outcome ?? null, query.state ?? null];
    const total = await currentSql().query<{ n: number }>(
      `select count(*)::int as n from import_row r where ${where}`,
      values,
    );
    const rows = await currentSql().rows(
      rowColumns,
      `select ${rowColumns} from import_row r where ${where} order by r.number limit $4 offset $5`,
      [...values, limit, (page - 1) * limit],
    );
    const { fields } = this.importerOf(noun);
    return {
      records: rows.map((row) => this.shown(fields, row)),
      total: total.rows[0]!.n,
      current: page,
      size: limit,
    };
  }

  /** Corrects a row and checks it again, together with rows that were wrong as its duplicates. */
  async mend(noun: string, id: string, number: number, given: Readonly<Record<string, string>>): Promise<RowRecord> {
    const importer = this.importerOf(noun);
    const stored = await this.inState(noun, id, 'checked');
    auditNote({ objectId: id, objectName: stored.name, detail: { row: number } });
    const unknown = Object.keys(given).find((field) => !Object.hasOwn(importer.fields, field));
    if (unknown !== undefined) failAt(`cells.${unknown}`, 'common.fieldUnknown');
    const row = found(
      (
        await currentSql().rows(
          rowColumns,
          `select ${rowColumns} from import_row r where r.import_id = $1 and r.number = $2 for update`,
          [id, number],
        )
      )[0],
    );
    const [concealed] = await this.conceal(importer, [
      { id: row.id, number, cells: typedCells(importer.fields, given) },
    ]);
    const cells = Object.fromEntries(
      Object.entries({ ...row.cells, ...concealed!.cells }).filter(([, text]) => text.trim() !== ''),
    );
    const faults = row.faults.filter(({ field }) => field === null || !Object.hasOwn(given, field));
    await currentSql().query('update import_row set cells = $2, faults = $3 where id = $1', [
      row.id,
      JSON.stringify(cells),
      JSON.stringify(faults),
    ]);
    await currentSql().query(
      `
        update import_row
        set outcome = null, errors = '[]', changes = '[]'
        where import_id = $1 and (id = $2 or errors @> '[{"error":"import.rowTwice"}]')
      `,
      [id, row.id],
    );
    await this.goOn(id, 'checking');
    return this.shown(importer.fields, { ...row, cells, faults, outcome: null, errors: [], changes: [] });
  }

  async file(noun: string, id: string): Promise<Buffer> {
    await this.own(noun, id);
    const rows = await currentSql().rows(
      rowColumns,
      `
        select ${rowColumns}
        from import_row r
        where r.import_id = $1 and (r.outcome = 'wrong' or r.state = 'kept')
        order by r.number
        limit ${mostWrong}
      `,
      [id],
    );
    return fileOfWrong(this.importerOf(noun).fields, context().language, rows);
  }

  async commit(noun: string, id: string): Promise<ImportRecord> {
    this.importerOf(noun).admit();
    const stored = await this.inState(noun, id, 'checked');
    auditNote({ objectId: id, objectName: stored.name, detail: stored.counts });
    return this.goOn(id, importStates.checked.next);
  }

  async undo(noun: string, id: string): Promise<ImportRecord> {
    this.importerOf(noun).admit();
    const stored = await this.inState(noun, id, 'done');
    auditNote({ objectId: id, objectName: stored.name, detail: stored.counts });
    return this.goOn(id, importStates.done.next);
  }

  async remove(noun: string, id: string): Promise<null> {
    const { name, status } = await this.own(noun, id, 'for update');
    auditNote({ objectId: id, objectName: name });
    // An import that is being checked has changed nothing yet.
    if (status === 'running' || status === 'undoing') fail('import.wrongState');
    await currentSql().query('delete from import where id = $1', [id]);
    return null;
  }

  private record({ noun, ...stored }: StoredImport): ImportRecord {
    return { ...stored, fields: shownFields(this.importerOf(noun).fields, context().language) };
  }

  private importerOf(noun: string): Importer {
    return found(this.importers.get(noun));
  }

  private async own(noun: string, id: string, lock = ''): Promise<StoredImport> {
    const rows = await currentSql().rows(
      importColumns,
      `select ${importColumns} from import i where i.id = $1 and i.noun = $2 and i.user_id = $3 ${lock}`,
      [id, noun, context().userId],
    );
    return found(rows[0]);
  }

  private async inState(noun: string, id: string, status: ImportStatus): Promise<StoredImport> {
    const stored = await this.own(noun, id, 'for update');
    const { orgIds } = context();
    auditNote({ objectId: id, objectName: stored.name, ...(orgIds === '*' ? {} : { orgIds }) });
    if (stored.status !== status) fail('import.wrongState');
    return stored;
  }

  private async goOn(id: string, status: ImportStatus): Promise<ImportRecord> {
    await recount(id, status);
    // The rows are written with the permissions of this moment, into the organization that was chosen at the upload.
    await currentSql().query(
      `update import set access = $2::jsonb || jsonb_build_object('orgId', access -> 'orgId') where id = $1`,
      [id, JSON.stringify(ownAccess())],
    );
    await emitLive(context().companyId, 'operation', [id], null);
    afterCommit(() => this.runner.wake());
    const rows = await currentSql().rows(importColumns, `select ${importColumns} from import i where i.id = $1`, [id]);
    return this.record(rows[0]!);
  }

  private async stage(
    importer: Importer,
    name: string,
    { name: sheet, headers, rows }: SheetContent,
    mapping: Mapping,
  ) {
    const { companyId, userId } = context();
    // Serializes imports of one user, so that the limit counts correctly.
    await holdLock(`import ${userId}`);
    // A user has one check per noun at a time: an older unused one is deleted.
    await currentSql().query(`delete from import where user_id = $1 and noun = $2 and status = 'checked'`, [
      userId,
      importer.noun,
    ]);
    const { rowCount } = await currentSql().query(
      `select 1 as one from import where user_id = $1 and status in ('checking', 'running', 'undoing')`,
      [userId],
    );
    if (rowCount >= atOnce) fail('import.busy', { count: rowCount });
    const used = new Set(
      Object.entries(mapping).flatMap(([field, at]) => (Object.hasOwn(importer.fields, field) ? at : [])),
    );
    const named = namedRows(importer.fields, mapping, rows).map((row) => ({ id: uuidv7(), ...row }));
    if (named.length === 0) fail('import.empty');
    const id = uuidv7();
    await currentSql().query(
      `
        insert into import (
          id, company_id, noun, user_id, access, name, sheet, status, ignored, counts, lease_until, created_at
        )
        values ($1, $2, $3, $4, $5, $6, $8, 'checking', $7, '{}', now(), now())
      `,
      [
        id,
        companyId,
        importer.noun,
        userId,
        JSON.stringify(ownAccess()),
        name,
        JSON.stringify(headers.filter((header, at) => header !== '' && !used.has(at))),
        sheet.slice(0, 255) || null,
      ],
    );
    for (let at = 0; at < named.length; at += rowsAtOnce)
      await this.insert(id, await this.conceal(importer, named.slice(at, at + rowsAtOnce)));
    await recount(id, 'checking');
    afterCommit(() => this.runner.wake());
    return id;
  }

  private async insert(
    id: string,
    rows: readonly { id: string; number: number; cells: object; faults: readonly RowError[] }[],
  ): Promise<void> {
    await currentSql().query(
      `
        insert into import_row (id, company_id, import_id, number, cells, state, faults, errors, changes)
        select x.id, $1, $2, x.number, x.cells, 'waiting', x.faults, '[]', '[]'
        from jsonb_to_recordset($3::jsonb) as x(id uuid, number int, cells jsonb, faults jsonb)
      `,
      [context().companyId, id, JSON.stringify(rows)],
    );
  }

  /** Replaces secrets by a form that cannot be read. */
  private async conceal<R extends { id: string; cells: Record<string, string> }>(
    importer: Importer,
    rows: readonly R[],
  ): Promise<readonly R[]> {
    const secrets = Object.keys(importer.fields).filter((field) => importer.fields[field]!.secret);
    const all = rows.flatMap((row) =>
      secrets.flatMap((field) => (row.cells[field] ? [{ row, field, text: row.cells[field] }] : [])),
    );
    if (all.length === 0) return rows;
    const concealed = await importer.conceal(
      all.map(({ row, field, text }) => ({ place: waitingPlace(field, row.id), text })),
    );
    for (const [n, { row, field }] of all.entries()) row.cells[field] = concealed[n]!;
    return rows;
  }

  private shown(fields: ImportFields, { number, outcome, state, cells, changes, errors }: StoredRow): RowRecord {
    const { language } = context();
    return {
      number,
      outcome,
      state,
      cells: Object.fromEntries(
        Object.entries(cells).map(([field, text]) => [field, fields[field]?.secret ? dots : text]),
      ),
      changes,
      errors: errors.map(({ field, error, values = {} }) => ({
        field,
        error,
        msg: errorText(error, language, values),
      })),
    };
  }

  /** Returns this company's remembered headers. */
  private async remembered({ noun }: Importer): Promise<ReadonlyMap<string, string>> {
    return transaction(
      this.database,
      sessionOf(context()),
      async () => {
        const { rows } = await currentSql().query<{ header: string; field: string }>(
          'select header, field from import_heading where noun = $1',
          [noun],
        );
        return new Map(rows.map(({ header, field }) => [header, field]));
      },
      { readOnly: true },
    );
  }

  private async remember({ noun, fields }: Importer, headers: readonly string[], mapping: Mapping): Promise<void> {
    const named = Object.entries(mapping).flatMap(([field, at]) =>
      Object.hasOwn(fields, field) && headers[at] ? [{ id: uuidv7(), header: comparedText(headers[at]), field }] : [],
    );
    await currentSql().query(
      `
        insert into import_heading (id, company_id, noun, header, field)
        select distinct on (x.header) x.id, $1::uuid, $2, x.header, x.field
        from jsonb_to_recordset($3::jsonb) as x(id uuid, header text, field text)
        on conflict (company_id, noun, header) do update set field = excluded.field
      `,
      [context().companyId, noun, JSON.stringify(named)],
    );
  }
}
