import { afterAll, beforeAll, expect, it } from 'vitest';
import { addTask, listDeviceTasks, listTaskDevices, listTaskReasons, type Language } from '@carillon/contracts';
import { eventually, type LinkedDevice } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
});
afterAll(() => rig?.close());

const reasons = async (id: string, language: Language) =>
  (
    await rig.service.as({ ...rig.actor, language })(listTaskDevices, { params: { id }, query: { sort: 'name' } })
  ).records.map((r) => ({ code: r.code, codeValues: r.codeValues, message: r.message }));
const ends = (id: string) => eventually(async () => expect((await rig.counts(id))['status']).toBe('fail'));
/** Creates a task whose devices have all failed. */
async function failed(devices: readonly LinkedDevice[]): Promise<string> {
  const id = await rig.order(devices);
  await ends(id);
  return id;
}

it('shows why a device is skipped in the reader’s language, in task and device [EDGE-08/reason]', async () => {
  const devices = await rig.devices(1, { model: 'Door 1', capabilities: ['doorControl'] });
  const id = await failed(devices);
  const answer = { code: 'unsupported', codeValues: { model: 'Door 1' } };
  expect(await reasons(id, 'en_US')).toEqual([{ ...answer, message: 'The Door 1 cannot do this' }]);
  expect(await reasons(id, 'pt_BR')).toEqual([{ ...answer, message: 'O Door 1 não oferece isto' }]);
  expect(await reasons(id, 'zh_CN')).toEqual([{ ...answer, message: 'Door 1 不支持此操作' }]);
  expect(await reasons(id, 'ko')).toEqual([{ ...answer, message: 'Door 1에서 지원하지 않음' }]);
  const { records } = await rig.service.as({ ...rig.actor, language: 'pt_BR' })(listDeviceTasks, {
    params: { id: devices[0]!.identity.deviceId },
  });
  expect(records.map((r) => r.device.message)).toEqual(['O Door 1 não oferece isto']);
});

const online = async (device: LinkedDevice): Promise<void> => {
  await device.online();
  await eventually(async () =>
    expect(await rig.sql('select online from link_session where device_id = $1', [device.identity.deviceId])).toEqual([
      { online: true },
    ]),
  );
};
/** Ends the time that devices have for their hello. */
const endWait = (id: string) =>
  rig.sql('update task_device set not_before = now() where task_id = $1 and not_before is not null', [id]);
const sentTo = ({ identity }: LinkedDevice) => rig.commands.filter((c) => c.deviceId === identity.deviceId);

it('a device without capabilities is skipped, after its hello when it is online [EDGE-08/unknown]', async () => {
  const [away, here] = await rig.devices(2, { capabilities: [] });
  await online(here!);
  const id = await rig.order([away!, here!]);
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ fail: 1, wait: 1 }));
  await endWait(id);
  await ends(id);
  const unknown = { code: 'capabilityUnknown', codeValues: {} };
  expect(await reasons(id, 'en_US')).toEqual(Array(2).fill({ ...unknown, message: 'It has not said what it can do' }));
  expect((await reasons(id, 'zh_CN'))[0]!.message).toBe('设备未告知其支持的操作');
  expect([...sentTo(away!), ...sentTo(here!)]).toEqual([]);
});

it('translates an English sentence of an old row, and keeps one with an unknown code', async () => {
  const id = await failed(await rig.devices(2, { model: 'Door 1', capabilities: ['doorControl'] }));
  await rig.sql(`update task_device set message = $2, code_values = null where task_id = $1`, [
    id,
    'This device cannot be rebooted from here.',
  ]);
  await rig.sql(
    `
      update task_device
      set code = 'forgotten'
      where task_id = $1 and name = (select max(name) from task_device where task_id = $1)
    `,
    [id],
  );
  expect((await reasons(id, 'pt_BR')).map((r) => r.message)).toEqual([
    'O Door 1 não oferece isto',
    'This device cannot be rebooted from here.',
  ]);
});

it("keeps a device's own words, and shows its code when there are none", async () => {
  const devices = await rig.devices(2, { model: 'X7A' });
  for (const device of devices) await device.online();
  const id = await rig.order(devices);
  const [first, second] = devices;
  await first!.answer({ id: (await rig.command(first!)).id, status: 'fail', code: 'unsupported', message: 'no relay' });
  await second!.answer({ id: (await rig.command(second!)).id, status: 'fail', code: 'unknown' });
  await ends(id);
  expect((await reasons(id, 'ko')).map((r) => r.message)).toEqual(['no relay', '재시작으로 중단됨']);
});

