import { currentSql } from '@carillon/persistence';

/*
 * An order line stores the id of the company's device with its MAC, so that free lines can be counted without reading
 * organizations that the caller may not see.
 */

/**
 * Stores the ids of new devices in their order lines. Without a join: on a table that was not analyzed PostgreSQL would
 * scan all lines for each device (docs/adr/0007).
 */
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
