import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, countDevices, listDevices, listTasks } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';
import { effectsByCommand, effectsSince } from './testing/journey.ts';

const devices = 3_000;
let platform: Platform;
/** Each with a session of his own: a session may ask so often in a minute. */
let people: Platform[];

beforeAll(async () => {
  platform = await Platform.start({ name: 'storm', devices });
  people = await Promise.all(Array.from({ length: 4 }, () => Platform.join(platform.folder)));
});
afterAll(async () => {
  await platform?.close();
});

/** What four people in the console ask, each as soon as he has his answer and a breath, until the work is over. */
async function peopleWhile(work: () => Promise<void>): Promise<{ ms: number[]; failures: unknown[] }> {
  const ms: number[] = [];
  const failures: unknown[] = [];
  let over = false;
  const asking = Promise.all(
    people.map(async ({ call }, person) => {
      const asks = [
        () => call(countDevices, { query: {} }),
        () => call(listDevices, { query: { page: 1 + person, limit: 50 } }),
        () => call(listTasks, { query: {} }),
      ];
      for (let i = person; !over; i++) {
        const began = performance.now();
        await asks[i % asks.length]!().catch((error: unknown) => {
          failures.push(error);
        });
        ms.push(performance.now() - began);
        await new Promise((r) => {
          setTimeout(r, 100);
        });
      }
    }),
  );
  try {
    await work();
  } finally {
    over = true;
    await asking;
  }
  return { ms: ms.sort((a, b) => a - b), failures };
}

it('after all devices were cut at once, and again after the product itself was killed under them, every one is back, is shown online and does the next order once, and who works in the console meanwhile gets each answer at once [GW-04/standalone]', async () => {
  const { offlines } = await platform.stats();
  const cut = await peopleWhile(async () => {
    await platform.simulator('/cut', {});
    await eventually(async () => expect((await platform.stats()).offlines - offlines).toBeGreaterThanOrEqual(devices));
    await platform.allOnline(devices, 60_000);
  });
  expect(cut.failures).toEqual([]);
  expect(cut.ms.length).toBeGreaterThan(10);
  expect(cut.ms[Math.floor(cut.ms.length * 0.95)]).toBeLessThan(1_000);

  platform.kill('standalone');
  await eventually(async () => {
    await platform.call(countDevices, { query: {} });
  }, 30_000);
  const killed = await peopleWhile(() => platform.allOnline(devices, 90_000));
  expect(killed.failures).toEqual([]);
  expect(killed.ms[Math.floor(killed.ms.length * 0.95)] ?? 0).toBeLessThan(1_000);

  const before = await effectsByCommand(platform);
  const { id } = await platform.call(addTask, {
    body: { name: 'After the storm', action: 'reboot', params: {}, target: { filter: {} } },
  });
  expect((await platform.ended(id, 90_000)).counts).toMatchObject({ total: devices, success: devices });
  const done = await effectsSince(platform, before);
  expect([...done.values()].filter((times) => times !== 1)).toEqual([]);
  expect(done.size).toBe(devices);
});
