import { parseArgs } from 'node:util';
import { countDevices, listDevices } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { up, withoutDeviceLimits } from './lib/instance.ts';
import { askSimulator } from './lib/simulator.ts';

/**
 * Cuts all simulated devices at once, which return by their own back-off (GW-04), while users work in the console.
 * Measures the time until each is shown online again, and the API's answers in the meantime. `--devices N`, by default
 * 15,000.
 */
const { values } = parseArgs({ strict: false, options: { devices: { type: 'string', default: '15000' } } });
const count = Number(values.devices);
const people = 4;
interface Stats {
  connected: number;
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

await bench(`storm of ${count} devices`, async () => {
  process.stdout.write('     admission rates and limits of connections are set off\n');
  const instance = await up({ devices: count, env: withoutDeviceLimits });
  const simulator = (method: 'GET' | 'POST', path: string): Promise<Stats> =>
    askSimulator<Stats>(instance, method, path);
  const offline = async (): Promise<number> => (await instance.call(countDevices, {})).state['offline'] ?? 0;
  /** The requests of several users, each waiting for an answer before the next one, until `done`. */
  const work = async (done: () => boolean): Promise<{ ms: number[]; failed: number }> => {
    const ms: number[] = [];
    let failed = 0;
    await Promise.all(
      Array.from({ length: people }, async (_, person) => {
        for (let i = person; !done(); i++) {
          const from = performance.now();
          try {
            if (i % 2 === 0) await instance.call(countDevices, {});
            else await instance.call(listDevices, { query: { page: 1 + (i % 20), limit: 20 } });
            ms.push(performance.now() - from);
          } catch {
            failed++;
          }
          await sleep(200);
        }
      }),
    );
    return { ms, failed };
  };

  try {
    // The simulator's control endpoint is ready a little later than the product.
    while (((await simulator('GET', '/stats').catch(() => null))?.connected ?? 0) < count || (await offline()) > 0)
      await sleep(500);
    const backs: number[] = [],
      shown: number[] = [],
      p95s: number[] = [],
      idles: number[] = [];
    let failed = 0;
    for (let run = 0; run < runs(); run++) {
      await sleep(5_000);
      const until = performance.now() + 5_000;
      idles.push(percentile((await work(() => performance.now() > until)).ms, 0.95));
      let settled = false;
      const from = performance.now();
      await simulator('POST', '/cut');
      const working = work(() => settled);
      while ((await simulator('GET', '/stats')).connected < count) await sleep(100);
      backs.push((performance.now() - from) / 1_000);
      while ((await offline()) > 0) await sleep(200);
      shown.push((performance.now() - from) / 1_000);
      settled = true;
      const { ms, failed: refused } = await working;
      p95s.push(percentile(ms, 0.95));
      failed += refused;
      process.stdout.write(
        `     run ${run + 1}: connected after ${backs.at(-1)!.toFixed(1)} s, all shown online after ${shown.at(-1)!.toFixed(1)} s, API p95 ${p95s.at(-1)!.toFixed(0)} ms (idle ${idles.at(-1)!.toFixed(0)} ms)\n`,
      );
    }
    report(
      { name: `${count} devices cut at once are connected again`, unit: 's', value: spread(backs).max, atMost: 30 },
      spread(backs),
    );
    report(
      { name: '… and shown online in the device list', unit: 's', value: spread(shown).max, atMost: 30 },
      spread(shown),
    );
    report(
      {
        name: 'p95 of the API meanwhile',
        unit: 'ms',
        value: spread(p95s).median,
        atMost: 500,
        beside: { name: 'idle', value: spread(idles).median },
      },
      spread(p95s),
    );
    report({ name: 'calls that failed meanwhile', unit: '', value: failed, atMost: 0 });
  } finally {
    instance.down();
  }
});
