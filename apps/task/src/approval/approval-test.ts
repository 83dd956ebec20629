import { afterAll, afterEach, expect } from 'vitest';
import {
  addTask,
  approveTask,
  audit,
  editApprovalRule,
  getTask,
  listTaskRuns,
  live,
  refuseTask,
  type RouteInput,
  type TaskRecord,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskRig, testLinks } from '../task-test.ts';

type Body = RouteInput<typeof addTask>['body'];
type Audit = { action: string; objectId: string; result: string; username: string; detail: Record<string, unknown> };
export const errorOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
export const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
export const tomorrow = () => minute(Date.now() + 86_400_000);

async function openApprovals() {
  const noted: Audit[] = [];
  const heard: string[] = [];
  const known = new Map<string, LinkedDevice>();
  const rig = await taskRig({ taskTickMs: 100, baselineMs: 100, baselineRetryMs: 0, publicUrl: testLinks.publicUrl });
  /** Other users of the company; `rig.actor` places the orders. */
  const ben: Actor = { ...rig.actor, userId: uuidv7() };
  const carl: Actor = { ...rig.actor, userId: uuidv7() };
  await rig.bus.fanout({
    topics: [audit.name, live.name],
    from: 'end',
    handle: ({ topic, records }) => {
      for (const { value } of records)
        if (topic === audit.name) noted.push(JSON.parse(value!) as Audit);
        else heard.push(...[(JSON.parse(value!) as { ids: string[] | 'many' }).ids].flat());
    },
  });
  afterAll(() => rig.close());
  return { rig, ben, carl, noted, heard, known };
}

function approvalCalls({ rig, ben, known }: Awaited<ReturnType<typeof openApprovals>>) {
  let serial = 0;
  const as = (actor: Actor) => rig.service.as(actor);
  const rule = (devices: number | null, actions: string[] = devices === null ? [] : ['reboot']) =>
    rig.call(editApprovalRule, { body: { devices, actions } });
  const next = () => ++serial;
  /** Creates devices of a model that no other test uses, and a target of all of them. */
  async function phones(count: number, more: object = {}) {
    const model = `Approval ${next()}`;
    const join = async (n: number) => {
      const joined = await rig.devices(n, { model, ...more });
      for (const device of joined) {
        await device.online();
        known.set(device.identity.deviceId, device);
      }
      // A push to a device that the service does not know as online yet is refused for that.
      await eventually(async () => {
        const [row] = await rig.sql<{ n: number }>(
          'select count(*)::int as n from link_session where online and device_id = any($1::uuid[])',
          [joined.map((d) => d.identity.deviceId)],
        );
        expect(row!.n).toBe(n);
      });
      return joined;
    };
    const devices = await join(count);
    return { of: devices, model, target: { filter: { model: [model] } } as Body['target'], join };
  }
  const order = (target: Body['target'], more: Partial<Body> = {}, actor: Actor = rig.actor): Promise<TaskRecord> =>
    as(actor)(addTask, { body: { name: 'Reboot', action: 'reboot', target, timeZone: 'Etc/UTC', ...more } as Body });
  const load = (id: string, actor: Actor = rig.actor) => as(actor)(getTask, { params: { id } });
  const approve = (id: string, devices: number, actor: Actor = ben) =>
    as(actor)(approveTask, { params: { id }, body: { devices } });
  const refuse = (id: string, actor: Actor = ben, reason = 'Not this week.') =>
    as(actor)(refuseTask, { params: { id }, body: { reason } });
  const runsOf = async (id: string) => (await rig.call(listTaskRuns, { params: { id }, query: {} })).records;
  const commandsOf = (devices: readonly LinkedDevice[]) =>
    rig.commands.filter((c) => devices.some((d) => d.identity.deviceId === c.deviceId));
  /** Completes all devices of a run. */
  async function done(id: string, run = 1): Promise<void> {
    await eventually(async () => expect(await load(id)).toMatchObject({ runs: run, expanded: true }));
    await eventually(async () => expect((await load(id)).counts.wait).toBe(0));
    const rows = await rig.sql<{ id: string; device: string }>(
      `select command_id as id, device_id as device from task_device where task_id = $1 and status = 'process'`,
      [id],
    );
    for (const { id: command, device } of rows) await known.get(device)!.answer({ id: command, status: 'success' });
    await eventually(async () => expect((await load(id)).endedAt).not.toBeNull());
  }
  const dueNow = (id: string) => rig.sql(`update task set due_at = now() where id = $1`, [id]);
  /** Waits for a complete pass over due tasks: a task that was due before has run. */
  async function looked(): Promise<void> {
    const { of, target } = await phones(1);
    const { id } = await order(target, { action: 'locate', schedule: { type: 'timer', begin: tomorrow() } });
    await dueNow(id);
    await eventually(async () => expect((await load(id)).runs).toBe(1));
    expect(of).toHaveLength(1);
  }
  return { as, rule, next, phones, order, load, approve, refuse, runsOf, commandsOf, done, dueNow, looked };
}

/** Starts the task service with three users of a company. Removes their rule after each test. */
export async function startApprovals() {
  const opened = await openApprovals();
  const calls = approvalCalls(opened);
  afterEach(() => calls.rule(null));
  return { ...opened, ...calls };
}
