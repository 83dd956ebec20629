import { describe, expect, it } from 'vitest';
import { countDevices, deleteDevices, editDevice, listDevices, listDeviceLog } from '@carillon/contracts';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { newActor, filterFaults } from '@carillon/testing';
import { startDevices } from './device-test.ts';

const { service, call, actor, add } = await startDevices();

const [berlin, seoul] = [uuidv7(), uuidv7()];
/** Stores three devices that differ in each field of the list. */
function storeDifferingDevices(companyId: string) {
  return transaction(service.database, companySession(companyId), () =>
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
        companyId,
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
}
/** The names of the devices that each of some filters finds. */
type FilterCase = [expected: string, ...filters: object[]];
const textCases: FilterCase[] = [
  ['Anna Ben Cora 100%', {}, { enabled: ['true', 'false'] }, { 'calls.from': 0 }],
  ['Anna', { name: 'Anna' }, { 'name.contains': 'NN' }, { mac: 'FA:00:00:00:00:01' }, { sn: 'F1' }],
  [
    'Anna Ben',
    { 'name.contains': ['ann', 'BEN'] },
    { 'mac.contains': '00:00:00:00' },
    { 'internalIp.contains': '.1.0' },
  ],
  ['Cora 100%', { 'name.contains': '0%' }, { 'mac.contains': '00-01-03' }, { 'sn.contains': 'f13' }, { orgId: seoul }],
  ['', { 'name.contains': '100_' }, { 'mac.contains': 'ff' }, { name: 'anna' }, { 'name.contains': 'an', sn: 'F2' }],
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
  ['Anna Cora 100%', { model: 'X7A' }, { 'firmware.not': '2.13' }, { enabled: 'true' }, { 'line.not': 'registered' }],
];
const stateCases: FilterCase[] = [
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
  ['Ben Cora 100%', { site: 'none' }, { 'site.not': berlin }, { 'state.not': 'online' }, { 'publicIp.empty': 'true' }],
  [
    'Anna',
    { 'lte.contains': 'q' },
    { 'configVersion.contains': 'C' },
    { 'onlineSince.empty': 'false' },
    { 'calls.from': 2 },
  ],
];
function timeCases(): FilterCase[] {
  const [from, to] = ['2026-11-02T00:00:00Z', '2026-11-03T10:00:00Z'];
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  return [
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
    ['Anna Ben', { 'lastOnlineAt.within': '24h' }, { 'lastOnlineAt.from': ago(3) }, { 'lastOnlineAt.empty': 'false' }],
    ['Anna Cora 100%', { 'createdAt.within': '30d' }, { 'createdAt.from': ago(24 * 30) }],
  ];
}

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
    const all = { ...who, orgIds: '*' as const };
    const list = async (query: object): Promise<string> => {
      const { records, total } = await service.as(all)(listDevices, { query: { ...query, sort: 'name' } });
      const { total: counted } = await service.as(all)(countDevices, { query });
      expect([total, counted], JSON.stringify(query)).toEqual([records.length, records.length]);
      return records.map((d) => d.name).join(' ');
    };
    await storeDifferingDevices(who.companyId);
    for (const [expected, ...filters] of [...textCases, ...stateCases, ...timeCases()])
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
