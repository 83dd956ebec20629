import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { addTask, getTask } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, testPostgres, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

/**
 * Devices that move or end while something else writes their rows. Each transaction writes its outbox last, so a lock
 * on that table stops them with everything written and nothing committed.
 */
let rig: TaskRig;
let gate: pg.Client;
let boss: Actor;
const hamburg = uuidv7();
const berlin = uuidv7();

beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 600_000 });
  const { host, port, user, password } = await testPostgres();
  gate = new pg.Client({ host, port, user, password, database: rig.service.database.name });
  await gate.connect();
  boss = { ...rig.actor, userId: uuidv7(), orgIds: [hamburg, berlin, rig.actor.orgId], allOrgs: true };
});
afterEach(async () => {
  await gate.query('rollback');
});
afterAll(async () => {
  await gate?.end();
  await rig?.close();
});

const move = (d: LinkedDevice) => rig.publishDevice(d, { orgId: berlin });
const order = async (devices: readonly LinkedDevice[]) =>
  (
    await rig.service.as(boss)(addTask, {
      body: { name: 'Reboot', action: 'reboot', params: {}, target: { ids: devices.map((d) => d.identity.deviceId) } },
    })
  ).id;
const ready = (id: string) =>
  eventually(async () => {
    expect((await sql<{ expanded: boolean }>('select expanded from task where id = $1', [id]))[0]!.expanded).toBe(true);
  });
const hold = async (): Promise<void> => {
  await gate.query('begin');
  await gate.query('lock table outbox in exclusive mode');
};
const release = () => gate.query('commit');
/** Runs SQL without policies and outside of the service's connections, which may all be blocked. */
const sql = async <R = Record<string, unknown>>(text: string, values: unknown[]): Promise<R[]> =>
  (await gate.query(text, values)).rows as R[];
/** Waits until this many sessions of the service are blocked at such a statement. */
const stand = async (statement: string, count = 1): Promise<void> => {
  // Otherwise the transaction keeps seeing its first statistics.
  await gate.query('select pg_stat_clear_snapshot()');
  const { rows } = await gate.query<{ n: number }>(
    `
      select count(*)::int as n
      from pg_stat_activity
      where datname = current_database()
        and wait_event_type = 'Lock'
        and regexp_replace(query, '\\s+', ' ', 'g') ilike $1
    `,
    [`%${statement}%`],
  );
  expect(rows[0]!.n).toBeGreaterThanOrEqual(count);
};
const copied = async (d: LinkedDevice): Promise<void> => {
  expect(
    await sql('select org_id from device_copy where id = $1 and org_id <> $2', [d.identity.deviceId, berlin]),
  ).toEqual([]);
};
/** Returns organization and status of the task's rows, and checks that all sums match them. */
async function rowsOf(id: string): Promise<[string, string][]> {
  const statuses = ['wait', 'process', 'success', 'fail', 'cancel', 'timeout'];
  const counts = statuses.map((s) => `count(*) filter (where status = '${s}')::int as "${s}"`);
  const sums = `count(*)::int as total, ${counts.join(', ')}`;
  expect(
    await sql(
      `
        select org_id, total, wait, process, success, fail, cancel, timeout
        from task_organization
        where task_id = $1
        order by org_id
      `,
      [id],
    ),
  ).toEqual(
    await sql(`select org_id, ${sums} from task_device where task_id = $1 group by org_id order by org_id`, [id]),
  );
  expect(
    await sql('select total, wait, process, success, fail, cancel, timeout from task where id = $1', [id]),
  ).toEqual(await sql(`select ${sums} from task_device where task_id = $1`, [id]));
  return (
    await sql<{ org_id: string; status: string }>(
      'select org_id, status from task_device where task_id = $1 order by device_id',
      [id],
    )
  ).map((r) => [r.org_id, r.status]);
}

