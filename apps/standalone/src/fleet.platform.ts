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
    /**
     * 0 in CI, where some hundred devices connect in standalone only; 15,000 with `./carillon test fleet`, in both
     * modes.
     */
    fleet: number;
  }
}

const isWhole = inject('fleet') > 0;
/** Devices with an MQTT connection of their own; the others are simulated over the bus. */
const connected = inject('fleet') || 500;
const count = 50_000;
/** Devices that come back within the task's window and after it, and how many of each have a connection. */
const [inTime, tooLate, ofEach] = [1_000, 1_000, 20];
const perSecond = 4_000;

/** Processes that die, in order, while rows are created, commands sent and results received. */
const deaths = {
  standalone: ['standalone', 'standalone', 'postgres', 'standalone'],
  cluster: ['task-1', 'kafka', 'mqtt-gateway-1', 'device-1', 'redis', 'postgres', 'task-2'],
} as const;

it.for(isWhole ? (['standalone', 'cluster'] as const) : (['standalone'] as const))(
  'as %s, each of 50,000 devices does a task once although processes die [TASK-07] [GW-04/fleet]',
  { timeout: 2_400_000 },
  async (way) => {
    const platform = await Platform.start({
      name: `f${way[0]}`,
      devices: connected,
      online: connected - 2 * ofEach,
      ...waysToRun[way],
      args: ['--reboot-ms', '1000', '--behaviour', `offline=${2 * ofEach},normal=${connected - 2 * ofEach}`],
      env: {
        CARILLON_TASK_PER_SECOND: String(perSecond),
        // All devices connect from one address at the same time.
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
      const once = (id: string, so: (task: TaskRecord) => boolean): Promise<TaskRecord> =>
        eventually(async () => {
          const now = await task(id);
          if (!so(now)) throw new Error(`the task is ${now.status}: ${JSON.stringify(now.counts)}`);
          return now;
        }, 600_000);
      const phones = (await platform.devices()).filter((d) => d.behaviour === 'offline').map(({ mac }) => mac);
      expect(phones.length).toBe(2 * ofEach);
      const [phonesBack, phonesLate] = [phones.slice(0, ofEach), phones.slice(ofEach)];
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
      const online = count - inTime - tooLate - phones.length;
      await once(id, (t) => t.counts.success === online);
      expect((await task(id)).counts).toMatchObject({ total: count, fail: 0, wait: count - online });
      const {
        rows: [rate],
      } = await filled.task.query<{ most: number; average: number; seconds: number }>(`
        select max(n)::int as most,
          (count(*) / (extract(epoch from max(sent_at) - min(sent_at)) + 1))::float8 as average,
          extract(epoch from max(sent_at) - min(sent_at))::float8 as seconds
        from (
          select sent_at,
            count(*) over (order by sent_at range between interval '1 second' preceding and current row) as n
          from task_device
          where sent_at is not null
        ) x
      `);
      // The rate limiter may have saved up one second's worth.
      expect(rate!.most).toBeLessThanOrEqual(2 * perSecond);
      expect(rate!.average).toBeLessThanOrEqual(perSecond);
      expect(rate!.seconds).toBeGreaterThan(online / perSecond - 2);
      const away = filled.devices.slice(-inTime - tooLate).map((device) => device.id);
      const [back, late] = [away.slice(0, inTime), away.slice(inTime)];
      // Moves the window of these devices into the past, instead of waiting for its end.
      await filled.task.query(
        `
          update task_device
          set expires_at = now()
          where device_id = any($1::uuid[]) or device_id in (select id from device_copy where mac = any($2::text[]))
        `,
        [late, phonesLate],
      );
      await Promise.all([filled.fleet.connect(back), platform.behave(phonesBack, 'normal')]);
      await once(id, (t) => t.endedAt !== null);
      await Promise.all([filled.fleet.connect(late), platform.behave(phonesLate, 'normal')]);
      await eventually(async () => expect((await platform.stats()).connected).toBe(connected));
      const ended = await task(id);
      expect([ended.status, ended.counts]).toEqual([
        'finished',
        {
          total: count,
          success: online + inTime + ofEach,
          fail: 0,
          timeout: tooLate + ofEach,
          cancel: 0,
          process: 0,
          wait: 0,
        },
      ]);
      // Each device's own count survives its restarts.
      const did = await effectsSince(platform, before);
      const lateOnes = new Set(phonesLate);
      for (const { mac } of await platform.devices())
        expect([mac, did.get(mac) ?? 0]).toEqual([mac, lateOnes.has(mac) ? 0 : 1]);
      expect(did.size).toBeLessThanOrEqual(connected);
      const answer = filled.devices.slice(0, others - tooLate);
      expect(answer.filter((device) => filled.fleet.done.get(device.id)?.size !== 1)).toEqual([]);
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
