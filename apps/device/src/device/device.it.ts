import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  addDevice,
  countDevices,
  deleteDevices,
  deviceCredential,
  deviceState,
  disableDevices,
  editDevice,
  enableDevices,
  endOldDeviceSecret,
  getDevice,
  listDevices,
  orgOrganization,
  renewDeviceSecret,
  restoreDevices,
  type DeviceRecord,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import { eventually, LinkedDevice, newActor } from '@carillon/testing';
import { startDevices } from './device-test.ts';

const { bus, service, places, records, call, actor, stranger, add, reload } = await startDevices();

describe('adding a device', () => {
  it('normalizes the MAC and finds it in any spelling [DEV-03/found]', async () => {
    const { device } = await add({ mac: '0C:38:3E:55:7E:B1' });
    expect(device.mac).toBe('0c383e557eb1');
    for (const spelling of ['0c383e557eb1', '0C-38-3E-55-7E-B1', '0c:38:3e:55:7e:b1']) {
      expect((await call(getDevice, { params: { id: spelling } })).id).toBe(device.id);
      expect((await call(listDevices, { query: { search: spelling } })).records.map((d) => d.id)).toEqual([device.id]);
    }
    expect((await call(listDevices, { query: { search: '3e:55:7e' } })).total).toBe(1);
  });

  it('refuses an invalid MAC with its field and an example [DEV-03/refused]', async () => {
    await expect(add({ mac: '0C:38:3E:55:7E' })).rejects.toMatchObject({
      code: 400,
      error: 'device.macFormat',
      fields: [{ path: 'mac', error: 'device.macFormat' }],
    });
    await expect(call(getDevice, { params: { id: 'nonsense' } })).rejects.toMatchObject({
      code: 404,
      error: 'device.macNotFound',
    });
  });

  it('normalizes MACs of any spelling, and refuses all but 12 hex digits with a translated error [DEV-03]', async () => {
    const spellings = (mac: string) => [
      mac,
      mac.toUpperCase(),
      ...[':', '-'].flatMap((mark) => {
        const parted = mac.match(/../g)!.join(mark);
        return [parted, parted.toUpperCase()];
      }),
    ];
    for (const [i, spelling] of spellings('0c383ea7b1f0').entries()) {
      const { device } = await add({ mac: spelling.slice(0, -1) + String(i) });
      expect(device.mac).toBe(`0c383ea7b1f${i}`);
      for (const asked of spellings(device.mac)) {
        expect((await call(getDevice, { params: { id: asked } })).id).toBe(device.id);
        expect((await call(listDevices, { query: { search: asked } })).records.map((d) => d.id)).toEqual([device.id]);
      }
      await expect(add({ mac: spellings(device.mac)[3]! })).rejects.toMatchObject({
        code: 409,
        error: 'device.macTaken',
      });
    }
    expect((await call(listDevices, { query: { search: 'a7:b1:f' } })).total).toBe(6);

    const { total } = await call(countDevices, { query: {} });
    for (const none of [
      '',
      '0c383ea7b1',
      '0c383ea7b1f',
      '0c383ea7b1f00',
      '0c383ea7b1fg',
      '0c 38 3e a7 b1 f0',
      '0c.38.3e.a7.b1.f0',
      '０c383ea7b1f0',
      'phone',
    ]) {
      await expect(add({ mac: none }), none).rejects.toMatchObject({
        code: 400,
        fields: [
          expect.objectContaining({
            path: 'mac',
            error: 'device.macFormat',
            msg: expect.stringContaining('MAC address format error') as string,
          }),
        ],
      });
    }
    const words = {
      en_US: 'MAC address format error',
      zh_CN: 'MAC 地址格式错误',
      ko: 'MAC 주소 형식 오류',
      pt_BR: 'Erro no formato do MAC',
    };
    for (const [language, said] of Object.entries(words)) {
      const { status, body } = await service.raw(actor, {
        method: addDevice.method,
        url: addDevice.path,
        payload: { ...(await places(actor)), mac: 'phone', name: 'x', model: 'X7A', sn: 'x' },
        headers: { 'accept-language': language },
      });
      expect([status, body['error']]).toEqual([400, 'device.macFormat']);
      expect(body['msg']).toContain(said);
    }
    expect((await call(countDevices, { query: {} })).total).toBe(total);
  });

  it('tells nobody by the hundred which MACs another company has: neutral, counted, in the operation log', async () => {
    const { device } = await add();
    const prober = newActor({ orgIds: '*' });
    const place = await places(prober);
    const probe = (mac: string) =>
      service
        .as(prober)(addDevice, { body: { ...place, mac, name: 'probe', model: 'X7A', sn: 'x', orgId: prober.orgId } })
        .then(
          () => 'none',
          (e: { error: string }) => e.error,
        );
    const entries: string[] = [];
    const feed = await bus.fanout({
      topics: ['audit.v1'],
      from: 'end',
      handle: ({ records }) => {
        entries.push(...records.filter((r) => r.key === prober.companyId).map((r) => r.value!));
      },
    });
    const answers: string[] = [];
    for (let i = 0; i < 30; i++) answers.push(await probe(device.mac));
    expect(answers.filter((a) => a === 'device.macTaken')).toHaveLength(20);
    expect(answers.slice(20)).toEqual(Array.from({ length: 10 }, () => 'common.tooMany'));
    // Free MACs are not revealed either now.
    expect(await probe('0c383ea7ff01')).toBe('common.tooMany');
    await eventually(() => {
      expect(entries.filter((e) => e.includes('device.macTaken') && e.includes(device.mac))).toHaveLength(20);
    });
    await feed.close();
    // Adding an own device again is always reported openly.
    for (let i = 0; i < 25; i++)
      await expect(add({ mac: device.mac })).rejects.toMatchObject({ error: 'device.macTaken' });
  });

  it('refuses a MAC that exists, also in another company, and changes nothing', async () => {
    const { device } = await add();
    await expect(add({ mac: device.mac })).rejects.toMatchObject({ code: 409, error: 'device.macTaken' });
    await expect(
      service.as(stranger)(addDevice, {
        body: { ...(await places(stranger)), mac: device.mac, name: 'x', model: 'X7A', sn: 'x' },
      }),
    ).rejects.toMatchObject({ error: 'device.macTaken' });
    expect((await call(listDevices, { query: { search: device.mac } })).total).toBe(1);
  });

  it('adds it to an existing organization that the caller sees, and refuses any other', async () => {
    const orgId = uuidv7();
    const body = {
      ...(await places(actor)),
      mac: '0c383e0000a1',
      name: 'Elsewhere',
      model: 'Fanvil X7A',
      sn: 'SN-elsewhere',
      orgId,
    };
    await expect(call(addDevice, { body })).rejects.toMatchObject({ code: 404, error: 'common.notFound' });
    expect((await call(listDevices, { query: { search: body.mac } })).total).toBe(0);
    const publish = (companyId: string) =>
      bus.publish([
        toRecord(
          orgOrganization,
          orgId,
          { id: orgId, companyId, name: 'Elsewhere', description: '', updatedAt: new Date().toISOString() },
          envelope('organization', { companyId, version: 1 }),
        ),
      ]);
    await publish(actor.companyId);
    await eventually(async () => expect((await call(addDevice, { body })).device.orgId).toBe(orgId));
    await expect(
      service.as(stranger)(addDevice, { body: { ...(await places(actor)), ...body, mac: '0c383e0000a2' } }),
    ).rejects.toMatchObject({
      error: 'common.notFound',
    });
  });

  it('returns the secret once and publishes only its hash [DEV-09/secret]', async () => {
    const { device, secret } = await add();
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(await reload(device))).not.toContain(secret);
    const published = await eventually(() => {
      const found = records.find((r) => r.topic === deviceCredential.name && r.key === device.id);
      expect(found).toBeDefined();
      return found!;
    });
    expect(published.value).not.toContain(secret);
    expect(records.some((r) => (r.value ?? '').includes(secret))).toBe(false);
    const { secret: renewed } = await call(renewDeviceSecret, { params: { id: device.id } });
    expect(renewed).not.toBe(secret);
    await eventually(() => {
      const last = records.findLast((r) => r.topic === deviceCredential.name && r.key === device.id)!;
      expect(JSON.parse(last.value!).previousHash).toBe(JSON.parse(published.value!).secretHash);
    });
  });

  it('ends the old secret after a login with the new one, unless it was renewed since', async () => {
    const { device } = await add();
    const last = () =>
      JSON.parse(records.findLast((r) => r.topic === deviceCredential.name && r.key === device.id)!.value!) as {
        secretHash: string;
        previousHash: string | null;
      };
    const link = new LinkedDevice(bus, device, actor.companyId);
    const { secret } = await call(renewDeviceSecret, { params: { id: device.id } });
    await call(renewDeviceSecret, { params: { id: device.id } });
    const old = createHash('sha256').update(secret).digest('base64url');
    await eventually(() => expect(last().previousHash).toBe(old));
    await link.online(undefined, undefined, { secretHash: old });
    await eventually(async () => expect((await reload(device)).publicIp).toBe('10.0.0.9'));
    expect(last().previousHash).toBe(old);
    await link.online(undefined, undefined, { secretHash: last().secretHash });
    await eventually(() => expect(last().previousHash).toBeNull());
  });

  it('ends an old secret at once on request, even before the device has used the new one', async () => {
    const { device } = await add();
    const last = () =>
      JSON.parse(records.findLast((r) => r.topic === deviceCredential.name && r.key === device.id)!.value!) as {
        previousHash: string | null;
      };
    expect(await call(endOldDeviceSecret, { params: { id: device.id } })).toEqual({ ended: false });
    await call(renewDeviceSecret, { params: { id: device.id } });
    await eventually(() => expect(last().previousHash).not.toBeNull());
    expect(await call(endOldDeviceSecret, { params: { id: device.id } })).toEqual({ ended: true });
    await eventually(() => expect(last().previousHash).toBeNull());
  });

  it('publishes disabled and enabled devices to the MQTT gateways, also after a restored deletion', async () => {
    const [one, two] = [(await add()).device, (await add()).device];
    const enabledOf = (device: DeviceRecord) =>
      (
        JSON.parse(records.findLast((r) => r.topic === deviceCredential.name && r.key === device.id)!.value!) as {
          enabled: boolean;
        }
      ).enabled;
    expect(await call(disableDevices, { body: { ids: [one.id, two.id] } })).toEqual({ disabled: 2 });
    expect((await reload(one)).enabled).toBe(false);
    await eventually(() => expect([enabledOf(one), enabledOf(two)]).toEqual([false, false]));
    expect(await call(enableDevices, { body: { ids: [two.id] } })).toEqual({ enabled: 1 });
    expect(await call(enableDevices, { body: { ids: [two.id] } })).toEqual({ enabled: 0 });
    await eventually(() => expect([enabledOf(one), enabledOf(two)]).toEqual([false, true]));
    // A renewed secret does not let a disabled device in.
    await call(renewDeviceSecret, { params: { id: one.id } });
    await call(deleteDevices, { query: { ids: [one.id] } });
    await call(restoreDevices, { body: { ids: [one.id] } });
    expect((await reload(one)).enabled).toBe(false);
    await expect(
      service.as({ ...actor, permissions: ['device', 'editDevice'] })(disableDevices, { body: { ids: [two.id] } }),
    ).rejects.toMatchObject({ error: 'common.forbidden' });
  });

  it.each(['00:00:00:00:00:00', 'FF:FF:FF:FF:FF:FF', '01:00:5e:00:00:01'])(
    'refuses %s, which is nobody',
    async (mac) => {
      await expect(add({ mac })).rejects.toMatchObject({ code: 400, error: 'device.macNotOwn' });
    },
  );

  it('reports all invalid fields at once, in the requested language', async () => {
    const answer = await service.raw(actor, {
      method: 'POST',
      url: '/api/f/device/device',
      payload: { mac: 'x', name: '', extra: 1 },
      headers: { 'carillon-language': 'ko' },
    });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 400,
      success: false,
      error: 'common.invalid',
      msg: '일부 항목이 올바르지 않습니다.',
    });
    const fields = (answer.body['data'] as { fields: { path: string }[] }).fields.map((f) => f.path).sort();
    expect(fields).toEqual(['extra', 'mac', 'model', 'name', 'serverId', 'siteId', 'sn']);
  });
});

