import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  cancelTask,
  getTask,
  listDeviceTasks,
  listTaskDevices,
  permissionKeys,
  reportTaskDevices,
  runTask,
  stopTask,
  taskStatuses,
  type RouteInput,
  type TaskStatus,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';
import { sumOf } from './task.sums.ts';
import { isFinal, taskDeviceStates, taskStates, type TaskDeviceEvent, type TaskEvent } from './task.states.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
});
afterAll(() => rig?.close());

const capabilities = ['reboot', 'locate'];
/** A task of one device, and what the device does before the task's turn. */
interface Case {
  device: LinkedDevice;
  id: string;
  blocker: string | undefined;
  /** The command of an earlier try, for late answers. */
  earlier?: string;
}
/** Retries a busy device an hour later. */
const pace = {
  retry: { tries: 2, of: ['busy' as const], firstSeconds: 3_600 },
  spreadMinutes: 0,
  siteSync: 0,
  sitePerMinute: 0,
};
const order = async (device: LinkedDevice, action: 'reboot' | 'locate'): Promise<string> =>
  (
    await rig.call(addTask, {
      body: {
        name: action,
        action,
        params: action === 'locate' ? { seconds: 60 } : {},
        pace: action === 'locate' ? null : pace,
        target: { ids: [device.identity.deviceId] },
      },
    })
  ).id;
const rowOf = async (id: string) => (await rig.call(listTaskDevices, { params: { id }, query: {} })).records[0]!;
const is = (id: string, status: TaskStatus) => eventually(async () => expect((await rowOf(id)).status).toBe(status));
const commandOf = async (id: string): Promise<string | undefined> =>
  (await rig.sql<{ id: string | null }>('select command_id as id from task_device where task_id = $1', [id]))[0]?.id ??
  undefined;
const report = ({ id, device }: Case) =>
  rig.call(reportTaskDevices, { params: { id }, body: { deviceIds: [device.identity.deviceId] } });
const expire = async (id: string): Promise<void> => {
  await rig.sql(`update task_device set expires_at = now() - interval '1 minute' where task_id = $1`, [id]);
};

async function seen(): Promise<Case> {
  const [device] = await rig.devices(1, { capabilities });
  await device!.online();
  const id = await order(device!, 'reboot');
  await is(id, 'process');
  return { device: device!, id, blocker: undefined };
}
/** Creates a task whose device was busy and waits for its next try. */
async function waitingAgain(): Promise<Case> {
  const one = await seen();
  const earlier = (await commandOf(one.id))!;
  await say(one, { status: 'fail', code: 'busy' });
  await is(one.id, 'wait');
  return { ...one, earlier };
}
/** Creates a waiting task: another reboot is in flight. */
async function waiting(): Promise<Case> {
  const { device, id: blocker } = await seen();
  const id = await order(device, 'reboot');
  await is(id, 'wait');
  return { device, id, blocker };
}
const say = async ({ id, device, earlier }: Case, payload: Omit<Parameters<LinkedDevice['say']>[0], 'id'>) =>
  device.say({ id: earlier ?? (await commandOf(id)) ?? uuidv7(), ...payload });
const succeed = async ({ id, device, earlier }: Case) =>
  device.answer({ id: earlier ?? (await commandOf(id)) ?? uuidv7(), status: 'success' });
/** Frees the device for its next command, with a new connection. */
async function send({ device, blocker }: Case): Promise<void> {
  if (blocker !== undefined) {
    await device.answer({ id: (await commandOf(blocker))!, status: 'success' });
    await is(blocker, 'success');
  }
  await device.online();
}

