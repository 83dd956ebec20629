// @module-tag slow
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { eventually } from '@carillon/testing';
import { carillon, Platform } from '@carillon/testing/platform';
import { devices, servers, services, TestCluster } from './testing/cluster.ts';
import { chosenFaults, stoppedMs, type Fault } from './testing/fault.ts';
import { effectsByCommand, effectsSince } from './testing/journey.ts';
import { observability } from './testing/observability.ts';
import { browserWhile, openBrowser, p95, peopleWhile, usableWithinMs, type Waits } from './testing/people.ts';
import { Reporters } from './testing/reporter.ts';

let cluster: TestCluster;
let platform: Platform;
beforeAll(async () => {
  cluster = await TestCluster.start();
  platform = cluster.platform;
}, 300_000);
afterAll(() => cluster?.close(), 300_000);

it(
  'cut devices return and act once though both gateways die, and pages load [GW-04/cluster]',
  { timeout: 600_000 },
  async () => {
    await platform.allOnline(devices);
    const people = (await Promise.all(Array.from({ length: 2 }, () => Platform.join(platform.folder)))).map((person) =>
      person.plainClient(),
    );
    const { page, close } = await openBrowser(platform);
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(error.message));
    page.on('response', (response) => {
      if (response.status() >= 500) broken.push(`${response.status()} ${response.url()}`);
    });
    const storm = async (blow: () => Promise<void>) => {
      const { offlines } = await platform.stats();
      let clicks: Waits = { ms: [], failures: [] };
      const asks = await peopleWhile(people, async () => {
        clicks = await browserWhile(page, async () => {
          await blow();
          await eventually(async () =>
            expect((await platform.stats()).offlines - offlines).toBeGreaterThanOrEqual(devices),
          );
          await platform.allOnline(devices);
        });
      });
      expect([asks.failures, clicks.failures, broken]).toEqual([[], [], []]);
      expect([asks.ms.length > 10, clicks.ms.length > 0]).toEqual([true, true]);
      expect(p95(asks)).toBeLessThan(usableWithinMs);
      // Two pages with their lists, opened by a user who waits for each.
      expect(p95(clicks)).toBeLessThan(usableWithinMs);
    };
    try {
      await storm(async () => void (await platform.simulator('/cut', {})));
      const logs = platform.logs();
      await storm(async () => {
        for (const name of ['mqtt-gateway-1', 'mqtt-gateway-2']) platform.kill(name);
      });
      logs.close();
      // The page updates without a reload.
      await page
        .locator('main')
        .getByText(/\b200\b/)
        .first()
        .waitFor();
      const before = await effectsByCommand(platform);
      const { id } = (await cluster.order('After the storm'))!;
      await cluster.everyDeviceDidItOnce(await platform.ended(id, 240_000), before);
    } finally {
      await close();
    }
  },
);

observability(
  () => platform,
  () => cluster.traceFile,
  () => cluster.ids[7]!,
);

it('a process that is not ready says why and stays alive [OPS-02/ready]', async () => {
  const thaw = platform.freeze('postgres');
  try {
    const ready = await platform.ops('device-1', '/readyz');
    expect([ready.status, ready.json.ready, ready.json.checks.bus]).toEqual([503, false, 'ok']);
    expect(ready.json.checks.database).not.toBe('ok');
    expect((await platform.ops('device-1', '/livez')).json).toEqual({ live: true });
  } finally {
    thaw();
  }
  await eventually(async () => {
    expect((await platform.ops('device-1', '/readyz')).status).toBe(200);
  }, 30_000);
});
it(
  'no call fails twice and no device acts twice while every process is replaced [OPS-01/rolling]',
  { timeout: 1_200_000 },
  () => cluster.rollUnderLoad(),
);
const faults = chosenFaults(inject('faults'));

