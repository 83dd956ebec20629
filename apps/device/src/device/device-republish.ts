import { defineEntity, p } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { createLogger } from '@carillon/observability';
import {
  columns,
  computed,
  currentSql,
  Database,
  inCompany,
  instant,
  tenant,
  tenantProperties,
  type RowOf,
} from '@carillon/persistence';
import { WorkLoop } from '@carillon/service';
import { deviceView, publishDeviceState } from './device.publisher.ts';

/** The companies whose devices are to be published again, up to `after` so far; the id is the company's. */
export const DeviceRepublish = defineEntity({
  name: 'DeviceRepublish',
  tableName: 'device_republish',
  ...tenant(),
  properties: {
    ...tenantProperties,
    after: p.uuid().strictNullable(),
    leaseUntil: instant(3),
    /** Failures since the last chunk. */
    failures: p.integer().default(0),
  },
});

const log = createLogger('republish');
/** Finds what a crashed process left, whose lease has ended by then; the table is empty most of the time. */
const tickMs = 60_000;
const leaseSeconds = 60;
/** Pause after the first failure. It doubles with each one, up to the longest pause. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 600;
const chunk = 2_000;

const waiting = columns(DeviceRepublish, 'r', ['companyId']);
const postponed = columns(DeviceRepublish, 'r', ['failures'], {
  pauseMs: computed<number>('(extract(epoch from r.lease_until - now()) * 1000)::float8'),
});
const held = columns(DeviceRepublish, 'r', ['after']);

/** Publishes devices again after an upgrade by which other services copy more of them, a chunk per transaction. */
@Injectable()
export class DeviceRepublishLoop extends WorkLoop<RowOf<typeof waiting>> {
  constructor(database: Database) {
    super(database, { reason: 'the next company whose devices are published again', tickMs, atOnce: 1 });
  }

  protected override claim(): Promise<RowOf<typeof waiting>[]> {
    return currentSql().rows(
      waiting,
      `
        update device_republish r
        set lease_until = now() + interval '${leaseSeconds} seconds'
        where r.id = (
          select id from device_republish where lease_until <= now() order by lease_until limit 1 for update skip locked
        )
        returning ${waiting}
      `,
    );
  }

  protected override async perform({ companyId }: RowOf<typeof waiting>): Promise<void> {
    const next = () => inCompany(this.database, companyId, () => this.publish(companyId));
    try {
      while (!this.closed && (await next()));
    } catch (err) {
      const again = await inCompany(this.database, companyId, () => this.postpone(companyId));
      log.warn({ err, companyId, ...again }, 'devices could not be published again; they wait for another try');
      // Each process has its own timer; the lease decides whether it is time.
      if (again) setTimeout(() => this.wake(), again.pauseMs).unref();
    }
  }

  /** Lets a company wait after a failure, so that the others go on meanwhile. */
  private async postpone(companyId: string): Promise<RowOf<typeof postponed> | undefined> {
    const [row] = await currentSql().rows(
      postponed,
      `
        update device_republish r
        set failures = r.failures + 1,
          lease_until = now()
            + least(${firstPauseSeconds} * 2 ^ least(r.failures, 20), ${longestPauseSeconds}) * interval '1 second'
        where r.id = $1
        returning ${postponed}
      `,
      [companyId],
    );
    return row;
  }

  /** Publishes the next devices with a higher version, so that no copy takes them for known. Returns whether more follow. */
  private async publish(companyId: string): Promise<boolean> {
    const [row] = await currentSql().rows(held, `select ${held} from device_republish r where r.id = $1 for update`, [
      companyId,
    ]);
    if (row === undefined) return false;
    // Locks in the order of ids, as reports do, so that they cannot deadlock.
    const devices = await currentSql().rows(
      deviceView,
      `
        with next as (
          select x.id from device x where $1::uuid is null or x.id > $1::uuid order by x.id limit ${chunk} for update
        )
        update device d
        set version = d.version + 1
        from next
        where d.id = next.id
        returning ${deviceView}
      `,
      [row.after],
    );
    await publishDeviceState(devices);
    const last = devices
      .map(({ id }) => id)
      .sort()
      .at(-1);
    await (devices.length < chunk
      ? currentSql().query('delete from device_republish where id = $1', [companyId])
      : currentSql().query(
          `
            update device_republish
            set after = $2, failures = 0, lease_until = now() + interval '${leaseSeconds} seconds'
            where id = $1
          `,
          [companyId, last],
        ));
    return devices.length === chunk;
  }
}
