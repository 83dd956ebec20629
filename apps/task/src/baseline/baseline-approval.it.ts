import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  addBaseline,
  approveTask,
  cancelTask,
  deleteBaseline,
  editApprovalRule,
  editBaseline,
  getBaseline,
  getTask,
  listBaselineDevices,
  listBaselines,
  live,
  refuseTask,
  restoreBaselines,
  retryBaseline,
  type RouteCall,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';
import { firmwareOf, publishFirmware } from '../file/firmware-test.ts';

let rig: TaskRig;
/** The second person. */
let ben: Actor;
const heard: string[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, baselineMs: 100, baselineRetryMs: 0 });
  ben = { ...rig.actor, userId: uuidv7() };
  await rig.bus.fanout({
    topics: [live.name],
    from: 'end',
    handle: ({ records }) => {
      for (const { value } of records) {
        const { kind, ids } = JSON.parse(value!) as { kind: string; ids: string[] };
        if (kind === 'baseline') heard.push(...ids);
      }
      return Promise.resolve();
    },
  });
});
afterAll(() => rig?.close());
beforeEach(() => rig.call(editApprovalRule, { body: { devices: 2, actions: ['firmwareUpgrade'] } }));

let serial = 0;
const store = (version: string, model: string) => publishFirmware(rig, firmwareOf({ version, models: [model] }));
const body = (firmwareId: string, model: string, change: object = {}): RouteCall<typeof addBaseline>['body'] => ({
  name: `For ${model}`,
  firmwareId,
  model,
  siteId: null,
  groupId: null,
  active: true,
  from: null,
  to: null,
  timeZone: null,
  ...change,
});
/** Each test uses its own model. */
const newModel = (): string => `Asked ${++serial}`;
const known = new Map<string, LinkedDevice>();
async function phones(model: string, count: number): Promise<LinkedDevice[]> {
  const all = await rig.devices(count, { model, firmware: '1.0', capabilities: ['firmwareUpgrade'] });
  for (const device of all) known.set(device.identity.deviceId, device);
  return all;
}
async function online(all: readonly LinkedDevice[]): Promise<void> {
  await Promise.all(all.map((device) => device.online()));
  await eventually(async () =>
    expect(
      await rig.sql('select count(*)::int as n from link_session where online and device_id = any($1::uuid[])', [
        all.map((d) => d.identity.deviceId),
      ]),
    ).toEqual([{ n: all.length }]),
  );
}
const baseline = (id: string) => rig.call(getBaseline, { params: { id } });
const tasksOf = (id: string) =>
  rig.sql<{ id: string; status: string; devices: number }>(
    `select id, status, (approval ->> 'devices')::int as devices from task where baseline_id = $1 order by number`,
    [id],
  );
/** Waits for this many requests; returns the id of the last task. */
const asked = (id: string, times: number, devices: number): Promise<string> =>
  eventually(async () => {
    const tasks = await tasksOf(id);
    expect(tasks).toHaveLength(times);
    const last = tasks.at(-1)!;
    expect(last.devices).toBe(devices);
    expect((await baseline(id)).approval).toMatchObject({ state: 'asked', taskId: last.id, by: null, reason: null });
    return last.id;
  });
const states = async (id: string) =>
  Object.fromEntries(Object.entries((await baseline(id)).counts).filter(([, n]) => n > 0));
const reasons = async (id: string) =>
  new Set((await rig.call(listBaselineDevices, { params: { id }, query: {} })).records.map((d) => d.reason));
/** Waits for a complete pass over the baseline's devices. */
async function looked(id: string): Promise<void> {
  const at = async () =>
    (await rig.sql<{ at: string }>('select look_at::text as at from baseline where id = $1', [id]))[0]!.at;
  for (let n = 0; n < 2; n++) {
    const before = await at();
    await eventually(async () => expect(await at()).not.toBe(before));
  }
}
const approve = (id: string, devices: number) =>
  rig.service.as(ben)(approveTask, { params: { id }, body: { devices } });
const seen = async (devices: readonly LinkedDevice[], count: number) =>
  eventually(() =>
    expect(
      new Set(
        rig.commands.flatMap((c) => (devices.some((d) => d.identity.deviceId === c.deviceId) ? [c.deviceId] : [])),
      ).size,
    ).toBe(count),
  );

it('a baseline waits with its task for approval, which includes devices that join [TASK-08/approval]', async () => {
  const model = newModel();
  const there = await phones(model, 2);
  await online(there);
  const { id } = await rig.call(addBaseline, { body: body(await store('2.0', model), model) });
  const first = await asked(id, 1, 2);
  await eventually(() => expect(heard).toContain(id));
  expect(await states(id)).toEqual({ behind: 2 });
  expect(await reasons(id)).toEqual(new Set(['approval']));
  const { number } = await rig.call(getTask, { params: { id: first } });
  const [listed] = (await rig.call(listBaselines, { query: { search: model } })).records;
  expect(listed!.approval).toMatchObject({ state: 'asked', taskId: first, taskNumber: number });

  // Three are more than a tenth more than two: the same task now requests three.
  const joined = await phones(model, 1);
  await online(joined);
  expect(await asked(id, 1, 3)).toBe(first);
  await expect(approve(first, 2)).rejects.toMatchObject({ error: 'approval.changed' });
  // Once, and not at each pass.
  await looked(id);
  expect(await tasksOf(id)).toHaveLength(1);
  expect((await baseline(id)).approval!.at).toBe(
    (await rig.call(getTask, { params: { id: first } })).approval!.askedAt,
  );
  await seen([...there, ...joined], 0);
  heard.length = 0;
  await approve(first, 3);
  await seen([...there, ...joined], 3);
  expect((await baseline(id)).approval).toBeNull();
  await eventually(() => expect(heard).toContain(id));
  await rig.call(deleteBaseline, { query: { id } });
});

