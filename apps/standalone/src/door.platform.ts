import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addTask, getDevice, linkCommand, listDevices, type TaskRecord } from '@carillon/contracts';
import type { BusRecord } from '@carillon/messaging';
import { openBus } from '@carillon/service/bus';
import { eventually } from '@carillon/testing';
import { Platform, waysToRun } from '@carillon/testing/platform';

/** One device in twelve is a door. */
const devices = 44;
const lifeMs = 10_000;
/** Longer than the lifetime of an order. */
const pastItMs = 11_500;
const backWithinMs = 90_000;

interface Gate {
  id: string;
  mac: string;
}
/** An order and the time of its click. */
interface Ordered {
  gate: Gate;
  at: number;
  openedBefore: number;
  name: string;
  orderId: string;
}

let platform: Platform;
let gates: Gate[];
let serial = 0;

async function start(name: string, options: Partial<Parameters<typeof Platform.start>[0]> = {}): Promise<void> {
  platform = await Platform.start({ name, devices, args: ['--reboot-ms', '4000'], ...options });
  const macs = (await platform.devices()).filter((device) => device.doors).map(({ mac }) => mac);
  gates = await Promise.all(
    macs.map(async (mac) => {
      const [device] = (await platform.call(listDevices, { query: { search: mac } })).records;
      return { id: device!.id, mac };
    }),
  );
  expect(gates.length).toBeGreaterThanOrEqual(4);
}

const doorOf = async ({ mac }: Gate) => (await platform.devices()).find((d) => d.mac === mac)!.doors![0]!;
const send = ({ gate, name, orderId }: Ordered): Promise<TaskRecord> =>
  platform.plainClient()(addTask, {
    body: {
      name,
      action: 'doorControl',
      params: { command: 'open', door: 1 },
      target: { ids: [gate.id] },
      orderId,
    },
  });
/** Sends an order. The answer may be lost with the process that was to give it. */
async function click(gate: Gate): Promise<Ordered & { answer: Promise<TaskRecord | undefined> }> {
  const openedBefore = (await doorOf(gate)).opened;
  const ordered = { gate, at: Date.now(), openedBefore, name: `Zz door ${++serial}`, orderId: randomUUID() };
  return { ...ordered, answer: send(ordered).catch(() => undefined) };
}

/** Waits until the devices are back and have answered a task behind all orders: a device gets its commands in order. */
async function settled(gates: readonly Gate[]): Promise<void> {
  const { id } = await eventually(
    () =>
      platform.call(addTask, {
        body: { name: 'Zz settled', action: 'locate', params: { seconds: 5 }, target: { ids: gates.map((g) => g.id) } },
      }),
    backWithinMs,
  );
  await platform.ended(id, backWithinMs);
}

/**
 * Checks that the door opened at most once, in time, and that the platform reports what happened. Returns how often it
 * opened.
 */
async function judge({ gate, at, openedBefore, name }: Ordered): Promise<{ opened: number; task: TaskRecord }> {
  const task = await eventually(async () => {
    const found = await platform.taskNamed(name);
    expect(found.endedAt).toEqual(expect.any(String));
    return found;
  }, backWithinMs);
  await settled([gate]);
  const door = await doorOf(gate);
  const opened = door.opened - openedBefore;
  expect(opened).toBeLessThanOrEqual(1);
  if (opened === 1) expect(door.openedAt! - at).toBeLessThanOrEqual(lifeMs);
  if (task.status === 'success') expect(opened).toBe(1);
  const counts = ((await platform.effects()).get(gate.mac) ?? []).filter((e) => e.action === 'doorControl');
  expect(counts.filter((e) => e.count !== 1)).toEqual([]);
  return { opened, task };
}

