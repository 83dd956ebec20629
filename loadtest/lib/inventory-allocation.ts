import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import {
  allocateChannelOrders,
  allocateDevices,
  createClient,
  listChannelOrders,
  listDevices,
  listOrderChannels,
  makeDevicesOfOrders,
  takeBackChannelOrders,
  type Client,
} from '@carillon/contracts';
import { report, runs, spread } from '@carillon/devtools/bench';
import { addActiveChannel } from '@carillon/testing/active-channel';
import { logIn, type Ready } from '@carillon/testing/platform';
import { up, type Instance } from './instance.ts';
import {
  bareTables,
  closeDatabases,
  copying,
  everywhere,
  openDatabases,
  ownerOf,
  seconds,
  sized,
  until,
  watchTotal,
  written,
  type Databases,
} from './inventory.ts';

const count = sized(10_000);
const order = 'PO-1';
const child = '0190c000-0000-7000-8000-00000000c41d';

/**
 * 10,000 devices go to a channel: first stock lines, then devices of the list, which end with it. Measures the time
 * until everything is committed, and from there until the receiver's list has all, the giver's has none, and no service
 * has a copy left. Both lists are read all the time and must never show only a part. Compared with the same rows
 * changed by hand in one transaction.
 */
export async function allocationPart(): Promise<void> {
  const instance = await up({ devices: 0 });
  const databases = await openDatabases(instance);
  try {
    const { call } = instance;
    const channel = await addActiveChannel(call, 'Receiver', 'receiver.chief');
    const receiver = await clientOf(instance, channel);
    await until(async () => (await call(listOrderChannels)).some(({ id }) => id === channel.id));
    await fillStock(instance, databases.device);
    const takeBack = () =>
      call(takeBackChannelOrders, { body: { target: { filter: { status: ['assigned'] } }, confirmed: true } });

    await bareTables(databases.device, 'channel_order', 'mac_owner', 'custody');
    const stock: Taken = { commit: [], seen: [], bare: [] };
    for (let run = 0; run < runs(); run++) {
      await handOver(
        stock,
        receiver,
        () => totalOfFree(call),
        async () => {
          const body = { target: { first: count }, channelId: channel.id };
          return (await call(allocateChannelOrders, { body })).allocated;
        },
      );
      stock.bare.push(await seconds(() => bareHandover(databases.device, ownerOf(instance).companyId, false)));
      await takeBack();
    }

    const devices: Taken & { gone: number[] } = { commit: [], seen: [], bare: [], gone: [] };
    for (let run = 0; run < runs(); run++) {
      await call(makeDevicesOfOrders, { body: { target: { first: count }, name: 'Phone {n}' } });
      await everywhere(databases);
      await bareTables(databases.device, 'channel_order', 'mac_owner', 'custody', 'device');
      for (const service of copying) await bareTables(databases[service], 'device_copy');
      const committed = await handOver(
        devices,
        receiver,
        () => totalOfDevices(call),
        async () => {
          const body = { target: { filter: {} }, channelId: channel.id };
          return (await call(allocateDevices, { body })).allocated;
        },
      );
      devices.gone.push(Math.max(0, (await nowhere(databases)) - committed) / 1000);
      devices.bare.push(
        await seconds(async () => {
          await bareHandover(databases.device, ownerOf(instance).companyId, true);
          for (const service of copying) await databases[service].query('delete from floor.device_copy');
        }),
      );
      await takeBack();
    }

    const beside = (taken: Taken) => ({ name: 'the same rows changed by hand', value: spread(taken.bare).median });
    for (const [what, taken] of [['of stock', stock] as const, ['of the device list', devices] as const]) {
      const name = `${written(count)} devices ${what} given to a channel, all of it committed`;
      report(
        { name, unit: 's', value: spread(taken.commit).median, atMost: 10, beside: beside(taken) },
        spread(taken.commit),
      );
      report(
        {
          name: '… from there until the receiver has all and the giver none in its list',
          unit: 's',
          value: spread(taken.seen).median,
          atMost: 1,
        },
        spread(taken.seen),
      );
    }
    report(
      {
        name: '… and until none of the five services that copy devices has one of them',
        unit: 's',
        value: spread(devices.gone).median,
        atMost: 1,
      },
      spread(devices.gone),
    );
  } finally {
    await closeDatabases(databases);
    instance.down();
  }
}

interface Taken {
  commit: number[];
  seen: number[];
  bare: number[];
}

