import { Injectable } from '@nestjs/common';
import { isTransient } from '@carillon/messaging';
import { columns, currentSql, Database, sessionOf, transaction, type RowOf } from '@carillon/persistence';
import { emitLive, fromUnknown, Retention, WorkLoop } from '@carillon/service';
import { runAs, systemContext, type Context } from '@carillon/tenancy';
import { DeletionService } from '../device/deletion.service.ts';
import { DeviceChange, DeviceChangeRow } from './device-change.entity.ts';
import { changeDevices, type Outcome } from './device-change.queries.ts';

const tickMs = 5_000;
const leaseSeconds = 30;
/** Devices per transaction, which limits how long other changes of them wait. */
const most = 2_000;

const job = columns(DeviceChange, 'c', ['id', 'companyId', 'kind', 'set', 'access']);
type Job = RowOf<typeof job>;
const waiting = columns(DeviceChangeRow, 'r', ['deviceId']);

/**
 * Runs changes of many devices. The effect, its events and the outcome of each device are one commit, so that a process
 * that takes over after a kill repeats none. A part that fails is split until the failing device is found.
 */
@Injectable()
export class DeviceChangeRunner extends WorkLoop<Job> {
  constructor(
    database: Database,
    private readonly deletions: DeletionService,
  ) {
    super(database, { reason: 'the next change of many devices, of all companies', tickMs, atOnce: 2 });
  }

  protected override async claim(): Promise<Job[]> {
    return currentSql().rows(
      job,
      `
        update device_change c
        set lease_until = now() + interval '${leaseSeconds} seconds'
        where c.id = any (
          select id
          from device_change
          where status = 'process' and lease_until <= now()
          order by created_at
          limit 2
          for update skip locked
        )
        returning ${job}
      `,
    );
  }

  protected override async perform(job: Job): Promise<void> {
    const context: Context = { ...systemContext(job.companyId), ...job.access };
    await runAs(context, async () => {
      for (let size = most; !this.closed;) {
        try {
          if (!(await transaction(this.database, sessionOf(context), () => this.step(job, size)))) return;
          size = Math.min(most, size * 2);
        } catch (error) {
          if (isTransient(error)) throw error;
          if (size > 1) size = Math.ceil(size / 8);
          else await transaction(this.database, sessionOf(context), () => this.step(job, 1, error));
        }
      }
    });
  }

  /**
   * Changes the next devices. Returns whether there are more. With `fault`, marks the one device that caused it as
   * failed.
   */
  private async step({ id, companyId, kind, set }: Job, size: number, fault?: unknown): Promise<boolean> {
    const held = await currentSql().query(
      `select 1 from device_change where id = $1 and status = 'process' for update`,
      [id],
    );
    if (held.rowCount === 0) return false;
    const rows = await currentSql().rows(
      waiting,
      `
        select ${waiting}
        from device_change_row r
        where r.change_id = $1 and r.state = 'waiting'
        order by r.device_id
        limit $2
      `,
      [id, size],
    );
    const ids = rows.map((row) => row.deviceId);
    if (fault !== undefined)
      await store(id, [{ deviceId: ids[0]!, state: 'failed', error: fromUnknown(fault).key }], false);
    else await store(id, await this.outcomes(kind, set, ids), ids.length < size);
    await emitLive(companyId, 'operation', [id], null);
    return fault !== undefined || ids.length === size;
  }

  private async outcomes(kind: Job['kind'], set: Job['set'], ids: readonly string[]): Promise<Outcome[]> {
    if (ids.length === 0) return [];
    if (kind === 'edit') return changeDevices(set, ids);
    const there = new Set(
      (await currentSql().query<{ id: string }>('select id from device where id = any ($1::uuid[])', [ids])).rows.map(
        (row) => row.id,
      ),
    );
    if (there.size > 0) await this.deletions.remove([...there]);
    return ids.map((deviceId) =>
      there.has(deviceId) ? { deviceId, state: 'done' } : { deviceId, state: 'failed', error: 'common.notFound' },
    );
  }
}

/** Stores and counts the outcomes of devices. */
async function store(id: string, outcomes: readonly Outcome[], over: boolean): Promise<void> {
  await currentSql().query(
    `
      update device_change_row r
      set state = x.state, error = x.error
      from jsonb_to_recordset($2::jsonb) as x("deviceId" uuid, state text, error text)
      where r.change_id = $1 and r.device_id = x."deviceId" and r.state = 'waiting'
    `,
    [id, JSON.stringify(outcomes)],
  );
  const count = (state: Outcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  await currentSql().query(
    `
      update device_change
      set done = done + $2, unchanged = unchanged + $3, failed = failed + $4,
        status = case when $5 then 'done' else status end, lease_until = now() + interval '${leaseSeconds} seconds'
      where id = $1
    `,
    [id, count('done'), count('unchanged'), count('failed'), over],
  );
}

/** Deletes changes and their outcomes after some days. */
@Injectable()
export class DeviceChangeRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'forget changes of many devices after a week',
      everyMs: 3_600_000,
      atOnce: 20,
      forget: async () =>
        (
          await currentSql().query(`
            delete from device_change
            where id = any (
              select id from device_change where created_at < now() - interval '7 days' and status = 'done' limit 20
            )
          `)
        ).rowCount,
    });
  }
}