/** How a device reaches each status; the missing ones are not statuses of a device. */
const ways: Partial<Record<TaskStatus, () => Promise<Case>>> = {
  wait: waiting,
  process: seen,
  downloadSuccess: async () => {
    const one = await seen();
    await say(one, { status: 'downloaded' });
    return one;
  },
  success: async () => {
    const one = await seen();
    await succeed(one);
    return one;
  },
  fail: async () => {
    const one = await seen();
    await say(one, { status: 'fail', code: 'broken' });
    return one;
  },
  timeout: async () => {
    const one = await seen();
    await expire(one.id);
    return one;
  },
  operated: async () => {
    const one = await waiting();
    await report(one);
    return one;
  },
  cancel: async () => {
    const one = await waiting();
    await rig.call(stopTask, { params: { id: one.id } });
    return one;
  },
};
const refused = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (e: { error: string }) => e.error,
  );
/** All events but `refuse`, which needs a momentary command (TASK-03 in `door.it.ts`). */
const events: Record<Exclude<TaskDeviceEvent, 'refuse'>, (one: Case) => Promise<unknown>> = {
  send,
  accept: (one) => say(one, { status: 'accepted' }),
  progress: (one) => say(one, { status: 'progress', progress: 40 }),
  download: (one) => say(one, { status: 'downloaded' }),
  restart: (one) => say(one, { status: 'success' }),
  succeed,
  fail: (one) => say(one, { status: 'fail', code: 'broken' }),
  retry: (one) => say(one, { status: 'fail', code: 'busy' }),
  expire: ({ id }) => expire(id),
  cancel: ({ id }) => refused(rig.call(stopTask, { params: { id } })),
  report: (one) => refused(report(one)),
};
/** Waits until all earlier events are processed: an answer of the same device, and a check of expiries. */
async function settled({ device }: Case): Promise<void> {
  const [away] = await rig.devices(1, { capabilities });
  const over = await order(away!, 'reboot');
  await is(over, 'wait');
  const locate = await order(device, 'locate');
  await is(locate, 'process');
  await device.say({ id: (await commandOf(locate))!, status: 'success' });
  await is(locate, 'success');
  await expire(over);
  await is(over, 'timeout');
}

/** Status of a task with its single device; a stopped one stays stopped. */
const taskWith: Partial<Record<TaskStatus, TaskStatus>> = {
  wait: 'process',
  process: 'process',
  downloadSuccess: 'process',
  success: 'success',
  operated: 'success',
  fail: 'fail',
  timeout: 'timeout',
  cancel: 'stop',
};

it.each(Object.keys(ways) as TaskStatus[])(
  'a device in %s changes only as the table says, and its task has the sum [TASK-03]',
  async (status) => {
    const happens = async (event: keyof typeof events): Promise<void> => {
      const one = await (status === 'wait' && event === 'succeed' ? waitingAgain() : ways[status]!());
      await is(one.id, status);
      await events[event](one);
      await settled(one);
      const to = taskDeviceStates[status][event] ?? status;
      await eventually(async () => expect([event, (await rowOf(one.id)).status]).toEqual([event, to]));
      const task = await rig.call(getTask, { params: { id: one.id } });
      const none = { total: 1, success: 0, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0 };
      expect([event, task.counts]).toEqual([event, { ...none, [sumOf[to]]: 1 }]);
      const isStopped = event === 'cancel' && !isFinal(taskDeviceStates, status);
      expect([event, task.status]).toEqual([event, isStopped ? 'stop' : taskWith[to]]);
      const history = await rig.call(listDeviceTasks, {
        params: { id: one.device.identity.deviceId },
        query: { limit: 50 },
      });
      expect(history.records.find((record) => record.id === one.id)!.device.status).toBe(to);
      // A task that has ended keeps its status, whatever is requested.
      if (!isFinal(taskStates, task.status)) return;
      for (const call of [stopTask, cancelTask, runTask])
        expect(await refused(rig.call(call, { params: { id: one.id } }))).toMatch(/^task\.not/);
      expect((await rig.call(getTask, { params: { id: one.id } })).status).toBe(task.status);
    };
    await Promise.all((Object.keys(events) as (keyof typeof events)[]).map(happens));
  },
  180_000,
);

