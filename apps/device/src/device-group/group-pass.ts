import { Injectable } from '@nestjs/common';
import {
  afterCommit,
  columns,
  companySession,
  currentSql,
  Database,
  transaction,
  type RowOf,
} from '@carillon/persistence';
import { emitLive, WorkLoop } from '@carillon/service';
import { Device } from '../device/device.entity.ts';
import { applyGroupRules, publishDeviceState } from '../device/device.publisher.ts';
import { DeviceGroupPass } from './device-group.entity.ts';

const tickMs = 5_000;
const leaseSeconds = 60;
/** Devices per transaction, which limits how long other changes of them wait. */
const chunk = 5_000;

const pass = columns(DeviceGroupPass, 'a', ['id', 'companyId', 'orgId']);
const held = columns(DeviceGroupPass, 'a', ['after']);
const identified = columns(Device, 'd', ['id']);

/** Tests all devices of an organization against a new rule, a chunk per transaction. */
@Injectable()
export class GroupPass extends WorkLoop<RowOf<typeof pass>> {
  constructor(database: Database) {
    super(database, { reason: 'the next device group with a new rule, of all companies', tickMs, atOnce: 1 });
  }

  /** Starts a pass in the running transaction; restarts one that is under way. */
  async begin({ id, companyId, orgId }: { id: string; companyId: string; orgId: string }): Promise<void> {
    await currentSql().query(
      `
        insert into device_group_pass (id, company_id, org_id, lease_until)
        values ($1, $2, $3, now())
        on conflict (id) do update set after = null, lease_until = now()
      `,
      [id, companyId, orgId],
    );
    afterCommit(() => this.wake());
  }

  async end(id: string): Promise<void> {
    await currentSql().query('delete from device_group_pass where id = $1', [id]);
  }

  protected override async claim(): Promise<RowOf<typeof pass>[]> {
    return currentSql().rows(
      pass,
      `
        update device_group_pass a
        set lease_until = now() + interval '${leaseSeconds} seconds'
        where id = (
          select id
          from device_group_pass
          where lease_until <= now()
          order by lease_until
          limit 1
          for update skip locked
        )
        returning ${pass}
      `,
    );
  }

  protected override async perform({ id, companyId, orgId }: RowOf<typeof pass>): Promise<void> {
    const next = () => transaction(this.database, companySession(companyId), () => this.test(id, companyId, orgId));
    while (!this.closed && (await next()));
  }

  /** Tests the next devices. Returns whether there are more. */
  private async test(id: string, companyId: string, orgId: string): Promise<boolean> {
    // Locks the group first, in the same order as an edit of the group.
    await currentSql().query('select 1 from device_group where id = $1 for share', [id]);
    const [row] = await currentSql().rows(held, `select ${held} from device_group_pass a where a.id = $1 for update`, [
      id,
    ]);
    if (row === undefined) return false;
    // Locks in the order of ids, as reports do, so that they cannot deadlock.
    const devices = await currentSql().rows(
      identified,
      `
        select ${identified}
        from device d
        where d.org_id = $1 and ($2::uuid is null or d.id > $2::uuid)
        order by d.id
        limit ${chunk}
        for update
      `,
      [orgId, row.after],
    );
    const changed = await applyGroupRules(devices.map((d) => d.id));
    await publishDeviceState(changed);
    const last = devices.at(-1);
    if (last === undefined || devices.length < chunk) await this.end(id);
    else
      await currentSql().query(
        `
          update device_group_pass
          set after = $2, lease_until = now() + interval '${leaseSeconds} seconds'
          where id = $1
        `,
        [id, last.id],
      );
    if (changed.length > 0)
      await emitLive(
        companyId,
        'device',
        changed.map((d) => d.id),
        [orgId],
      );
    await emitLive(companyId, 'deviceGroup', [id], [orgId]);
    return devices.length === chunk;
  }
}
