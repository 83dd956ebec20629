import { setTimeout as delay } from 'node:timers/promises';
import { expect, inject, it } from 'vitest';
import { addTask, getTask, type TaskRecord } from '@carillon/contracts';
import { openBus } from '@carillon/service/bus';
import { eventually } from '@carillon/testing';
import { fillFleet } from '@carillon/testing/fleet';
import { Platform, waysToRun } from '@carillon/testing/platform';
import { effectsByCommand, effectsSince } from './testing/journey.ts';
import { browserWhile, openBrowser, p95 } from './testing/people.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** 0 in CI; 15,000 by `./carillon test fleet`. */
    fleet: number;
  }
}

/** With an MQTT connection of their own, one for each device. */
const connected = inject('fleet');
const count = 50_000;
/** These come back while the task still waits for them, those too late. */
const [inTime, tooLate] = [1_000, 1_000];
const perSecond = 4_000;

/** Who dies, one after the other, as the devices get their rows, are told and answer. */
const deaths = {
  standalone: ['standalone', 'standalone', 'postgres', 'standalone'],
  cluster: ['task-1', 'kafka', 'mqtt-gateway-1', 'device-1', 'redis', 'postgres', 'task-2'],
} as const;

it.runIf(connected > 0).for(['standalone', 'cluster'] as const)(
  'in the way of %s: a task for 50,000 devices, 15,000 of them connected, is accepted at once, sent at its rate, survives the death of any process and runs on each device once; those that were offline are told when they come back within the window; and a storm of all connections settles while somebody works in a browser [TASK-07/fleet] [GW-04/fleet]',
  { timeout: 2_400_000 },
  async (way) => {
    const platform = await Platform.start({
      name: `f${way[0]}`,
      devices: connected,
      ...waysToRun[way],
      args: ['--reboot-ms', '1000'],
      env: {
        CARILLON_TASK_PER_SECOND: String(perSecond),
        // All devices of this machine come from one address, all at once.
        CARILLON_CONNECTIONS: '19000',
        CARILLON_HALF_OPEN: '19000',
        CARILLON_HALF_OPEN_PER_ADDRESS: '19000',
        CARILLON_CONNECT_BURST: '20000',
      },
    });
    const others = count - connected;
    const filled = await fillFleet({
      folder: platform.folder,
      socket: platform.socket,
      count: others,
      online: others - inTime - tooLate,
      bus: openBus(platform.busPlace('fleet')),
    });
    try {
      const task = async (id: string): Promise<TaskRecord> => platform.call(getTask, { params: { id } });
      const once = (id: string, so: (of: TaskRecord) => boolean): Promise<TaskRecord> =>
        eventually(async () => {
          const now = await task(id);
          if (!so(now)) throw new Error(`the task is ${now.status}: ${JSON.stringify(now.counts)}`);
          return now;
        }, 600_000);
      const before = await effectsByCommand(platform);
      const began = performance.now();
      const { id, counts } = await platform.call(addTask, {
        body: { name: 'All', action: 'reboot', params: {}, target: { filter: {} } },
      });
      expect(performance.now() - began).toBeLessThan(1_000);
      expect(counts.success).toBe(0);
      const logs = platform.logs();
      for (const [i, victim] of deaths[way].entries()) {
        if (i > 0) await once(id, (t) => t.expanded && t.counts.success > (i * 30_000) / deaths[way].length);
        platform.kill(victim);
        await delay(500);
      }
      logs.close();
      const online = count - inTime - tooLate;
      await once(id, (t) => t.counts.success === online);
      const {
        rows: [rate],
      } = await filled.task.query<{ most: number }>(`
        select max(n)::int as most
        from (
          select count(*) over (order by sent_at range between interval '1 second' preceding and current row) as n
          from task_device
          where sent_at is not null
        ) x
      `);
      // A second's worth may have been saved up.
      expect(rate!.most).toBeLessThanOrEqual(2 * perSecond);
      const away = filled.devices.slice(-inTime - tooLate).map((device) => device.id);
      const [back, late] = [away.slice(0, inTime), away.slice(inTime)];
      await filled.task.query(`update task_device set expires_at = now() where device_id = any($1::uuid[])`, [late]);
      await filled.fleet.connect(back);
      await once(id, (t) => t.endedAt !== null);
      await filled.fleet.connect(late);
      const ended = await task(id);
      expect([ended.status, ended.counts]).toEqual([
        'finished',
        { total: count, success: online + inTime, fail: 0, timeout: tooLate, cancel: 0, process: 0, wait: 0 },
      ]);
      const did = await effectsSince(platform, before);
      expect([did.size, [...did].filter(([, times]) => times !== 1)]).toEqual([connected, []]);
      const told = filled.devices.slice(0, others - tooLate);
      expect(told.filter((device) => filled.fleet.done.get(device.id)?.size !== 1)).toEqual([]);
      expect(late.filter((device) => filled.fleet.done.has(device))).toEqual([]);

      await platform.allOnline(connected, 300_000);
      const { page, close } = await openBrowser(platform);
      try {
        const { offlines } = await platform.stats();
        const clicks = await browserWhile(page, async () => {
          await platform.simulator('/cut', {});
          await eventually(async () =>
            expect((await platform.stats()).offlines - offlines).toBeGreaterThanOrEqual(connected),
          );
          await platform.allOnline(connected, 300_000);
        });
        expect(clicks.failures).toEqual([]);
        expect(p95(clicks)).toBeLessThan(5_000);
        process.stdout.write(`${way}: ${clicks.ms.length} walks in the browser, p95 ${p95(clicks).toFixed(0)} ms\n`);
      } finally {
        await close();
      }
    } finally {
      await filled.close();
      await platform.close();
    }
  },
);
