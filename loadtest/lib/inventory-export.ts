import { addDeviceExport, deleteDeviceExport, getDeviceExport, getDeviceExportFile } from '@carillon/contracts';
import { report, runs, spread } from '@carillon/devtools/bench';
import { pss, up, type Instance } from './instance.ts';
import {
  closeDatabases,
  fillDevices,
  modelOf,
  openDatabases,
  pause,
  seconds,
  sized,
  until,
  written,
  type Databases,
} from './inventory.ts';

const count = sized(200_000);
const keys = [
  'state',
  'name',
  'model',
  'mac',
  'sn',
  'site',
  'sipServer',
  'groups',
  'tags',
  'lines',
  'firmware',
  'internalIp',
  'publicIp',
  'lastOnlineAt',
  'createdAt',
] as const;
const columns = keys.map((key) => ({ key, title: key }));

/**
 * Exports 200,000 devices with their columns. Measures the rows per second and the memory growth of the product's
 * process, which must equal that of a file of a tenth when nothing is buffered. Then fetches the file. Compared with
 * reading the same rows by a cursor.
 */
export async function exportPart(): Promise<void> {
  const instance = await up({ devices: 0 });
  const databases = await openDatabases(instance);
  try {
    await fillDevices(instance, databases, count);
    const [speed, bare, halves, grown, tenth, loads, loadGrown, size]: number[][] = [[], [], [], [], [], [], [], []];
    // What the first file loads stays in memory.
    await write(instance, { model: [modelOf(0)] }, count / 10);
    for (let run = 0; run < runs(); run++) {
      tenth!.push((await write(instance, { model: [modelOf(run)] }, count / 10)).grown);
      const file = await write(instance, {}, count);
      speed!.push(count / file.seconds);
      grown!.push(file.grown);
      halves!.push(file.halves);
      const loaded = await load(instance, file.id);
      loads!.push(loaded.bytes / loaded.seconds / 1_048_576);
      size!.push(loaded.bytes / 1_048_576);
      loadGrown!.push(loaded.grown);
      await instance.call(deleteDeviceExport, { params: { id: file.id } });
      bare!.push(count / (await seconds(() => readAll(databases))));
    }
    report(
      {
        name: `a file of ${written(count)} devices`,
        unit: 'rows a second',
        value: spread(speed!).median,
        beside: { name: 'the same rows read by a cursor', value: spread(bare!).median },
      },
      spread(speed!),
    );
    report(
      {
        name: 'memory that it grew by at most',
        unit: 'MB',
        value: spread(grown!).median,
        beside: { name: 'for a file of a tenth', value: spread(tenth!).median },
      },
      spread(grown!),
    );
    report(
      { name: 'memory of its second half over the first', unit: '', value: spread(halves!).median, atMost: 1.15 },
      spread(halves!),
    );
    report(
      { name: `the file of ${spread(size!).median.toFixed(1)} MB fetched`, unit: 'MB/s', value: spread(loads!).median },
      spread(loads!),
    );
    report(
      {
        name: 'memory that this grew by at most',
        unit: 'MB',
        value: spread(loadGrown!).median,
        beside: { name: 'the file', value: spread(size!).median },
      },
      spread(loadGrown!),
    );
  } finally {
    await closeDatabases(databases);
    instance.down();
  }
}

/** Watches the memory of the product's process from now on: its maximum in each half of the work. */
function watchMemory(instance: Instance, half: () => 0 | 1) {
  const { pid } = instance.processes().find(({ name }) => name === 'standalone')!;
  const idle = pss(pid);
  const most: [number, number] = [idle, idle];
  const look = (): void => {
    most[half()] = Math.max(most[half()], pss(pid));
  };
  const timer = setInterval(look, 200);
  return {
    end() {
      clearInterval(timer);
      look();
      return { grown: Math.max(...most) - idle, halves: most[1] / most[0] };
    },
  };
}

async function write(instance: Instance, filter: { model?: string[] }, rows: number) {
  const { call } = instance;
  let done = 0;
  await pause(1_000);
  const memory = watchMemory(instance, () => (done < rows / 2 ? 0 : 1));
  const began = performance.now();
  const { id } = await call(addDeviceExport, { body: { filter, columns } });
  const ended = await until(async () => {
    const file = await call(getDeviceExport, { params: { id } });
    done = file.done;
    if (file.status === 'fail') throw new Error('the file could not be written');
    return file.status === 'success';
  }, 100);
  if (done !== rows) throw new Error(`${done} of ${rows} devices are in the file`);
  return { id, seconds: (ended - began) / 1000, ...memory.end() };
}

async function load(instance: Instance, id: string) {
  const memory = watchMemory(instance, () => 0);
  const began = performance.now();
  const answer = await fetch(instance.url + getDeviceExportFile.path.replace('{id}', id), {
    headers: instance.headers,
  });
  if (!answer.ok) throw new Error(`the file was answered ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body!) bytes += (piece as Uint8Array).length;
  return { bytes, seconds: (performance.now() - began) / 1000, ...memory.end() };
}

/** Reads all that the file contains, from the plain table. */
async function readAll({ device }: Databases): Promise<void> {
  await device.query('begin read only');
  await device.query(`
    declare c no scroll cursor for
    select id, state, name, model, mac, sn, site_id, server_id, group_ids, tags, lines, firmware, internal_ip,
      public_ip, last_online_at, created_at
    from device
    order by name, id
  `);
  let rows = 0;
  for (let read = 1; read > 0; rows += read) read = (await device.query('fetch 1000 from c')).rows.length;
  await device.query('commit');
  if (rows !== count) throw new Error(`the floor read ${rows} of ${count} rows`);
}
