// @module-tag slow
import { closeSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDevice, CallError, countDevices, listDevices } from '@carillon/contracts';
import { deadTopic, PostgresBus } from '@carillon/messaging';
import { eventually, devicePlace } from '@carillon/testing';
import { carillon, Platform } from '@carillon/testing/platform';
import { Reporters } from './testing/reporter.ts';

/** Only root can mount a separate disk that other processes can fill. */
const mayMount = process.getuid?.() === 0;
if (!mayMount)
  process.stdout.write('disk.platform.ts: a disk that fills is tried by root only, which may mount one.\n');

let platform: Platform;
beforeAll(async () => {
  if (mayMount) platform = await Platform.start({ name: 'full', devices: 5, disk: '640m' });
});
afterAll(async () => {
  await platform?.close();
});

/** Writes until nothing more fits. */
function fill(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (let size = 1 << 22; size >= 512;)
      try {
        if (writeSync(handle, Buffer.alloc(size)) === 0) size >>= 1;
      } catch {
        size >>= 1;
      }
  } finally {
    closeSync(handle);
  }
}

/** Fills the disk until `left` bytes remain. */
function fillBut(file: string, left: number): void {
  const { bavail, bsize } = statfsSync(platform.folder);
  writeFileSync(file, Buffer.alloc(Math.max(0, bavail * bsize - left)));
}

it.runIf(mayMount)(
  'a disk that fills is reported as 503, and with room again all confirmed work goes on [OPS-04/disk]',
  async () => {
    const filler = join(platform.folder, 'filler');
    const confirmed: string[] = [];
    let n = 0;
    const add = async (): Promise<void> => {
      const mac = `0c383edd${(n++).toString(16).padStart(4, '0')}`;
      await platform.call(addDevice, {
        body: { ...(await devicePlace(platform.call)), mac, name: mac, model: 'X4U', sn: mac },
      });
      confirmed.push(mac);
    };
    await add();
    const bus = await PostgresBus.open({
      connection: {
        host: platform.socket,
        port: 5432,
        database: 'carillon_bus',
        user: 'carillon_bus_app',
        password: platform.databasePassword('bus'),
      },
      deadlineMs: 500,
    });
    try {
      fill(filler);
      // Unused records fill the space that PostgreSQL has reserved.
      const waste = { topic: deadTopic('org').name, key: 'waste', headers: {}, value: 'x'.repeat(900_000) };
      await bus.ensureTopics([deadTopic('org')]);
      const refused = await eventually(async () => {
        await bus.publish(Array(10).fill(waste)).catch(() => undefined);
        const error = await add().then(
          () => undefined,
          (e: unknown) => e,
        );
        if (!(error instanceof CallError))
          throw new Error(error instanceof Error ? error.message : `${confirmed.length} were added`);
        return error;
      }, 240_000);
      expect([refused.code, refused.error, refused.message.length > 10]).toEqual([503, 'common.unavailable', true]);
    } finally {
      rmSync(filler);
      await bus.close();
    }
    await eventually(add, 60_000);
    const macs = (await platform.call(listDevices, { query: { limit: 100, search: '0c383edd' } })).records.map(
      (r) => r.mac,
    );
    expect(confirmed.filter((mac) => !macs.includes(mac))).toEqual([]);
    expect((await platform.call(countDevices, { query: {} })).total).toBe(5 + macs.length);
    await platform.allOnline(5);
  },
);

it.runIf(mayMount)(
  'with only the disk reserve left no device is acknowledged until there is room [OPS-04/reserve]',
  async () => {
    const filler = join(platform.folder, 'filler');
    const reporters = await Reporters.start(platform, 2);
    try {
      await eventually(() => expect(reporters.acknowledged.size).toBeGreaterThan(2));
      fillBut(filler, 20 * 1024 * 1024);
      await eventually(async () => {
        const { disks } = await platform.status();
        expect([disks.length, disks[0]!.freeBytes < disks[0]!.reserveBytes]).toEqual([1, true]);
        const { status, json } = await platform.ops('standalone', '/readyz');
        expect([status, (json.checks as Record<string, string>)['devices']]).toEqual([
          503,
          `the disk ${platform.folder} is nearly full, messages of devices are not stored`,
        ]);
      }, 30_000);
      const said = await carillon(['status', '--data', platform.folder]);
      expect(said.stdout).toContain('less than its reserve');
      // Messages that were on the way when the limit was noticed are answered by now.
      const held = await eventually(async () => {
        const before = reporters.acknowledged.size;
        await new Promise((resolve) => {
          setTimeout(resolve, 1_000);
        });
        expect(reporters.acknowledged.size).toBe(before);
        return before;
      }, 20_000);
      const mac = '0c383edd00ff';
      await platform.call(addDevice, {
        body: { ...(await devicePlace(platform.call)), mac, name: 'Added meanwhile', model: 'X4U', sn: mac },
      });
      expect(reporters.acknowledged.size).toBe(held);
      rmSync(filler);
      await eventually(() => expect(reporters.acknowledged.size).toBeGreaterThan(held), 60_000);
      await reporters.stop();
      expect(await reporters.lost(platform)).toEqual([]);
      expect((await platform.status()).disks[0]!.freeBytes).toBeGreaterThan(20 * 1024 * 1024);
    } finally {
      rmSync(filler, { force: true });
      await reporters.stop();
    }
  },
);
