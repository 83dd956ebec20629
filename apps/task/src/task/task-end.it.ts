import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addTask,
  audit,
  cancelTask,
  deviceState,
  handedOver,
  listTaskDevices,
  stopTask,
  type EventData,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, type LinkedDevice } from '@carillon/testing';
import type { CompanyWork } from '../dispatch/company-work.ts';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { sendCommands } from '../dispatch/send.ts';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 3_600_000 });
});
afterAll(() => rig?.close());

/** Runs `fn` outside of any transaction, like a separate request. */
const outside = AsyncLocalStorage.snapshot();
/** Waits until this many sessions of this database wait for a lock, seen from inside of a transaction. */
const blocked = async (count: number): Promise<void> => {
  await eventually(async () => {
    const { rows } = await currentSql().query<{ n: number }>(
      `
        select count(distinct pid)::int as n
        from pg_locks
        where not granted
          and pid in (
            select pid
            from pg_locks
            where database = (select oid from pg_database where datname = current_database())
          )
      `,
    );
    expect(rows[0]!.n).toBe(count);
  });
};
/** Creates a task whose devices all wait, online but unknown to the dispatch as such. */
async function waiting(count: number): Promise<{ id: string; of: LinkedDevice[] }> {
  const devices = await rig.devices(count);
  const id = await rig.order(devices);
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: count }));
  // The dispatch checks them after the expansion and must find them offline; its later work comes behind that.
  const [next] = await rig.devices(1);
  await next!.online();
  await rig.order([next!]);
  await rig.command(next!);
  await rig.sql(
    `insert into link_session select x, $2, 1000, true, 'gateway-1#a', now() from unnest($1::uuid[]) as x`,
    [devices.map((d) => d.identity.deviceId), rig.actor.companyId],
  );
  return { id, of: devices };
}
/** Ends a task while a sending transaction holds its rows. */
async function endWhileSending(
  id: string,
  end: typeof stopTask | typeof cancelTask,
): Promise<PromiseSettledResult<unknown>> {
  let ended!: Promise<PromiseSettledResult<unknown>>;
  await transaction(rig.service.database, companySession(rig.actor.companyId), async () => {
    await currentSql().query('select 1 from task_device where task_id = $1 for update', [id]);
    ended = Promise.allSettled([outside(() => rig.call(end, { params: { id } }))]).then(([r]) => r!);
    await blocked(1);
    await sendCommands(
      rig.actor.companyId,
      { taskId: id, behind: '00000000-0000-0000-0000-000000000000' },
      { limit: 500, patience: 1, perSecond: 0, links: testLinks },
    );
  });
  return ended;
}