/** Hands over once with both lists open. Returns the time of the answer, when it was committed. */
async function handOver(
  taken: Taken,
  receiver: Client,
  giverHas: () => Promise<number>,
  give: () => Promise<number>,
): Promise<number> {
  const lists = [
    { watched: watchTotal(() => totalOfFree(receiver)), before: 0, after: count },
    { watched: watchTotal(giverHas), before: count, after: 0 },
  ];
  try {
    await until(() => lists.every(({ watched, before }) => watched.last() === before), 10);
    const began = performance.now();
    const allocated = await give();
    const committed = performance.now();
    if (allocated !== count) throw new Error(`${allocated} of ${count} devices were given`);
    await until(() => lists.every(({ watched, after }) => watched.last() === after), 5);
    const all = await Promise.all(lists.map(({ watched }) => watched.stop()));
    const firsts = all.map((seen, at) => seen.find(({ total }) => total === lists[at]!.after)!.at);
    for (const [at, seen] of all.entries()) {
      const part = seen.find(({ total }) => total !== lists[at]!.before && total !== lists[at]!.after);
      if (part) throw new Error(`a list had ${part.total} of ${count} devices`);
    }
    taken.commit.push((committed - began) / 1000);
    taken.seen.push(Math.max(0, ...firsts.map((at) => at - committed)) / 1000);
    return committed;
  } finally {
    await Promise.all(lists.map(({ watched }) => watched.stop()));
  }
}

/** Returns the time at which no copy has a device. */
async function nowhere(databases: Databases): Promise<number> {
  const none = async (service: (typeof copying)[number]) =>
    (await databases[service].query('select 1 from device_copy limit 1')).rowCount === 0;
  return Math.max(...(await Promise.all(copying.map((service) => until(() => none(service), 20)))));
}

const totalOfFree = async (call: Client): Promise<number> =>
  (await call(listChannelOrders, { query: { status: ['unassigned'], limit: 20 } })).total;
const totalOfDevices = async (call: Client): Promise<number> =>
  (await call(listDevices, { query: { limit: 20 } })).total;

async function clientOf(instance: Instance, admin: Ready['admin']): Promise<Client> {
  const { client } = JSON.parse(readFileSync(join(instance.data, 'secrets.json'), 'utf8')) as Pick<Ready, 'client'>;
  const session = await logIn({ url: instance.url, mqtt: '', admin, client });
  return createClient({ baseUrl: instance.url, headers: () => ({ 'carillon-auth': `bearer ${session}` }) });
}

/** Inserts the lines of an order like its import does. */
async function fillStock(instance: Instance, device: pg.Client): Promise<void> {
  const { companyId } = ownerOf(instance);
  const macs = `(select '0c383e' || lpad(to_hex(n), 6, '0') as mac from generate_series(1, ${count}) n) m`;
  await device.query(
    `insert into mac_owner (mac, company_id, proof, epoch, since) select mac, $1, 'order', 1, now() from ${macs}`,
    [companyId],
  );
  await device.query(
    `
      insert into channel_order (id, company_id, mac, model, order_name, source, status, in_at)
      select gen_random_uuid(), $1, mac, 'X7A', $2, 'import', 'unassigned', now()
      from ${macs}
    `,
    [companyId, order],
  );
  await device.query(
    `insert into custody (id, company_id, mac, step, at) select gen_random_uuid(), $1, mac, 'in', now() from ${macs}`,
    [companyId],
  );
  for (const table of ['mac_owner', 'channel_order', 'custody']) await device.query(`vacuum analyze ${table}`);
}

/** Writes the minimum of a handover; the next one starts from the same state. */
async function bareHandover(client: pg.Client, companyId: string, withDevices: boolean): Promise<void> {
  await client.query('begin');
  const { rows } = await client.query<{ mac: string }>('select mac from floor.mac_owner order by mac for update');
  const macs = rows.map((row) => row.mac);
  if (withDevices) await client.query('delete from floor.device where mac = any ($1::text[])', [macs]);
  await client.query(
    `
      update floor.channel_order
      set status = 'assigned', assigned_at = now(), receiver_id = $2, receiver = 'Receiver', device_id = null
      where mac = any ($1::text[])
    `,
    [macs, child],
  );
  await client.query(
    'update floor.mac_owner set company_id = $2, epoch = epoch + 1, since = now() where mac = any ($1::text[])',
    [macs, child],
  );
  await client.query(
    `
      insert into floor.channel_order (id, company_id, mac, model, order_name, source, from_name, status, in_at)
      select gen_random_uuid(), $2, mac, model, '', 'company', 'Giver', 'unassigned', now()
      from floor.channel_order
      where mac = any ($1::text[])
    `,
    [macs, child],
  );
  for (const [id, step] of [[companyId, 'given'] as const, [child, 'received'] as const])
    await client.query(
      `
        insert into floor.custody (id, company_id, mac, step, other_name, at)
        select gen_random_uuid(), $2, m, $3, 'Other', now()
        from unnest($1::text[]) m
      `,
      [macs, id, step],
    );
  await client.query('commit');
  await client.query('delete from floor.channel_order where company_id = $1', [child]);
}