describe('in one process', () => {
  beforeAll(() => start('door'));
  afterAll(() => platform?.close());

  it('each order opens its door once, whatever the device’s clock says [TASK-02/door]', async () => {
    await platform.behave([gates[1]!.mac], 'clock');
    for (const gate of gates.slice(0, 3)) {
      const order = await click(gate);
      const { id } = (await order.answer)!;
      expect((await platform.ended(id)).status).toBe('success');
      await eventually(async () =>
        expect((await platform.call(getDevice, { params: { id: gate.id } })).doors[0]).toEqual({
          door: 1,
          status: 'open',
        }),
      );
      expect((await judge(order)).opened).toBe(1);
      await eventually(
        async () =>
          expect((await platform.call(getDevice, { params: { id: gate.id } })).doors[0]).toEqual({
            door: 1,
            status: 'closed',
          }),
        20_000,
      );
    }
    await platform.behave([gates[1]!.mac], 'normal');
  });

  it('an order for an offline device fails at once, and its door stays shut when it is back', async () => {
    const [gate] = gates as [Gate];
    const down = await platform.call(addTask, {
      body: { name: 'Zz down', action: 'reboot', params: {}, target: { ids: [gate.id] } },
    });
    await eventually(async () =>
      expect((await platform.call(getDevice, { params: { id: gate.id } })).onlineSince).toBeNull(),
    );
    const order = await click(gate);
    const { id } = (await order.answer)!;
    const task = await platform.ended(id, 30_000);
    expect((await platform.taskDevices(id)).map((d) => [d.status, d.code])).toEqual([['fail', 'offline']]);
    expect(task.status).toBe('fail');
    expect((await platform.call(getDevice, { params: { id: gate.id } })).doors.map((d) => d.status)).not.toContain(
      'open',
    );
    await platform.ended(down.id, backWithinMs);
    expect((await judge(order)).opened).toBe(0);
  });

  it('F19: a command that is on the bus three times moves its door once', async () => {
    const bus = await openBus(platform.busPlace('door-test'));
    try {
      const gate = gates[2]!;
      const seen = Promise.withResolvers<BusRecord>();
      const feed = await bus.fanout({
        topics: [linkCommand.name],
        from: 'end',
        handle: ({ records }) => {
          const record = records.find((r) => r.key === gate.id && r.value?.includes('doorControl'));
          if (record) seen.resolve(record);
        },
      });
      await feed.caughtUp;
      const order = await click(gate);
      const { topic, key, headers, value } = await seen.promise;
      await bus.publish([1, 2].map(() => ({ topic, key, headers, value })));
      await feed.close();
      expect((await judge(order)).opened).toBe(1);
    } finally {
      await bus.close();
    }
  });

  it(
    'X32: a device that was paused gets the order too late and says so by its monotonic clock',
    { tags: 'slow' },
    async () => {
      const gate = gates[3]!;
      const before = (await doorOf(gate)).opened;
      const at = Date.now();
      const goOn = platform.freeze('simulator');
      const name = `Zz door ${++serial}`;
      const { id } = await send({ gate, at, openedBefore: before, name, orderId: randomUUID() });
      await delay(pastItMs);
      goOn();
      // The device may report it itself, or time out just before.
      const task = await platform.ended(id);
      expect(['fail', 'timeout']).toContain(task.status);
      await settled([gate]);
      expect((await doorOf(gate)).opened).toBe(before);
    },
  );

  const killedAt = async (point: string): Promise<void> => {
    const gate = gates[0]!;
    await settled([gate]);
    const log = platform.log('standalone');
    const order = await click(gate);
    await log.line((line) => line['point'] === point);
    platform.kill('standalone');
    await order.answer;
    await log.line((line) => line['point'] === 'ready', backWithinMs);
    log.close();
    await eventually(() => send(order), backWithinMs);
    await judge(order);
  };

  it('X32: a process killed at "sent" opens no door late or twice when the order comes again', () => killedAt('sent'));

  it.for(['created', 'expanded', 'queued'])(
    'X32: a process killed at "%s" opens no door late or twice when the order comes again',
    { tags: 'slow' },
    killedAt,
  );

  it(
    'X32: a process that is paused for longer than an order lives opens no door afterwards',
    { tags: 'slow' },
    async () => {
      const [first, second] = gates as [Gate, Gate];
      await settled([first, second]);
      const log = platform.log('standalone');
      const taken = await click(first);
      await log.line((line) => line['point'] === 'created');
      const goOn = platform.freeze('standalone');
      log.close();
      // The order arrives while no process takes it; the browser sends the time of the click.
      const openedBefore = (await doorOf(second)).opened;
      const waiting = {
        gate: second,
        at: Date.now(),
        openedBefore,
        name: `Zz door ${++serial}`,
        orderId: randomUUID(),
      };
      const answer = platform
        .client({ 'carillon-asked-at': String(waiting.at) })(addTask, {
          body: {
            name: waiting.name,
            action: 'doorControl',
            params: { command: 'open', door: 1 },
            target: { ids: [second.id] },
            orderId: waiting.orderId,
          },
        })
        .catch(() => undefined);
      await delay(pastItMs);
      goOn();
      await answer;
      await taken.answer;
      await judge(taken);
      const { opened, task } = await judge(waiting);
      expect([opened, task.counts.success]).toEqual([0, 0]);
    },
  );
});

describe('in a cluster', { tags: 'slow' }, () => {
  beforeAll(() => start('doors', waysToRun.cluster), 300_000);
  afterAll(() => platform?.close(), 180_000);
  const gateways = ['mqtt-gateway-1', 'mqtt-gateway-2'];

  it('X32: gateways that are paused for longer than an order lives send it to no device', async () => {
    const gate = gates[0]!;
    await settled([gate]);
    const goOn = gateways.map((name) => platform.freeze(name));
    const order = await click(gate);
    const { id } = (await order.answer)!;
    await delay(pastItMs);
    for (const go of goOn) go();
    expect((await platform.ended(id, backWithinMs)).counts.success).toBe(0);
    expect((await judge(order)).opened).toBe(0);
  });

  it.for([
    ['task', 'created'],
    ['task', 'queued'],
    ['mqtt-gateway', 'queued'],
    ['mqtt-gateway', 'sent'],
  ] as const)('X32: every %s that is killed at the moment "%s" opens no door late or twice', async ([who, point]) => {
    const gate = gates[1]!;
    await settled([gate]);
    const logs = platform.logs();
    const order = await click(gate);
    await logs.line((line) => line['point'] === point);
    for (const n of [1, 2]) platform.kill(`${who}-${n}`);
    await order.answer;
    logs.close();
    await eventually(() => send(order), backWithinMs);
    await judge(order);
  });

  it('X32: an order that waits for the bus longer than it lives is not sent afterwards', async () => {
    const gate = gates[2]!;
    await settled([gate]);
    const goOn = platform.freeze('kafka');
    const order = await click(gate);
    await delay(pastItMs);
    goOn();
    await order.answer;
    await eventually(() => send(order), backWithinMs);
    const { opened, task } = await judge(order);
    expect([opened, task.counts.success]).toEqual([0, 0]);
  });
});
