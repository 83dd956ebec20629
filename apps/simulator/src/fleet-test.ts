import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { TestFiles, TestPlatform } from '@carillon/device-sdk/test-platform';
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { makeInventory } from './inventory.ts';

const credentials = (count: number) =>
  makeInventory(count, 1).map((item) => ({ ...item, secret: `secret of ${item.mac}` }));

export const [mac] = makeInventory(1, 1).map((item) => item.mac) as [string];
/** The first door of the inventory. */
export const gate = makeInventory(8, 1)[7]!.mac;

/** Starts a platform and files for each test, and stops them with the fleet after it. */
export function startFleets() {
  /** The platform, the files and the fleet of the current test. */
  const tested = { fleet: null } as { folder: string; platform: TestPlatform; files: TestFiles; fleet: Fleet | null };
  beforeEach(async () => {
    tested.files = await TestFiles.start(Buffer.alloc(300_000, 'firmware'));
    tested.folder = await mkdtemp(path.join(tmpdir(), 'carillon-fleet-'));
    tested.platform = await TestPlatform.start({ port: 0, allows: (mac, secret) => secret === `secret of ${mac}` });
  });
  afterEach(async () => {
    await tested.fleet?.stop();
    tested.fleet = null;
    await tested.platform.stop();
    await tested.files.stop();
    await rm(tested.folder, { recursive: true });
  });

  async function start(count: number, options: Partial<FleetOptions> = {}): Promise<Fleet> {
    tested.fleet = await startFleet({
      url: tested.platform.url,
      devices: credentials(count),
      stateDir: tested.folder,
      rebootMs: 0,
      connectPerSecond: 0,
      ...options,
    });
    await tested.fleet.ready;
    return tested.fleet;
  }
  const statuses = (id: string) => tested.platform.answers(id).map(({ status }) => status);
  return { tested, start, statuses };
}
