import { describe, expect, it } from 'vitest';
import {
  addDevice,
  countDevices,
  deleteDevices,
  deviceCredential,
  deviceState,
  listDevices,
  restoreDevices,
  type Client,
  type DeviceRecord,
} from '@carillon/contracts';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, gatewayStarted, LinkedDevice } from '@carillon/testing';
import { DeletionService } from './deletion.service.ts';
import { startDevices } from './device-test.ts';

const { bus, service, places, records, call, actor, stranger, add, reload } = await startDevices();
const becomes = (device: DeviceRecord, state: DeviceRecord['state']) =>
  eventually(async () => expect((await reload(device)).state).toBe(state));

describe('presence and reports', () => {
  it('moves a device through its four states [DEV-11]', async () => {
    const { device } = await add();
    const link = new LinkedDevice(bus, device, actor.companyId);
    expect(device.state).toBe('notConfigured');
    await link.online();
    await link.hello({ configVersion: undefined });
    await eventually(async () => expect((await reload(device)).firmware).toBe('2.12.4.8'));
    expect((await reload(device)).state).toBe('notConfigured');
    // Nothing else counts before its first configuration.
    await link.state({ lines: [{ line: 1, status: 'failed' }] });
    await eventually(async () => expect((await reload(device)).lines).toMatchObject([{ status: 'failed' }]));
    expect((await reload(device)).state).toBe('notConfigured');
    await link.offline();
    await eventually(async () => expect((await reload(device)).onlineSince).toBeNull());
    expect((await reload(device)).state).toBe('notConfigured');
    await link.online();
    await link.hello();
    await link.state({ lines: [{ line: 1, status: 'registered' }] });
    await becomes(device, 'online');
    await link.state({
      lines: [
        { line: 1, account: '2001', status: 'registered' },
        { line: 2, status: 'failed' },
      ],
    });
    await becomes(device, 'abnormal');
    // The device is found and counted by the state of its lines.
    await eventually(async () => {
      expect((await call(countDevices, { query: { line: ['failed'], withLines: 'true' } })).lines).toEqual({
        registered: 1,
        failed: 1,
      });
      expect(
        (await call(listDevices, { query: { line: ['failed', 'calling'] } })).records.map((d) =>
          d.lines.map((l) => l.status),
        ),
      ).toEqual([['registered', 'failed']]);
      expect((await call(countDevices, {})).lines).toBeUndefined();
    });
    await link.state({ lines: [{ line: 1, status: 'registered' }] });
    await becomes(device, 'online');
    await link.offline();
    await becomes(device, 'offline');
    await link.online();
    await link.hello({ boot: 'reset', configVersion: undefined });
    await becomes(device, 'notConfigured');
    expect(await reload(device)).toMatchObject({ configVersion: null, publicIp: '10.0.0.9', internalIp: '10.20.4.31' });
  });

  it('is configured until a reset, and abnormal while the last configuration failed [DEV-11]', async () => {
    const { device } = await add();
    const link = new LinkedDevice(bus, device, actor.companyId);
    await link.online();
    await link.hello({ configVersion: undefined });
    await becomes(device, 'notConfigured');
    await link.state({ configVersion: 'c0a8f3d2e1b4.3' });
    await becomes(device, 'online');
    expect(await reload(device)).toMatchObject({ configVersion: 'c0a8f3d2e1b4.3', state: 'online' });
    // The former configuration stays in effect.
    await link.state({ configFailed: true });
    await becomes(device, 'abnormal');
    expect((await reload(device)).configVersion).toBe('c0a8f3d2e1b4.3');
    await link.hello({ configVersion: 'c0a8f3d2e1b4.3' });
    await link.state({ dnd: 'on' });
    await eventually(async () => expect((await reload(device)).dnd).toBe('on'));
    expect((await reload(device)).state).toBe('abnormal');
    expect((await call(countDevices, { query: { state: ['abnormal'], search: device.mac } })).total).toBe(1);
    await link.offline();
    await becomes(device, 'offline');
    await link.online();
    await becomes(device, 'abnormal');
    await link.state({ configVersion: 'c0a8f3d2e1b4.4' });
    await becomes(device, 'online');
    await link.state({ configFailed: true });
    await becomes(device, 'abnormal');
    await link.hello({ boot: 'reset', configVersion: undefined });
    await becomes(device, 'notConfigured');
    await link.state({ configVersion: 'c0a8f3d2e1b4.5' });
    await becomes(device, 'online');
  });

  it('ignores outdated messages of an older connection', async () => {
    const { device } = await add();
    const link = new LinkedDevice(bus, device, actor.companyId);
    await link.hello();
    await link.online(5_000);
    await becomes(device, 'online');
    await link.offline(4_999);
    await link.online(4_998);
    await link.state({ dnd: 'on' });
    await eventually(async () => expect((await reload(device)).dnd).toBe('on'));
    expect((await reload(device)).state).toBe('online');
    await link.offline(5_000);
    await becomes(device, 'offline');
    await link.online(5_000);
    await link.state({ dnd: 'off' });
    await eventually(async () => expect((await reload(device)).dnd).toBe('off'));
    expect((await reload(device)).state).toBe('offline');
  });

  it('takes the devices of a dead gateway offline, and no others [GW-03/gateway-death]', async () => {
    const [one, two] = [(await add()).device, (await add()).device];
    const [a, b] = [new LinkedDevice(bus, one, actor.companyId), new LinkedDevice(bus, two, actor.companyId)];
    for (const link of [a, b]) await link.hello();
    await a.online(undefined, 'gw-x#1');
    await b.online(undefined, 'gw-x#2');
    await becomes(one, 'online');
    await becomes(two, 'online');
    await gatewayStarted(bus, 'gw-x', 'gw-x#2');
    await becomes(one, 'offline');
    expect((await reload(two)).state).toBe('online');
  });

  it('publishes a device only when a copied value has changed', async () => {
    const { device } = await add();
    const link = new LinkedDevice(bus, device, actor.companyId);
    const views = () => records.filter((r) => r.topic === deviceState.name && r.key === device.id).length;
    await link.hello();
    await eventually(() => expect(views()).toBe(2));
    await link.hello();
    await link.state({ calls: 1 });
    await eventually(async () => expect((await reload(device)).calls).toBe(1));
    expect(views()).toBe(2);
    await link.state({ configVersion: '2' });
    await eventually(() => expect(views()).toBe(3));
  });
});