describe(`${faults.length} faults during a task of ${devices} devices that report all the time`, () => {
  const published: string[] = [];
  let before: Map<string, number>;
  beforeAll(async () => {
    cluster.reporters ??= await Reporters.start(platform, 4);
    before = await effectsByCommand(platform);
  }, 300_000);

  const processOf = (victim: Fault['victim'], seenBy: string): string => {
    if (['kafka', 'redis', 'postgres'].includes(victim)) return victim;
    // The fault hits the process that handles this step, when the step is its own.
    return seenBy.startsWith(`${victim}-`) ? seenBy : `${victim}-1`;
  };

  it.for(faults)(
    '$blow of $victim at "$point": each device acts once, sums are exact [OPS-04/faults] [GW-02/faults]',
    { timeout: 600_000 },
    async ({ victim, blow, point }) => {
      await platform.allOnline(devices);
      const calls = async (count: number): Promise<void> => {
        await Promise.all(
          (await platform.devices()).map(({ mac }) => platform.simulator('/state', { mac, calls: count })),
        );
      };
      // A device in a call accepts and waits, so that only its acceptance is stored.
      if (point === 'acknowledged') await calls(1);
      const beforeThis = await effectsByCommand(platform);
      const [logs, supervisor] = [platform.logs(), platform.log('supervisor')];
      const name = `${blow} ${victim} ${point} ${randomBytes(4).toString('hex')}`;
      const ordered = cluster.order(name);
      const seen = await logs.line((line) => line['point'] === point, 240_000);
      const began = performance.now();
      const target = processOf(victim, seen.process);
      if (blow === 'SIGKILL') {
        const back =
          target === victim
            ? supervisor.line((line) => line['point'] === 'restarted' && line['process'] === target, 240_000)
            : logs.line((line) => line['point'] === 'ready' && line['process'] === target, 240_000);
        platform.kill(target);
        // All processes must be back before the next fault.
        await back;
      } else {
        const thaw = platform.freeze(target);
        await delay(stoppedMs);
        thaw();
      }
      if (point === 'acknowledged') await calls(0);
      await ordered;
      const task = await platform.ended((await platform.taskNamed(name)).id, 240_000);
      published.push(
        `${blow} of ${target} at ${point}: ended ${((performance.now() - began) / 1000).toFixed(1)} s after it`,
      );
      await cluster.everyDeviceDidItOnce(task, beforeThis);
      logs.close();
      supervisor.close();
    },
  );

  it(
    'no acknowledged event is lost and each device acts once, whichever process dies [GW-02] [TASK-07]',
    { timeout: 1_200_000 },
    async () => {
      const kinds = [...services, 'mqtt-gateway', 'gateway', ...servers];
      const dead = new Set<string>(faults.filter(({ blow }) => blow === 'SIGKILL').map(({ victim }) => victim));
      const inTheMidst = async (name: string, blow: () => Promise<void>): Promise<void> => {
        await platform.allOnline(devices);
        const beforeThis = await effectsByCommand(platform);
        const logs = platform.logs();
        const ordered = cluster.order(name);
        await logs.line((line) => line['point'] === 'sent', 240_000);
        logs.close();
        await blow();
        await ordered;
        const task = await platform.ended((await platform.taskNamed(name)).id, 300_000);
        await cluster.everyDeviceDidItOnce(task, beforeThis);
        published.push(name);
      };
      const mark = randomBytes(4).toString('hex');
      for (const kind of kinds.filter((name) => !dead.has(name))) {
        await inTheMidst(`Death of ${kind} ${mark}`, () =>
          cluster.diesAndReturns(servers.includes(kind) ? kind : `${kind}-1`),
        );
        dead.add(kind);
      }
      expect([...dead].toSorted()).toEqual(kinds.toSorted());
      await inTheMidst(`Death of all ${mark}`, async () => {
        cluster.killEverything();
        const again = await cluster.upAgain();
        expect(again.code, again.stderr).toBe(0);
      });

      await platform.allOnline(devices);
      await cluster.reporters!.stop();
      const sent = cluster.reporters!.acknowledged.size;
      expect(sent).toBeGreaterThan(500);
      expect(await cluster.reporters!.lost(platform)).toEqual([]);
      expect([...(await effectsSince(platform, before))].filter(([, times]) => times !== published.length)).toEqual([]);
      await eventually(async () => {
        const { ready, processes } = await platform.status();
        expect([ready, processes.filter((p) => !p.running), processes.filter((p) => (p.lag ?? 0) > 0)]).toEqual([
          true,
          [],
          [],
        ]);
      }, 240_000);
      expect(await cluster.reporters!.unlogged(platform)).toEqual([]);
      expect((await carillon(['dead-letters', 'list', '--data', platform.folder])).stdout).toBe('');
      process.stdout.write(`${published.join('\n')}\n${sent} events acknowledged, 0 lost\n`);
    },
  );
});

it(
  'a second up starts nothing, and up recovers after kill -9 of everything [OPS-01/cluster-killed]',
  { timeout: 300_000 },
  async () => {
    const up = await cluster.upAgain();
    expect([up.code, JSON.parse(up.stdout)]).toEqual([0, platform.ready]);
    cluster.killEverything();
    const second = await cluster.upAgain();
    expect(second.code, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toEqual(platform.ready);
    await platform.allOnline(devices);
  },
);
