// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, getTask, listDevices } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

const count = 3;
let platform: Platform;
let devices: { id: string; mac: string; name: string }[];

beforeAll(async () => {
  platform = await Platform.start({ name: 'pace', devices: count });
  await platform.allOnline(count);
  devices = (await platform.call(listDevices, { query: { sort: 'mac' } })).records;
});
afterAll(() => platform?.close());

const reboots = async (): Promise<number[]> => {
  const effects = await platform.effects();
  return devices.map(({ mac }) => effects.get(mac)?.reduce((sum, e) => sum + e.count, 0) ?? 0);
};

it('a busy device gets its command again after its wait and does it once; the others do it at once', async () => {
  const busy = devices[0]!;
  const before = await reboots();
  await platform.behave([busy.mac], 'busy');
  const { id } = await platform.call(addTask, {
    body: {
      name: 'Zz tried again',
      action: 'reboot',
      target: { ids: devices.map((d) => d.id) },
      pace: { retry: { tries: 10, of: ['busy'], firstSeconds: 5 } },
    },
  });
  await eventually(async () => {
    const at = (await platform.taskDevices(id)).find((d) => d.deviceId === busy.id)!;
    expect(at.tried[0]).toMatchObject({ code: 'busy', message: 'The device was busy' });
  }, 30_000);
  await platform.behave([busy.mac], 'normal');
  await eventually(
    async () =>
      expect(await platform.call(getTask, { params: { id } })).toMatchObject({
        status: 'success',
        counts: { total: count, success: count, fail: 0 },
      }),
    120_000,
  );
  expect(await reboots()).toEqual(before.map((n) => n + 1));
  const rows = await platform.taskDevices(id);
  expect(rows.filter((d) => d.tryNumber > 1).map((d) => d.deviceId)).toEqual([busy.id]);
}, 240_000);

it('a killed process goes on with retries and the spread, and each device acts once', async () => {
  await platform.allOnline(count);
  const before = await reboots();
  const macs = devices.map((d) => d.mac);
  await platform.behave(macs, 'busy');
  const { id } = await platform.call(addTask, {
    body: {
      name: 'Zz spread',
      action: 'reboot',
      target: { ids: devices.map((d) => d.id) },
      pace: { spreadMinutes: 1, retry: { tries: 10, of: ['busy'], firstSeconds: 5 } },
    },
  });
  // One device has answered and waits for its next try, another waits for its place in the spread.
  await eventually(async () => {
    const rows = await platform.taskDevices(id);
    expect(rows.map((d) => d.status)).toEqual(devices.map(() => 'wait'));
    expect(new Set(rows.map((d) => d.tried.length > 0))).toEqual(new Set([true, false]));
  }, 60_000);
  const log = platform.log('standalone');
  platform.kill('standalone');
  await log.line((line) => line['point'] === 'ready', 60_000);
  log.close();
  await platform.allOnline(count);
  await platform.behave(macs, 'normal');
  await eventually(
    async () =>
      expect(await platform.call(getTask, { params: { id } })).toMatchObject({
        status: 'success',
        counts: { total: count, success: count, fail: 0, wait: 0 },
      }),
    180_000,
  );
  expect(await reboots()).toEqual(before.map((n) => n + 1));
  for (const row of await platform.taskDevices(id)) expect(row.tryNumber).toBe(row.tried.length + 1);
}, 300_000);
