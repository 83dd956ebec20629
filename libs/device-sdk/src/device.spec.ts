import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommandLog, Device, type DeviceOptions } from './index.ts';
import { TestPlatform } from './test-platform.ts';

const mac = '0c383e000001';
let folder: string;
let platform: TestPlatform;
let devices: Device[] = [];

beforeEach(async () => { folder = await mkdtemp(path.join(tmpdir(), 'device-')); platform = await TestPlatform.start({ port: 0 }); });
afterEach(async () => {
  for (const device of devices.splice(0)) device.stop();
  await platform.stop();
  await rm(folder, { recursive: true });
});

async function start(options: Partial<DeviceOptions> = {}): Promise<Device> {
  const log = await CommandLog.open(path.join(folder, 'commands.log'));
  const device = new Device({
    url: platform.url, mac, secret: 's', store: log.of(mac), describe: () => ({ model: 'X6U', sn: 'SN1', firmware: '2.12', ip: '10.0.0.1' }),
    actions: { reboot: async (_args, body, answer) => { await answer({ status: 'accepted' }); await answer({ status: 'success' }); body.restart('reboot'); } }, ...options,
  });
  devices.push(device);
  await device.start();
  await device.ready();
  return device;
}

describe('a device', () => {
  it('is rebooted once and says so in its next hello', async () => {
    await start();
    expect(platform.received[0]).toMatchObject({ kind: 'hello', payload: { boot: 'power', capabilities: ['reboot'] } });
    const id = platform.send(mac);
    await platform.next((r) => r.payload.boot === 'reboot');
    expect(platform.answers(id).map((a) => a.status)).toEqual(['accepted', 'success']);
  });
});
