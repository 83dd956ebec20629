import { Inject, Injectable } from '@nestjs/common';
import type { addChannelOrder, RouteInput } from '@carillon/contracts';
import { currentSql, Database, sessionOf, transaction } from '@carillon/persistence';
import {
  auditedTransaction,
  auditNote,
  cameBack,
  CACHE,
  countingTaken,
  deletedRows,
  emitLive,
  fail,
  failAt,
  Failure,
  found,
  type AuditNote,
  type Cache,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import { claimMacs } from '../mac-owner/mac-owner.queries.ts';
import { listedName } from '../model/chosen-model.ts';
import { knownModels } from '../model/model.queries.ts';
import { orderRecord } from './channel-order.queries.ts';
import { insertOrders, noteDisputes, removeOrders } from './channel-order.stock.ts';

type Body = RouteInput<typeof addChannelOrder>['body'];
const kind = 'channelOrder';

/** Adds, deletes and restores order lines by hand. */
@Injectable()
export class StockService {
  constructor(
    private readonly database: Database,
    @Inject(CACHE) private readonly cache: Cache,
  ) {}

  /** Adds a line. Refuses another company's MAC as neutrally as adding a device does, and records the dispute. */
  async add(body: Body) {
    const note: AuditNote = { objectName: body.order, detail: { mac: body.mac, model: body.model } };
    try {
      return await countingTaken(this.cache, ['device.macTaken'], () =>
        auditedTransaction(this.database, 'channelOrder.add', note, () => this.insert(body)),
      );
    } catch (error) {
      if (error instanceof Failure && error.key === 'device.macTaken') await this.dispute(body);
      throw error;
    }
  }

  private async insert(body: Body) {
    const model = listedName(await knownModels(), body.model) ?? failAt('model', 'device.modelUnknown');
    const [line] = await insertOrders([{ ...body, model }], 'manual');
    if (!line) fail('device.macTaken');
    auditNote({ objectId: line!.id });
    const sql = `select ${orderRecord} from channel_order o where o.id = $1`;
    return found((await currentSql().rows(orderRecord, sql, [line!.id]))[0]);
  }

  /** Records a dispute, unless the MAC is the company's own. */
  private dispute(body: Body): Promise<void> {
    return transaction(this.database, sessionOf(context()), async () => {
      const own = await currentSql().query('select 1 from mac_owner where mac = $1', [body.mac]);
      if (own.rowCount === 0) await noteDisputes([body]);
    });
  }

  async remove(ids: readonly string[]) {
    const { companyId, userId } = context();
    const lines = await removeOrders(ids);
    await currentSql().query(
      `
        insert into deleted (id, company_id, kind, user_id, row, deleted_at)
        select (x ->> 'id')::uuid, $1, $2, $3, x, now()
        from jsonb_array_elements($4::jsonb) x
      `,
      [companyId, kind, userId, JSON.stringify(lines.map((line) => line.row))],
    );
    await this.note(lines);
    return { deleted: lines.length };
  }

  /** Restores all lines, or none when another company has claimed a MAC in the meantime. */
  async restore(ids: readonly string[]) {
    const { companyId } = context();
    const rows = await deletedRows<{ id: string; mac: string; model: string }>(kind, 'channel_order', ids);
    if (rows.length === 0) return { restored: 0 };
    const macs = rows.map((row) => row.mac);
    const own = await claimMacs(companyId, macs, 'order');
    if (own.size < macs.length) fail('common.restoreOver');
    await cameBack(rows.map((row) => row.id));
    const { rowCount } = await currentSql().query(
      `
        insert into channel_order
        select * from jsonb_populate_recordset(null::channel_order, $1::jsonb)
        on conflict do nothing
      `,
      [JSON.stringify(rows)],
    );
    if (rowCount < rows.length) fail('common.restoreOver');
    await this.note(rows);
    return { restored: rows.length };
  }

  private async note(lines: readonly { id: string; mac: string }[]): Promise<void> {
    auditNote({
      ...(lines.length === 1 ? { objectId: lines[0]!.id } : {}),
      detail: { count: lines.length, devices: lines.slice(0, 100).map(({ mac }) => ({ mac })) },
    });
    await emitLive(
      context().companyId,
      'channelOrder',
      lines.map((line) => line.id),
      null,
    );
  }
}
