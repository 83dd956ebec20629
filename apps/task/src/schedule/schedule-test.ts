import { afterAll } from 'vitest';
import pg from 'pg';
import { addTask, getTask, message, type RouteInput, type TaskRecord } from '@carillon/contracts';
import { eventually, testPostgres, type LinkedDevice } from '@carillon/testing';
import { readConfig } from '@carillon/service';
import { taskConfig } from '../config.ts';
import { secondDispatch, taskRig } from '../task-test.ts';
import { ScheduleService } from './schedule.service.ts';

export type Body = RouteInput<typeof addTask>['body'];
export const idsOf = (devices: readonly LinkedDevice[]) => devices.map((d) => d.identity.deviceId);
export const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
/** A day from now, in UTC. */
const tomorrow = () => minute(Date.now() + 86_400_000);
export const nightly = { type: 'cycle', begin: tomorrow(), end: null, repeat: { every: 'day' } } as const;
export const timer = { type: 'timer', begin: tomorrow() } as const;

async function openSchedules() {
  const published: { objectId: string; type: number; level: string; values: unknown }[] = [];
  const rig = await taskRig({ taskTickMs: 100 });
  await rig.bus.fanout({
    topics: [message.name],
    from: 'end',
    handle: ({ records }) => {
      published.push(...records.map((r) => JSON.parse(r.value!)));
    },
  });
  const { host, port, user, password } = await testPostgres();
  const admin = new pg.Client({ host, port, user, password, database: rig.service.database.name });
  await admin.connect();
  const config = { ...readConfig(taskConfig), taskTickMs: 100, taskChunk: 1_000, taskPerSecond: 0 };
  /** A second process of the service, as far as firing is concerned. */
  const second = new ScheduleService(rig.service.database, secondDispatch(rig, config), config);
  afterAll(async () => {
    await second.onApplicationShutdown();
    await rig.close();
    await admin.end();
  });
  return { rig, published, admin, second };
}

function scheduleCalls({ rig }: Awaited<ReturnType<typeof openSchedules>>) {
  const order = (devices: readonly LinkedDevice[], more: Partial<Body>): Promise<TaskRecord> =>
    rig.call(addTask, {
      body: { name: 'Reboot', action: 'reboot', target: { ids: idsOf(devices) }, timeZone: 'Etc/UTC', ...more } as Body,
    });
  const load = (id: string) => rig.call(getTask, { params: { id } });
  /** Moves its due time to this long ago. */
  const dueSince = (id: string, ago: string) =>
    rig.sql(`update task set due_at = now() - $2::interval where id = $1`, [id, ago]);
  /** Returns its current command. */
  const commandOf = (device: LinkedDevice): Promise<string> =>
    eventually(async () => {
      const [row] = await rig.sql<{ id: string }>(
        `select command_id as id from task_device where device_id = $1 and status = 'process'`,
        [device.identity.deviceId],
      );
      return row!.id;
    });
  /** Lets all devices of the run succeed. */
  async function done(devices: readonly LinkedDevice[]): Promise<void> {
    for (const device of devices) await device.answer({ id: await commandOf(device), status: 'success' });
  }
  return { order, load, dueSince, commandOf, done };
}

/** Starts the task service, and a second process of it that fires due tasks. Closes both after the tests. */
export async function startSchedules() {
  const opened = await openSchedules();
  return { ...opened, ...scheduleCalls(opened) };
}
