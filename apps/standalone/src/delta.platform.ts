// @module-tag slow
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addFirmware,
  addTask,
  getFirmware,
  getTask,
  listDevices,
  makeFirmwareDelta,
  type DeviceRecord,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import pg from 'pg';

/** Differential packages from the product to simulated phones that apply them. */
const count = 24;
let platform: Platform;
/** A phone that announces the format once it has an image, and a device that never does. */
let phone: DeviceRecord;
let door: DeviceRecord;

beforeAll(async () => {
  platform = await Platform.start({ name: 'delta', devices: count });
  await platform.allOnline(count);
  const { records } = await platform.call(listDevices, { query: { limit: 200, sort: 'mac' } });
  const isDoor = (d: DeviceRecord) => d.capabilities.includes('doorControl');
  phone = records.find((d) => !isDoor(d))!;
  door = records.find(isDoor)!;
});
afterAll(() => platform?.close());

async function upload(bytes: Buffer): Promise<string> {
  const tus = { 'carillon-auth': platform.authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${platform.ready.url}/api/f/resource/firmware/upload`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from('desk.bin').toString('base64')}`,
    },
  });
  const at = begun.headers.get('location')!;
  const sent = await fetch(platform.ready.url + at, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(sent.status).toBe(204);
  return at.split('/').at(-1)!;
}
const add = async (version: string, ...parts: Buffer[]) =>
  platform.call(addFirmware, {
    body: {
      name: 'Desk',
      version,
      models: [phone.model, door.model],
      description: '',
      least: null,
      notice: { whom: 'nobody', at: null },
      upload: await upload(Buffer.concat([Buffer.from([0, 1, 2]), ...parts])),
    },
  });
const madeFrom = (id: string, from: string, withinMs: number) =>
  eventually(async () => {
    const found = await platform.call(getFirmware, { params: { id } });
    expect(found.deltas).toMatchObject([{ from, format: 'zstd-windows' }]);
    expect(found.deltaOrders).toEqual([]);
    return found.deltas[0]!;
  }, withinMs);
/** Upgrades both. Returns the simulator's records of them. */
async function upgrade(firmwareId: string, name: string) {
  const { id } = await eventually(() =>
    platform.call(addTask, {
      body: {
        name,
        action: 'firmwareUpgrade',
        params: { firmwareId },
        target: { ids: [phone.id, door.id] },
      },
    }),
  );
  await eventually(
    async () =>
      expect(await platform.call(getTask, { params: { id } })).toMatchObject({
        status: 'success',
        counts: { success: 2 },
      }),
    60_000,
  );
  const all = await platform.devices();
  return [phone, door].map(({ mac }) => all.find((d) => d.mac === mac)!);
}

it('a phone that announces the delta format is upgraded by a package, another one by the whole file', async () => {
  const shared = randomBytes(4_000_000);
  const old = await add('999.1', shared);
  await upgrade(old.id, 'To 999.1');
  await platform.allOnline(count);
  // The platform must have received the hellos.
  await eventually(async () => {
    const { records } = await platform.call(listDevices, { query: { limit: 200 } });
    const says = (id: string) => records.find((d) => d.id === id)!.capabilities.includes('delta.zstd-windows');
    expect([says(phone.id), says(door.id)]).toEqual([true, false]);
  });

  const next = await add('999.2', randomBytes(5_000), shared);
  await platform.call(makeFirmwareDelta, { body: { firmwareId: next.id, fromId: old.id } });
  const delta = await madeFrom(next.id, '999.1', 60_000);
  expect(delta.size).toBeLessThan(next.size / 100);
  const [upgraded, other] = await upgrade(next.id, 'To 999.2');
  expect(upgraded).toMatchObject({ firmware: '999.2', image: next.sha256 });
  expect(other).toMatchObject({ firmware: '999.2' });

  // The store records which bytes each device loaded.
  const store = new pg.Client({
    host: platform.socket,
    database: 'carillon_resource',
    user: 'carillon_resource_app',
    password: platform.databasePassword('resource'),
  });
  await store.connect();
  try {
    await store.query(`select set_config('app.company_id', $1, false)`, [platform.companyId]);
    const { rows } = await store.query<{ device: string; size: string }>(
      `
        select d.device_id as device, s.size
        from firmware f
        join download d on d.file_id in ((f.files -> 0 ->> 'id')::uuid, (f.deltas -> 0 ->> 'id')::uuid)
        join stored_file s on s.id = d.file_id
        where f.id = $1
      `,
      [next.id],
    );
    expect(Object.fromEntries(rows.map(({ device, size }) => [device, Number(size)]))).toEqual({
      [phone.id]: delta.size,
      [door.id]: next.size,
    });
    expect(rows).toHaveLength(2);
  } finally {
    await store.end();
  }
});

it('a package whose process is killed is made once by the next process', async () => {
  const shared = randomBytes(24_000_000);
  const old = await add('998.1', shared);
  const next = await add('998.2', randomBytes(1_000_000), shared);
  await platform.call(makeFirmwareDelta, { body: { firmwareId: next.id, fromId: old.id } });
  await eventually(async () =>
    expect((await platform.call(getFirmware, { params: { id: next.id } })).deltaOrders).toMatchObject([
      { state: 'making' },
    ]),
  );
  platform.kill('standalone');
  const delta = await madeFrom(next.id, '998.1', 120_000);
  expect(delta.size).toBeGreaterThan(1_000_000);
  expect(delta.size).toBeLessThan(1_100_000);
});
