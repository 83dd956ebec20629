import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask } from '@carillon/contracts';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';
import { DispatchService } from './dispatch.service.ts';
import { due } from './due.ts';
import { sendCommands } from './send.ts';
import { firstId } from './sync.ts';

const many = 5_200;
const [north, south] = ['01920000-0000-7000-8000-0000000000b1', '01920000-0000-7000-8000-0000000000b2'];

let rig: TaskRig;
/** The task with one place per site. */
let limited: string;
beforeAll(async () => {
  // The tick runs only when the test triggers it.
  rig = await taskRig({ taskTickMs: 3_600_000, taskPerSecond: 0 });
  const { companyId, orgId } = rig.actor;
  await rig.sql(
    `
      insert into device_copy (
        id, company_id, org_id, mac, name, model, sn, capabilities, configured, config_failed, failed_lines,
        owner_epoch, site_id, version, era
      )
      select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, lpad(to_hex(n), 12, 'f'),
        'North ' || n, 'North', 'N' || n, '["reboot"]', true, false, 0, 1, $3, 1, 1
      from generate_series(1, ${many}) n
    `,
    [companyId, orgId, north],
  );
  await rig.sql(
    `
      insert into link_session
      select id, company_id, 1000, true, 'g#1', now() - interval '1 hour'
      from device_copy
      where model = 'North'
    `,
  );
});
afterAll(() => rig?.close());

const order = (model: string[], more: object = {}) =>
  rig.call(addTask, {
    body: { name: model.join(), action: 'reboot', target: { filter: { model } }, durationMinutes: 600, ...more },
  });
const toldOf = (devices: readonly LinkedDevice[]) =>
  rig.commands.filter((c) => devices.some((d) => d.identity.deviceId === c.deviceId));
const online = async (devices: readonly LinkedDevice[]): Promise<void> => {
  await Promise.all(devices.map((d) => d.online()));
  await eventually(async () =>
    expect(
      await rig.sql('select count(*)::int as n from link_session where online and device_id = any($1::uuid[])', [
        devices.map((d) => d.identity.deviceId),
      ]),
    ).toEqual([{ n: devices.length }]),
  );
};

it('thousands that wait for the single place of their site block no other site of the task', async () => {
  const devices = await rig.devices(10, { model: 'South', siteId: south });
  await online(devices);
  const began = Date.now();
  const { id } = await order(['North', 'South'], {
    pace: { retry: null, spreadMinutes: 0, siteSync: 1, sitePerMinute: 0 },
  });
  limited = id;
  const answered = new Set<string>();
  while (answered.size < devices.length) {
    const next = await eventually(() => {
      const fresh = toldOf(devices).find((c) => !answered.has(c.id));
      if (!fresh) throw new Error('nobody was told');
      return fresh;
    }, 10_000);
    answered.add(next.id);
    await devices
      .find((d) => d.identity.deviceId === next.deviceId)!
      .answer({ id: next.id, status: 'fail', code: 'failed' });
  }
  await eventually(async () =>
    expect(await rig.counts(id)).toMatchObject({ total: many + 10, fail: 10, process: 1, wait: many - 1 }),
  );
  expect(Date.now() - began).toBeLessThan(20_000);
});

it('and they do not hide lost rows of another task from the tick', async () => {
  const devices = await rig.devices(10, { model: 'East' });
  const { id } = await order(['East']);
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 10 }));
  // It is behind the earlier task on each device, for which nothing is queued any more.
  const behind = await order(['North']);
  await eventually(async () => expect(await rig.counts(behind.id)).toMatchObject({ expanded: true, wait: many }));
  // They reconnected, and the process that noticed died before sending.
  await rig.sql(
    `
      insert into link_session
      select c.id, c.company_id, 1000, true, 'g#1', now()
      from device_copy c
      where c.model = 'East'
      on conflict (device_id) do update set online = true, epoch = 1000
    `,
  );
  await rig.sql(`update task_device set updated_at = now() - interval '1 minute' where status = 'wait'`);
  const found = await rig.sql<{ taskId: string }>(due.waiting.sql);
  expect(found.map((row) => row.taskId)).toEqual(devices.map(() => id));
  await (rig.service.app.get(DispatchService) as unknown as { recover(): Promise<void> }).recover();
  await eventually(() => expect(toldOf(devices)).toHaveLength(10));
});

it('finds the next device for a free place without testing all waiting ones', async () => {
  const { companyId } = rig.actor;
  await rig.sql(`update task_device set status = 'fail', ended_at = now() where task_id = $1 and status = 'process'`, [
    limited,
  ]);
  await transaction(rig.service.database, companySession(companyId), async () => {
    const asked = async () =>
      Number(
        (
          await currentSql().query<{ n: string }>(
            `select seq_tup_read + idx_tup_fetch as n from pg_stat_xact_user_tables where relname = 'link_session'`,
          )
        ).rows[0]!.n,
      );
    const before = await asked();
    const scope = { taskId: limited, behind: firstId };
    const sending = { limit: 500, patience: 1, perSecond: 0, links: testLinks };
    expect((await sendCommands(companyId, scope, sending)).sent).toBe(1);
    expect((await asked()) - before).toBeLessThan(100);
  });
});
