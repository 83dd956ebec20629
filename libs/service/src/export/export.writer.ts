import { Inject, Injectable } from '@nestjs/common';
import { writeXlsxStream } from 'hucre/xlsx';
import { createLogger } from '@carillon/observability';
import {
  columns,
  currentEntities,
  currentSql,
  Database,
  transaction,
  turnsSql,
  uuidv7,
  type RowOf,
} from '@carillon/persistence';
import { emitLive } from '../live.ts';
import { WorkLoop } from '../work-loop.ts';
import { cellsOf } from './export.cells.ts';
import { ListExportPart, ListExportRow } from './export.entity.ts';
import { ListReader } from './export.lists.ts';

const log = createLogger('export');
const tickMs = 5_000;
const leaseSeconds = 60;
const partBytes = 262_144;
const open = `status = 'process'`;
const { order: turn } = turnsSql('list_export', open);

const order = columns(ListExportRow, 'e', ['id', 'companyId', 'path', 'maker', 'wanted', 'writer']);
type Order = RowOf<typeof order>;

/** The user deleted the order, or another process has taken it. */
class GivenUp extends Error {}

/**
 * Writes files one after the other, in parts: neither the records nor the file are ever completely in memory. When a
 * writer dies, another one starts the file again after the lease has expired.
 */
@Injectable()
export class ExportWriter extends WorkLoop<Order> {
  constructor(
    @Inject(Database) database: Database,
    @Inject(ListReader) private readonly lists: ListReader,
  ) {
    super(database, { reason: 'the next file of a list, of all companies', tickMs, atOnce: 1 });
  }

  protected override async claim(): Promise<Order[]> {
    const sql = `
      update list_export e
      set lease_until = now() + interval '${leaseSeconds} seconds', done = 0, writer = gen_random_uuid()
      where id = (
        select w.id
        from list_export w
        where ${open} and w.lease_until <= now()
        order by ${turn}
        limit 1
        for update skip locked
      )
      returning ${order}
    `;
    return currentSql().rows(order, sql);
  }

  protected override async perform(order: Order): Promise<void> {
    try {
      const { columns: wantedColumns } = order.wanted;
      const written = { rows: 0 };
      const file = writeXlsxStream(this.rows(order, written), {
        name: 'List',
        columns: wantedColumns.map((c) => ({ header: c.title || c.key, width: c.key === 'name' ? 30 : 20 })),
        freezePane: { rows: 1 },
      });
      await this.store(order, file as unknown as AsyncIterable<Uint8Array>);
      await this.setProgress(order, `status = 'success', done = $3, total = $3`, [written.rows]);
    } catch (error) {
      if (error instanceof GivenUp || this.closed) return;
      log.error({ err: error, id: order.id }, 'a file of a list could not be written');
      await this.setProgress(order, `status = 'fail'`, []).catch((err: unknown) =>
        log.warn({ err }, 'nor could that be told'),
      );
    }
  }

  private async store(order: Order, file: AsyncIterable<Uint8Array>): Promise<void> {
    const { id: exportId, companyId } = order;
    let [held, size, number] = [[] as Uint8Array[], 0, 0];
    const put = async (): Promise<void> => {
      if (size === 0) return;
      const bytes = Buffer.concat(held);
      [held, size] = [[], 0];
      await this.inCompany(order, async () => {
        await this.hold(order);
        currentEntities().create(ListExportPart, { id: uuidv7(), companyId, exportId, number: number++, bytes });
      });
    };
    for await (const piece of file) {
      held.push(piece);
      size += piece.length;
      if (size >= partBytes) await put();
    }
    await put();
  }

  private async *rows(order: Order, written: { rows: number }): AsyncGenerator<(string | number)[]> {
    const { path, maker, wanted } = order;
    const list = this.lists.listOf(path);
    if (!list) throw new Error(`no list is ordered by ${path}`);
    await this.inCompany(order, async () => {
      await this.hold(order);
      await currentSql().query('delete from list_export_part where export_id = $1', [order.id]);
    });
    for await (const { total, records } of this.lists.read(list, maker, wanted)) {
      if (this.closed) throw new GivenUp();
      for (const record of records) {
        yield cellsOf(list.of, record, wanted);
        written.rows += 1;
      }
      await this.setProgress(order, 'done = $3, total = $4', [written.rows, total]);
    }
  }

  private inCompany<T>(order: Order, work: () => Promise<T>): Promise<T> {
    return transaction(this.database, { companyId: order.companyId, orgIds: '*' }, work);
  }

  private setProgress(order: Order, change: string, values: unknown[]): Promise<void> {
    return this.inCompany(order, async () => {
      await this.hold(order, change, values);
      await emitLive(order.companyId, 'operation', [order.id], null);
    });
  }

  /**
   * Extends this writer's lease. A writer that was blocked for so long that another one took over must stop: its parts
   * would be in the file twice.
   */
  private async hold(order: Order, change?: string, values: unknown[] = []): Promise<void> {
    const { rowCount } = await currentSql().query(
      `
        update list_export
        set ${change === undefined ? '' : `${change},`} lease_until = now() + interval '${leaseSeconds} seconds'
        where id = $1 and status = 'process' and writer = $2
      `,
      [order.id, order.writer, ...values],
    );
    if (rowCount === 0) throw new GivenUp();
  }
}
