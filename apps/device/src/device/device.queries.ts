import type { DeviceRecord } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { found } from '@carillon/service';
import { offeredSite } from '../site/site.service.ts';
import { deviceRecord } from './device-list.queries.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns a device by its id, or by its MAC in any spelling (DEV-03). */
export async function deviceByIdOrMac(key: string): Promise<DeviceRecord> {
  const hex = key.replace(/[:-]/g, '').toLowerCase();
  const byId = uuid.test(key);
  if (!byId && !/^[0-9a-f]{12}$/.test(hex)) found(null, 'device.macNotFound');
  const [row] = await currentSql().rows(
    deviceRecord,
    `select ${deviceRecord} from device d where ${byId ? 'd.id' : 'd.mac'} = $1`,
    [byId ? key : hex],
  );
  const device = found(row, byId ? 'common.notFound' : 'device.macNotFound');
  return { ...device, offeredSite: await offeredSite(device.id) };
}