describe('a task that is ended', () => {
  it('while it is being sent lets end what was sent, and nobody fails', async () => {
    const { id, of } = await waiting(2);
    expect(await endWhileSending(id, stopTask)).toMatchObject({ status: 'fulfilled' });
    expect(await rig.counts(id)).toMatchObject({ status: 'stop', process: 2, wait: 0, cancel: 0 });
    for (const d of of) await d.answer({ id: (await rig.command(d)).id, status: 'success' });
    await eventually(async () =>
      expect(await rig.counts(id)).toMatchObject({ status: 'stop', process: 0, success: 2 }),
    );
  });

  it('cannot be cancelled while it is being sent', async () => {
    const { id } = await waiting(2);
    expect(await endWhileSending(id, cancelTask)).toMatchObject({
      status: 'rejected',
      reason: { error: 'task.notCancellable' },
    });
    expect(await rig.counts(id)).toMatchObject({ status: 'process', process: 2, wait: 0, cancel: 0 });
  });

  it('is named in the operation log also when ending it is refused [SYS-04/refused]', async () => {
    const entries: EventData<typeof audit>[] = [];
    const feed = await rig.bus.fanout({
      topics: [audit.name],
      from: 'end',
      handle: (batch) => {
        for (const r of batch.records) entries.push(JSON.parse(r.value!) as EventData<typeof audit>);
      },
    });
    const { id } = await waiting(1);
    await rig.call(stopTask, { params: { id } });
    await expect(rig.call(stopTask, { params: { id } })).rejects.toMatchObject({ error: 'task.notStoppable' });
    await eventually(() =>
      expect(entries.filter((e) => e.action === 'task.stop').map((e) => [e.result, e.objectId, e.objectName])).toEqual([
        ['success', id, 'Reboot'],
        ['task.notStoppable', id, 'Reboot'],
      ]),
    );
    await feed.close();
  });

  it('while its devices get their rows leaves none of them waiting', async () => {
    await rig.devices(3, { model: 'Expanding 1' });
    // A resend to the earlier devices reads the same table, and would wait in place of the expansion.
    const dispatch = rig.service.app.get(DispatchService) as unknown as { resending: unknown; work: CompanyWork };
    await eventually(() => expect(dispatch.resending).toBe(undefined));
    await dispatch.work.idle();
    let stopped!: Promise<unknown>;
    let id = '';
    await transaction(rig.service.database, companySession(rig.actor.companyId), async () => {
      await currentSql().query('lock table task_device in share row exclusive mode');
      id = (
        await outside(() =>
          rig.call(addTask, {
            body: { name: 'x', action: 'reboot', params: {}, target: { filter: { model: ['Expanding 1'] } } },
          }),
        )
      ).id;
      await blocked(1);
      stopped = outside(() => rig.call(stopTask, { params: { id } }));
      await blocked(2);
    });
    await stopped;
    expect(await rig.counts(id)).toMatchObject({ status: 'stop', total: 3, cancel: 3, wait: 0 });
    expect(await rig.sql('select distinct status from task_device where task_id = $1', [id])).toEqual([
      { status: 'cancel' },
    ]);
  });

  it('by a user who sees some of its devices ends for all of them', async () => {
    const other = uuidv7();
    const devices = [...(await rig.devices(1)), ...(await rig.devices(2, { orgId: other }))];
    const id = await rig.order(devices);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ wait: 3 }));
    await rig.service.as({ ...rig.actor, orgIds: [other] })(stopTask, { params: { id } });
    expect(await rig.counts(id)).toMatchObject({ status: 'stop', cancel: 3, wait: 0 });
    await devices[0]!.online();
    const [next] = await rig.devices(1);
    await next!.online();
    await rig.order([next!]);
    await rig.command(next!);
    expect(rig.commands.some((c) => c.deviceId === devices[0]!.identity.deviceId)).toBe(false);
  });

  it('because its devices were deleted ends with their results', async () => {
    const devices = await rig.devices(3);
    await devices[0]!.online();
    const id = await rig.order(devices);
    await rig.command(devices[0]!);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 1, wait: 2 }));
    const remove = (which: LinkedDevice[]) =>
      rig.bus.publish(
        which.map((d) =>
          toRecord(deviceState, d.identity.deviceId, null, envelope('device', { companyId: rig.actor.companyId })),
        ),
      );
    await remove(devices.slice(0, 2));
    await eventually(async () =>
      expect(await rig.counts(id)).toMatchObject({ status: 'process', fail: 1, cancel: 1, wait: 1 }),
    );
    await remove(devices.slice(2));
    await eventually(async () =>
      expect(await rig.counts(id)).toMatchObject({ status: 'finished', fail: 1, cancel: 2, wait: 0 }),
    );
    expect((await rig.call(listTaskDevices, { params: { id } })).records.map((r) => [r.status, r.code])).toEqual([
      ['fail', 'deleted'],
      ['cancel', 'deleted'],
      ['cancel', 'deleted'],
    ]);
  });

  it('because its devices went to another company gives the reason for each, and sends nothing more', async () => {
    const devices = await rig.devices(2);
    await devices[0]!.online();
    const id = await rig.order(devices);
    await rig.command(devices[0]!);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 1, wait: 1 }));
    for (const d of devices) await rig.publishDevice(d, null, handedOver);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ fail: 1, cancel: 1, wait: 0 }));
    expect((await rig.call(listTaskDevices, { params: { id } })).records.map((r) => [r.status, r.code])).toEqual([
      ['fail', 'handedOver'],
      ['cancel', 'handedOver'],
    ]);
    await eventually(async () =>
      expect(
        await rig.sql('select id from device_copy where id = any($1::uuid[])', [
          devices.map((d) => d.identity.deviceId),
        ]),
      ).toEqual([]),
    );
  });
});
