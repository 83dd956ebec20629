import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addTask,
  getTask,
  getTaskRollback,
  listTaskDevices,
  previewTask,
  rerunTask,
  resourceFileState,
  stopTask,
  taskFile,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { downloadKey, readDownloadToken } from '@carillon/service';
import { eventually, newActor, type Actor, type LinkedDevice } from '@carillon/testing';
import { taskRig, testLinks, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
/** Events about files of tasks for the store, latest last. */
const published: { taskId: string; noun?: string; objectId?: string; stopped?: boolean }[] = [];
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 100, publicUrl: testLinks.publicUrl });
  await rig.bus.fanout({
    topics: [taskFile.name],
    from: 'start',
    handle: ({ records }) => {
      for (const { key, value } of records)
        published.push({ ...(value === null ? {} : (JSON.parse(value) as object)), taskId: key! });
      return Promise.resolve();
    },
  });
});
afterAll(() => rig?.close());

let version = 0;
const part = (name: string) => ({ fileId: uuidv7(), fileName: name, size: 1_000, sha256: 'ab'.repeat(32) });
const publish = (id: string, data: object | null, actor: Actor = rig.actor) =>
  rig.bus.publish([
    toRecord(
      resourceFileState,
      id,
      data as never,
      envelope('resourceFile', { companyId: actor.companyId, version: ++version }),
    ),
  ]);
const known = (id: string) => rig.sql<{ file: { name: string } }>('select file from file_copy where id = $1', [id]);
/** Publishes a resource file as the store does. */
async function store(names: readonly string[], change: object = {}) {
  const data = { id: uuidv7(), name: 'Bells', type: 'ringtone' as const, files: names.map(part), ...change };
  await publish(data.id, data);
  await eventually(async () => expect(await known(data.id)).toHaveLength(1));
  return data;
}
const phone = (more: object = {}) => rig.devices(1, { capabilities: ['resourceUpgrade', 'reboot'], ...more });
const body = (resourceFileId: string, devices: readonly LinkedDevice[]) => ({
  name: 'Bells',
  action: 'resourceUpgrade',
  params: { resourceFileId },
  target: { ids: devices.map((d) => d.identity.deviceId) },
});
const order = async (id: string, devices: readonly LinkedDevice[]) =>
  (await rig.call(addTask, { body: body(id, devices) })).id;
const is = (id: string, expected: object) =>
  eventually(async () =>
    expect((await rig.call(listTaskDevices, { params: { id }, query: {} })).records[0]).toMatchObject(expected),
  );
const states = (id: string) =>
  published
    .filter((t) => t.taskId === id)
    .map((t) => (t.noun === undefined ? 'ended' : t.stopped ? 'stopped' : 'open'));

