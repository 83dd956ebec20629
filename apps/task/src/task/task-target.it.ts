import { describe, expect, it } from 'vitest';
import { actions } from '@carillon/actions';
import { addTask, getTask, listTaskDevices, listTasks, permissionKeys, stopTask } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, filterFaults } from '@carillon/testing';
import { ids, startOrders } from './order-test.ts';

const { service, commands, call, actor, devices, order, load, ends } = await startOrders();

describe('a task', () => {
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

  it('targets all that match a filter except the excluded ones', async () => {
    const phones = await devices(5, { model: 'Filter 9' });
    const task = await eventually(async () => {
      const made = await call(addTask, {
        body: {
          name: 'Filtered',
          action: 'reboot',
          params: { whenIdle: false },
          target: { filter: { model: ['Filter 9'] }, exclude: [phones[0]!.identity.deviceId] },
        },
      });
      await eventually(async () => expect((await load(made.id)).expanded).toBe(true));
      expect((await load(made.id)).counts.total).toBe(4);
      return made;
    });
    const rows = await call(listTaskDevices, { params: { id: task.id }, query: {} });
    expect(rows.records.map((r) => r.deviceId)).not.toContain(phones[0]!.identity.deviceId);
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
    const phones = await devices(2, { model: 'Restricted 1', orgId: org });
    await order([...phones, ...(await devices(3, { model: 'Restricted 1' }))]);
    const add = (orgIds: string[]) =>
      service.as({ ...actor, orgIds })(addTask, {
        body: { name: 'x', action: 'reboot', target: { filter: { model: ['Restricted 1'] } } },
      });
    const own = await add([org]);
    await eventually(async () => expect(await load(own.id)).toMatchObject({ expanded: true, counts: { total: 2 } }));
    await expect(add([])).rejects.toMatchObject({ error: 'task.createFailed' });
  });

  it('accepts an id in any case, once', async () => {
    const phones = await devices(1);
    const [id] = ids(phones);
    const task = await eventually(() =>
      call(addTask, { body: { name: 'x', action: 'reboot', params: {}, target: { ids: [id!, id!.toUpperCase()] } } }),
    );
    await eventually(async () => expect(await load(task.id)).toMatchObject({ expanded: true, counts: { total: 1 } }));
    expect((await call(listTaskDevices, { params: { id: task.id }, query: { search: ' - ' } })).records).toEqual([]);
  });

  it('skips devices that cannot do the action, with the reason', async () => {
    const phones = await devices(1, { model: 'Door 1', capabilities: ['doorControl'] });
    const task = await order(phones);
    await ends(task.id, 'fail');
    expect((await call(listTaskDevices, { params: { id: task.id }, query: {} })).records).toMatchObject([
      { status: 'fail', code: 'unsupported' },
    ]);
    expect(commands.some((c) => ids(phones).includes(c.deviceId))).toBe(false);
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
