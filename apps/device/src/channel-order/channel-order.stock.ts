import { mostOrders } from '@carillon/contracts/constants';
import { type ChannelOrderRecord } from '@carillon/contracts';
import { columns, computed, currentDatabase, currentSql, platform, type RowOf } from '@carillon/persistence';
import { emitLive, fail } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { Device } from '../device/device.entity.ts';
import { claimMacs, displace, freeMacs } from '../mac-owner/mac-owner.queries.ts';
import type { DisputeProof } from '../mac-owner/mac-owner.entity.ts';
import { ChannelOrder } from './channel-order.entity.ts';
import { noteSteps } from './custody.queries.ts';
import { endDisplaced } from './displaced.ts';

export interface NewOrder {
  mac: string;
  model: string;
  order: string;
}

const written = columns(ChannelOrder, 'o', ['id', 'mac']);
const named = columns(Device, 'd', ['mac', 'model']);
const gone = columns(ChannelOrder, 'o', ['id', 'mac', 'status', 'source', 'deviceId'], {
  row: computed<object>('to_jsonb(o)'),
});

/**
 * Inserts order lines of the own company and claims their MACs. MACs that a subsidiary typed and never had online move
 * to it; MACs of any other company are missing in the result and need a decision of the super administrator.
 */
export async function insertOrders(
  orders: readonly NewOrder[],
  source: ChannelOrderRecord['source'],
): Promise<RowOf<typeof written>[]> {
  if (orders.length === 0) return [];
  const { companyId } = context();
  const macs = orders.map((order) => order.mac);
  await platform(currentDatabase(), 'an order outranks what was typed below', async () => {
    await endDisplaced(await displace(companyId, macs, 'order'));
  });
  const own = await claimMacs(companyId, macs, 'order');
  const rows = await currentSql().rows(
    written,
    `
      insert into channel_order as o (
        id, company_id, mac, model, order_name, source, from_name, status, in_at, assigned_at, receiver_id, receiver,
        device_id
      )
      select gen_random_uuid(), $1, x.mac, x.model, x.order, $3, null, 'unassigned', now(), null, null, null, null
      from jsonb_to_recordset($2::jsonb) as x(mac text, model text, "order" text)
      on conflict (company_id, mac) do nothing
      returning ${written}
    `,
    [companyId, JSON.stringify(orders.filter((order) => own.has(order.mac))), source],
  );
  const ids = rows.map((row) => row.id);
  await platform(
    currentDatabase(),
    'a line belongs to the existing device, also when the caller does not see its organization',
    () =>
      currentSql().query(
        `
        update channel_order o
        set device_id = d.id
        from device d
        where o.id = any ($1::uuid[]) and d.mac = o.mac and d.company_id is not distinct from o.company_id
      `,
        [ids],
      ),
  );
  // The company has these MACs now, so its disputes about them are settled.
  await currentSql().query('delete from mac_dispute where mac = any ($1::text[])', [rows.map((row) => row.mac)]);
  await noteSteps(
    companyId,
    rows.map((row) => row.mac),
    'in',
    null,
  );
  await emitLive(companyId, 'channelOrder', ids, null);
  return rows;
}

/** Inserts lines for devices that have none. Returns the MACs of all given devices. */
export async function insertOrdersOf(deviceIds: readonly string[]): Promise<string[]> {
  if (deviceIds.length > mostOrders) fail('channelOrder.tooMany', { most: mostOrders });
  const devices = await currentSql().rows(
    named,
    `select ${named} from device d where d.id = any ($1::uuid[]) order by d.id for update`,
    [deviceIds],
  );
  if (devices.length === 0 || devices.length < new Set(deviceIds).size) fail('common.notFound');
  const macs = devices.map((device) => device.mac);
  const known = new Set(
    (
      await currentSql().rows(written, `select ${written} from channel_order o where o.mac = any ($1::text[])`, [macs])
    ).map((line) => line.mac),
  );
  await insertOrders(
    devices.filter((device) => !known.has(device.mac)).map(({ mac, model }) => ({ mac, model, order: '' })),
    'device',
  );
  return macs;
}

/**
 * Records MACs that the company ordered or claimed but another one has, for the super administrator to settle. A claim
 * with its code counts more than an order of the company itself.
 */
export async function noteDisputes(
  wanted: readonly Pick<NewOrder, 'mac' | 'model'>[],
  proof: DisputeProof = 'order',
): Promise<void> {
  await currentSql().query(
    `
      insert into mac_dispute as m (id, company_id, mac, model, proof, at)
      select gen_random_uuid(), $1, x.mac, x.model, $3, now()
      from jsonb_to_recordset($2::jsonb) as x(mac text, model text)
      on conflict (company_id, mac) do update
        set at = now(), model = excluded.model,
          proof = case when m.proof = 'claim' then m.proof else excluded.proof end
    `,
    [context().companyId, JSON.stringify(wanted), proof],
  );
}

/** Deletes unassigned lines and frees their MACs. Returns the deleted lines. */
export async function removeOrders(ids: readonly string[]) {
  const lines = await currentSql().rows(
    gone,
    `select ${gone} from channel_order o where o.id = any ($1::uuid[]) order by o.mac for update`,
    [ids],
  );
  if (lines.length === 0) fail('common.notFound');
  const count = (matches: (line: (typeof lines)[number]) => boolean) => lines.filter(matches).length;
  const assigned = count((line) => line.status === 'assigned');
  if (assigned > 0) fail('channelOrder.assigned', { count: assigned });
  const fromAbove = count((line) => line.source === 'company');
  if (fromAbove > 0) fail('channelOrder.fromAbove', { count: fromAbove });
  const devices = count((line) => line.deviceId !== null);
  if (devices > 0) fail('channelOrder.hasDevice', { count: devices });
  await currentSql().query('delete from channel_order o where o.id = any ($1::uuid[])', [lines.map((l) => l.id)]);
  await freeMacs(
    context().companyId,
    lines.map((line) => line.mac),
  );
  return lines;
}