interface Ordered {
  id: string;
  of: LinkedDevice[];
}
type Order = Partial<RouteInput<typeof addTask>['body']>;
const begin = '2037-01-01T04:30';
const timer: Order = { schedule: { type: 'timer', begin }, durationMinutes: 10 };
const nightly: Order = { schedule: { type: 'cycle', begin, end: null, repeat: { every: 'day' } } };
const statusOf = async (id: string) => (await rig.call(getTask, { params: { id } })).status;
/** Creates a task for offline devices. */
async function ordered(more: Order = {}, count = 1): Promise<Ordered> {
  const devices = await rig.devices(count, { capabilities });
  const target = { ids: devices.map((d) => d.identity.deviceId) };
  const body = { name: 'Of a task', action: 'reboot', timeZone: 'Etc/UTC', target, ...more };
  return { id: (await rig.call(addTask, { body })).id, of: devices };
}
const dueSince = (id: string, ago: string) =>
  rig.sql('update task set due_at = now() - $2::interval where id = $1', [id, ago]);
/** Creates a task whose devices are all started. */
async function running(more: Order = {}, count = 1): Promise<Ordered> {
  const one = await ordered(more, count);
  for (const device of one.of) await device.online();
  if (more.schedule) await dueSince(one.id, '1 second');
  await eventually(async () => expect(await rig.counts(one.id)).toMatchObject({ process: count }));
  return one;
}
async function answered({ id, of }: Ordered, ...how: ('success' | 'fail')[]): Promise<void> {
  for (const [n, device] of of.entries()) {
    const [row] = await rig.sql<{ id: string }>(
      'select command_id as id from task_device where task_id = $1 and device_id = $2',
      [id, device.identity.deviceId],
    );
    if (how[n] === 'success') await device.answer({ id: row!.id, status: 'success' });
    else await device.say({ id: row!.id, status: 'fail', code: 'broken' });
  }
}
const ends = { stop: stopTask, cancel: cancelTask };
const end = (how: keyof typeof ends) => (one: Ordered) => rig.call(ends[how], { params: { id: one.id } });
/** Events of a waiting and of a running task: how it gets there, and what triggers them. */
const happenings: Partial<
  Record<TaskStatus, Partial<Record<TaskEvent, [() => Promise<Ordered>, (one: Ordered) => Promise<unknown>]>>>
> = {
  wait: {
    start: [() => ordered(timer), ({ id }) => rig.call(runTask, { params: { id } })],
    cancel: [() => ordered(timer), end('cancel')],
    stop: [() => ordered(timer), end('stop')],
    endTimeout: [() => ordered(timer), ({ id }) => dueSince(id, '11 minutes')],
  },
  process: {
    stop: [() => ordered(), end('stop')],
    cancel: [() => ordered(), end('cancel')],
    endRun: [() => running(nightly), (one) => answered(one, 'success')],
    endSuccess: [() => running(), (one) => answered(one, 'success')],
    endFail: [() => running(), (one) => answered(one, 'fail')],
    endTimeout: [() => running(), ({ id }) => expire(id)],
    endMixed: [() => running({}, 2), (one) => answered(one, 'success', 'fail')],
  },
};

it('a task follows the table of states, and an ended one never changes [TASK-03]', async () => {
  const named = (table: object) => Object.entries(table).flatMap(([from, to]) => Object.keys(to).map((e) => [from, e]));
  expect(named(happenings).toSorted()).toEqual(named(taskStates).toSorted());
  const happens = async (from: TaskStatus, event: TaskEvent): Promise<void> => {
    const [begins, happen] = happenings[from]![event]!;
    const one = await begins();
    await eventually(async () => expect([event, await statusOf(one.id)]).toEqual([event, from]));
    await happen(one);
    const to = taskStates[from][event]!;
    await eventually(async () => expect([from, event, await statusOf(one.id)]).toEqual([from, event, to]));
    if (!isFinal(taskStates, to)) return;
    for (const device of one.of) await device.online();
    await succeed({ id: one.id, device: one.of[0]!, blocker: undefined });
    await settled({ id: one.id, device: one.of[0]!, blocker: undefined });
    for (const call of [stopTask, cancelTask, runTask])
      expect(await refused(rig.call(call, { params: { id: one.id } }))).toMatch(/^task\.not/);
    expect([from, event, await statusOf(one.id)]).toEqual([from, event, to]);
  };
  await Promise.all(named(happenings).map(([from, event]) => happens(from as TaskStatus, event as TaskEvent)));
}, 180_000);

