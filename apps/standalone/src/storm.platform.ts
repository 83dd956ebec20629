// @module-tag slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, countDevices, type Client } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { effectsByCommand, effectsSince } from './testing/journey.ts';
import { browserWhile, openBrowser, p95, peopleWhile, usableWithinMs, type Waits } from './testing/people.ts';

const devices = 3_000;
let platform: Platform;
/** Each has a session of their own, because a session is rate-limited. */
let people: Client[];

beforeAll(async () => {
  platform = await Platform.start({ name: 'storm', devices });
  people = (await Promise.all(Array.from({ length: 4 }, () => Platform.join(platform.folder)))).map(({ call }) => call);
});
afterAll(async () => {
  await platform?.close();
});

it('after a mass disconnect and a kill, devices return and act once while people keep working [GW-04]', async () => {
  const { page, close } = await openBrowser(platform);
  const storm = async (blow: () => Promise<void>) => {
    let clicks: Waits = { ms: [], failures: [] };
    const settled = async () => {
      await blow();
      await platform.allOnline(devices);
    };
    const asks = await peopleWhile(people, async () => {
      clicks = await browserWhile(page, settled);
    });
    expect([asks.failures, clicks.failures]).toEqual([[], []]);
    expect([asks.ms.length > 10, clicks.ms.length > 0]).toEqual([true, true]);
    expect([p95(asks), p95(clicks)].filter((ms) => ms >= usableWithinMs)).toEqual([]);
  };
  try {
    const { offlines } = await platform.stats();
    await storm(async () => {
      await platform.simulator('/cut', {});
      await eventually(async () =>
        expect((await platform.stats()).offlines - offlines).toBeGreaterThanOrEqual(devices),
      );
    });

    platform.kill('standalone');
    await eventually(async () => {
      await platform.call(countDevices, { query: {} });
    }, 30_000);
    await storm(() => Promise.resolve());
    await page
      .locator('main')
      .getByText(/\b3,000\b/)
      .first()
      .waitFor();
  } finally {
    await close();
  }

  const before = await effectsByCommand(platform);
  const { id } = await platform.call(addTask, {
    body: { name: 'After the storm', action: 'reboot', params: {}, target: { filter: {} } },
  });
  expect((await platform.ended(id, 240_000)).counts).toMatchObject({ total: devices, success: devices });
  const done = await effectsSince(platform, before);
  expect([...done.values()].filter((times) => times !== 1)).toEqual([]);
  expect(done.size).toBe(devices);
});
