import { Inject, Injectable } from '@nestjs/common';
import { addChannelOrder, channelOrderImport, importedMac } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import {
  CACHE,
  checkedBy,
  countingTaken,
  emitLive,
  errorOf,
  Failure,
  Importer,
  type Cache,
  type ImportedRow,
  type RowDone,
  type RowError,
  type RowPlan,
  type RowRefused,
  type RowUndo,
  type RowWrite,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import { listedName } from '../model/chosen-model.ts';
import { knownModels } from '../model/model.queries.ts';
import { ChannelOrder } from './channel-order.entity.ts';
import { insertOrders, noteDisputes, removeOrders, type NewOrder } from './channel-order.stock.ts';

interface Write extends NewOrder {
  /** Set when an order line is changed. */
  id?: string;
}

const stored = columns(ChannelOrder, 'o', ['id', 'mac', 'model', 'order', 'status']);
/** The state that undoing compares and restores. */
const whole = computed<object>(`jsonb_build_object('mac', o.mac, 'model', o.model, 'order', o.order_name,
  'status', o.status, 'device_id', o.device_id)`);
const state = columns(ChannelOrder, 'o', ['id'], { whole });
const same = columns(ChannelOrder, 'o', ['id'], { isNew: computed<boolean>('u.before is null') });
const columnOf = (property: string): string => property;

/** Imports ordered MACs from a spreadsheet (CHN-03). A MAC that the company already has is updated. */
@Injectable()
export class ChannelOrderImport extends Importer<Write> {
  readonly noun = 'channelOrder';
  readonly fields = channelOrderImport;

  constructor(@Inject(CACHE) private readonly cache: Cache) {
    super();
  }

  keyOf({ mac }: ImportedRow['cells']): string | undefined {
    return mac === undefined ? undefined : importedMac(mac);
  }

  async plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]> {
    const known = new Map(
      (
        await currentSql().rows(stored, `select ${stored} from channel_order o where o.mac = any ($1::text[])`, [
          rows.flatMap(({ cells }) => this.keyOf(cells) ?? []),
        ])
      ).map((line) => [line.mac, line] as const),
    );
    const models = await knownModels();
    return rows.map(({ cells }): RowPlan<Write> => {
      const there = known.get(this.keyOf(cells) ?? '');
      const named = cells['model'] ?? there?.model;
      // A line keeps its model even when the list does not have it.
      const model = named === undefined || named === there?.model ? named : listedName(models, named);
      const checked = checkedBy(
        addChannelOrder.body,
        {
          mac: this.keyOf(cells),
          model: model ?? named,
          order: cells['order'] ?? there?.order ?? '',
        },
        columnOf,
      );
      const errors: RowError[] = [
        ...('errors' in checked ? checked.errors : []),
        ...(named !== undefined && model === undefined
          ? [{ field: 'model', error: 'device.modelUnknown' as const }]
          : []),
      ];
      if ('errors' in checked || errors.length > 0) return { outcome: 'wrong', errors };
      if (!there) return { outcome: 'add', write: checked.body };
      const changes = (['model', 'order'] as const).filter((field) => checked.body[field] !== there[field]);
      if (changes.length === 0) return { outcome: 'unchanged' };
      // Assigned to a channel: the line must keep what was given.
      if (there.status === 'assigned')
        return {
          outcome: 'wrong',
          errors: [{ field: changes[0]!, error: 'channelOrder.assigned', values: { count: 1 } }],
        };
      return { outcome: 'update', changes, write: { ...checked.body, id: there.id } };
    });
  }

  async write(rows: readonly RowWrite<Write>[]): Promise<(RowDone | RowRefused)[]> {
    const added = rows.filter((row) => row.outcome === 'add').map((row) => row.write);
    const changed = rows.flatMap((row) => (row.outcome === 'update' ? [row.write] : []));
    const before = await this.states(changed.map((write) => write.id!));
    const made = new Map((await insertOrders(added, 'import')).map((line) => [line.mac, line.id]));
    await noteDisputes(added.filter((write) => !made.has(write.mac)));
    await this.change(changed);
    const now = await this.states([...made.values(), ...changed.map((write) => write.id!)]);
    const done: (RowDone | RowRefused)[] = [];
    for (const { rowId, outcome, write } of rows) {
      const objectId = outcome === 'add' ? made.get(write.mac) : write.id!;
      if (objectId === undefined) done.push({ rowId, errors: [await this.taken()] });
      else done.push({ rowId, objectId, before: before.get(objectId) ?? null, after: now.get(objectId)! });
    }
    return done;
  }

  async undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>> {
    const left = await currentSql().rows(
      same,
      `
        select ${same}
        from channel_order o
        join jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb, after jsonb) on u."objectId" = o.id
        where ${whole.sql} = u.after
        order by o.mac
        for update of o
      `,
      [JSON.stringify(rows)],
    );
    const added = left.filter((line) => line.isNew).map((line) => line.id);
    const changed = new Set(left.filter((line) => !line.isNew).map((line) => line.id));
    if (added.length > 0) await removeOrders(added);
    await this.change(
      rows.flatMap(({ objectId: id, before }) =>
        changed.has(id) && before ? [{ ...(before as unknown as NewOrder), id }] : [],
      ),
    );
    await emitLive(
      context().companyId,
      'channelOrder',
      left.map((line) => line.id),
      null,
    );
    return new Set(left.map((line) => line.id));
  }

  private async change(lines: readonly Write[]): Promise<void> {
    if (lines.length === 0) return;
    await currentSql().query(
      `
        update channel_order o
        set model = x.model, order_name = x.order
        from jsonb_to_recordset($1::jsonb) as x(id uuid, model text, "order" text)
        where o.id = x.id
      `,
      [JSON.stringify(lines)],
    );
    await emitLive(
      context().companyId,
      'channelOrder',
      lines.map((line) => line.id!),
      null,
    );
  }

  /** Reports that another company has a MAC only a limited number of times per user, like adding a device. */
  private async taken(): Promise<RowError> {
    try {
      return await countingTaken(this.cache, ['device.macTaken'], () => Promise.reject(new Failure('device.macTaken')));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return { ...errorOf(error, columnOf), field: 'mac' };
    }
  }

  private async states(ids: readonly string[]): Promise<ReadonlyMap<string, object>> {
    const rows = await currentSql().rows(
      state,
      `select ${state} from channel_order o where o.id = any ($1::uuid[]) order by o.mac for update`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row.whole]));
  }
}
