import { deviceCredential, deviceState, handedOver, linkCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { noteEnd } from '../device-log/device-log.queries.ts';
import { Device } from '../device/device.entity.ts';

const held = columns(Device, 'd', ['id', 'mac'], {
  used: computed<boolean>('d.online or d.last_online_at is not null'),
});

const ended = columns(Device, 'd', ['id', 'mac', 'companyId', 'orgId']);

/** Returns the devices with these MACs that the session sees, locked in the order of their ids. */
export function holdDevices(macs: readonly string[]) {
  return currentSql().rows(
    held,
    `select ${held} from device d where d.mac = any ($1::text[]) order by d.id for update`,
    [macs],
  );
}

/**
 * Deletes devices that another company takes over, for good: every copy goes, and nobody can restore them. Their
 * pending commands end as handed over, their connections are closed, and their secrets become invalid (device-link.md).
 * Their history stays in the log of the former company.
 */
export async function endDevices(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await currentSql().rows(ended, `delete from device d where d.id = any ($1::uuid[]) returning ${ended}`, [
    ids,
  ]);
  await noteEnd('handedOver', rows);
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
  for (const [companyId, of] of Map.groupBy(rows, (r) => r.companyId))
    await emitLive(
      companyId,
      'device',
      of.map((r) => r.id),
      of.map((r) => r.orgId),
    );
}
