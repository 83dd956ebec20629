import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actions } from '@carillon/actions';
import {
  addTask,
  cancelTask,
  deviceState,
  getTask,
  linkCommand,
  linkResult,
  listDeviceTasks,
  listTaskDevices,
  listTasks,
  permissionKeys,
  stopTask,
  type Client,
  type DeviceView,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type TestedService,
  filterFaults,
} from '@carillon/testing';
import { taskService } from '../task.module.ts';

let bus: PostgresBus;
let service: TestedService;
const actor = newActor();
let call: Client;
const commands: { deviceId: string; id: string; action: string; args: unknown; expiresAt: number }[] = [];
let serial = 0;

/** Creates devices and publishes them like the registry. */
async function devices(count: number, given: Partial<DeviceView> = {}): Promise<LinkedDevice[]> {
  const views = Array.from({ length: count }, (): DeviceView => {
    serial++;
    return {
      id: uuidv7(),
      orgId: actor.orgId,
      mac: serial.toString(16).padStart(12, '0'),
      name: `Phone ${serial}`,
      model: 'Fanvil X7A',
      sn: `SN${serial}`,
      firmware: '1.0',
      internalIp: null,
      configured: true,
      failedLines: 0,
      configFailed: false,
      capabilities: ['reboot'],
      ownerEpoch: 1,
      ...given,
    };
  });
  await bus.publish(
    views.map((v) =>
      toRecord(deviceState, v.id, v, envelope('device', { companyId: actor.companyId, orgId: v.orgId, version: 1 })),
    ),
  );
  return views.map((v) => new LinkedDevice(bus, v, actor.companyId));
}
const ids = (of: LinkedDevice[]) => of.map((d) => d.identity.deviceId);
const order = (of: LinkedDevice[], name = 'Reboot') =>
  eventually(() => call(addTask, { body: { name, action: 'reboot', params: {}, target: { ids: ids(of) } } }));
const load = (id: string) => call(getTask, { params: { id } });
const commandOf = (device: LinkedDevice) =>
  eventually(() => {
    const found = commands.filter((c) => c.deviceId === device.identity.deviceId);
    expect(found.length).toBeGreaterThan(0);
    return found.at(-1)!;
  });
const ends = (id: string, status: string) => eventually(async () => expect((await load(id)).status).toBe(status));

