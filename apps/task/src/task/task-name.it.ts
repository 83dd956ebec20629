import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addTask,
  getTask,
  listDeviceTasks,
  listTasks,
  message,
  previewTask,
  taskDevice,
  type Language,
  type RouteCall,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
const heard: Record<string, unknown>[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100 });
  await rig.bus.fanout({
    topics: [message.name, taskDevice.name],
    from: 'end',
    handle: ({ records }) => {
      heard.push(...records.map((r) => JSON.parse(r.value!) as Record<string, unknown>));
    },
  });
});
afterAll(() => rig?.close());

const as = (language: Language) => rig.service.as({ ...rig.actor, language });
const order = (body: Partial<RouteCall<typeof addTask>['body']>) =>
  as('ko')(addTask, { body: { action: 'reboot', target: { filter: {} }, ...body } });
const nameFor = async (language: Language, id: string) => (await as(language)(getTask, { params: { id } })).name;

it('shows a task that no user named in the language of its reader [TASK-10/own-names]', async () => {
  const devices = await rig.devices(2, { capabilities: ['locate'] });
  const ids = devices.map((d) => d.identity.deviceId);
  const several = await order({ target: { ids } });
  expect(several.name).toBe('장치 2대 재부팅');
  expect(await nameFor('en_US', several.id)).toBe('Reboot 2 devices');
  expect(await nameFor('pt_BR', several.id)).toBe('Reiniciar 2 dispositivos');
  expect((await order({})).name).toBe('장치 2대 재부팅');

  const [porch] = await rig.devices(1, { name: 'Porch' });
  const id = porch!.identity.deviceId;
  const one = await order({ target: { ids: [id] } });
  expect([one.name, one.naming]).toEqual(['Porch 재부팅', { code: 'device', device: 'Porch', restored: [] }]);
  await eventually(async () => {
    const { records } = await as('pt_BR')(listDeviceTasks, { params: { id }, query: {} });
    expect(records.map((task) => task.name)).toContain('Reiniciar Porch');
  });
});

it('finds and sorts tasks by the stored name, and lists them in the language of the reader', async () => {
  await rig.devices(1);
  const { id } = await order({});
  const typed = await order({ name: '가 typed' });
  const found = await as('en_US')(listTasks, { query: { search: '재부팅' } });
  expect(found.records.find((task) => task.id === id)?.name).toMatch(/^Reboot \d+ devices$/);
  const sorted = await as('pt_BR')(listTasks, { query: { 'name.contains': ['가', '장치'], sort: 'name' } });
  expect(sorted.records[0]).toMatchObject({ id: typed.id, name: '가 typed', naming: null });
});

it('offers the name before the order, in the language of the caller', async () => {
  const [device] = await rig.devices(1, { name: 'Porch' });
  const body = { action: 'reboot', target: { ids: [device!.identity.deviceId] } };
  expect((await as('zh_CN')(previewTask, { body, query: {} })).name).toBe('重启 Porch');
});

it('tells of its failure, and the history of its device, with the name in each language', async () => {
  const [device] = await rig.devices(1, { name: 'Gate' });
  await device!.online();
  const { id } = await order({ target: { ids: [device!.identity.deviceId] } });
  await device!.answer({ id: (await rig.command(device!)).id, status: 'fail', code: 'jammed' });
  await eventually(() => {
    expect(heard.find(({ objectId }) => objectId === id)).toMatchObject({
      objectName: 'Gate 재부팅',
      values: { object_en_US: 'Reboot Gate', object_pt_BR: 'Reiniciar Gate' },
    });
    expect(heard.find(({ taskId }) => taskId === id)).toMatchObject({
      name: 'Gate 재부팅',
      names: { en_US: 'Reboot Gate', zh_CN: '重启 Gate' },
    });
  });
});
