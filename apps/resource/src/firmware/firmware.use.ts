import type { FirmwarePath } from '@carillon/contracts';
import { columns, computed, currentSql, platform, type Database } from '@carillon/persistence';
import { fail } from '@carillon/service';
import { DeviceCopy } from '../download/device-copy.entity.ts';
import { openTasksSql } from '../download/task-file-copy.entity.ts';
import type { Firmware, OfficialFirmware } from './firmware.entity.ts';

/** SQL: the version without trailing zeros: 2.4.0 becomes 2.4. */
const plain = (version: string): string => `regexp_replace(lower(${version}), '(\\.0+)+$', '')`;
const used = columns(DeviceCopy, 'd', [], {
  devices: computed<number>('count(*)::int'),
  tasks: computed<number>(openTasksSql('firmware', '$3')),
});

/**
 * Fails for firmware that a device runs, may roll back to or will get. For official firmware the devices and tasks of
 * all companies count.
 */
export async function refuseInUse(
  database: Database,
  path: FirmwarePath,
  { id, version, models }: Firmware | OfficialFirmware,
): Promise<void> {
  const count = () =>
    currentSql().rows(
      used,
      `
        select ${used}
        from device_copy d
        where d.model = any ($1) and ${plain('$2')} in (${plain('d.firmware')}, ${plain('d.previous_firmware')})
      `,
      [models, version, id],
    );
  const [use] = path === 'mine' ? await count() : await platform(database, 'who uses official firmware', count);
  const { devices, tasks } = use!;
  if (devices + tasks > 0) fail('firmware.inUse', { devices, tasks });
}
