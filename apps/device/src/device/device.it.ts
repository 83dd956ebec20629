import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  type Client,
  type DeviceRecord,
  listDeviceLog,
} from '@carillon/contracts';
import { envelope, toRecord, type BusRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  gatewayStarted,
  LinkedDevice,
  newActor,
  testBus,
  testService,
  type TestedService,
  filterFaults,
  devicePlaces,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { DeletionService } from './deletion.service.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const actor = newActor();
const stranger = newActor();
let call: Client;
const records: BusRecord[] = [];
let serial = 0;

const add = async (
  given: Partial<{ mac: string; name: string; model: string; sn: string }> = {},
): Promise<{ device: DeviceRecord; secret: string }> => {
  serial++;
  return call(addDevice, {
    body: {
      ...(await places(actor)),
      mac: serial.toString(16).padStart(12, '0'),
      name: `Phone ${String(serial).padStart(3, '0')}`,
      model: 'Fanvil X7A',
      sn: `SN${serial}`,
      ...given,
    },
  });
};
const reload = (device: DeviceRecord) => call(getDevice, { params: { id: device.id } });
const becomes = (device: DeviceRecord, state: DeviceRecord['state']) =>
  eventually(async () => expect((await reload(device)).state).toBe(state));

beforeAll(async () => {
  bus = await testBus();
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, deviceCredential.name, 'audit.v1', 'live.v1'],
    from: 'start',
    handle: (batch) => {
      records.push(...batch.records);
    },
  });
  call = service.as(actor);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

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
    const spellings = (of: string) => [
      of,
      of.toUpperCase(),
      ...[':', '-'].flatMap((mark) => {
        const parted = of.match(/../g)!.join(mark);
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
    const tell = (companyId: string) =>
      bus.publish([
        toRecord(
          orgOrganization,
          orgId,
          { id: orgId, companyId, name: 'Elsewhere', description: '', updatedAt: new Date().toISOString() },
          envelope('organization', { companyId, version: 1 }),
        ),
      ]);
    await tell(actor.companyId);
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

describe('the list', () => {
  it('filters, sorts and pages with an exact count [DEV-01/list]', async () => {
    for (let i = 0; i < 7; i++) await add({ model: i % 2 ? 'GXP2170' : 'GDS3710', name: `list-${i}` });
    const page = await call(listDevices, { query: { model: ['GXP2170', 'GDS3710'], sort: '-name', limit: 5 } });
    expect(page).toMatchObject({ total: 7, current: 1, size: 5 });
    expect(page.records.map((d) => d.name)).toEqual(['list-6', 'list-5', 'list-4', 'list-3', 'list-2']);
    expect(
      (
        await call(listDevices, { query: { model: ['GXP2170', 'GDS3710'], sort: '-name', limit: 5, page: 2 } })
      ).records.map((d) => d.name),
    ).toEqual(['list-1', 'list-0']);
    expect(await call(listDevices, { query: { model: ['GXP2170'], page: 99 } })).toMatchObject({
      total: 3,
      records: [],
    });
    expect((await call(countDevices, { query: { model: ['GXP2170', 'GDS3710'] } })).models).toEqual([
      { model: 'GDS3710', count: 4 },
      { model: 'GXP2170', count: 3 },
    ]);
  });

  it('finds a text among few and many devices in any order, and a changed device by its new values', async () => {
    const many = newActor();
    const [list, count] = [(query: object) => service.as(many)(listDevices, { query }), 1_200];
    await transaction(service.database, companySession(many.companyId), () =>
      currentSql().query(
        `
          insert into device (
            id, company_id, org_id, mac, name, model, sn, internal_ip, lines, calls, capabilities, configured,
            config_failed, failed_lines, online, epoch, owner_epoch, version, secret_hash, last_online_at,
            created_at
          )
          select gen_random_uuid(), $1, $2, 'aa' || lpad(to_hex(n), 10, '0'), 'Bulk ' || lpad(n::text, 4, '0'),
            'Model ' || n % 2, 'SN-' || (10000 - n), '10.9.' || n / 250 || '.' || n % 250, '[]', 0, '[]', n % 3 = 0,
            false, 0, false, 0, 1, 1, 'x', case when n % 4 = 0 then now() - make_interval(hours => n) end, now()
          from generate_series(1, $3::int) n
        `,
        [many.companyId, many.orgId, count],
      ),
    );
    const names = async (query: object): Promise<string[]> => (await list(query)).records.map((d) => d.name);
    expect((await list({ search: 'bulk', limit: 5 })).total).toBe(count);
    expect(await names({ search: 'BULK', limit: 2, page: 2 })).toEqual(['Bulk 0003', 'Bulk 0004']);
    expect(await names({ search: 'bulk', sort: '-name', limit: 2 })).toEqual(['Bulk 1200', 'Bulk 1199']);
    expect(await names({ search: 'bulk', sort: 'sn', limit: 2 })).toEqual(['Bulk 1200', 'Bulk 1199']);
    expect(await list({ search: 'bulk', state: ['offline'], limit: 1 })).toMatchObject({
      total: 400,
      records: [{ name: 'Bulk 0003' }],
    });
    expect(await names({ search: 'bulk 119', sort: '-name', limit: 2 })).toEqual(['Bulk 1199', 'Bulk 1198']);
    expect(await list({ search: 'AA:00:00:00:04:B0' })).toMatchObject({ total: 1, records: [{ name: 'Bulk 1200' }] });
    expect((await list({ search: '10.9.4.200' })).total).toBe(1);
    expect((await list({ search: 'bulk', orgId: [newActor().orgId] })).total).toBe(0);
    expect((await list({ lastOnlineFrom: new Date(Date.now() - 9 * 3_600_000).toISOString() })).total).toBe(2);
    expect(
      await names({ lastOnlineTo: new Date(Date.now() - 1_190 * 3_600_000).toISOString(), sort: '-lastOnlineAt' }),
    ).toEqual(['Bulk 1192', 'Bulk 1196', 'Bulk 1200']);
    const [first] = (await list({ search: 'bulk 0001' })).records;
    await service.as(many)(editDevice, { body: { id: first!.id, name: 'Renamed' } });
    expect([(await list({ search: 'bulk' })).total, await names({ search: 'renamed' })]).toEqual([
      count - 1,
      ['Renamed'],
    ]);
    await service.as(many)(deleteDevices, { query: { ids: [first!.id] } });
    expect((await list({ search: 'renamed' })).total).toBe(0);
    expect(
      (await service.as({ ...many, orgIds: [newActor().orgId] })(listDevices, { query: { search: 'bulk' } })).total,
    ).toBe(0);
    expect((await service.as(newActor())(listDevices, { query: { search: 'bulk' } })).total).toBe(0);
  });

  it('filters by every field and operator: is, is not, contains, ranges, spans, empty [DEV-01/filters]', async () => {
    const who = newActor();
    const [berlin, seoul] = [uuidv7(), uuidv7()];
    const all = { ...who, orgIds: '*' as const };
    const list = async (query: object): Promise<string> => {
      const { records, total } = await service.as(all)(listDevices, { query: { ...query, sort: 'name' } });
      const { total: counted } = await service.as(all)(countDevices, { query });
      expect([total, counted], JSON.stringify(query)).toEqual([records.length, records.length]);
      return records.map((d) => d.name).join(' ');
    };
    await transaction(service.database, companySession(who.companyId), () =>
      currentSql().query(
        `
          insert into device (
            id, company_id, org_id, mac, name, model, sn, firmware, hardware, internal_ip, public_ip, lte, dnd,
            certificate, lines, calls, config_version, capabilities, configured, config_failed, failed_lines, online,
            epoch, owner_epoch, version, secret_hash, enabled, site_id, last_online_at, last_config_at, created_at,
            gateway
          )
          select gen_random_uuid(), $1, x.org::uuid, x.mac, x.name, x.model, x.sn, x.firmware, x.hardware, x.ip,
            x.public_ip, x.lte, x.dnd, x.certificate, x.lines, x.calls, x.version, '[]', true, false, 0, x.online, 1,
            1, 1, 'x', x.enabled, x.site::uuid, now() - make_interval(hours => x.hours), x.configured::timestamptz,
            now() - make_interval(days => x.days), x.gateway
          from jsonb_to_recordset($2::jsonb) as x(
            org text, mac text, name text, model text, sn text, firmware text, hardware text, ip text,
            public_ip text, lte text, dnd text, certificate boolean, lines jsonb, calls int, version text,
            online boolean, enabled boolean, site text, hours int, configured text, days int, gateway text
          )
        `,
        [
          who.companyId,
          JSON.stringify([
            {
              ...{
                org: berlin,
                mac: 'fa0000000001',
                name: 'Anna',
                model: 'X7A',
                sn: 'F1',
                firmware: '2.12',
                hours: 90,
              },
              ...{ hardware: 'A1', ip: '10.1.0.1', public_ip: '198.51.100.1', lte: 'Q1', dnd: 'on', days: 3 },
              ...{ certificate: true, lines: [{ line: 1, status: 'failed' }], calls: 2, version: 'c7', online: true },
              ...{ enabled: true, site: berlin, configured: '2026-11-02T10:00:00Z', gateway: 'gateway-1#a' },
            },
            {
              ...{ org: berlin, mac: 'fa0000000002', name: 'Ben', model: 'X6U', sn: 'F2', firmware: '2.13', hours: 2 },
              ...{ ip: '10.1.0.2', dnd: 'off', certificate: false, lines: [{ line: 1, status: 'registered' }] },
              ...{ calls: 0, online: false, enabled: false, configured: '2026-11-03T10:00:00Z', days: 40 },
              gateway: 'phones',
            },
            {
              ...{ org: seoul, mac: 'fa0000000103', name: 'Cora 100%', model: 'X7A', sn: 'F13', lines: [], calls: 1 },
              ...{ online: false, enabled: true, days: 0 },
            },
          ]),
        ],
      ),
    );
    const [from, to] = ['2026-11-02T00:00:00Z', '2026-11-03T10:00:00Z'];
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const cases: [expected: string, ...filters: object[]][] = [
      ['Anna Ben Cora 100%', {}, { enabled: ['true', 'false'] }, { 'calls.from': 0 }],
      ['Anna', { name: 'Anna' }, { 'name.contains': 'NN' }, { mac: 'FA:00:00:00:00:01' }, { sn: 'F1' }],
      [
        'Anna Ben',
        { 'name.contains': ['ann', 'BEN'] },
        { 'mac.contains': '00:00:00:00' },
        { 'internalIp.contains': '.1.0' },
      ],
      [
        'Cora 100%',
        { 'name.contains': '0%' },
        { 'mac.contains': '00-01-03' },
        { 'sn.contains': 'f13' },
        { orgId: seoul },
      ],
      [
        '',
        { 'name.contains': '100_' },
        { 'mac.contains': 'ff' },
        { name: 'anna' },
        { 'name.contains': 'an', sn: 'F2' },
      ],
      ['Ben Cora 100%', { 'name.not': 'Anna' }, { 'mac.not': 'fa0000000001' }, { 'hardware.not': 'A1' }],
      [
        'Ben',
        { 'model.not': 'X7A' },
        { 'model.contains': '6u' },
        { enabled: 'false' },
        { dnd: 'off' },
        { channel: 'http' },
        { line: 'registered' },
      ],
      [
        'Anna Cora 100%',
        { model: 'X7A' },
        { 'firmware.not': '2.13' },
        { enabled: 'true' },
        { 'line.not': 'registered' },
      ],
      [
        'Anna Ben',
        { firmware: ['2.12', '2.13'] },
        { 'firmware.empty': 'false' },
        { orgId: berlin },
        { 'dnd.empty': 'false' },
      ],
      ['Cora 100%', { 'firmware.empty': 'true' }, { 'internalIp.empty': 'true' }, { 'orgId.not': berlin }],
      [
        'Cora 100%',
        { 'certificate.empty': 'true' },
        { 'channel.empty': 'true' },
        { 'lastOnlineAt.empty': 'true' },
        { 'lastConfigAt.empty': 'true' },
      ],
      [
        'Anna',
        { channel: 'mqtt' },
        { site: berlin },
        { 'site.empty': 'false' },
        { 'site.not': 'none' },
        { certificate: 'true' },
        { publicIp: '198.51.100.1' },
      ],
      [
        'Ben Cora 100%',
        { site: 'none' },
        { 'site.not': berlin },
        { 'state.not': 'online' },
        { 'publicIp.empty': 'true' },
      ],
      [
        'Anna',
        { 'lte.contains': 'q' },
        { 'configVersion.contains': 'C' },
        { 'onlineSince.empty': 'false' },
        { 'calls.from': 2 },
      ],
      [
        'Ben',
        { 'calls.to': 0 },
        { 'createdAt.to': ago(24 * 30) },
        { 'lastConfigAt.from': to },
        { 'lastOnlineAt.to': ago(1) },
      ],
      // An online device was seen now, however long ago it connected.
      ['Anna', { 'lastOnlineAt.within': '1h' }, { 'lastOnlineAt.from': ago(1) }, { 'onlineSince.within': '7d' }],
      ['Anna', { 'onlineSince.to': ago(80) }, { 'lastConfigAt.from': from, 'lastConfigAt.to': to }],
      ['', { 'onlineSince.within': '24h' }, { 'calls.from': 3, 'calls.to': 1 }, { 'lastOnlineAt.to': ago(3) }],
      [
        'Anna Ben',
        { 'lastOnlineAt.within': '24h' },
        { 'lastOnlineAt.from': ago(3) },
        { 'lastOnlineAt.empty': 'false' },
      ],
      ['Anna Cora 100%', { 'createdAt.within': '30d' }, { 'createdAt.from': ago(24 * 30) }],
    ];
    for (const [expected, ...filters] of cases)
      for (const filter of filters) expect(await list(filter), JSON.stringify(filter)).toBe(expected);
    const [anna, ben] = (await service.as(all)(listDevices, { query: { sort: '-lastOnlineAt' } })).records;
    expect([anna!.name, ben!.name, ben!.onlineSince]).toEqual(['Anna', 'Ben', null]);
    expect(Date.now() - Date.parse(anna!.lastOnlineAt!)).toBeLessThan(70_000);
    expect(Math.round((Date.now() - Date.parse(anna!.onlineSince!)) / 3_600_000)).toBe(90);
  });

  it('refuses an unknown operator or value by its name, and lists nothing', async () => {
    for (const [asked, ...errors] of [
      ['name.regex=.*', 'common.fieldUnknown'],
      ['name[$ne]=x', 'common.fieldUnknown'],
      ['state.contains=on', 'common.fieldUnknown'],
      ['calls.from=many', 'common.fieldType'],
      ['calls.to=1.5', 'common.fieldType'],
      ['lastOnlineAt.within=2y', 'common.fieldValue'],
      ['createdAt.from=yesterday', 'common.fieldFormat', 'common.fieldValue'],
      ['createdAt.to=0001-01-01T00:00:00Z', 'common.fieldValue'],
      ['firmware.empty=maybe', 'common.fieldValue'],
      ['mac=0c383e', 'device.macFormat'],
      ['mac.contains=phone', 'device.macFormat'],
      ['enabled=perhaps', 'common.fieldValue'],
      ['name.contains=', 'common.fieldTooShort'],
    ]) {
      const { status, body } = await service.raw(actor, {
        method: 'GET',
        url: `/api/f/device/device/list?${asked}`,
      });
      expect(
        [status, (body as { data: { fields: { error: string }[] } }).data.fields.map((f) => f.error)],
        asked,
      ).toEqual([400, errors]);
    }
  });

  it.each([listDevices, countDevices, listDeviceLog])(
    'answers every filter of every list, and is and is-not add up to all: $path',
    async (route) => {
      const { checked, faults } = await filterFaults(route, (query) => call(route, { query } as never) as never);
      expect(faults).toEqual([]);
      expect(checked.length).toBeGreaterThan(2);
    },
  );

  it('treats % and _ as literal characters', async () => {
    await add({ name: '100%_done' });
    expect((await call(listDevices, { query: { search: '%_d' } })).records.map((d) => d.name)).toEqual(['100%_done']);
    expect((await call(listDevices, { query: { search: '100%done' } })).total).toBe(0);
  });

  it('refuses an unknown sort and a page size above 200', async () => {
    for (const query of ['sort=secret_hash', 'limit=201', 'page=0', 'state=asleep']) {
      expect((await service.raw(actor, { method: 'GET', url: `/api/f/device/device/list?${query}` })).status).toBe(400);
    }
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

  it('is configured by its own report until a reset, and abnormal while the last configuration failed [DEV-11]', async () => {
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
