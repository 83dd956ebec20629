import { deviceCredential, deviceState, handedOver, linkCommand, type custodySteps } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, type RowOf } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { noteEnd } from '../device-log/device-log.queries.ts';
import { Device } from '../device/device.entity.ts';
import { awaitResets, type LeavingDevice } from './device-reset.service.ts';

const held = columns(Device, 'd', ['id', 'mac'], {
  used: computed<boolean>('d.online or d.last_online_at is not null'),
  canReset: computed<boolean>(`d.capabilities @> '["factoryReset"]'`),
});
type Held = RowOf<typeof held>;

/** How devices leave their company. */
interface Ending {
  reset: boolean;
  /** The step of custody, as the company that loses the devices sees it, and the other company's name. */
  step: (typeof custodySteps)[number];
  company?: string | null;
}

const ended = columns(Device, 'd', ['id', 'mac', 'companyId', 'orgId', 'ownerEpoch', 'secretHash', 'previousHash']);

/** Returns the devices with these MACs that the session sees, locked in the order of their ids. */
export function holdDevices(macs: readonly string[]) {
  return currentSql().rows(
    held,
    `select ${held} from device d where d.mac = any ($1::text[]) order by d.id for update`,
    [macs],
  );
}

/**
 * Forgets deleted devices with these MACs: a deletion that can still be undone must not bring a device back to a
 * company that has given it away. With `reset`, those that were in use are reset as in {@link endDevices}.
 */
export async function forgetDeleted(macs: readonly string[], { reset }: { reset: boolean }): Promise<void> {
  const { rows } = await currentSql().query<{ device: LeavingDevice; used: boolean }>(
    `
      delete from device_deleted k
      where k.mac = any ($1::text[])
      returning
        k.row ->> 'last_online_at' is not null and k.row -> 'capabilities' @> '["factoryReset"]' as used,
        jsonb_build_object(
          'id', k.id, 'mac', k.mac, 'companyId', k.company_id, 'orgId', k.org_id,
          'ownerEpoch', k.row -> 'owner_epoch', 'secretHash', k.row ->> 'secret_hash',
          'previousHash', k.row ->> 'previous_hash'
        ) as device
    `,
    [macs],
  );
  if (reset) await awaitResets(rows.flatMap(({ used, device }) => (used ? [device] : [])));
}

/**
 * Deletes devices that another company takes over, for good: every copy goes, and nobody can restore them. Their
 * pending commands end as handed over, their connections are closed, and their secrets become invalid (device-link.md).
 * Their history stays in the log of the former company, and ends with the step. With `reset`, those that were in use
 * and can reset themselves are reset at their next contact.
 */
export async function endDevices(devices: readonly Held[], { reset, step, company = null }: Ending): Promise<void> {
  if (devices.length === 0) return;
  const ids = devices.map((device) => device.id);
  const rows = await currentSql().rows(ended, `delete from device d where d.id = any ($1::uuid[]) returning ${ended}`, [
    ids,
  ]);
  await noteEnd('handedOver', rows, { step, ...(company === null ? {} : { company }) });
  const tombstones = rows.map((r) => ({ key: r.id, data: null, companyId: r.companyId }));
  await emitMany(
    deviceState,
    'device',
    tombstones.map((tombstone) => ({ ...tombstone, reason: handedOver })),
  );
  await emitMany(deviceCredential, 'credential', tombstones);
  await emitMany(
    linkCommand,
    'close',
    rows.map((r) => ({ key: r.id, data: { deviceId: r.id, mac: r.mac }, companyId: r.companyId })),
  );
  if (reset) {
    const leaving = new Set(devices.filter((device) => device.used && device.canReset).map((device) => device.id));
    await awaitResets(rows.filter((row) => leaving.has(row.id)));
  }
  for (const [companyId, given] of Map.groupBy(rows, (r) => r.companyId))
    await emitLive(
      companyId,
      'device',
      given.map((r) => r.id),
      given.map((r) => r.orgId),
    );
}
