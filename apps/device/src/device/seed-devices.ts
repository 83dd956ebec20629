import { columns, companySession, currentSql, Database, transaction } from '@carillon/persistence';
import { Device } from './device.entity.ts';
import { hashOf, insertDevices } from './device.service.ts';

const identified = columns(Device, 'd', ['id', 'mac']);

/** A device of the demo company. */
export interface SeededDevice {
  mac: string;
  name: string;
  model: string;
  sn: string;
  secret: string;
  groupIds?: readonly string[];
}

/**
 * Adds the missing devices of the demo company, 500 per transaction. Returns the ids of all. The caller has stored
 * their secrets for the devices before, so that a start that is killed here leaves no device that cannot connect.
 */
export async function seedDevices(
  database: Database,
  owner: { companyId: string; orgId: string },
  inventory: readonly SeededDevice[],
): Promise<string[]> {
  const known = await transaction(
    database,
    companySession(owner.companyId),
    async () => {
      const rows = await currentSql().rows(identified, `select ${identified} from device d`);
      return new Map(rows.map(({ mac, id }) => [mac, id]));
    },
    { readOnly: true },
  );
  const ids = inventory.flatMap(({ mac }) => known.get(mac) ?? []);
  const all = inventory
    .filter(({ mac }) => !known.has(mac))
    .map(({ secret, ...d }) => ({ ...d, orgId: owner.orgId, secretHash: hashOf(secret) }));
  for (let i = 0; i < all.length; i += 500) {
    const rows = await transaction(database, companySession(owner.companyId), () =>
      insertDevices(owner.companyId, all.slice(i, i + 500)),
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
