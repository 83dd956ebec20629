import { Injectable } from '@nestjs/common';
import { writeXlsxStream } from 'hucre/xlsx';
import { createLogger } from '@carillon/observability';
import {
  columns,
  currentEntities,
  currentSql,
  Database,
  transaction,
  uuidv7,
  type RowOf,
  type Session,
} from '@carillon/persistence';
import { emitLive, WorkLoop } from '@carillon/service';
import { deviceRecord, matchingIds } from '../device/device-list.queries.ts';
import { cellsOf } from './cells.ts';
import { DeviceExport, DeviceExportPart } from './export.entity.ts';

const log = createLogger('export');
const tickMs = 5_000;
const leaseSeconds = 60;
const rowsAtOnce = 500;
const partBytes = 262_144;

const order = columns(DeviceExport, 'e', ['id', 'companyId', 'orgIds', 'wanted']);
type Order = RowOf<typeof order>;

/** The one who ordered it has given it up, or another process has taken it. */
class GivenUp extends Error {}

/**
 * Writes files one after the other, a part at a time: neither the devices nor the file are ever whole in memory, and no
 * transaction waits for the next rows. A file whose writer died is begun anew when its lease is over.
 */
@Injectable()
export class ExportWriter extends WorkLoop<Order> {
  constructor(database: Database) {
    super(database, { reason: 'the next file of devices, of all companies', tickMs, atOnce: 1 });
  }

  protected override async claim(): Promise<Order[]> {
    const sql = `
      update device_export e
      set lease_until = now() + interval '${leaseSeconds} seconds', done = 0
      where id = (
        select id
        from device_export
        where status = 'process' and lease_until <= now()
        order by created_at
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
      const file = writeXlsxStream(this.rows(order), {
        name: 'Devices',
        columns: wantedColumns.map((c) => ({ header: c.title || c.key, width: c.key === 'name' ? 30 : 20 })),
        freezePane: { rows: 1 },
      });
      let [held, size, number] = [[] as Uint8Array[], 0, 0];
      const store = async (): Promise<void> => {
        if (size === 0) return;
        const bytes = Buffer.concat(held);
        [held, size] = [[], 0];
        await this.inCompany(order, async () => {
          const { id: exportId, companyId } = order;
          currentEntities().create(DeviceExportPart, { id: uuidv7(), companyId, exportId, number: number++, bytes });
        });
      };
      for await (const piece of file as unknown as AsyncIterable<Uint8Array>) {
        held.push(piece);
        size += piece.length;
        if (size >= partBytes) await store();
      }
      await store();
      await this.tell(order, `status = 'success', done = least(done, total)`, []);
    } catch (error) {
      if (error instanceof GivenUp || this.closed) return;
      log.error({ err: error, id: order.id }, 'a file of devices could not be written');
      await this.tell(order, `status = 'fail'`, []).catch((err: unknown) =>
        log.warn({ err }, 'nor could that be told'),
      );
    }
  }

  /** The devices as they are when their turn comes; who came since is not in the file, who went is left out. */
  private async *rows(order: Order): AsyncGenerator<string[]> {
    const seen: Session = { companyId: order.companyId, orgIds: order.orgIds };
    const { wanted } = order;
    const ids = await transaction(
      this.database,
      seen,
      async () => {
        const all = await matchingIds(
          'ids' in wanted ? { sort: wanted.sort } : { ...wanted.filter, sort: wanted.sort },
          'ids' in wanted ? wanted.ids : undefined,
        );
        const out = new Set('ids' in wanted ? [] : wanted.exclude);
        return out.size === 0 ? all : all.filter((id) => !out.has(id));
      },
      { readOnly: true },
    );
    await this.inCompany(order, () =>
      currentSql().query('delete from device_export_part where export_id = $1', [order.id]),
    );
    await this.tell(order, 'total = $2', [ids.length]);
    for (let at = 0; at < ids.length; at += rowsAtOnce) {
      if (this.closed) throw new GivenUp();
      const part = ids.slice(at, at + rowsAtOnce);
      const rows = await transaction(
        this.database,
        seen,
        () =>
          currentSql().rows(deviceRecord, `select ${deviceRecord} from device d where d.id = any($1::uuid[])`, [part]),
        { readOnly: true },
      );
      const byId = new Map(rows.map((r) => [r.id, r]));
      for (const id of part) {
        const row = byId.get(id);
        if (row) yield cellsOf(row, wanted);
      }
      await this.tell(order, 'done = $2', [Math.min(ids.length, at + rowsAtOnce)]);
    }
  }

  private inCompany<T>(order: Order, work: () => Promise<T>): Promise<T> {
    return transaction(this.database, { companyId: order.companyId, orgIds: '*' }, work);
  }

  private tell(order: Order, change: string, values: unknown[]): Promise<void> {
    return this.inCompany(order, async () => {
      const { rowCount } = await currentSql().query(
        `
          update device_export
          set ${change}, lease_until = now() + interval '${leaseSeconds} seconds'
          where id = $1 and status = 'process'
        `,
        [order.id, ...values],
      );
      if (rowCount === 0) throw new GivenUp();
      await emitLive(order.companyId, 'operation', [order.id], null);
    });
  }
}