describe('another company, and a user without the right', () => {
  it('get nothing and change nothing', async () => {
    const { device } = await add();
    const other = service.as(stranger);
    expect((await other(listDevices, {})).total).toBe(0);
    await expect(other(getDevice, { params: { id: device.id } })).rejects.toMatchObject({ code: 404 });
    await expect(other(editDevice, { body: { id: device.id, name: 'mine' } })).rejects.toMatchObject({ code: 404 });
    await expect(other(renewDeviceSecret, { params: { id: device.id } })).rejects.toMatchObject({ code: 404 });
    await expect(other(endOldDeviceSecret, { params: { id: device.id } })).rejects.toMatchObject({ code: 404 });
    await expect(other(disableDevices, { body: { ids: [device.id] } })).rejects.toMatchObject({ code: 404 });
    expect((await reload(device)).enabled).toBe(true);
    await expect(other(deleteDevices, { query: { ids: [device.id] } })).rejects.toMatchObject({ code: 404 });
    expect((await reload(device)).name).toBe(device.name);
  });

  it('sees only the devices of their organizations', async () => {
    const { device } = await add();
    const elsewhere = service.as({ ...actor, orgIds: [newActor().orgId] });
    await expect(elsewhere(getDevice, { params: { id: device.id } })).rejects.toMatchObject({ code: 404 });
    expect((await elsewhere(listDevices, {})).total).toBe(0);
    expect((await service.as({ ...actor, orgIds: [actor.orgId] })(getDevice, { params: { id: device.id } })).id).toBe(
      device.id,
    );
  });

  it('gets 403 with the missing right [ROLE-03/device]', async () => {
    const { device } = await add();
    const viewer = service.as({ ...actor, permissions: ['device'] });
    await expect(viewer(deleteDevices, { query: { ids: [device.id] } })).rejects.toMatchObject({
      code: 403,
      error: 'common.forbidden',
      message: 'You don’t have the permission “deleteDevice”.',
    });
    expect((await viewer(getDevice, { params: { id: device.id } })).id).toBe(device.id);
    expect((await service.raw(null, { method: 'GET', url: `/api/f/device/device/${device.id}` })).status).toBe(401);
  });
});

it('logs who changed what, with the values before and after [SYS-04/device]', async () => {
  const { device } = await add();
  await call(editDevice, { body: { id: device.id, name: 'Renamed' } });
  const entry = await eventually(() => {
    const found = records
      .filter((r) => r.topic === 'audit.v1')
      .map((r) => JSON.parse(r.value!))
      .find((e) => e.action === 'device.edit' && e.objectId === device.id);
    expect(found).toBeDefined();
    return found;
  });
  expect(entry).toMatchObject({
    username: 'tester',
    result: 'success',
    objectName: 'Renamed',
    detail: { before: { name: device.name }, after: { name: 'Renamed' } },
  });
  await call(deleteDevices, { query: { ids: [device.id] } });
  await eventually(() =>
    expect(records.findLast((r) => r.topic === deviceState.name && r.key === device.id)!.value).toBeNull(),
  );
});
