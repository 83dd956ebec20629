import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addBaseline,
  addFirmware,
  addFirmwareDelta,
  addTask,
  deleteBaseline,
  deleteFirmware,
  getBaseline,
  getTask,
  getTaskRollback,
  listDevices,
  listTaskDevices,
  resumeTask,
  stopTask,
  listTasks,
  previewTask,
  type DeviceRecord,
} from '@carillon/contracts';
import { eventually, sheetFile } from '@carillon/testing';
import pg from 'pg';
import { Platform } from '@carillon/testing/platform';
import { openBrowser } from './testing/people.ts';

/** Firmware from the file to the device and back, with real downloads of simulated phones. */
const count = 60;
let platform: Platform;
/** Phones of one model that run one version. */
let fleet: DeviceRecord[];
let model: string;
let before: string;

beforeAll(async () => {
  platform = await Platform.start({ name: 'firmware', devices: count });
  await platform.allOnline(count);
  const { records } = await platform.call(listDevices, { query: { limit: 200, sort: 'mac' } });
  const kinds = [...Map.groupBy(records, (d) => `${d.model} ${d.firmware}`).values()];
  fleet = kinds.toSorted((a, b) => b.length - a.length)[0]!;
  model = fleet[0]!.model;
  before = fleet[0]!.firmware!;
});
afterAll(() => platform?.close());