describe('a deletion taken back', () => {
  const restore = (who: Client, ids: string[]) => who(restoreDevices, { body: { ids } });
  const secretsOf = (device: DeviceRecord) =>
    records
      .filter((r) => r.topic === deviceCredential.name && r.key === device.id)
      .map((r) => (r.value === null ? null : (JSON.parse(r.value) as { secretHash: string }).secretHash));

  it('restores a device with its secret and all copies, once and in time, for the user who deleted it', async () => {
    const { device } = await add();
    const link = new LinkedDevice(bus, device, actor.companyId);
    await link.online();
    await link.hello({ configVersion: '7' });
    await becomes(device, 'online');
    const before = await reload(device);
    await call(deleteDevices, { query: { ids: [device.id] } });
    await expect(reload(device)).rejects.toMatchObject({ code: 404 });
    expect((await call(listDevices, { query: { search: device.mac } })).total).toBe(0);
    // Another user of the company, a user of another organization, another company.
    for (const who of [{ ...actor, userId: uuidv7() }, { ...actor, orgIds: [uuidv7()] }, stranger])
      await expect(restore(service.as(who), [device.id])).rejects.toMatchObject({
        code: 409,
        error: 'device.restoreOver',
      });
    expect(await restore(call, [device.id])).toEqual({ restored: 1 });
    expect(await reload(device)).toEqual({
      ...before,
      state: 'offline',
      onlineSince: null,
      lastOnlineAt: (await reload(device)).lastOnlineAt,
    });
    await eventually(() => {
      const all = secretsOf(device);
      expect([all.length, all.at(-2), all.at(-1)]).toEqual([3, null, all[0]]);
    });
    await eventually(() =>
      expect(
        JSON.parse(records.findLast((r) => r.topic === deviceState.name && r.key === device.id)!.value!),
      ).toMatchObject({ id: device.id, name: device.name }),
    );
    await eventually(() =>
      expect(
        records
          .filter((r) => r.topic === 'audit.v1')
          .map((r) => JSON.parse(r.value!) as { action: string; objectId?: string })
          .filter((e) => e.objectId === device.id)
          .map((e) => e.action),
      ).toEqual(['device.add', 'device.delete', 'device.restore']),
    );
    expect(await restore(call, [device.id])).toEqual({ restored: 0 });
    await expect(restore(call, [device.id, uuidv7()])).rejects.toMatchObject({ error: 'device.restoreOver' });
    expect((await call(listDevices, { query: { search: device.mac } })).total).toBe(1);
    await link.online();
    await becomes(device, 'online');
    await call(deleteDevices, { query: { ids: [device.id] } });
    await transaction(service.database, companySession(actor.companyId), () =>
      currentSql().query(`update device_deleted set deleted_at = now() - interval '6 minutes' where id = $1`, [
        device.id,
      ]),
    );
    await expect(restore(call, [device.id])).rejects.toMatchObject({ error: 'device.restoreOver' });
    await service.app.get(DeletionService).forget();
    expect(
      (
        await transaction(service.database, companySession(actor.companyId), () =>
          currentSql().query('select id from device_deleted where id = $1', [device.id]),
        )
      ).rowCount,
    ).toBe(0);
  });

  it('reserves the MAC for its company until the time is over; adding it again gives the undo up', async () => {
    const [{ device }, { device: kept }] = [await add(), await add()];
    await call(deleteDevices, { query: { ids: [device.id, kept.id] } });
    const place = await places(stranger);
    const foreign = () =>
      service.as(stranger)(addDevice, {
        body: { ...place, mac: device.mac, name: 'x', model: 'X7A', sn: 'x' },
      });
    await expect(foreign()).rejects.toMatchObject({ code: 409, error: 'device.macTaken' });
    const { device: follower } = await add({ mac: device.mac, name: 'Its follower' });
    expect(await restore(call, [device.id, kept.id])).toEqual({ restored: 1 });
    expect((await call(listDevices, { query: { search: device.mac } })).records.map((d) => d.id)).toEqual([
      follower.id,
    ]);
    await call(deleteDevices, { query: { ids: [follower.id] } });
    await transaction(service.database, companySession(actor.companyId), () =>
      currentSql().query(`update device_deleted set deleted_at = now() - interval '6 minutes' where id = $1`, [
        follower.id,
      ]),
    );
    await foreign();
  });
});
