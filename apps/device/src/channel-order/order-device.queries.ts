import { currentSql } from '@carillon/persistence';

/*
 * A line of an order knows which device of the company was made of it: what is free is counted without looking into
 * organizations that the reader may not see.
 */

/** No join: PostgreSQL would look through all lines for each of many devices that it has not counted (docs/adr/0007). */
export async function noteDevices(devices: readonly { id: string; mac: string }[]): Promise<void> {
  if (devices.length === 0) return;
  await currentSql().query(
    `
      update channel_order o
      set device_id = ($1::jsonb ->> o.mac)::uuid
      where o.mac = any ($2::text[]) and o.status = 'unassigned'
    `,
    [JSON.stringify(Object.fromEntries(devices.map((d) => [d.mac, d.id]))), devices.map((d) => d.mac)],
  );
}

export async function forgetOrderDevices(ids: readonly string[]): Promise<void> {
  await currentSql().query('update channel_order o set device_id = null where o.device_id = any ($1::uuid[])', [ids]);
}