it('no device has a status that the table cannot reach', () => {
  const reached = new Set(Object.values(taskDeviceStates).flatMap((to) => Object.values(to)));
  reached.delete('wait');
  expect([...reached, 'wait'].sort()).toEqual(Object.keys(ways).sort());
  expect(taskStatuses.filter((s) => !(s in ways))).toEqual(['stop', 'finished']);
});

it('reports devices as done by hand; they get nothing more, and late answers change nothing [TASK-03]', async () => {
  const [away, here, mute] = await rig.devices(3, { capabilities });
  const id = (
    await rig.call(addTask, {
      body: {
        name: 'By hand',
        action: 'reboot',
        params: {},
        target: { ids: [away!, here!, mute!].map((d) => d.identity.deviceId) },
      },
    })
  ).id;
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ wait: 3 }));
  const ask = (actor = rig.actor, devices = [away!]) =>
    refused(
      rig.service.as(actor)(reportTaskDevices, {
        params: { id },
        body: { deviceIds: devices.map((d) => d.identity.deviceId) },
      }),
    );
  expect(await ask({ ...rig.actor, permissions: permissionKeys.filter((key) => key !== 'stopTask') })).toBe(
    'common.forbidden',
  );
  expect(await ask(newActor())).toBe('common.notFound');
  expect(await ask({ ...rig.actor, userId: uuidv7(), orgIds: [uuidv7()] })).toBe('common.notFound');
  const [other] = await rig.devices(1);
  expect(await ask(rig.actor, [other!])).toBe('task.deviceNotWaiting');
  expect(await rig.counts(id)).toMatchObject({ wait: 3 });
  expect(await ask()).toBeUndefined();
  expect(await ask()).toBe('task.deviceNotWaiting');
  const rows = (await rig.call(listTaskDevices, { params: { id }, query: { status: ['operated'] } })).records;
  expect(rows).toMatchObject([{ deviceId: away!.identity.deviceId, message: 'Done by hand, says tester' }]);
  // Back online, it is not started; the other one ends the task.
  await away!.online();
  await here!.online();
  const { id: command } = await rig.command(here!);
  await here!.answer({ id: command, status: 'success' });
  // A device accepts and goes silent: it blocks its next task until a user reports it as done.
  await mute!.online();
  const told = await rig.command(mute!);
  await mute!.say({ id: told.id, status: 'accepted' });
  const behind = await order(mute!, 'reboot');
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 1, success: 2, wait: 0 }));
  await is(behind, 'wait');
  expect(await ask(rig.actor, [mute!])).toBeUndefined();
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ status: 'success', success: 3 }));
  await is(behind, 'process');
  await mute!.say({ id: told.id, status: 'fail', code: 'broken' });
  await settled({ id, device: here!, blocker: undefined });
  expect(await rig.counts(id)).toMatchObject({ status: 'success', success: 3, fail: 0 });
  expect(rig.commands.filter((c) => c.deviceId === away!.identity.deviceId)).toEqual([]);
});

it('tells when the command was sent to a device and when the device accepted it [TASK-03/steps]', async () => {
  const [device] = await rig.devices(1, { capabilities });
  await device!.online();
  const id = await rig.order([device!]);
  const command = (await rig.command(device!)).id;
  const sent = await rowOf(id);
  expect([typeof sent.sentAt, sent.acceptedAt]).toEqual(['string', null]);
  await device!.answer({ id: command, status: 'accepted' });
  await eventually(async () => expect((await rowOf(id)).acceptedAt).not.toBeNull());
  const { sentAt, acceptedAt } = await rowOf(id);
  expect(Date.parse(acceptedAt!)).toBeGreaterThanOrEqual(Date.parse(sentAt!));
});