/** Uploads a file like a browser does, by tus in two parts. Returns its id, or the reason of a refusal. */
async function upload(bytes: Buffer, name = 'desk.bin', noun = 'firmware'): Promise<string> {
  const at = await begin(name, bytes.length, noun);
  if (!at.startsWith('/')) return at;
  const half = bytes.length >> 1;
  for (const from of [0, half]) {
    const sent = await fetch(platform.ready.url + at, {
      method: 'PATCH',
      headers: { ...tus(), 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      body: bytes.subarray(from, from === 0 ? half : bytes.length),
    });
    if (!sent.ok) return ((await sent.json()) as { error: string }).error;
  }
  return at.split('/').at(-1)!;
}
const tus = () => ({ 'carillon-auth': platform.authorization, 'tus-resumable': '1.0.0' });
/** Begins an upload. Returns its location, or the reason of a refusal. */
async function begin(name: string, length: number, noun: string): Promise<string> {
  const begun = await fetch(`${platform.ready.url}/api/f/resource/${noun}/upload`, {
    method: 'POST',
    headers: {
      ...tus(),
      'upload-length': String(length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  return begun.ok ? begun.headers.get('location')! : ((await begun.json()) as { error: string }).error;
}
const image = (name: string): Buffer => Buffer.concat([Buffer.from(`\u0001\u0002${name}\u0000`), randomBytes(300_000)]);
const add = async (version: string) =>
  platform.call(addFirmware, {
    body: {
      name: 'Desk',
      version,
      models: [model],
      description: '',
      least: null,
      notice: { whom: 'nobody', at: null },
      upload: await upload(image(version)),
    },
  });
const become = (id: string, like: object) =>
  eventually(async () => expect(await platform.call(getTask, { params: { id } })).toMatchObject(like), 240_000);
/** Rolls a task back in its drawer, which must show `what`. Returns the id of the rollback task. */
async function rollBackInBrowser(id: string, what: string): Promise<string> {
  const { page, close } = await openBrowser(platform);
  try {
    await page.goto(`/task/list?task=${id}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    const dialog = page.getByRole('dialog', { name: 'Roll back To 999' });
    await dialog.getByText(what, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: /^Roll back \d+ devices?$/ }).click();
    await page.waitForURL((url) => ![null, id].includes(url.searchParams.get('task')));
    return new URL(page.url()).searchParams.get('task')!;
  } finally {
    await close();
  }
}
/** Reads rows of the company from a service's database. */
async function rowsOf<Row extends object>(service: string, text: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client({
    host: platform.socket,
    database: `carillon_${service}`,
    user: `carillon_${service}_app`,
    password: platform.databasePassword(service),
  });
  await client.connect();
  try {
    await client.query(`select set_config('app.company_id', $1, false)`, [platform.companyId]);
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
/** Returns the versions that the phones themselves report. */
const running = async (): Promise<string[]> => {
  const all = await platform.devices();
  return fleet.map(({ mac }) => all.find((d) => d.mac === mac)!.firmware);
};
const versions = async (): Promise<(string | null)[]> => {
  const { records } = await platform.call(listDevices, { query: { model: [model], limit: 200, sort: 'mac' } });
  return fleet.map(({ id }) => records.find((d) => d.id === id)!.firmware);
};

it('firmware goes out in stages, a failing stage pauses, and a rollback restores it [STORE-04/checksum]', async () => {
  expect(fleet.length).toBeGreaterThanOrEqual(5);
  const old = await add(before);
  const next = await add('999.0.1');
  // The devices do not answer until the members of the first stage are known.
  const macs = fleet.map((d) => d.mac);
  await platform.behave(macs, 'dead');
  const { id } = await eventually(() =>
    platform.call(addTask, {
      body: {
        name: 'To 999',
        action: 'firmwareUpgrade',
        params: { firmwareId: next.id },
        target: { ids: fleet.map((d) => d.id) },
        rollout: { stages: [50, 100], pauseAt: 5 },
      },
    }),
  );
  const first = await eventually(async () => {
    const { records } = await platform.call(listTaskDevices, { params: { id }, query: { limit: 200 } });
    expect(records.filter((r) => r.status === 'process').length).toBeGreaterThanOrEqual(2);
    return records;
  });
  const broken = fleet.find((d) => d.id === first[0]!.deviceId)!;
  await platform.behave(macs, 'normal');
  await platform.behave([broken.mac], 'broken');
  // Commands without an answer are sent again after the reconnect.
  await platform.simulator('/cut', {});
  // Devices that had begun finish.
  await become(id, { pausedFor: 'failures', counts: { success: first.length - 1, fail: 1 } });
  await become(id, { file: { id: next.id, name: 'Desk', version: '999.0.1' } });
  const rows = (await platform.call(listTaskDevices, { params: { id }, query: { limit: 200 } })).records;
  expect(rows.filter((r) => r.status === 'fail').map((r) => [r.deviceId, r.code, r.message])).toEqual([
    [broken.id, 'checksum', 'The file was damaged on its way'],
  ]);
  const done = new Set(rows.filter((r) => r.status === 'success').map((r) => r.deviceId));
  expect([rows.length, done.size]).toEqual([first.length, first.length - 1]);
  const expected = fleet.map((d) => (done.has(d.id) ? '999.0.1' : before));
  expect(await running()).toEqual(expected);
  await eventually(async () => expect(await versions()).toEqual(expected));
  // Firmware that runs or ran on a device cannot be deleted.
  for (const firmware of [old, next])
    await expect(platform.call(deleteFirmware, { query: { id: firmware.id } })).rejects.toMatchObject({
      error: 'firmware.inUse',
    });

  // Roll back.
  const preview = await platform.call(getTaskRollback, { params: { id }, query: {} });
  expect(preview.versions).toEqual([
    { version: before, model, count: done.size, firmware: { id: old.id, name: 'Desk' }, broken: [] },
  ]);
  const back = await rollBackInBrowser(
    id,
    `${done.size} ${model} ${done.size === 1 ? 'goes' : 'go'} back to ${before}`,
  );
  await become(back, { status: 'success', counts: { total: done.size, success: done.size } });
  expect(await running()).toEqual(fleet.map(() => before));

  // Resume the rest of the first task.
  await platform.behave([broken.mac], 'normal');
  await platform.allOnline(count);
  await platform.call(resumeTask, { params: { id } });
  await eventually(async () => {
    const task = await platform.call(getTask, { params: { id } });
    expect([task.endedAt !== null, task.counts.fail, task.counts.wait]).toEqual([true, 1, 0]);
  }, 240_000);
  expect(await running()).toEqual(fleet.map((d) => (first.some((r) => r.deviceId === d.id) ? before : '999.0.1')));
});

it(
  'a task with automatic rollback restores its devices when it pauses by itself [TASK-08/rollback]',
  { tags: 'slow' },
  async () => {
    await platform.allOnline(count);
    const had = await running();
    const next = await add('999.0.9');
    const [good, bad] = [fleet[0]!, fleet[1]!];
    await platform.behave([bad.mac], 'broken');
    const { id } = await eventually(() =>
      platform.call(addTask, {
        body: {
          name: 'To 999.0.9',
          action: 'firmwareUpgrade',
          params: { firmwareId: next.id },
          target: { ids: fleet.map((d) => d.id) },
          rollout: { stages: [99, 100], pauseAt: 1, rollback: true },
        },
      }),
    );
    await become(id, { pausedFor: 'failures', counts: { fail: 1, process: 0 } });
    expect((await platform.call(getTask, { params: { id } })).counts.success).toBeGreaterThan(0);
    const backTasks = await eventually(async () => {
      const { records } = await platform.call(listTasks, { query: { search: 'To 999.0.9 →' } });
      expect(records.map((task) => task.endedAt !== null)).toEqual(
        [...new Set(had.filter((version, n) => version !== undefined && fleet[n] !== bad))].map(() => true),
      );
      return records;
    }, 240_000);
    for (const task of backTasks) expect(task).toMatchObject({ status: 'success' });
    expect(await running()).toEqual(had);
    await platform.behave([bad.mac], 'normal');
    await platform.call(stopTask, { params: { id } });
    expect(had).toContain(await eventually(async () => (await running())[fleet.indexOf(good)]));
  },
);

it('a delta package goes to devices of its base version, and the others load the whole file [STORE-02]', async () => {
  const refused = async (bytes: Buffer, name: string) => upload(bytes, name, 'firmwareDelta');
  const zip = sheetFile([
    ['what', 'changed'],
    ...Array.from({ length: 500 }, (_, n) => [n, randomBytes(9).toString('hex')]),
  ]);
  for (const name of ['delta.bin', 'delta.img', 'delta.z', 'delta'])
    expect(await refused(zip, name), name).toBe('file.typeWrong');
  expect(await refused(image('no archive'), 'delta.zip')).toBe('upload.contentWrong');
  expect(await begin('delta.zip', 900 * 1_048_576 + 1, 'firmwareDelta')).toBe('file.tooLarge');
  const largest = await begin('delta.zip', 900 * 1_048_576, 'firmwareDelta');
  expect(largest).toMatch(/^\/api\//);
  await fetch(platform.ready.url + largest, { method: 'DELETE', headers: tus() });

  await platform.allOnline(count);
  const had = await running();
  const from = '999.0.1';
  expect(new Set(had)).toEqual(new Set([before, from]));
  const next = await add('999.0.2');
  const delta = await platform.call(addFirmwareDelta, {
    body: { firmwareId: next.id, from, upload: await upload(zip, 'delta.zip', 'firmwareDelta') },
  });
  expect(delta.deltas).toMatchObject([{ from, fileName: 'delta.zip', size: zip.length }]);
  // The task service learns of the package and of the phones' versions a moment later.
  await eventually(async () => {
    const text = `select file -> 'deltas' as deltas from firmware_copy where id = $1`;
    const [known] = await rowsOf<{ deltas: unknown[] }>('task', text, [next.id]);
    expect(known?.deltas).toHaveLength(1);
    const { devices } = await platform.call(previewTask, {
      body: {
        action: 'firmwareUpgrade',
        params: { firmwareId: next.id },
        target: { ids: fleet.map((d) => d.id) },
      },
      query: { limit: 200 },
    });
    expect(fleet.map(({ id }) => devices.records.find((d) => d.deviceId === id)?.firmware)).toEqual(had);
  });
  const { id } = await eventually(() =>
    platform.call(addTask, {
      body: {
        name: 'To 999.0.2',
        action: 'firmwareUpgrade',
        params: { firmwareId: next.id },
        target: { ids: fleet.map((d) => d.id) },
      },
    }),
  );
  await become(id, { status: 'success', counts: { success: fleet.length } });
  expect(await running()).toEqual(fleet.map(() => '999.0.2'));

  // The store records which bytes each device loaded.
  const rows = await rowsOf<{ device: string; delta: boolean }>(
    'resource',
    `
      select d.device_id as device, d.file_id = (f.deltas -> 0 ->> 'id')::uuid as delta
      from firmware f
      join download d on d.file_id in ((f.files -> 0 ->> 'id')::uuid, (f.deltas -> 0 ->> 'id')::uuid)
      where f.id = $1
    `,
    [next.id],
  );
  expect(
    rows
      .filter((r) => r.delta)
      .map((r) => r.device)
      .toSorted(),
  ).toEqual(
    fleet
      .filter((_, n) => had[n] === from)
      .map((d) => d.id)
      .toSorted(),
  );
  expect(rows).toHaveLength(fleet.length);
});

it('a baseline brings its version to every phone of its model [STORE-07/simulated]', async () => {
  const next = await add('999.1');
  const { id } = await eventually(() =>
    platform.call(addBaseline, {
      body: {
        name: 'Desks',
        firmwareId: next.id,
        model,
        siteId: null,
        groupId: null,
        active: true,
        from: null,
        to: null,
        timeZone: null,
      },
    }),
  );
  await eventually(async () => expect(await running()).toEqual(fleet.map(() => '999.1')), 240_000);
  await eventually(async () =>
    expect((await platform.call(getBaseline, { params: { id } })).counts).toMatchObject({
      onVersion: fleet.length,
      behind: 0,
      stuck: 0,
    }),
  );
  await expect(platform.call(deleteFirmware, { query: { id: next.id } })).rejects.toMatchObject({
    error: 'firmware.inUse',
  });
  await platform.call(deleteBaseline, { query: { id } });
});