describe('a resource upgrade', () => {
  it('sends all files with separate links in one command, and ends on success without a restart', async () => {
    const file = await store(['one.wav', 'two.wav']);
    const [device] = await phone();
    await device!.online();
    const id = await order(file.id, [device!]);
    const command = await rig.command(device!);
    const files = command.args['files'] as { name: string; url: string }[];
    expect(command.args).toMatchObject({ kind: 'ringtone', name: 'Bells' });
    expect(files.map(({ url: _, ...rest }) => rest)).toEqual(
      file.files.map(({ fileName, size, sha256 }) => ({ name: fileName, size, sha256 })),
    );
    const grants = files.map(({ url }) => {
      const [, token, name] = /^https:\/\/carillon\.example\/f\/([\w-]+)\/(.+)$/.exec(url)!;
      return [name, readDownloadToken(downloadKey(rig.service.contextKey), token!)!] as const;
    });
    const { deviceId } = device!.identity;
    expect(grants).toEqual(
      file.files.map(({ fileId, fileName }) => [
        fileName,
        expect.objectContaining({ deviceId, ownerEpoch: 1, taskId: id, commandId: command.id, fileId }),
      ]),
    );
    await device!.say({ id: command.id, status: 'accepted' });
    await device!.say({ id: command.id, status: 'progress', progress: 40 });
    await is(id, { status: 'process', progress: 40 });
    await device!.say({ id: command.id, status: 'downloaded' });
    await is(id, { status: 'downloadSuccess' });
    await device!.say({ id: command.id, status: 'success' });
    await is(id, { status: 'success', code: null });
    expect(await rig.call(getTask, { params: { id } })).toMatchObject({
      file: { id: file.id, name: 'Bells', version: null },
    });
    // There is no earlier version to roll back to.
    expect(await rig.call(getTaskRollback, { params: { id }, query: {} })).toEqual({ versions: [] });
    await eventually(() => expect(states(id)).toEqual(['open', 'ended']));
    expect(published.find((t) => t.taskId === id)).toMatchObject({ noun: 'resourceFile', objectId: file.id });
  });

  it('shows why a device could not take it, and skips unable devices with the reason', async () => {
    const file = await store(['one.wav']);
    for (const [code, message] of [
      ['download', 'The file could not be loaded'],
      ['checksum', 'The file was damaged on its way'],
      ['space', 'It has no room for the file'],
    ] as const) {
      const [device] = await phone();
      await device!.online();
      const id = await order(file.id, [device!]);
      await device!.say({ id: (await rig.command(device!)).id, status: 'fail', code });
      await is(id, { status: 'fail', code, message });
    }
    const devices = [...(await phone()), ...(await phone({ capabilities: ['reboot'] }))];
    const { name: _, ...asked } = body(file.id, devices);
    const preview = await rig.call(previewTask, { body: asked, query: {} });
    expect([preview.touched, preview.skipped]).toEqual([
      1,
      [{ code: 'unsupported', message: 'The Fanvil X7A cannot do this', count: 1 }],
    ]);
  });

  it('is refused at its field for a missing or foreign file or another noun, and stores nothing', async () => {
    const file = await store(['one.wav']);
    const [device] = await phone();
    const stranger = newActor();
    const upgrade = { ...body(file.id, [device!]), action: 'firmwareUpgrade', params: { firmwareId: file.id } };
    for (const [call, sent, path] of [
      [rig.call, body(uuidv7(), [device!]), 'params.resourceFileId'],
      [rig.service.as(stranger), body(file.id, [device!]), 'params.resourceFileId'],
      [rig.call, upgrade, 'params.firmwareId'],
    ] as const)
      await expect(call(addTask, { body: sent })).rejects.toMatchObject({
        error: 'task.fileMissing',
        fields: [{ path }],
      });
    expect(await rig.sql('select id from task where company_id = $1', [stranger.companyId])).toEqual([]);
  });

  it("sends the store's current file, loads nothing after a stop, and cannot run again without its file", async () => {
    const file = await store(['one.wav']);
    const [device] = await phone();
    const id = await order(file.id, [device!]);
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ wait: 1 }));
    const edited = { ...file, name: 'Gongs' };
    await publish(file.id, edited);
    await eventually(async () => expect((await known(file.id))[0]!.file.name).toBe('Gongs'));
    // An older event is repeated: the later one wins.
    await rig.bus.publish([
      toRecord(
        resourceFileState,
        file.id,
        file,
        envelope('resourceFile', { companyId: rig.actor.companyId, version: version - 1 }),
      ),
    ]);
    await store(['other.wav']);
    await device!.online();
    const command = await rig.command(device!);
    expect(command.args).toMatchObject({ name: 'Gongs' });
    await rig.call(stopTask, { params: { id } });
    await eventually(() => expect(states(id)).toEqual(['open', 'stopped']));
    await device!.say({ id: command.id, status: 'fail', code: 'download' });
    await eventually(() => expect(states(id)).toEqual(['open', 'stopped', 'ended']));
    await publish(file.id, null);
    await eventually(async () => expect(await known(file.id)).toEqual([]));
    await expect(rig.call(rerunTask, { params: { id }, body: { only: 'all' } })).rejects.toMatchObject({
      error: 'task.fileMissing',
    });
  });
});