it('a refusal holds until a tenth more devices joined or a user retries [TASK-08/approval]', async () => {
  const model = newModel();
  const [away, ...there] = (await phones(model, 10)) as [LinkedDevice, ...LinkedDevice[]];
  await online(there);
  const { id } = await rig.call(addBaseline, { body: body(await store('2.0', model), model) });
  const first = await asked(id, 1, 9);
  await rig.service.as(ben)(refuseTask, { params: { id: first }, body: { reason: 'After the fair.' } });
  expect((await baseline(id)).approval).toMatchObject({
    state: 'refused',
    taskId: first,
    by: expect.any(String),
    reason: 'After the fair.',
  });
  expect(await states(id)).toEqual({ stuck: 10 });
  expect(await reasons(id)).toEqual(new Set(['refused']));

  // It was behind and offline at the refusal.
  await online([away]);
  const joined = await phones(model, 2);
  await online(joined.slice(0, 1));
  await looked(id);
  expect(await tasksOf(id)).toHaveLength(1);
  expect(await states(id)).toEqual({ stuck: 12 });

  await online(joined.slice(1));
  const second = await asked(id, 2, 12);
  await seen([away, ...there, ...joined], 0);
  // A cancelled request is not an approval.
  await rig.call(cancelTask, { params: { id: second } });
  expect((await baseline(id)).approval).toMatchObject({ state: 'canceled', taskId: second, by: null });
  await looked(id);
  expect(await tasksOf(id)).toHaveLength(2);
  expect(await states(id)).toEqual({ stuck: 12 });

  await rig.call(retryBaseline, { params: { id } });
  const third = await asked(id, 3, 12);
  await approve(third, 12);
  await seen([away, ...there, ...joined], 12);
  expect((await baseline(id)).approval).toBeNull();
  await rig.call(deleteBaseline, { query: { id } });
});

it('another version, deactivation and deletion withdraw a pending request', async () => {
  const model = newModel();
  await online(await phones(model, 2));
  const [second, third] = [await store('2.0', model), await store('3.0', model)];
  const { id } = await rig.call(addBaseline, { body: body(second, model) });
  const statuses = async () => (await tasksOf(id)).map((t) => t.status);
  await asked(id, 1, 2);
  await rig.call(editBaseline, { body: { id, ...body(third, model) } });
  await asked(id, 2, 2);
  expect(await statuses()).toEqual(['cancel', 'wait']);
  // Back to the earlier version: a withdrawn request was not refused.
  await rig.call(editBaseline, { body: { id, ...body(second, model) } });
  await asked(id, 3, 2);
  await rig.call(editBaseline, { body: { id, ...body(second, model, { active: false }) } });
  expect((await baseline(id)).approval).toBeNull();
  expect(await statuses()).toEqual(['cancel', 'cancel', 'cancel']);
  await rig.call(editBaseline, { body: { id, ...body(second, model) } });
  await asked(id, 4, 2);
  await rig.call(deleteBaseline, { query: { id } });
  expect((await statuses()).at(-1)).toBe('cancel');
  await rig.call(restoreBaselines, { body: { ids: [id] } });
  await asked(id, 5, 2);
  await rig.call(deleteBaseline, { query: { id } });
});

it('an approval that expires unused is shown, and nothing is ordered again by itself', async () => {
  const model = newModel();
  await online(await phones(model, 2));
  const { id } = await rig.call(addBaseline, { body: body(await store('2.0', model), model) });
  const first = await asked(id, 1, 2);
  // Its window begins in two hours, and nothing runs before.
  const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const window = 'update baseline set from_local = $2, to_local = $3, time_zone = $4 where id = $1';
  await rig.sql(window, [id, clock(2), clock(4), 'Etc/UTC']);
  expect((await approve(first, 2)).dueAt).not.toBeNull();
  expect((await baseline(id)).approval).toBeNull();
  // No process was running at that time.
  heard.length = 0;
  await rig.sql(`update task set due_at = now() - interval '1 day' where id = $1`, [first]);
  await eventually(async () =>
    expect((await baseline(id)).approval).toMatchObject({ state: 'expired', taskId: first, by: null }),
  );
  await eventually(() => expect(heard).toContain(id));
  await rig.sql(window, [id, null, null, null]);
  await looked(id);
  expect(await tasksOf(id)).toHaveLength(1);
  expect(await states(id)).toEqual({ stuck: 2 });
  await rig.call(deleteBaseline, { query: { id } });
});
