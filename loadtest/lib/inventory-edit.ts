import { addDeviceChange, addSite, listDeviceChanges } from '@carillon/contracts';
import { report, runs, spread } from '@carillon/devtools/bench';
import { up } from './instance.ts';
import {
  bareTables,
  closeDatabases,
  copying,
  everywhere,
  fillDevices,
  heardOf,
  modelOf,
  models,
  openDatabases,
  seconds,
  sized,
  until,
  written,
} from './inventory.ts';

const count = sized(20_000);
/** Services that store the site of a device. */
const withSite = ['task', 'notification', 'resource'] as const;

/**
 * Moves 20,000 of 40,000 devices, selected by a filter, to another site. Measures the time until the job is done, and
 * until all five copies have every device. Compared with the same rows of all six databases changed by hand.
 */
export async function editPart(): Promise<void> {
  const instance = await up({ devices: 0 });
  const databases = await openDatabases(instance);
  try {
    const { call } = instance;
    await fillDevices(instance, databases, count * 2);
    const sites: string[] = [];
    for (const name of ['North', 'South']) {
      const body = { name, parentId: null, description: '', segments: '', autoAssign: false };
      const { id } = await call(addSite, { body });
      await heardOf(call, id);
      sites.push(id);
    }
    const filter = { model: Array.from({ length: models / 2 }, (_, n) => modelOf(n)) };
    const { rows } = await databases.device.query<{ id: string }>('select id from device where model = any ($1)', [
      filter.model,
    ]);
    const chosen = rows.map((row) => row.id);
    await bareTables(databases.device, 'device');
    for (const service of copying) await bareTables(databases[service], 'device_copy');
    const [jobs, whole, bare]: number[][] = [[], [], []];
    for (let run = 0; run < runs(); run++) {
      const siteId = sites[run % 2]!;
      const began = performance.now();
      const { id } = await call(addDeviceChange, { body: { target: { filter }, set: { siteId } } });
      const change = async () => (await call(listDeviceChanges)).find((one) => one.id === id)!;
      const done = await until(async () => (await change()).status === 'done');
      const all = await everywhere(databases);
      jobs!.push((done - began) / 1000);
      whole!.push((all - began) / 1000);
      const counted = await change();
      if (counted.done !== count) throw new Error(`${counted.done} of ${count} devices were changed`);
      for (const service of withSite) {
        const sql = 'select count(*)::int as n from device_copy where id = any ($1::uuid[]) and site_id = $2';
        const { n } = (await databases[service].query<{ n: number }>(sql, [chosen, siteId])).rows[0]!;
        if (n !== count) throw new Error(`${service} has ${n} of ${count} devices at their site`);
      }
      bare!.push(
        await seconds(async () => {
          for (const [service, table] of [['device', 'device'], ...copying.map((s) => [s, 'device_copy'])] as const) {
            const hasSite = ['device', ...withSite].includes(service!);
            await databases[service as 'device'].query(
              `
                update floor.${table} set version = version + 1${hasSite ? `, site_id = '${siteId}'` : ''}
                where id = any ($1::uuid[])
              `,
              [chosen],
            );
          }
        }),
      );
    }
    const beside = { name: 'the same rows of six databases, changed by hand', value: spread(bare!).median };
    report(
      { name: `${written(count)} devices edited, the job done`, unit: 's', value: spread(jobs!).median, beside },
      spread(jobs!),
    );
    report(
      { name: '… and every copy has it', unit: 's', value: spread(whole!).median, atMost: 10, beside },
      spread(whole!),
    );
  } finally {
    await closeDatabases(databases);
    instance.down();
  }
}
