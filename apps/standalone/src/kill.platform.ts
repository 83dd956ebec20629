import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { addTask, alarmKinds, listAlarms, type TaskRecord } from '@carillon/contracts';
import { Platform } from '@carillon/testing/platform';
import { journeys } from './testing/journey.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** One in CI, more with `./carillon test platform --seeds 2,3,4`. */
    seeds: number[];
  }
}

const devices = 200;
/** A device restarts in 3 s and reconnects within this time. */
const backWithinMs = 60_000;

/** Seed 1 kills at once; other seeds wait up to 300 ms, differently at each point. */
const lateBy = (seed: number, point: string): number =>
  seed === 1 ? 0 : createHash('sha256').update(`${seed} ${point}`).digest().readUInt16BE() % 300;

let platform: Platform;
const recoveries: Record<string, number[]> = {};

beforeAll(async () => {
  platform = await Platform.start({
    name: 'kill',
    devices,
    // Nothing but the grace for devices of a lost gateway keeps alarms back.
    env: { CARILLON_ALARM_OFFLINE_GRACE_MS: '1' },
  });
});
afterAll(async () => {
  for (const [what, ms] of Object.entries(recoveries))
    process.stdout.write(`${what}: ready again after ${ms.map((m) => Math.round(m)).join(', ')} ms\n`);
  await platform?.close();
});

const byCommand = async (): Promise<Map<string, number>> =>
  new Map([...(await platform.effects()).values()].flat().map(({ id, count }) => [id, count]));
const calls = async (count: number): Promise<void> => {
  await Promise.all((await platform.devices()).map(({ mac }) => platform.simulator('/state', { mac, calls: count })));
};

/** Checks what must hold after a task, whatever died on the way (issue 3, "It must survive"). */
async function everyDeviceDidItOnce(task: TaskRecord, before: Map<string, number>): Promise<void> {
  expect(task.status).toBe('success');
  expect(task.counts).toEqual({
    total: devices,
    success: devices,
    fail: 0,
    timeout: 0,
    cancel: 0,
    process: 0,
    wait: 0,
  });
  const rows = await platform.taskDevices(task.id);
  expect(rows.map((row) => row.status)).toEqual(Array(devices).fill('success'));
  expect(new Set(rows.map((row) => row.mac)).size).toBe(devices);
  const done = new Map<string, number>();
  for (const [mac, effects] of await platform.effects()) {
    for (const { id, count } of effects) done.set(mac, (done.get(mac) ?? 0) + count - (before.get(id) ?? 0));
  }
  expect(rows.filter(({ mac }) => done.get(mac) !== 1).map(({ mac }) => ({ mac, times: done.get(mac) ?? 0 }))).toEqual(
    [],
  );
}

/** Orders a reboot. The answer may be lost with the process that was to give it. */
function order(name: string): Promise<unknown> {
  return platform
    .call(addTask, { body: { name, action: 'reboot', params: {}, target: { filter: {} } } })
    .catch(() => undefined);
}

describe('standalone', () => {
  journeys(() => platform, devices);
});

/** Kills the process at a point of a task and waits for the task's end. */
async function killAt(point: string, seed: number): Promise<void> {
  await platform.allOnline(devices, backWithinMs);
  const before = await byCommand();
  const name = `Killed when ${point}, seed ${seed}`;
  // A device in a call accepts and waits, so that only its acceptance is stored.
  if (point === 'acknowledged') await calls(1);
  const log = platform.log('standalone');
  const ordered = order(name);
  await log.line((line) => line['point'] === point);
  await delay(lateBy(seed, point));
  const killed = performance.now();
  platform.kill('standalone');
  await ordered;
  await log.line((line) => line['point'] === 'ready', backWithinMs);
  (recoveries[point] ??= []).push(performance.now() - killed);
  if (point === 'acknowledged') await calls(0);
  const task = await platform.taskNamed(name);
  await everyDeviceDidItOnce(await platform.ended(task.id), before);
  log.close();
}

describe.for(inject('seeds'))('with seed %i', (seed) => {
  it.for(['sent'])(
    'a task goes on after the process is killed at "%s", and each device reboots once [OPS-04/kill]',
    (point) => killAt(point, seed),
  );

  it.for(['created', 'expanded', 'queued', 'acknowledged', 'stored'])(
    'a task goes on after the process is killed at "%s", and each device reboots once [OPS-04/kill]',
    { tags: 'slow' },
    (point) => killAt(point, seed),
  );
});

it(
  'a restart of the whole product raises no alarm of the devices that it lost [NOTE-01/restart]',
  { tags: 'slow' },
  async () => {
    await platform.allOnline(devices, backWithinMs);
    const alarms = async () => (await platform.call(listAlarms, { query: { type: [alarmKinds.offline] } })).total;
    expect(await alarms()).toBe(0);
    const log = platform.log('standalone');
    platform.kill('standalone');
    await log.line((line) => line['point'] === 'ready', backWithinMs);
    await platform.allOnline(devices, backWithinMs);
    expect(await alarms()).toBe(0);
    log.close();
  },
);

/** Ends PostgreSQL while a task is under way and devices report. */
async function endDatabase([signal, what]: ['SIGINT' | 'SIGKILL', string]): Promise<void> {
  await platform.allOnline(devices, backWithinMs);
  const before = await byCommand();
  const [log, supervisor] = [platform.log('standalone'), platform.log('supervisor')];
  // The devices publish all the time: their reports wait for the database and arrive afterwards.
  let reporting = true;
  const reports = (async () => {
    for (let n = 0; reporting; n++)
      await Promise.all(
        (await platform.devices())
          .slice(0, 20)
          .map(({ mac }) => platform.simulator('/state', { mac, dnd: n % 2 === 0 ? 'on' : 'off' })),
      );
  })();
  const name = `Database: ${what}`;
  const ordered = order(name);
  await log.line((line) => line['point'] === 'queued');
  const killed = performance.now();
  platform.kill('postgres', signal);
  await supervisor.line((line) => line['point'] === 'restarted' && line['process'] === 'postgres', backWithinMs);
  (recoveries[`PostgreSQL, ${what}`] ??= []).push(performance.now() - killed);
  await ordered;
  reporting = false;
  await reports;
  const task = await platform.taskNamed(name);
  await everyDeviceDidItOnce(await platform.ended(task.id), before);
  log.close();
  supervisor.close();
}

it.for<['SIGKILL', string]>([['SIGKILL', 'a sudden death']])(
  'each of 200 devices reboots once over %s of PostgreSQL (%s) [OPS-04/database]',
  endDatabase,
);
it.for<['SIGINT', string]>([['SIGINT', 'an orderly restart']])(
  'each of 200 devices reboots once over %s of PostgreSQL (%s) [OPS-04/database]',
  { tags: 'slow' },
  endDatabase,
);