/** Orders a task and blocks its expansion after its rows are written. */
async function expanding(devices: readonly LinkedDevice[]): Promise<string> {
  await gate.query('begin');
  await gate.query(`select pg_advisory_xact_lock(hashtextextended('task device ' || $1, 0))`, [rig.actor.companyId]);
  const id = await order(devices);
  await eventually(() => stand('pg_advisory_xact_lock_shared(hashtextextended'));
  await gate.query('lock table outbox in exclusive mode');
  const second = new pg.Client({
    host: gate.host,
    port: gate.port,
    user: gate.user!,
    password: gate.password as string,
    database: gate.database!,
  });
  await second.connect();
  // Releases one lock and keeps the other: a second session waits for it behind the first.
  await second.query('begin');
  const locked = second.query('lock table outbox in exclusive mode');
  await eventually(() => stand('lock table outbox'));
  await gate.query('commit');
  await locked;
  [gate] = [second, await gate.end()];
  await eventually(() => stand('insert into outbox'));
  return id;
}

describe('a device that moves during the expansion of a task', () => {
  it('has its row in its new organization, although the expansion read the old one', async () => {
    const devices = await rig.devices(2, { orgId: hamburg });
    const id = await expanding(devices);
    await move(devices[0]!);
    await eventually(() => stand('pg_advisory_xact_lock(hashtextextended').catch(() => copied(devices[0]!)));
    await release();
    await ready(id);
    await eventually(() => copied(devices[0]!));
    expect(await rowsOf(id)).toEqual([
      [berlin, 'wait'],
      [hamburg, 'wait'],
    ]);
  });

  it('leaves no open row behind when it is deleted', async () => {
    const devices = await rig.devices(1, { orgId: hamburg });
    const id = await expanding(devices);
    await rig.publishDevice(devices[0]!, null);
    const gone = async () => {
      expect(await sql('select 1 from device_copy where id = $1', [devices[0]!.identity.deviceId])).toEqual([]);
    };
    await eventually(() => stand('pg_advisory_xact_lock(hashtextextended').catch(gone));
    await release();
    await ready(id);
    await eventually(gone);
    expect(await rowsOf(id)).toEqual([[hamburg, 'cancel']]);
    expect((await rig.service.as(boss)(getTask, { params: { id } })).endedAt).not.toBeNull();
  });
});

describe('a device that moves while its answer is stored', () => {
  const seen = async () => {
    const devices = await rig.devices(2, { orgId: hamburg });
    for (const d of devices) await d.online();
    const id = await order(devices);
    const commands = [await rig.command(devices[0]!), await rig.command(devices[1]!)];
    await eventually(async () =>
      expect(await rowsOf(id)).toEqual([
        [hamburg, 'process'],
        [hamburg, 'process'],
      ]),
    );
    return { of: devices, id, answer: (n: number) => devices[n]!.answer({ id: commands[n]!.id, status: 'success' }) };
  };

  it('takes along its answer when that was first', async () => {
    const { of, id, answer } = await seen();
    await hold();
    await answer(0);
    await eventually(() => stand('insert into outbox'));
    await move(of[0]!);
    await eventually(() => stand('with moved as'));
    await release();
    await eventually(async () =>
      expect(await rowsOf(id)).toEqual([
        [berlin, 'success'],
        [hamburg, 'process'],
      ]),
    );
    await answer(1);
    await eventually(async () =>
      expect(await rig.service.as(boss)(getTask, { params: { id } })).toMatchObject({
        status: 'success',
        counts: { total: 2, success: 2 },
      }),
    );
  });

  it('is answered in its new organization when the move was first', async () => {
    const { of, id, answer } = await seen();
    await hold();
    await move(of[0]!);
    await eventually(() => stand('insert into outbox'));
    await answer(0);
    // PostgreSQL reports only the start of a statement: this is the one that reads its rows.
    await eventually(() => stand('(td.accepted_at is not null)'));
    await release();
    await eventually(async () =>
      expect(await rowsOf(id)).toEqual([
        [berlin, 'success'],
        [hamburg, 'process'],
      ]),
    );
  });
});
