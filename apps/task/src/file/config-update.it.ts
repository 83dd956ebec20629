import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addTask,
  configFileState,
  getTask,
  listTaskDevices,
  orgSite,
  previewTask,
  provisioningDeviceConfig,
  rerunTask,
  stopTask,
  taskFile,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { downloadKey, readDownloadToken } from '@carillon/service';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
const [campus, house, floor, depot] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
/** Events about files of tasks for the store, latest last. */
const published: { taskId: string; ids: string[] | null; stopped?: boolean }[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, publicUrl: testLinks.publicUrl });
  await rig.bus.fanout({
    topics: [taskFile.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { key, value } of records) {
        const data = value && (JSON.parse(value) as { objectId: string; moreIds?: string[]; stopped: boolean });
        published.push(
          data
            ? { taskId: key!, ids: [data.objectId, ...(data.moreIds ?? [])], stopped: data.stopped }
            : { taskId: key!, ids: null },
        );
      }
      return Promise.resolve();
    },
  });
  const { companyId } = rig.actor;
  const site = (id: string, parentId: string | null, name: string) =>
    toRecord(
      orgSite,
      id,
      { id, companyId, parentId, name, segments: [], autoAssign: false },
      envelope('site', { companyId, version: 1 }),
    );
  await rig.bus.publish([
    site(campus, null, 'Campus'),
    site(house, campus, 'House'),
    site(floor, house, 'Floor'),
    site(depot, null, 'Depot'),
  ]);
  await eventually(async () => expect(await rig.sql('select count(*)::int as n from site_copy')).toEqual([{ n: 4 }]));
});
afterAll(() => rig?.close());

let serial = 0;
/** Publishes a configuration file as the store does. */
async function store(name: string, change: { models?: string[]; version?: number } = {}, actor = rig.actor) {
  const id = uuidv7();
  const data = {
    id,
    name,
    version: 1,
    models: [] as string[],
    fileId: uuidv7(),
    fileName: `${name}.cfg`,
    size: 100,
    sha256: 'ab'.repeat(32),
    ...change,
  };
  const { companyId } = actor;
  await rig.bus.publish([
    toRecord(configFileState, id, data, envelope('configFile', { companyId, version: ++serial })),
  ]);
  await eventually(async () => expect(await rig.sql('select id from file_copy where id = $1', [id])).toHaveLength(1));
  return data;
}
const versionOf = ({ id, version }: { id: string; version: number }) => `${id.slice(-12)}.${version}`;
const phone = async (more: object = {}): Promise<LinkedDevice> => {
  const [device] = await rig.devices(1, { capabilities: ['configUpdate', 'reboot'], ...more });
  return device!;
};
const body = (params: object, devices: readonly LinkedDevice[]) => ({
  name: 'Configure',
  action: 'configUpdate',
  params: { ...params },
  target: { ids: devices.map((d) => d.identity.deviceId) },
});
const rows = async (id: string) => (await rig.call(listTaskDevices, { params: { id }, query: { limit: 200 } })).records;
const order = async (params: object, devices: readonly LinkedDevice[]) =>
  (await rig.call(addTask, { body: body(params, devices) })).id;
const preview = async (params: object, devices: readonly LinkedDevice[]) => {
  const { name: _, ...asked } = body(params, devices);
  return rig.call(previewTask, { body: asked, query: {} });
};
/** Returns the version that each device gets, or its reason; the dry run and the task must agree. */
async function given(params: object, devices: readonly LinkedDevice[]) {
  const before = await preview(params, devices);
  const dry = new Map(before.devices.records.map((d) => [d.deviceId, d.message]));
  const id = await order(params, devices);
  await eventually(async () => {
    const { expanded, wait } = await rig.counts(id);
    expect([expanded, wait]).toEqual([true, 0]);
  });
  const by = new Map((await rows(id)).map((r) => [r.deviceId, r.message]));
  const answer = await Promise.all(
    devices.map(async ({ identity: { deviceId } }, n) => {
      expect(by.get(deviceId)).toBe(dry.get(deviceId));
      return by.get(deviceId) ?? String((await rig.command(devices[n]!)).args['version']);
    }),
  );
  return { id, answer, before };
}
const refused = (params: object, call = rig.call) =>
  call(addTask, { body: { name: 'x', action: 'configUpdate', params: { ...params }, target: { filter: {} } } }).then(
    () => 'none',
    (e: { error: string; fields?: { path: string }[] }) => [e.error, e.fields?.map(({ path }) => path)],
  );