it('a task for a device that has just connected waits for its hello, and is judged by it [EDGE-08/hello]', async () => {
  const devices = await rig.devices(3, { capabilities: [], firmware: null });
  const [fits, above, cannot] = devices as [LinkedDevice, LinkedDevice, LinkedDevice];
  for (const device of devices) await online(device);
  const { id } = await rig.call(addTask, {
    body: {
      name: 'Reboot',
      action: 'reboot',
      target: { ids: devices.map((d) => d.identity.deviceId) },
      versionRange: { from: '2.0.3', to: '2.9.3' },
    },
  });
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ total: 3, wait: 3 }));
  const hello = async (device: LinkedDevice, capabilities: string[], firmware: string): Promise<void> => {
    await rig.publishDevice(device, { capabilities, firmware });
    await eventually(async () =>
      expect(await rig.sql('select firmware from device_copy where id = $1', [device.identity.deviceId])).toEqual([
        { firmware },
      ]),
    );
  };
  await hello(fits, ['reboot'], '2.4');
  await hello(above, ['reboot'], '2.10');
  await hello(cannot, ['locate'], '2.4');
  await endWait(id);
  await eventually(() => expect(sentTo(fits)).toHaveLength(1));
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ fail: 2 }));
  const { records } = await rig.call(listTaskDevices, { params: { id }, query: { status: ['fail'] } });
  expect(new Map(records.map((r) => [r.deviceId, r.code]))).toEqual(
    new Map([
      [above.identity.deviceId, 'versionOutside'],
      [cannot.identity.deviceId, 'unsupported'],
    ]),
  );
  expect([...sentTo(above), ...sentTo(cannot)]).toEqual([]);
});

const grouped = (id: string, language: Language = 'en_US') =>
  rig.service.as({ ...rig.actor, language })(listTaskReasons, { params: { id } });
const macs = (devices: readonly LinkedDevice[]) => new Set(devices.map(({ identity }) => identity.mac));
const listed = async (id: string, query: { code?: string[]; 'code.empty'?: 'true' }) =>
  new Set((await rig.call(listTaskDevices, { params: { id }, query })).records.map((r) => r.mac));

it('counts the failed devices of a task by their reason, and lists those of one [TASK-03/reasons]', async () => {
  const door = await rig.devices(2, { model: 'Door 1', capabilities: ['doorControl'] });
  const other = await rig.devices(1, { model: 'Door 2', capabilities: ['doorControl'] });
  const [jammed, silent, done] = await rig.devices(3);
  const linked = [jammed!, silent!, done!];
  for (const device of linked) await device.online();
  const id = await rig.order([...door, ...other, ...linked]);
  const answers = [
    { status: 'fail', code: 'jammed', message: 'paper' },
    { status: 'fail' },
    { status: 'success' },
  ] as const;
  for (const [at, device] of linked.entries())
    await device.answer({ id: (await rig.command(device)).id, ...answers[at]! });
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ status: 'finished', fail: 5 }));
  expect(await grouped(id)).toEqual({
    reasons: [
      { code: 'unsupported', message: 'The Door 1, Door 2 cannot do this', count: 3 },
      { code: 'jammed', message: 'paper', count: 1 },
      { code: null, message: null, count: 1 },
    ],
    others: 0,
  });
  expect((await grouped(id, 'ko')).reasons[0]!.message).toBe('Door 1, Door 2에서 지원하지 않음');
  expect(await listed(id, { code: ['jammed'] })).toEqual(macs([jammed!]));
  expect(await listed(id, { 'code.empty': 'true' })).toEqual(macs([silent!, done!]));
  expect(await listed(id, { code: ['unsupported'] })).toEqual(macs([...door, ...other]));
});

it('bounds the number of reasons, and cuts off values that differ [TASK-03/reasons]', async () => {
  const id = await failed(await rig.devices(12, { capabilities: ['locate'] }));
  await rig.sql(
    `
      update task_device td
      set code = case when n < 3 then 'rejected' else 'own' || n end,
        code_values = jsonb_build_object('keys', n)
      from (select device_id, row_number() over (order by name) as n from task_device where task_id = $1) x
      where td.task_id = $1 and td.device_id = x.device_id
    `,
    [id],
  );
  const { reasons: found, others } = await grouped(id);
  expect(found[0]).toEqual({ code: 'rejected', message: 'Not accepted: …', count: 2 });
  expect([found.length, others]).toEqual([10, 1]);
});
