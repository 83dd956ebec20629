import { Injectable } from '@nestjs/common';
import { deviceResetDays } from '@carillon/contracts/constants';
import { deviceCredential, linkCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentDatabase, currentSql, Database, platform } from '@carillon/persistence';
import { emitAudit, Retention } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import { DeviceReset } from './device-reset.entity.ts';

/** How long the command of a reset may take to reach the device, in milliseconds. */
const commandLifeMs = 3_600_000;
const reset = columns(DeviceReset, 'r', ['id', 'deviceId', 'mac', 'companyId']);
const atOnce = 1_000;

/** A device that ends at a handover, with what its physical phone still knows. */
export interface LeavingDevice {
  id: string;
  mac: string;
  companyId: string;
  orgId: string;
  ownerEpoch: number;
  secretHash: string;
  /** Hash of the former secret, until the device connects with the renewed one. */
  previousHash: string | null;
}

/** Has devices reset at their next contact. An earlier reset of the same MAC ends. */
export async function awaitResets(devices: readonly LeavingDevice[]): Promise<void> {
  if (devices.length === 0) return;
  const before = await forgetResets(
    'mac',
    devices.map((device) => device.mac),
  );
  const rows = await platform(currentDatabase(), 'a device that changes hands is reset at its next contact', () =>
    currentSql().rows(
      reset,
      `
        insert into device_reset as r (id, company_id, device_id, mac, since)
        select gen_random_uuid(), x.company_id, x.id, x.mac, now()
        from jsonb_to_recordset($1::jsonb) as x(id uuid, company_id uuid, mac text)
        returning ${reset}
      `,
      [JSON.stringify(devices.map((d) => ({ id: d.id, company_id: d.companyId, mac: d.mac })))],
    ),
  );
  const resetIds = new Map(rows.map((row) => [row.deviceId, row.id]));
  await emitTombstones(before);
  await emitMany(
    deviceCredential,
    'leaving',
    devices.map(({ id, companyId, ...device }) => ({
      key: id,
      companyId,
      data: { deviceId: id, ...device, resetId: resetIds.get(id)! },
    })),
  );
}

/**
 * Stores that devices came back empty with their old secrets, which end now. The ids are those that they had in their
 * former companies: a later reset of the same MAC goes on.
 */
export async function endResets(deviceIds: readonly string[]): Promise<void> {
  const done = await forgetResets('device_id', deviceIds);
  await platform(currentDatabase(), 'the device of the new owner need not be reset any more', () =>
    currentSql().query('update device set reset_id = null where reset_id = any ($1::uuid[])', [done.map((r) => r.id)]),
  );
  await emitTombstones(done);
  for (const [companyId, rows] of Map.groupBy(done, (r) => r.companyId)) await refreshDevices(companyId, rows);
}

/** A device of the new company that has connected. */
type Contacted = Pick<LeavingDevice, 'id' | 'mac' | 'companyId' | 'orgId' | 'ownerEpoch'> & { resetId: string | null };

/**
 * Resets devices that connect with the secret of their new company while the data of the former one may be on them. The
 * device remembers the command's id, so a repetition at a later contact changes nothing.
 */
export async function resetAtContact(contacted: readonly Contacted[]): Promise<void> {
  const devices = contacted.filter((device) => device.resetId !== null);
  if (devices.length === 0) return;
  const due = await forgetResets(
    'mac',
    devices.map((d) => d.mac),
  );
  await emitTombstones(due);
  await emitMany(
    linkCommand,
    'command',
    devices.map(({ id, mac, ownerEpoch, companyId, orgId, resetId }) => ({
      key: id,
      companyId,
      orgId,
      data: {
        deviceId: id,
        mac,
        ownerEpoch,
        id: resetId!,
        action: 'factoryReset',
        expiresAt: Date.now() + commandLifeMs,
        args: {},
      },
    })),
  );
  const first = new Set(due.map((r) => r.mac));
  const changed = devices.filter((d) => first.has(d.mac));
  if (changed.length > 0) await refreshDevices(changed[0]!.companyId, changed);
}

function forgetResets(by: 'mac' | 'device_id', keys: readonly string[]) {
  const sql = `delete from device_reset r where r.${by}::text = any ($1::text[]) returning ${reset}`;
  return platform(currentDatabase(), 'a reset may be due to the device of another company', () =>
    currentSql().rows(reset, sql, [keys]),
  );
}

const emitTombstones = (rows: readonly { deviceId: string; companyId: string }[]): Promise<void> =>
  emitMany(
    deviceCredential,
    'credential',
    rows.map((r) => ({ key: r.deviceId, data: null, companyId: r.companyId })),
  );

const refreshDevices = (companyId: string, devices: readonly { mac: string }[]): Promise<void> =>
  runAs(systemContext(companyId), () =>
    emitAudit('channelOrder.reset', 'success', {
      detail: { count: devices.length, devices: devices.slice(0, 100).map(({ mac }) => ({ mac })) },
    }),
  );

/** Ends resets that no device came for, so that an old secret does not let a device in for ever. */
@Injectable()
export class DeviceResetRetention extends Retention {
  constructor(database: Database) {
    super(database, {
      reason: 'forget resets of devices that did not come back',
      everyMs: 3_600_000,
      atOnce,
      forget: async () => {
        const gone = await currentSql().rows(
          reset,
          `
            delete from device_reset r
            where r.id in (
              select id from device_reset where since < now() - make_interval(days => $1) limit $2
            )
            returning ${reset}
          `,
          [deviceResetDays, atOnce],
        );
        await emitTombstones(gone);
        return gone.length;
      },
    });
  }
}
