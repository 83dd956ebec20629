import { columns, preparedSql } from '@carillon/persistence';
import { DeviceCopy } from '../sip-account/sip-account.entity.ts';

const holder = columns(DeviceCopy, 'd', ['id', 'companyId', 'mac']);

/**
 * Returns the devices that have these MACs in the whole installation, by MAC: of several, that of the last owner. Call
 * inside of `platform()`.
 */
export async function holdersOf(
  macs: readonly string[],
): Promise<ReadonlyMap<string, { id: string; companyId: string }>> {
  if (macs.length === 0) return new Map();
  const found = await preparedSql().rows(
    holder,
    `
      select distinct on (d.mac) ${holder}
      from device_copy d
      where d.mac = any($1::text[]) and d.enabled
      order by d.mac, d.owner_epoch desc, d.id
    `,
    [macs],
  );
  return new Map(found.map(({ mac, ...one }) => [mac, one]));
}
