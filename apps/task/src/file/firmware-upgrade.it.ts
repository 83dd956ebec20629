import { describe, expect, it } from 'vitest';
import {
  addTask,
  firmwareState,
  getTask,
  listTaskDevices,
  previewTask,
  rerunTask,
  stopTask,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { downloadKey, readDownloadToken } from '@carillon/service';
import { eventually, newActor, type LinkedDevice } from '@carillon/testing';
import { body, startUpgrades } from './firmware-upgrade-test.ts';

const { rig, published: events, store, phone, order } = await startUpgrades();
const rowOf = async (id: string) => (await rig.call(listTaskDevices, { params: { id }, query: {} })).records[0]!;
const is = (id: string, expected: object) => eventually(async () => expect(await rowOf(id)).toMatchObject(expected));
const commandId = async (id: string) =>
  (await rig.sql<{ id: string }>('select command_id as id from task_device where task_id = $1', [id]))[0]!.id;
const statesTold = (id: string) => events.filter((t) => t.taskId === id).map((t) => t.state);

describe('a firmware upgrade', () => {
  it('offers a platform delta only to devices with its format and version, and the whole file to all', async () => {
    const firmware = await store({ made: ['2.0.9'] });
    const capabilities = ['firmwareUpgrade', 'delta.zstd-windows'];
    const devices = (
      await Promise.all([
        phone('2.0.9', { capabilities }),
        phone('2.0.9'),
        phone('2.0.9', { capabilities: ['firmwareUpgrade', 'delta.other'] }),
        phone('2.0.8', { capabilities }),
      ])
    ).flat();
    for (const device of devices) await device.online();
    await order(firmware.id, devices);
    const published = [];
    for (const device of devices) {
      const { args } = await rig.command(device);
      expect(args).toMatchObject({ version: '2.0.10', sha256: firmware.sha256 });
      published.push(args['delta']);
    }
    expect(published).toEqual([
      expect.objectContaining({ format: 'zstd-windows', from: '2.0.9', sha256: firmware.deltas[0]!.sha256 }),
      undefined,
      undefined,
      undefined,
    ]);
    for (const device of devices)
      await device.say({ id: (await rig.command(device)).id, status: 'fail', code: 'download' });
  });

  it('sends each device its own link and delta, and is done when the device is back with the version', async () => {
    const firmware = await store({ deltas: ['2.0.9', '2.0.8'] });
    const [device] = await phone();
    await device!.online();
    const id = await order(firmware.id, [device!]);
    const { args } = await rig.command(device!);
    expect(args).toMatchObject({
      version: '2.0.10',
      size: 1_000,
      sha256: firmware.sha256,
      signature: 'c2ln',
      signedBy: 'a2V5',
      whenIdle: true,
      delta: { format: 'maker', from: '2.0.9' },
    });
    const grantOf = (url: unknown) => {
      const [, token, name] = /^https:\/\/carillon\.example\/f\/([\w-]+)\/(.+)$/.exec(String(url))!;
      return { name, grant: readDownloadToken(downloadKey(rig.service.contextKey), token!)! };
    };
    const command = await commandId(id);
    const whole = grantOf(args['url']);
    expect(whole).toMatchObject({
      name: 'whole.bin',
      grant: {
        companyId: rig.actor.companyId,
        deviceId: device!.identity.deviceId,
        ownerEpoch: 1,
        taskId: id,
        commandId: command,
        fileId: firmware.fileId,
      },
    });
    expect(whole.grant.beginBy - Date.now()).toBeGreaterThan(3_590_000);
    expect(whole.grant.beginBy - Date.now()).toBeLessThanOrEqual(3_600_000);
    expect(grantOf((args['delta'] as { url: string }).url).grant.fileId).toBe(firmware.deltas[0]!.fileId);

    await device!.say({ id: command, status: 'accepted' });
    await device!.say({ id: command, status: 'progress', progress: 40 });
    await is(id, { status: 'process', progress: 40 });
    await device!.say({ id: command, status: 'downloaded' });
    await is(id, { status: 'downloadSuccess' });
    // It reports success before it goes down: the result is not known yet.
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'downloadSuccess', code: 'restarting', message: 'Restarting' });
    await device!.back({ boot: 'power', firmware: '2.0.10' });
    await is(id, { status: 'success', code: null });
    expect(await rig.sql('select version_before as before from task_device where task_id = $1', [id])).toEqual([
      { before: '2.0.9' },
    ]);
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'ended']));
  });

  it('fails on a device that comes back with another version, or not at all', async () => {
    const firmware = await store();
    const [one, other] = [...(await phone()), ...(await phone())];
    for (const device of [one!, other!]) await device.online();
    const [first, second] = [await order(firmware.id, [one!]), await order(firmware.id, [other!])];
    for (const [id, device] of [
      [first, one!],
      [second, other!],
    ] as const) {
      await is(id, { status: 'process' });
      for (const status of ['accepted', 'downloaded'] as const) await device.say({ id: await commandId(id), status });
      await is(id, { status: 'downloadSuccess' });
    }
    await one!.back({ boot: 'upgrade', firmware: '2.0.9' });
    await is(first, { status: 'fail', code: 'otherVersion', message: 'It came back with another version' });
    await other!.offline();
    await rig.sql(`update task_device set deadline_at = now() - interval '1 second' where task_id = $1`, [second]);
    await is(second, { status: 'fail', code: 'notBack', message: 'It did not come back' });
  });

  it('skips unsuitable devices with the reason, in the preview and in the task', async () => {
    const firmware = await store({ least: '1.5' }, true);
    const devices = [
      ...(await phone('2.0.9')),
      ...(await phone('2.0.10.0')),
      ...(await phone('2.1')),
      ...(await phone('1.4')),
      ...(await phone('2.0-rc1')),
      ...(await phone('2.0.9', { model: 'Fanvil X6U' })),
    ];
    const order = body(firmware.id, devices);
    const { name: _, ...asked } = order;
    const preview = await rig.call(previewTask, { body: asked, query: {} });
    expect(preview.touched).toBe(1);
    expect(new Set(preview.skipped.map((s) => s.message))).toEqual(
      new Set([
        'It has 2.0.10 already',
        'It has the newer version 2.1',
        'It needs 1.5 first',
        'Its firmware version can’t be compared',
        'The firmware is not for the Fanvil X6U',
      ]),
    );
    const { id } = await rig.call(addTask, { body: order });
    await eventually(async () => expect(await rig.counts(id)).toMatchObject({ expanded: true, wait: 1, fail: 5 }));
    const down = await rig.call(previewTask, {
      body: { ...asked, params: { firmwareId: firmware.id, downgrade: true } },
      query: {},
    });
    expect(down.touched).toBe(2);
  });

  it('is refused at its field for a missing or foreign firmware, and stores nothing', async () => {
    const firmware = await store();
    const [device] = await phone();
    const stranger = newActor();
    for (const [call, id] of [
      [rig.call, uuidv7()],
      [rig.service.as(stranger), firmware.id],
    ] as const)
      await expect(call(addTask, { body: body(id, [device!]) })).rejects.toMatchObject({
        error: 'task.fileMissing',
        fields: [{ path: 'params.firmwareId' }],
      });
  });

  it('publishes its file while open, stopped and ended, and cannot run again without it', async () => {
    const firmware = await store();
    const [device] = await phone();
    await device!.online();
    const id = await order(firmware.id, [device!]);
    await is(id, { status: 'process' });
    await rig.call(stopTask, { params: { id } });
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'stopped']));
    await device!.say({ id: await commandId(id), status: 'fail', code: 'download' });
    await is(id, { status: 'fail', message: 'The file could not be loaded' });
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'stopped', 'ended']));
    await rig.bus.publish([
      toRecord(firmwareState, firmware.id, null, envelope('firmware', { companyId: rig.actor.companyId })),
    ]);
    await eventually(async () =>
      expect(await rig.sql('select id from firmware_copy where id = $1', [firmware.id])).toEqual([]),
    );
    await expect(rig.call(rerunTask, { params: { id }, body: { only: 'all' } })).rejects.toMatchObject({
      error: 'task.fileMissing',
    });
    expect((await rig.call(getTask, { params: { id } })).runs).toBe(1);
  });
});

