import { afterAll, beforeAll, expect, it } from 'vitest';
import { readXlsx } from 'hucre/xlsx';
import { addTask, addTaskDeviceExport, getTaskExport, type RouteCall } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
});
afterAll(() => rig?.close());

type Wanted = Pick<RouteCall<typeof addTaskDeviceExport>['body'], 'filter' | 'ids' | 'exclude'>;
const columns = (['name', 'status', 'reason', 'sentAt', 'acceptedAt'] as const).map((key) => ({ key, title: key }));
const order = (id: string, wanted: Wanted, actor: Actor) =>
  rig.service.as(actor)(addTaskDeviceExport, {
    params: { id },
    body: { ...wanted, sort: 'name', columns, words: { fail: 'Failed' } },
  });
/** Orders the file of a task's devices and returns its rows. */
async function rowsOf(taskId: string, wanted: Wanted = { filter: {} }, actor: Actor = rig.actor): Promise<unknown[][]> {
  const { id } = await order(taskId, wanted, actor);
  await eventually(async () =>
    expect((await rig.service.as(actor)(getTaskExport, { params: { id } })).status).toBe('success'),
  );
  const server = rig.service.app.getHttpAdapter().getInstance() as unknown as {
    inject: (o: object) => Promise<{ rawPayload: Buffer }>;
  };
  const url = `/api/f/task/export/${id}/file`;
  const { rawPayload } = await server.inject({ method: 'GET', url, headers: rig.service.headersOf(actor) });
  return (await readXlsx(rawPayload)).sheets[0]!.rows.slice(1).map((r) => [...r]);
}

it('writes the results of a task into a file, by its filters and for who sees them [TASK-03/export]', async () => {
  const { companyId, orgId } = rig.actor;
  const elsewhere = { ...rig.actor, orgId: uuidv7() };
  const [jammed] = await rig.devices(1, { name: 'A' });
  const [refused] = await rig.devices(1, { name: '=1+1', capabilities: ['locate'] });
  const [hidden] = await rig.devices(1, { name: 'C', capabilities: ['locate'] }, elsewhere);
  await jammed!.online();
  const { id } = await rig.call(addTask, {
    body: {
      name: 'Reboot',
      action: 'reboot',
      target: { ids: [jammed!, refused!, hidden!].map((d) => d.identity.deviceId) },
    },
  });
  const command = (await rig.command(jammed!)).id;
  await jammed!.answer({ id: command, status: 'accepted' });
  await jammed!.answer({ id: command, status: 'fail', code: 'jammed', message: '=paper' });
  await eventually(async () => expect((await rig.counts(id))['status']).toBe('fail'));

  const all = { filter: {} };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
  const cannot = 'The Fanvil X7A cannot do this';
  const ofJammed = ['A', 'Failed', '=paper', time, time];
  const rows = [['=1+1', 'Failed', cannot, '', ''], ofJammed, ['C', 'Failed', cannot, '', '']].map((row) =>
    row.map((cell) => (cell === '' ? expect.toSatisfy((v) => v === '' || v === null) : cell)),
  );
  expect(await rowsOf(id)).toEqual(rows);
  expect(await rowsOf(id, { filter: { code: ['jammed'] } })).toEqual([rows[1]]);
  expect(await rowsOf(id, { filter: { status: ['success'] } })).toEqual([]);
  expect(await rowsOf(id, { ids: [refused!.identity.deviceId] })).toEqual([rows[0]]);
  expect(await rowsOf(id, { filter: {}, exclude: [refused!.identity.deviceId] })).toEqual(rows.slice(1));
  const narrow = { ...newActor(), companyId, orgId, orgIds: [orgId] };
  expect(await rowsOf(id, all, narrow)).toEqual(rows.slice(0, 2));
  const missing = { error: 'common.notFound' };
  await expect(order(id, all, newActor())).rejects.toMatchObject(missing);
  await expect(order(id, all, { ...narrow, orgIds: [uuidv7()] })).rejects.toMatchObject(missing);
  await expect(order(id, all, { ...rig.actor, permissions: ['device'] })).rejects.toMatchObject({ code: 403 });
});
