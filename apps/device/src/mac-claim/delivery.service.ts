import { Injectable } from '@nestjs/common';
import { columns, currentSql } from '@carillon/persistence';
import { auditNote, emitLive, fail } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { DeliveredDevice } from './delivered-device.entity.ts';

const chosen = columns(DeliveredDevice, 'd', ['id', 'mac', 'claimedAt']);

/** Maintains the devices of the makers' delivery lists. */
@Injectable()
export class DeliveryService {
  /**
   * Deletes devices that no company has claimed. Throws `device.deliveryClaimed` when one is claimed, because its used
   * code must stay used.
   */
  async remove(ids: readonly string[]): Promise<{ deleted: number }> {
    const sql = `select ${chosen} from delivered_device d where d.id = any ($1::uuid[]) order by d.mac for update`;
    const devices = await currentSql().rows(chosen, sql, [ids]);
    if (devices.length < new Set(ids).size) fail('common.notFound');
    const claimed = devices.filter(({ claimedAt }) => claimedAt !== null).length;
    if (claimed > 0) fail('device.deliveryClaimed', { count: claimed });
    await currentSql().query('delete from delivered_device d where d.id = any ($1::uuid[])', [ids]);
    auditNote({
      ...(devices.length === 1 ? { objectId: devices[0]!.id } : {}),
      detail: { count: devices.length, devices: devices.slice(0, 100).map(({ mac }) => ({ mac })) },
    });
    await emitLive(context().companyId, 'delivery', ids, null);
    return { deleted: devices.length };
  }
}
