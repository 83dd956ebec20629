import { addDeviceGroup, editDeviceGroup } from '@carillon/contracts';
import { report, runs, spread } from '@carillon/devtools/bench';
import { up } from './instance.ts';
import {
  bareTables,
  closeDatabases,
  everywhere,
  fillDevices,
  modelOf,
  openDatabases,
  seconds,
  sized,
  until,
  written,
} from './inventory.ts';

const count = sized(200_000);

/**
 * Changes the rule of a group to another model, with 200,000 devices: a tenth leaves, another joins. Measures the time
 * until all devices were tested, and until every copy has the members. Compared with the same rows of the device
 * service and the task service, which targets groups, changed by hand.
 */
export async function groupPart(): Promise<void> {
  const instance = await up({ devices: 0 });
  const databases = await openDatabases(instance);
  try {
    const { call } = instance;
    await fillDevices(instance, databases, count);
    const named = { name: 'By rule', description: '' };
    const { id } = await call(addDeviceGroup, { body: { ...named, rule: { model: [modelOf(0)] } } });
    const looking = 'select 1 from device_group_pass where id = $1';
    const passed = () => until(async () => (await databases.device.query(looking, [id])).rowCount === 0);
    await passed();
    await everywhere(databases);
    await bareTables(databases.device, 'device');
    await bareTables(databases.task, 'device_copy');
    const wrong = '(model = $1) <> ($2::uuid = any (group_ids))';
    const [passes, whole, bare]: number[][] = [[], [], []];
    for (let run = 0; run < runs(); run++) {
      const model = modelOf(run + 1);
      const began = performance.now();
      await call(editDeviceGroup, { body: { id, ...named, rule: { model: [model] } } });
      const done = await passed();
      const all = await everywhere(databases);
      passes!.push((done - began) / 1000);
      whole!.push((all - began) / 1000);
      for (const [client, table] of [[databases.device, 'device'] as const, [databases.task, 'device_copy'] as const]) {
        const sql = `select count(*) filter (where ${wrong})::int as n from ${table}`;
        const { n } = (await client.query<{ n: number }>(sql, [model, id])).rows[0]!;
        if (n > 0) throw new Error(`${n} devices of ${table} are wrongly in or out of the group`);
      }
      bare!.push(
        await seconds(async () => {
          for (const [client, table] of [
            [databases.device, 'device'] as const,
            [databases.task, 'device_copy'] as const,
          ])
            await client.query(
              `
                update floor.${table}
                set version = version + 1, group_ids = case
                    when model = $1 then array_append(group_ids, $2::uuid)
                    else array_remove(group_ids, $2::uuid)
                  end
                where ${wrong}
              `,
              [model, id],
            );
        }),
      );
    }
    const beside = { name: 'the same rows changed by hand', value: spread(bare!).median };
    report(
      {
        name: `a new rule over ${written(count)} devices, all looked through`,
        unit: 's',
        value: spread(passes!).median,
        atMost: 30,
        beside,
      },
      spread(passes!),
    );
    report(
      { name: '… and every copy has the members', unit: 's', value: spread(whole!).median, atMost: 30, beside },
      spread(whole!),
    );
  } finally {
    await closeDatabases(databases);
    instance.down();
  }
}