describe('a scheduled firmware upgrade', () => {
  it('releases its file when its time passed unused', async () => {
    const firmware = await store();
    const [device] = await phone();
    const begin = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    const { id } = await rig.call(addTask, {
      body: { ...body(firmware.id, [device!]), schedule: { type: 'timer', begin }, timeZone: 'Etc/UTC' },
    });
    await eventually(() => expect(statesTold(id)).toEqual(['open']));
    await rig.sql(`update task set due_at = now() - interval '3 days' where id = $1`, [id]);
    await eventually(async () =>
      expect(await rig.call(getTask, { params: { id } })).toMatchObject({ status: 'timeout', runs: 0 }),
    );
    await eventually(() => expect(statesTold(id)).toEqual(['open', 'ended']));
  });
});

describe('a device that restarts for its command', () => {
  const reboot = async (device: LinkedDevice) => {
    const { id } = await rig.call(addTask, {
      body: { name: 'Reboot', action: 'reboot', params: {}, target: { ids: [device.identity.deviceId] } },
    });
    await is(id, { status: 'process' });
    return { id, command: await commandId(id) };
  };

  it('is not done when it reports success, but when it is back', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'process', code: 'restarting' });
    await device!.back({ boot: 'power' });
    await is(id, { status: 'success' });
  });

  it('is done by its hello alone after it accepted, but not by that of an older connection', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'accepted' });
    await device!.back({ epoch: device!.epoch });
    await device!.say({ id: command, status: 'progress', progress: 1 });
    await is(id, { status: 'process', progress: 1 });
    await device!.back();
    await is(id, { status: 'success' });
  });

  it('is done when it crashed meanwhile and then reports success', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'accepted' });
    await device!.back({ boot: 'power' });
    await device!.say({ id: command, status: 'progress', progress: 1 });
    await is(id, { status: 'process', progress: 1 });
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'success', code: null });

    // A device that accepts the command again must still restart.
    const other = await reboot(device!);
    await device!.say({ id: other.command, status: 'accepted' });
    device!.epoch += 3;
    await device!.back({ boot: 'power', epoch: device!.epoch });
    await device!.say({ id: other.command, status: 'accepted' });
    await device!.say({ id: other.command, status: 'success' });
    await is(other.id, { status: 'process', code: 'restarting' });
    await device!.back();
    await is(other.id, { status: 'success' });
  });

  it('needs an answer when it came back before its first one, because the restart may be unrelated', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.back();
    // It begins only now, in the connection of that hello.
    device!.epoch += 1;
    await device!.say({ id: command, status: 'accepted' });
    await device!.say({ id: command, status: 'success' });
    await is(id, { status: 'process', code: 'restarting' });
    await device!.back();
    await is(id, { status: 'success' });

    const other = await reboot(device!);
    await device!.back({ epoch: device!.epoch + 3 });
    await device!.say({ id: other.command, status: 'success' });
    await is(other.id, { status: 'success' });
  });

  it('ignores a start before its command, which an unacknowledged hello reports again', async () => {
    const firmware = await store();
    const [device] = await phone();
    await device!.online();
    const id = await order(firmware.id, [device!]);
    await is(id, { status: 'process' });
    await device!.say({ id: await commandId(id), status: 'accepted' });
    await device!.back({ boot: 'upgrade', firmware: '2.0.9', uptime: 60 });
    await device!.say({ id: await commandId(id), status: 'downloaded' });
    await is(id, { status: 'downloadSuccess' });
    await device!.back({ boot: 'upgrade', firmware: '2.0.10', epoch: device!.epoch + 2 });
    await is(id, { status: 'success' });
  });

  it('fails when it reports success without a restart, or stays away', async () => {
    const [device] = await phone();
    await device!.online();
    const { id, command } = await reboot(device!);
    await device!.say({ id: command, status: 'success' });
    await is(id, { code: 'restarting' });
    await rig.sql(`update task_device set deadline_at = now() - interval '1 second' where task_id = $1`, [id]);
    await is(id, { status: 'fail', code: 'notBack' });

    const away = await reboot(device!);
    await device!.say({ id: away.command, status: 'accepted' });
    await device!.offline();
    await rig.sql(
      `update task_device set deadline_at = now() - interval '1 second' where task_id = $1 and accepted_at is not null`,
      [away.id],
    );
    await eventually(async () => {
      await rig.sql(
        `
          update task_device set deadline_at = now() - interval '1 second'
          where task_id = $1 and accepted_at is not null and ended_at is null
        `,
        [away.id],
      );
      expect(await rowOf(away.id)).toMatchObject({ status: 'fail', code: 'notBack' });
    });
  });
});