beforeAll(async () => {
  bus = await testBus();
  service = await testService(taskService as unknown as ServiceDefinition, bus, { taskTickMs: 100 });
  await bus.fanout({
    topics: [linkCommand.name],
    from: 'end',
    handle: (batch) => {
      for (const r of batch.records) if (r.headers['type'] === 'command') commands.push(JSON.parse(r.value!));
    },
  });
  call = service.as(actor);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

describe('a task', () => {
  it('sends one command to each online device, and ends with the sum of their answers [TASK-03/answers]', async () => {
    const [a, b, c] = await devices(3);
    for (const d of [a!, b!, c!]) await d.online();
    const task = await order([a!, b!, c!]);
    expect(task).toMatchObject({
      status: 'wait',
      number: 1,
      type: 'now',
      creatorName: 'tester',
      params: { whenIdle: true },
    });
    for (const d of [a!, b!, c!]) {
      const command = await commandOf(d);
      expect(command).toMatchObject({ action: 'reboot', args: { whenIdle: true } });
      await d.answer({ id: command.id, status: 'accepted' });
    }
    await a!.answer({ id: (await commandOf(a!)).id, status: 'success' });
    await b!.answer({ id: (await commandOf(b!)).id, status: 'fail', code: 'busy', message: 'in a conference' });
    await eventually(async () =>
      expect((await load(task.id)).counts).toMatchObject({ success: 1, fail: 1, process: 1 }),
    );
    await c!.answer({ id: (await commandOf(c!)).id, status: 'success' });
    await ends(task.id, 'finished');
    const rows = await call(listTaskDevices, { params: { id: task.id }, query: { status: ['fail'] } });
    expect(rows.records).toMatchObject([{ code: 'busy', message: 'in a conference', status: 'fail' }]);
    expect(commands.filter((x) => ids([a!, b!, c!]).includes(x.deviceId))).toHaveLength(3);
    expect((await call(listDeviceTasks, { params: { id: a!.identity.deviceId } })).records).toMatchObject([
      { id: task.id, device: { status: 'success' } },
    ]);
  });

  it("accepts the device's own answer even when another device answered the same command before", async () => {
    const [told, other] = await devices(2);
    await told!.online();
    const task = await order([told!]);
    const { id } = await commandOf(told!);
    await Promise.all([other!.answer({ id, status: 'fail', code: 'forged' }), told!.answer({ id, status: 'success' })]);
    await ends(task.id, 'success');
    const [a, b] = await devices(2);
    await a!.online();
    const next = await order([a!]);
    const command = await commandOf(a!);
    await a!.back();
    await bus.publish(
      [b!, a!].map((d, i) =>
        toRecord(
          linkResult,
          a!.identity.deviceId,
          {
            ...d.identity,
            epoch: 1,
            receivedAt: Date.now(),
            payload: { id: command.id, at: 1, status: i === 0 ? 'fail' : 'success' },
          },
          envelope('result', { companyId: actor.companyId }),
        ),
      ),
    );
    await ends(next.id, 'success');
  });

  it('is refused with 400 when its parameters are nested a hundred thousand levels deep', async () => {
    const [d] = await devices(1);
    const payload = `{"name":"deep","action":"reboot","params":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}},"target":{"ids":["${d!.identity.deviceId}"]}}`;
    expect(
      await service.raw(actor, {
        method: 'POST',
        url: '/api/f/task/task',
        payload,
        headers: { 'content-type': 'application/json' },
      }),
    ).toMatchObject({ status: 400, body: { error: 'common.invalid' } });
  });

  it('changes nothing by an answer that comes twice, late or after the end', async () => {
    const [d] = await devices(1);
    await d!.online();
    const task = await order([d!]);
    const { id } = await commandOf(d!);
    await d!.answer({ id, status: 'success' });
    await ends(task.id, 'success');
    for (const status of ['accepted', 'fail', 'success', 'progress'] as const) await d!.answer({ id, status });
    const [other] = await devices(1);
    await other!.online();
    await other!.answer({ id, status: 'fail' });
    const next = await order([d!]);
    await eventually(async () => expect((await load(next.id)).counts.process).toBe(1));
    expect(await load(task.id)).toMatchObject({ status: 'success', counts: { total: 1, success: 1, fail: 0 } });
  });

  it('keeps the first final answer when a batch has two', async () => {
    const [d] = await devices(1);
    await d!.online();
    const task = await order([d!]);
    const { id } = await commandOf(d!);
    await Promise.all([
      d!.answer({ id, status: 'accepted' }),
      d!.answer({ id, status: 'success' }),
      d!.answer({ id, status: 'fail' }),
    ]);
    await ends(task.id, 'success');
  });

  it('waits for an offline device and sends when it connects [TASK-07/offline]', async () => {
    const [d] = await devices(1);
    const task = await order([d!]);
    await eventually(async () =>
      expect(await load(task.id)).toMatchObject({ status: 'process', counts: { wait: 1 }, expanded: true }),
    );
    expect(commands.some((c) => c.deviceId === d!.identity.deviceId)).toBe(false);
    await d!.online();
    await d!.answer({ id: (await commandOf(d!)).id, status: 'success' });
    await ends(task.id, 'success');
  });

  it('sends the same command into a newer connection, until it is answered', async () => {
    const [d] = await devices(1);
    await d!.online();
    const task = await order([d!]);
    const first = await commandOf(d!);
    await d!.offline();
    await d!.online();
    await eventually(() => {
      const all = commands.filter((c) => c.deviceId === d!.identity.deviceId);
      expect(all.length).toBe(2);
      expect(all[1]!.id).toBe(first.id);
    });
    await d!.answer({ id: first.id, status: 'success' });
    await ends(task.id, 'success');
  });

  it('has one changing command in flight per device, and the next task follows', async () => {
    const [d] = await devices(1);
    await d!.online();
    const first = await order([d!], 'first');
    const command = await commandOf(d!);
    const second = await order([d!], 'second');
    await eventually(async () => expect((await load(second.id)).counts.wait).toBe(1));
    expect(commands.filter((c) => c.deviceId === d!.identity.deviceId)).toHaveLength(1);
    await d!.answer({ id: command.id, status: 'success' });
    await ends(first.id, 'success');
    await eventually(() => expect(commands.filter((c) => c.deviceId === d!.identity.deviceId)).toHaveLength(2));
    await d!.answer({ id: (await commandOf(d!)).id, status: 'success' });
    await ends(second.id, 'success');
  });

  it('targets all that match a filter except the excluded ones', async () => {
    const of = await devices(5, { model: 'Filter 9' });
    const task = await eventually(async () => {
      const made = await call(addTask, {
        body: {
          name: 'Filtered',
          action: 'reboot',
          params: { whenIdle: false },
          target: { filter: { model: ['Filter 9'] }, exclude: [of[0]!.identity.deviceId] },
        },
      });
      await eventually(async () => expect((await load(made.id)).expanded).toBe(true));
      expect((await load(made.id)).counts.total).toBe(4);
      return made;
    });
    const rows = await call(listTaskDevices, { params: { id: task.id }, query: {} });
    expect(rows.records.map((r) => r.deviceId)).not.toContain(of[0]!.identity.deviceId);
  });

  it('uses the operators of the list: contains, is not, disabled, last seen', async () => {
    const site = uuidv7();
    const [desk] = await devices(1, { model: 'Operators 1', name: 'Front desk', firmware: null, siteId: site });
    await devices(1, { model: 'Operators 2', name: 'North door', enabled: false });
    await desk!.online();
    const targeted = async (filter: object) => {
      const { id } = await call(addTask, {
        body: {
          name: 'x',
          action: 'reboot',
          params: {},
          target: { filter: { 'model.contains': 'operators', ...filter } },
        },
      });
      await eventually(async () => expect((await load(id)).expanded).toBe(true));
      const { records } = await call(listTaskDevices, { params: { id }, query: { sort: 'name' } });
      return records.map((r) => r.name);
    };
    await eventually(async () => expect(await targeted({ 'lastOnlineAt.within': '1h' })).toEqual(['Front desk']));
    for (const [filter, expected] of [
      [{}, ['Front desk', 'North door']],
      [{ 'name.contains': ['DESK', 'nowhere'] }, ['Front desk']],
      [{ 'name.not': ['Front desk'] }, ['North door']],
      [{ 'mac.contains': desk!.identity.mac.slice(4) }, ['Front desk']],
      [{ 'firmware.empty': 'true' }, ['Front desk']],
      [{ 'firmware.not': ['1.0'] }, ['Front desk']],
      [{ enabled: ['false'] }, ['North door']],
      [{ site: [site] }, ['Front desk']],
      [{ 'site.empty': 'true' }, ['North door']],
      [{ 'lastOnlineAt.empty': 'true' }, ['North door']],
      [{ 'onlineSince.within': '1h' }, ['Front desk']],
      [{ 'state.not': ['offline'] }, ['Front desk']],
    ] as const)
      expect(await targeted(filter), JSON.stringify(filter)).toEqual(expected);
    await expect(targeted({ 'onlineSince.to': '2026-01-01T00:00:00Z' })).rejects.toMatchObject({
      error: 'task.createFailed',
    });
    // An unknown filter would target every device.
    for (const filter of [{ calls: 1 }, { 'line.not': ['failed'] }, { 'name.regex': '.' }])
      await expect(targeted(filter)).rejects.toMatchObject({ code: 400 });
  });

  it("reaches only its creator's organizations, also by a filter, and none without any", async () => {
    const org = uuidv7();
    const of = await devices(2, { model: 'Restricted 1', orgId: org });
    await order([...of, ...(await devices(3, { model: 'Restricted 1' }))]);
    const add = (orgIds: string[]) =>
      service.as({ ...actor, orgIds })(addTask, {
        body: { name: 'x', action: 'reboot', target: { filter: { model: ['Restricted 1'] } } },
      });
    const own = await add([org]);
    await eventually(async () => expect(await load(own.id)).toMatchObject({ expanded: true, counts: { total: 2 } }));
    await expect(add([])).rejects.toMatchObject({ error: 'task.createFailed' });
  });

  it('accepts an id in any case, once', async () => {
    const of = await devices(1);
    const [id] = ids(of);
    const task = await eventually(() =>
      call(addTask, { body: { name: 'x', action: 'reboot', params: {}, target: { ids: [id!, id!.toUpperCase()] } } }),
    );
    await eventually(async () => expect(await load(task.id)).toMatchObject({ expanded: true, counts: { total: 1 } }));
    expect((await call(listTaskDevices, { params: { id: task.id }, query: { search: ' - ' } })).records).toEqual([]);
  });

  it('skips devices that cannot do the action, with the reason', async () => {
    const of = await devices(1, { model: 'Door 1', capabilities: ['doorControl'] });
    const task = await order(of);
    await ends(task.id, 'fail');
    expect((await call(listTaskDevices, { params: { id: task.id }, query: {} })).records).toMatchObject([
      { status: 'fail', code: 'unsupported' },
    ]);
    expect(commands.some((c) => ids(of).includes(c.deviceId))).toBe(false);
  });
});

describe('stop and cancel [TASK-04/stop-cancel]', () => {
  it('cancels waiting devices and lets running ones finish', async () => {
    const of = await devices(3);
    await of[0]!.online();
    const task = await order(of);
    const command = await commandOf(of[0]!);
    await eventually(async () => expect((await load(task.id)).counts).toMatchObject({ process: 1, wait: 2 }));
    await expect(call(cancelTask, { params: { id: task.id } })).rejects.toMatchObject({
      code: 409,
      error: 'task.notCancellable',
    });
    expect(await call(stopTask, { params: { id: task.id } })).toMatchObject({
      status: 'stop',
      counts: { cancel: 2, process: 1, wait: 0 },
    });
    await of[0]!.answer({ id: command.id, status: 'success' });
    await eventually(async () =>
      expect((await load(task.id)).counts).toMatchObject({ success: 1, cancel: 2, process: 0 }),
    );
    expect((await load(task.id)).status).toBe('stop');
    await of[1]!.online();
    await expect(call(stopTask, { params: { id: task.id } })).rejects.toMatchObject({ error: 'task.notStoppable' });
    expect(commands.some((c) => c.deviceId === of[1]!.identity.deviceId)).toBe(false);
  });

  it('cancels a task of which nothing was sent', async () => {
    const of = await devices(2);
    const task = await order(of);
    await eventually(async () => expect((await load(task.id)).expanded).toBe(true));
    expect(await call(cancelTask, { params: { id: task.id } })).toMatchObject({
      status: 'cancel',
      counts: { cancel: 2, wait: 0 },
    });
    await expect(call(stopTask, { params: { id: task.id } })).rejects.toMatchObject({ error: 'task.notStoppable' });
  });
});

describe('a task is refused for', () => {
  it("a device that does not exist or is another company's [DEV-06/missing]", async () => {
    const [d] = await devices(1);
    await order([d!]);
    await expect(
      call(addTask, { body: { name: 'x', action: 'reboot', target: { ids: [uuidv7()] } } }),
    ).rejects.toMatchObject({ code: 404, error: 'device.pushTargetMissing' });
    await expect(
      service.as(newActor())(addTask, { body: { name: 'x', action: 'reboot', target: { ids: ids([d!]) } } }),
    ).rejects.toMatchObject({ code: 404, error: 'device.pushTargetMissing' });
  });

  it('an unknown action, an invalid setting or a name that is too long', async () => {
    const [d] = await devices(1);
    await order([d!]);
    const target = { ids: ids([d!]) };
    await expect(call(addTask, { body: { name: 'x', action: 'constructor', target } })).rejects.toMatchObject({
      code: 400,
      error: 'task.paramsInvalid',
    });
    await expect(
      call(addTask, { body: { name: 'x', action: 'reboot', params: { whenIdle: 'maybe' }, target } }),
    ).rejects.toMatchObject({ error: 'task.paramsInvalid', fields: [{ path: 'params.whenIdle' }] });
    await expect(call(addTask, { body: { name: 'x'.repeat(65), action: 'reboot', target } })).rejects.toMatchObject({
      code: 400,
      fields: [{ path: 'name', error: 'common.fieldTooLong' }],
    });
  });

  it('an action without its permission, even with all others, and stores nothing [ROLE-03]', async () => {
    const [d] = await devices(1);
    await order([d!]);
    const total = async () => (await call(listTasks, { query: {} })).total;
    const before = await total();
    for (const [action, { right, example: params }] of Object.entries(actions)) {
      const may = service.as({ ...actor, permissions: permissionKeys.filter((key) => key !== right) });
      const body = { name: 'x', action, params: params as Record<string, never>, target: { ids: ids([d!]) } };
      await expect(may(addTask, { body }), action).rejects.toMatchObject({
        code: 403,
        error: 'common.forbidden',
        message: `You don’t have the permission “${right}”.`,
      });
    }
    expect(await total()).toBe(before);
  });
});

it('answers every filter of every list, where "is" and "is not" together give all', async () => {
  // In a company in which nothing changes during the test.
  const own = service.as(newActor());
  const made = await own(addTask, {
    body: {
      name: 'Of none',
      action: 'reboot',
      params: {},
      target: { filter: { model: ['No such model'] } },
      schedule: { type: 'timer', begin: '2031-01-01T02:00' },
    },
  });
  for (const [route, params] of [
    [listTasks, {}],
    [listTaskDevices, { id: made.id }],
  ] as const) {
    const { checked, faults } = await filterFaults(route, (query) => own(route, { params, query } as never) as never);
    expect(faults).toEqual([]);
    expect(checked.length).toBeGreaterThan(1);
  }
});

it('shows a company only its own tasks, numbered from one', async () => {
  const other = newActor();
  expect((await service.as(other)(listTasks, {})).total).toBe(0);
  const mine = await call(listTasks, { query: { limit: 200, sort: 'number' } });
  expect(mine.records.map((t) => t.number)).toEqual(mine.records.map((_, i) => i + 1));
  const own = await call(listTasks, { query: { mine: 'true', limit: 5 } });
  expect(own.total).toBeGreaterThan(0);
  expect(own.records.every((t) => t.creatorId === actor.userId)).toBe(true);
  expect((await service.as({ ...actor, userId: uuidv7() })(listTasks, { query: { mine: 'true' } })).total).toBe(0);
  await expect(service.as(other)(getTask, { params: { id: mine.records[0]!.id } })).rejects.toMatchObject({
    code: 404,
  });
  await expect(service.as(other)(stopTask, { params: { id: mine.records[0]!.id } })).rejects.toMatchObject({
    code: 404,
  });
  await expect(service.as(other)(listTaskDevices, { params: { id: mine.records[0]!.id } })).rejects.toMatchObject({
    code: 404,
  });
});
