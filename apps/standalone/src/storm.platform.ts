import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, countDevices, type Client } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { effectsByCommand, effectsSince } from './testing/journey.ts';
import { p95, peopleWhile } from './testing/people.ts';

const devices = 3_000;
let platform: Platform;
/** Each with a session of his own: a session may ask so often in a minute. */
let people: Client[];

beforeAll(async () => {
  platform = await Platform.start({ name: 'storm', devices });
  people = (await Promise.all(Array.from({ length: 4 }, () => Platform.join(platform.folder)))).map(({ call }) => call);
});
afterAll(async () => {
  await platform?.close();
});

it('after all devices were cut at once, and again after the product itself was killed under them, every one is back, is shown online and does the next order once, and who works in the console meanwhile gets each answer at once [GW-04/standalone]', async () => {
  const { offlines } = await platform.stats();
  const cut = await peopleWhile(people, async () => {
    await platform.simulator('/cut', {});
    await eventually(async () => expect((await platform.stats()).offlines - offlines).toBeGreaterThanOrEqual(devices));
    await platform.allOnline(devices, 60_000);
  });
  expect(cut.failures).toEqual([]);
  expect(cut.ms.length).toBeGreaterThan(10);
  expect(p95(cut)).toBeLessThan(1_000);

  platform.kill('standalone');
  await eventually(async () => {
    await platform.call(countDevices, { query: {} });
  }, 30_000);
  const killed = await peopleWhile(people, () => platform.allOnline(devices, 90_000));
  expect(killed.failures).toEqual([]);
  expect(p95(killed)).toBeLessThan(1_000);

  const before = await effectsByCommand(platform);
  const { id } = await platform.call(addTask, {
    body: { name: 'After the storm', action: 'reboot', params: {}, target: { filter: {} } },
  });
  expect((await platform.ended(id, 90_000)).counts).toMatchObject({ total: devices, success: devices });
  const done = await effectsSince(platform, before);
  expect([...done.values()].filter((times) => times !== 1)).toEqual([]);
  expect(done.size).toBe(devices);
});
