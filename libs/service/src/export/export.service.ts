import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { ExportOrder, ExportRecord, ListExport } from '@carillon/contracts';
import {
  afterCommit,
  currentEntities,
  currentSql,
  Database,
  holdLock,
  sessionOf,
  transaction,
  uuidv7,
} from '@carillon/persistence';
import { can, context, type Context } from '@carillon/tenancy';
import { auditNote } from '../audit.ts';
import { fail, found } from '../failure.ts';
import { ListExportPart, ListExportRow } from './export.entity.ts';
import { EXPORTED_LISTS, ListReader, type ExportedList } from './export.lists.ts';
import { ExportWriter } from './export.writer.ts';

/** Fields of an export that the user sees, without its order, which may name thousands of records. */
const fields = ['id', 'name', 'status', 'done', 'total', 'createdAt'] as const;
/** Number of files of one user that are written at a time. */
const atOnce = 3;
const listed = 20;

/** Exported files: each user sees their own, of the lists that they may export. */
@Injectable()
export class ExportService {
  constructor(
    @Inject(EXPORTED_LISTS) private readonly lists: readonly ExportedList[],
    @Inject(ListReader) private readonly reader: ListReader,
    @Inject(ExportWriter) private readonly writer: ExportWriter,
    @Inject(Database) private readonly database: Database,
  ) {}

  async add(list: ListExport, wanted: ExportOrder): Promise<ExportRecord> {
    const { add } = list;
    await this.reader.check(list, wanted.params);
    const maker = context();
    const { companyId } = maker;
    const userId = maker.userId!;
    const entities = currentEntities();
    const note = (id: string) =>
      auditNote({
        objectId: id,
        ...(wanted.name === undefined ? {} : { objectName: wanted.name }),
        detail: { ...wanted.params, ...(wanted.ids ? { count: wanted.ids.length } : { filter: wanted.filter }) },
      });
    // Serializes orders of one user, so that both the key and the count are checked correctly.
    await holdLock(`export ${userId}`);
    if (wanted.key !== undefined) {
      const known = await entities.findOne(ListExportRow, { userId, path: add.path, wanted: { key: wanted.key } });
      if (known) {
        note(known.id);
        return shown(known);
      }
    }
    if ((await entities.count(ListExportRow, { userId, status: 'process' })) >= atOnce)
      fail('device.exportsBusy', { count: atOnce });
    const made = entities.create(ListExportRow, {
      id: uuidv7(),
      companyId,
      userId,
      path: add.path,
      name: wanted.name ?? '',
      maker: { ...maker, sessionId: null, address: null, requestId: null },
      wanted,
      status: 'process',
      done: 0,
      total: 0,
    });
    await entities.flush();
    note(made.id);
    afterCommit(() => this.writer.wake());
    return shown(made);
  }

  list(): Promise<ExportRecord[]> {
    return currentEntities()
      .find(ListExportRow, this.own(), { fields, orderBy: { id: 'desc' }, limit: listed })
      .then((rows) => rows.map(shown));
  }

  async get(id: string): Promise<ExportRecord> {
    return shown(found(await currentEntities().findOne(ListExportRow, { id, ...this.own() }, { fields })));
  }

  /** Returns the file as a stream that holds one part in memory, and its length in bytes. */
  async file(id: string): Promise<{ length: number; bytes: Readable }> {
    if ((await this.get(id)).status !== 'success') fail('common.notFound');
    const { rows } = await currentSql().query<{ length: number; parts: number }>(
      `
        select coalesce(sum(octet_length(bytes)), 0)::float8 as length, count(*)::int as parts
        from list_export_part
        where export_id = $1
      `,
      [id],
    );
    const { length, parts } = rows[0]!;
    return { length, bytes: Readable.from(this.parts(context(), id, parts), { objectMode: false, highWaterMark: 1 }) };
  }

  /** Reads each part in its own transaction, so that a slow reader holds no database connection. */
  private async *parts(context: Context, exportId: string, parts: number): AsyncGenerator<Buffer> {
    for (let number = 0; number < parts; number++) {
      const part = await transaction(this.database, sessionOf(context), () =>
        currentEntities().findOneOrFail(ListExportPart, { exportId, number }),
      );
      yield part.bytes;
    }
  }

  async remove(id: string): Promise<null> {
    if ((await currentEntities().nativeDelete(ListExportRow, { id, ...this.own() })) === 0) fail('common.notFound');
    auditNote({ objectId: id });
    return null;
  }

  /**
   * Limits files to lists that the caller may export: a user who lost the permission, or a token without it, sees none
   * of them.
   */
  private own() {
    const paths = this.lists.flatMap(({ of: { add } }) =>
      add.permission === 'session' || can(add.permission) ? [add.path] : [],
    );
    return { userId: context().userId!, path: { $in: paths } };
  }
}

const shown = ({ id, name, status, done, total, createdAt }: ExportRecord): ExportRecord => ({
  id,
  name,
  status,
  done,
  total,
  createdAt,
});