describe('a configuration update', () => {
  it('gives one file to all devices that it fits, each with its own link, until they report success', async () => {
    const file = await store('Hall', { models: ['Fanvil X7A'] });
    const [device, other] = [await phone(), await phone({ model: 'Fanvil X6U' })];
    await device.online();
    await other.online();
    const { id, answer, before } = await given({ configFileId: file.id, mode: 'replace' }, [device, other]);
    expect(answer).toEqual([versionOf(file), 'The file is not for the Fanvil X6U']);
    expect([before.touched, before.skipped]).toEqual([
      1,
      [{ code: 'otherModel', message: 'The file is not for the Fanvil X6U', count: 1 }],
    ]);
    const { id: commandId, args } = await rig.command(device);
    expect(args).toMatchObject({ size: 100, sha256: file.sha256, mode: 'replace', whenIdle: true });
    const [, , , , token, name] = String(args['url']).split('/');
    expect([String(args['url']).startsWith(`${testLinks.publicUrl}/f/`), name]).toEqual([true, 'Hall.cfg']);
    expect(readDownloadToken(downloadKey(rig.service.contextKey), token!)).toMatchObject({
      companyId: rig.actor.companyId,
      deviceId: device.identity.deviceId,
      fileId: file.fileId,
      taskId: id,
      commandId,
    });
    await device.say({ id: commandId, status: 'accepted' });
    await device.say({ id: commandId, status: 'success', data: { rejected: [] } });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 1, fail: 1 }));
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({
      file: { id: file.id, name: 'Hall', version: '1' },
      files: [],
    });
  });

  it('shows the refused keys in the row of a device', async () => {
    const file = await store('Keys');
    const [device, other] = [await phone(), await phone()];
    for (const one of [device, other]) await one.online();
    const { id } = await given({ configFileId: file.id }, [device, other]);
    const rejected = [{ key: 'account.9.fax', code: 'unknown' }, { key: `a\0${'x'.repeat(200)}` }, null, { key: 7 }];
    await device.say({ id: (await rig.command(device)).id, status: 'success', data: { rejected } });
    const many = Array.from({ length: 50 }, (_, n) => ({ key: `k${n}`, code: 'unknown' }));
    await other.say({ id: (await rig.command(other)).id, status: 'success', data: { rejected: many } });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 2 }));
    const messages = new Map((await rows(id)).map((r) => [r.deviceId, r.message]));
    expect(messages.get(device.identity.deviceId)).toBe(`Not accepted: account.9.fax, a${'x'.repeat(62)}`);
    expect(messages.get(other.identity.deviceId)).toMatch(/^Not accepted: k0, k1, .*, k19, \+30$/);
  });

  it('by model gives each device the file of its model', async () => {
    const [desk, door] = [await store('Desk'), await store('Door')];
    const devices = [await phone(), await phone({ model: 'Fanvil i33V' }), await phone({ model: 'Fanvil X1' })];
    for (const device of devices) await device.online();
    const pairs = [
      { of: 'Fanvil X7A', configFileId: desk.id },
      { of: 'Fanvil i33V', configFileId: door.id },
    ];
    const { id, answer } = await given({ by: 'model', pairs }, devices);
    expect(answer).toEqual([versionOf(desk), versionOf(door), 'No file for its model, Fanvil X1']);
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({
      file: null,
      files: [
        { id: desk.id, name: 'Desk', version: '1' },
        { id: door.id, name: 'Door', version: '1' },
      ],
    });
    const tokenOf = async (device: LinkedDevice) =>
      String((await rig.command(device)).args['url'])
        .split('/')
        .at(-2)!;
    for (const [n, file] of [desk, door].entries())
      expect(readDownloadToken(downloadKey(rig.service.contextKey), await tokenOf(devices[n]!))).toMatchObject({
        fileId: file.fileId,
      });
  });

  it('by site gives each device the file of its nearest site upwards', async () => {
    const [whole, inner] = [await store('Campus'), await store('House')];
    const devices = [
      await phone({ siteId: campus }),
      await phone({ siteId: house }),
      await phone({ siteId: floor }),
      await phone({ siteId: depot }),
      await phone(),
    ];
    for (const device of devices) await device.online();
    // The order of the pairs does not matter here.
    for (const pairs of [
      [
        { of: campus, configFileId: whole.id },
        { of: house, configFileId: inner.id },
      ],
      [
        { of: house.toUpperCase(), configFileId: inner.id },
        { of: campus, configFileId: whole.id },
      ],
    ]) {
      const { id, answer } = await given({ by: 'site', pairs }, devices);
      const none = 'No file for its site';
      expect(answer).toEqual([versionOf(whole), versionOf(inner), versionOf(inner), none, none]);
      await rig.call(stopTask, { params: { id } });
      for (const device of devices.slice(0, 3))
        await device.say({ id: (await rig.command(device)).id, status: 'success' });
      await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 0 }));
    }
  });

  it('by group gives each device the file of its group, of several the first in the order', async () => {
    const [first, second] = [await store('First'), await store('Second', { models: ['Fanvil X6U'] })];
    const [a, b] = [uuidv7(), uuidv7()];
    const devices = [
      await phone({ groupIds: [b, a] }),
      await phone({ groupIds: [b], model: 'Fanvil X6U' }),
      await phone({ groupIds: [b] }),
      await phone({ groupIds: [uuidv7()] }),
    ];
    for (const device of devices) await device.online();
    const pairs = [
      { of: a, configFileId: first.id },
      { of: b, configFileId: second.id },
    ];
    const { answer } = await given({ by: 'group', pairs }, devices);
    expect(answer).toEqual([
      versionOf(first),
      versionOf(second),
      'The file is not for the Fanvil X7A',
      'No file for its groups',
    ]);
  });

  it('keeps the chosen file of a device that moves while the task runs', async () => {
    const [whole, other] = [await store('Campus'), await store('Depot')];
    const device = await phone({ siteId: campus });
    const pairs = [
      { of: campus, configFileId: whole.id },
      { of: depot, configFileId: other.id },
    ];
    const id = await order({ by: 'site', pairs }, [device]);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 1 }));
    await rig.publishDevice(device, { siteId: depot });
    await device.online();
    expect((await rig.command(device)).args).toMatchObject({ version: versionOf(whole) });
  });

  it('is refused at the field of a missing, foreign or unfit file, and stores nothing', async () => {
    const file = await store('Own');
    const [stranger, ...none] = [newActor(), uuidv7()];
    const theirs = await store('Theirs', {}, stranger);
    const before = (await rig.sql<{ n: number }>('select count(*)::int as n from task'))[0]!.n;
    for (const configFileId of [none[0]!, theirs.id]) {
      expect(await refused({ configFileId })).toEqual(['task.fileMissing', ['params.configFileId']]);
      const pairs = [
        { of: 'Fanvil X7A', configFileId: file.id },
        { of: 'Fanvil X6U', configFileId },
      ];
      expect(await refused({ by: 'model', pairs })).toEqual(['task.fileMissing', ['params.pairs.1.configFileId']]);
    }
    expect(await refused({ configFileId: file.id }, rig.service.as(stranger))).toEqual([
      'task.fileMissing',
      ['params.configFileId'],
    ]);
    expect(await refused({})).toEqual(['task.paramsInvalid', ['params.configFileId']]);
    expect(await refused({ by: 'model' })).toEqual(['task.paramsInvalid', ['params.pairs']]);
    const pairs = [{ of: 'no id', configFileId: file.id }];
    expect(await refused({ by: 'site', pairs })).toEqual(['task.paramsInvalid', ['params.pairs.0.of']]);
    expect((await rig.sql('select count(*)::int as n from task'))[0]).toEqual({ n: before });
  });

  it('by template gives each device its own, and names those without one [TASK-02/template]', async () => {
    const devices = [await phone(), await phone(), await phone()];
    for (const device of devices) await device.online();
    const make = async (device: LinkedDevice, version: string | null) => {
      const { deviceId, mac } = device.identity;
      const { companyId } = rig.actor;
      const contentId = uuidv7();
      const whole = { contentId, fileName: `${mac}.txt`, size: 17, sha256: 'cd'.repeat(32) };
      await rig.bus.publish([
        toRecord(
          provisioningDeviceConfig,
          deviceId,
          version === null ? null : { deviceId, companyId, version, ...whole },
          envelope('config', { companyId, version: ++serial }),
        ),
      ]);
      const made = `select file ->> 'made' as made from file_copy where id = $1`;
      await eventually(async () =>
        expect(await rig.sql(made, [deviceId])).toEqual(version === null ? [] : [{ made: version }]),
      );
      return contentId;
    };
    const [first, second, third] = devices as [LinkedDevice, LinkedDevice, LinkedDevice];
    const contentId = await make(first, 'taaaaaaaaaaa');
    await make(second, 'tbbbbbbbbbbb');
    const { id, answer, before } = await given({ by: 'template', mode: 'replace' }, devices);
    const none = 'It has no configuration from a template or an account';
    expect(answer).toEqual(['taaaaaaaaaaa', 'tbbbbbbbbbbb', none]);
    expect(before.skipped).toEqual([{ code: 'noTemplate', message: none, count: 1 }]);
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({ file: null, files: [] });
    const { args } = await rig.command(first);
    expect(args).toMatchObject({ size: 17, sha256: 'cd'.repeat(32), mode: 'replace' });
    const [token, name] = String(args['url']).split('/').slice(-2);
    expect(String(args['url']).startsWith(`${testLinks.publicUrl}/api/f/config/`)).toBe(true);
    expect(name).toBe(`${first.identity.mac}.txt`);
    expect(readDownloadToken(downloadKey(rig.service.contextKey), token!)).toMatchObject({
      deviceId: first.identity.deviceId,
      fileId: contentId,
      taskId: id,
    });
    for (const device of [first, second])
      await device.say({ id: (await rig.command(device)).id, status: 'success', data: { rejected: [] } });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ success: 2, fail: 1 }));

    // The next run takes what the templates make by then.
    await make(third, 'tcccccccccccc');
    await rig.call(rerunTask, { params: { id }, body: { only: 'failed' } });
    expect((await rig.command(third)).args).toMatchObject({ version: 'tcccccccccccc' });
    // The device can't choose the configuration of another one.
    expect(await refused({ configFileId: first.identity.deviceId })).toEqual([
      'task.fileMissing',
      ['params.configFileId'],
    ]);
  });

  it('publishes all files of an open task until it ends, and cannot run again without one', async () => {
    const [one, two] = [await store('One'), await store('Two')];
    const device = await phone();
    await device.online();
    const pairs = [
      { of: 'Fanvil X7A', configFileId: one.id },
      { of: 'Fanvil X6U', configFileId: two.id },
      { of: 'Fanvil X5U', configFileId: one.id },
    ];
    const { id } = await given({ by: 'model', pairs }, [device]);
    const events = () => published.filter((t) => t.taskId === id).map(({ ids, stopped }) => ids && [stopped, ...ids]);
    const open = [false, one.id, two.id];
    await eventually(() => expect(events()).toEqual([open]));
    await rig.call(stopTask, { params: { id } });
    await eventually(() => expect(events()).toEqual([open, [true, one.id, two.id]]));
    await device.say({ id: (await rig.command(device)).id, status: 'fail', code: 'download' });
    await eventually(() => expect(events()).toEqual([open, [true, one.id, two.id], null]));
    const gone = envelope('configFile', { companyId: rig.actor.companyId, version: ++serial });
    await rig.bus.publish([toRecord(configFileState, two.id, null, gone)]);
    await eventually(async () => expect(await rig.sql('select id from file_copy where id = $1', [two.id])).toEqual([]));
    await expect(rig.call(rerunTask, { params: { id }, body: { only: 'all' } })).rejects.toMatchObject({
      error: 'task.fileMissing',
    });
  });
});
