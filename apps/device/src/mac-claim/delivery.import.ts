import { Inject, Injectable } from '@nestjs/common';
import { addDevice, claimCode, deliveryImport, importedMac } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import {
  checkedBy,
  CONFIG,
  emitLive,
  Importer,
  type ConcealedText,
  type ImportedRow,
  type RowDone,
  type RowPlan,
  type RowRefused,
  type RowUndo,
  type RowWrite,
} from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { DeviceConfig } from '../config.ts';
import { ClaimCodes } from './claim-code.ts';
import { DeliveredDevice } from './delivered-device.entity.ts';

interface Write {
  mac: string;
  sn: string;
  codeHash: string;
}

/** Replaces the hash of an invalid code, which is not kept. */
const noCode = 'none';
const stored = columns(DeliveredDevice, 'd', ['id', 'mac', 'sn', 'codeHash']);
/** The state that undoing compares and restores. */
const whole = computed<object>(
  `jsonb_build_object('mac', d.mac, 'sn', d.sn, 'code_hash', d.code_hash, 'claimed_at', d.claimed_at,
    'claimed_by', d.claimed_by, 'imported_at', d.imported_at)`,
);
const state = columns(DeliveredDevice, 'd', ['id', 'mac'], { whole });
const same = columns(DeliveredDevice, 'd', ['id'], { isNew: computed<boolean>('u.before is null') });
const rowBody = addDevice.body.pick({ mac: true, sn: true });

/** Imports a maker's delivery list, from which companies claim their devices (docs/adr/0047). */
@Injectable()
export class DeliveryImport extends Importer<Write> {
  readonly noun = 'delivery';
  readonly fields = deliveryImport;
  private readonly codes: ClaimCodes;

  constructor(@Inject(CONFIG) config: DeviceConfig) {
    super();
    this.codes = new ClaimCodes(config.dataKey);
  }

  keyOf({ mac }: ImportedRow['cells']): string | undefined {
    return mac === undefined ? undefined : importedMac(mac);
  }

  /** Only the keyed hash of a code is ever stored. */
  override conceal(all: readonly ConcealedText[]): Promise<string[]> {
    return Promise.resolve(
      all.map(({ text }) => {
        const code = claimCode.safeParse(text);
        return code.success ? this.codes.hash(code.data) : noCode;
      }),
    );
  }

  async plan(rows: readonly ImportedRow[]): Promise<RowPlan<Write>[]> {
    const sql = `select ${stored} from delivered_device d where d.mac = any ($1::text[])`;
    const macs = rows.flatMap(({ cells }) => this.keyOf(cells) ?? []);
    const known = new Map((await currentSql().rows(stored, sql, [macs])).map((device) => [device.mac, device]));
    return rows.map(({ cells }): RowPlan<Write> => {
      const there = known.get(this.keyOf(cells) ?? '');
      const checked = checkedBy(rowBody, { mac: this.keyOf(cells), sn: cells['sn'] ?? there?.sn }, (name) => name);
      const given = cells['claimCode'];
      const codeError =
        given === noCode
          ? ('device.claimCodeFormat' as const)
          : given === undefined && !there
            ? ('common.fieldRequired' as const)
            : undefined;
      const errors = [
        ...('errors' in checked ? checked.errors : []),
        ...(codeError ? [{ field: 'claimCode', error: codeError }] : []),
      ];
      if ('errors' in checked || errors.length > 0) return { outcome: 'wrong', errors };
      const { mac, sn } = checked.body;
      const codeHash = given === undefined ? there!.codeHash : this.codes.bind(mac, given);
      if (!there) return { outcome: 'add', write: { mac, sn, codeHash } };
      const changes = [...(sn === there.sn ? [] : ['sn']), ...(codeHash === there.codeHash ? [] : ['claimCode'])];
      return changes.length === 0
        ? { outcome: 'unchanged' }
        : { outcome: 'update', changes, write: { mac, sn, codeHash } };
    });
  }

  async write(rows: readonly RowWrite<Write>[]): Promise<(RowDone | RowRefused)[]> {
    const macs = rows.map((row) => row.write.mac);
    const before = await states(macs);
    await currentSql().query(
      `
        insert into delivered_device as d (id, mac, sn, code_hash, claimed_at, claimed_by, imported_at)
        select gen_random_uuid(), x.mac, x.sn, x."codeHash", null, null, now()
        from jsonb_to_recordset($1::jsonb) as x(mac text, sn text, "codeHash" text)
        order by x.mac
        on conflict (mac) do update
          set sn = excluded.sn, code_hash = excluded.code_hash,
            claimed_at = case when d.code_hash = excluded.code_hash then d.claimed_at end,
            claimed_by = case when d.code_hash = excluded.code_hash then d.claimed_by end,
            imported_at = excluded.imported_at
      `,
      [JSON.stringify(rows.map((row) => row.write))],
    );
    const now = await states(macs);
    await changed([...now.values()]);
    return rows.map(({ rowId, write: { mac } }) => ({
      rowId,
      objectId: now.get(mac)!.id,
      before: before.get(mac)?.whole ?? null,
      after: now.get(mac)!.whole,
    }));
  }

  /** A device whose code was used since is not as the import left it, and stays. Earlier releases kept fewer columns. */
  async undo(rows: readonly RowUndo[]): Promise<ReadonlySet<string>> {
    const left = await currentSql().rows(
      same,
      `
        select ${same}
        from delivered_device d
        join jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb, after jsonb) on u."objectId" = d.id
        where ${whole.sql} @> u.after
        order by d.mac
        for update of d
      `,
      [JSON.stringify(rows)],
    );
    const ids = left.map((device) => device.id);
    const isNew = left.filter((device) => device.isNew).map((device) => device.id);
    await currentSql().query('delete from delivered_device where id = any ($1::uuid[])', [isNew]);
    await currentSql().query(
      `
        update delivered_device d
        set sn = u.before ->> 'sn', code_hash = u.before ->> 'code_hash',
          claimed_at = (u.before ->> 'claimed_at')::timestamptz, claimed_by = (u.before ->> 'claimed_by')::uuid,
          imported_at = coalesce((u.before ->> 'imported_at')::timestamptz, d.imported_at)
        from jsonb_to_recordset($1::jsonb) as u("objectId" uuid, before jsonb)
        where d.id = u."objectId" and d.id = any ($2::uuid[])
      `,
      [JSON.stringify(rows), ids],
    );
    await changed(left);
    return new Set(ids);
  }
}

/** Notifies the open browsers of the operator. */
const changed = (devices: readonly { id: string }[]) =>
  emitLive(
    context().companyId,
    'delivery',
    devices.map(({ id }) => id),
    null,
  );

/** Returns the devices of the list with these MACs, locked in the order of their MACs. */
async function states(macs: readonly string[]) {
  const sql = `select ${state} from delivered_device d where d.mac = any ($1::text[]) order by d.mac for update`;
  return new Map((await currentSql().rows(state, sql, [macs])).map((device) => [device.mac, device]));
}
