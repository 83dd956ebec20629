import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceImport,
  commitDeviceImport,
  deviceCredential,
  getDevice,
  getDeviceImport,
  listDeviceImportRows,
  listDevices,
  listTags,
  orgSite,
  renewDeviceSecret,
  renewImportSecrets,
  undoDeviceImport,
  type ImportStatus,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  inPieces,
  LinkedDevice,
  newActor,
  sheetFile,
  testBus,
  testService,
  type Actor,
  type TestedService,
  devicePlaces,
  placeServer,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';
import { hashOf } from './device.service.ts';

let bus: PostgresBus;
let service: TestedService;
const address = 'mqtts://devices.example.com:8883';
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const stranger = newActor();
const hashes = new Map<string, string>();
const site = { hotel: uuidv7(), lobby: uuidv7(), other: uuidv7() };

beforeAll(async () => {
  bus = await testBus('device_import_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, { deviceAddress: address });
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceCredential.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data } = fromRecord(deviceCredential, record)!;
        if (data) hashes.set(data.mac, data.secretHash);
      }
    },
  });
  const publish = (id: string, name: string, parentId: string | null) =>
    toRecord(
      orgSite,
      id,
      { id, companyId: own.companyId, parentId, name, autoAssign: false, segments: [] } as never,
      envelope('site', { companyId: own.companyId, version: 1 }),
    );
  await bus.publish([
    publish(site.hotel, 'Hotel', null),
    publish(site.lobby, 'Lobby', site.hotel),
    publish(site.other, 'Lobby', null),
  ]);
  await eventually(async () => {
    const { rows } = await transaction(service.database, companySession(own.companyId), () =>
      currentSql().query('select id from site_copy'),
    );
    expect(rows).toHaveLength(3);
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor = own) => service.as(as);
const reached = (id: string, status: ImportStatus) =>
  eventually(async () => {
    const now = await call()(getDeviceImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  });
const checked = async (rows: unknown[][], type: 'xlsx' | 'biff8' = 'xlsx') => {
  const answer = await call()(addDeviceImport, {
    body: { name: 'devices.xls', file: inPieces(sheetFile(rows, type)) },
  });
  return reached(answer.import!.id, 'checked');
};
const commit = async (id: string) => {
  await call()(commitDeviceImport, { params: { id } });
  return reached(id, 'done');
};
const rowsOf = async (id: string, query: object = {}) =>
  (await call()(listDeviceImportRows, { params: { id }, query: { limit: 200, ...query } })).records;
const secret = 'a'.repeat(20) + 'B'.repeat(20) + '_-1';

test.each(['xlsx', 'biff8'] as const)(
  '%s: adds devices with site and secret, updates known MACs and skips wrong rows [DEV-04]',
  async (type) => {
    const n = type === 'xlsx' ? 'a' : 'b';
    const { device } = await call()(addDevice, {
      body: { ...(await places(own)), mac: `0c383e00${n}001`, name: `Old ${type}`, model: 'X7A', sn: 'S1' },
    });
    const made = await checked(
      [
        ['MAC', '이름', 'Modelo', 'SN', '站点', 'Secret', 'State', 'SIP 서버'],
        [`0C-38-3E-00-${n}0-02`, `New ${type}`, 'Fanvil x7a', 'S2', 'hotel / lobby', secret, 'Online', placeServer],
        [`0c:38:3e:00:${n}0:01`, `Renamed ${type}`, '', '', 'Hotel', '', '', ''],
        [`0c383e00${n}003`, '', 'X7A', 'S3', 'Nowhere', 'short', '', ''],
        [`0c383e00${n}004`, 'Two lobbies', 'X7A', 'S4', 'Lobby', '', '', placeServer],
        ['ff:ff:ff:ff:ff:ff', 'Everybody', 'X7A', 'S5', '', '', '', placeServer],
        [`0c383e00${n}005`, 'No such model', 'zzz', '', '', '', '', 'Nobody’s'],
        [`0c383e00${n}001`, 'Twice', '', '', '', '', '', ''],
      ],
      type,
    );
    expect(made.counts).toMatchObject({ total: 7, add: 1, update: 1, wrong: 5 });
    expect((await rowsOf(made.id)).map((r) => [r.outcome, r.changes, r.errors.map((e) => [e.field, e.error])])).toEqual(
      [
        ['add', [], []],
        ['update', ['name', 'site'], []],
        [
          'wrong',
          [],
          [
            ['name', 'common.fieldRequired'],
            ['site', 'import.notFound'],
            ['sipServer', 'device.serverMissing'],
            ['secret', 'device.secretFormat'],
          ],
        ],
        ['wrong', [], [['site', 'import.notOne']]],
        ['wrong', [], [['mac', 'device.macNotOwn']]],
        [
          'wrong',
          [],
          [
            ['sn', 'device.snMissing'],
            ['model', 'device.modelUnknown'],
            ['sipServer', 'import.notFound'],
          ],
        ],
        ['wrong', [], [['mac', 'import.rowTwice']]],
      ],
    );
    // Secrets must be neither stored nor shown.
    const { rows } = await transaction(service.database, companySession(own.companyId), () =>
      currentSql().query<{ text: string }>('select r::text as text from import_row r'),
    );
    expect(rows.filter(({ text }) => text.includes(secret) || text.includes('short'))).toEqual([]);
    expect((await rowsOf(made.id))[0]!.cells['secret']).toBe('••••••••');

    expect((await commit(made.id)).counts).toMatchObject({ done: 2, wrong: 5 });
    expect(await call()(getDevice, { params: { id: device.id } })).toMatchObject({
      name: `Renamed ${type}`,
      model: 'X7A',
      sn: 'S1',
      site: { name: 'Hotel' },
    });
    expect(await call()(getDevice, { params: { id: `0c383e00${n}002` } })).toMatchObject({
      name: `New ${type}`,
      site: { name: 'Lobby' },
      orgId: own.orgId,
    });
    await eventually(() => expect(hashes.get(`0c383e00${n}002`)).toBe(hashOf(secret)));
    expect((await call()(listDevices, { query: { search: `0c383e00${n}003` } })).total).toBe(0);
    // A known device keeps its secret; a site name that is not unique is ambiguous.
    const again = await checked(
      [
        ['MAC', 'Secret', 'Site'],
        [`0c383e00${n}002`, secret, 'Lobby'],
        [`0c383e00${n}001`, secret, ''],
      ],
      type,
    );
    expect((await rowsOf(again.id)).map((r) => [r.outcome, r.errors[0]?.error])).toEqual([
      ['unchanged', undefined],
      ['wrong', 'device.secretStays'],
    ]);
  },
);

test('undoing an import leaves devices alone that have connected or changed since', async () => {
  const { device } = await call()(addDevice, {
    body: { ...(await places(own)), mac: '0c383ee00001', name: 'Was', model: 'X7A', sn: 'U1' },
  });
  const made = await checked([
    ['MAC', 'Name', 'Model', 'SN', 'Site', 'SIP server'],
    ['0c383ee00001', 'Is', '', '', 'Hotel', ''],
    ['0c383ee00002', 'Added', 'X7A', 'U2', '', placeServer],
    ['0c383ee00003', 'Connected', 'X7A', 'U3', '', placeServer],
  ]);
  await commit(made.id);
  const connected = (await call()(listDevices, { query: { search: 'U3' } })).records[0]!;
  const link = new LinkedDevice(bus, connected, own.companyId);
  await link.online();
  await eventually(async () =>
    expect((await call()(getDevice, { params: { id: connected.id } })).onlineSince).not.toBeNull(),
  );
  await call()(undoDeviceImport, { params: { id: made.id } });
  expect((await reached(made.id, 'undone')).counts).toMatchObject({ undone: 2, kept: 1 });
  expect((await rowsOf(made.id, { state: 'kept' })).map((r) => r.cells['name'])).toEqual(['Connected']);
  expect(await call()(getDevice, { params: { id: device.id } })).toMatchObject({
    name: 'Was',
    site: { id: device.site!.id },
  });
  expect(
    (await call()(listDevices, { query: { search: '0c383ee0000' } })).records.map((d) => d.name).toSorted(),
  ).toEqual(['Connected', 'Was']);
});

test('a MAC of another company is refused with its whole row [DEV-04/refused]', async () => {
  const macs = Array.from({ length: 25 }, (_, i) => `0c383ef000${(i + 16).toString(16)}`);
  for (const mac of macs)
    await call(stranger)(addDevice, { body: { ...(await places(stranger)), mac, name: mac, model: 'X7A', sn: mac } });
  await places(own);
  const made = await checked([
    ['MAC', 'Name', 'Model', 'SN', 'SIP server', 'Tags'],
    ...macs.map((mac) => [mac, mac, 'X7A', mac, placeServer, 'row: refused']),
    ['0c383ef00099', 'Free', 'X7A', 'F', placeServer, 'row: written'],
  ]);
  expect(made.counts).toMatchObject({ add: 26, wrong: 0 });
  expect((await commit(made.id)).counts).toMatchObject({ done: 1, wrong: 25 });
  const errors = (await rowsOf(made.id, { outcome: 'wrong' })).flatMap((r) => r.errors.map((e) => e.error));
  expect(errors.filter((e) => e === 'device.macTaken')).toHaveLength(20);
  // Repeated tries reveal nothing.
  expect(errors.filter((e) => e === 'common.tooMany')).toHaveLength(5);
  const { records } = await call()(listDevices, { query: { search: '0c383ef000' } });
  expect(records.map(({ mac, tags }) => [mac, tags])).toEqual([['0c383ef00099', { row: 'written' }]]);
  expect((await call()(listTags)).filter(({ key }) => key === 'row')).toEqual([
    { key: 'row', value: 'written', devices: 1 },
  ]);
});

test('rows are written with the organizations that the user has at the commit, not at the upload', async () => {
  const orgId = uuidv7();
  const elsewhere = { ...own, userId: uuidv7(), orgId };
  const body = { ...(await places(own)), mac: '0c383ef00120', name: 'Elsewhere', model: 'X7A', sn: 'E1' };
  const { device } = await call(elsewhere)(addDevice, { body });
  const made = await checked([
    ['MAC', 'Name'],
    [body.mac, 'Renamed'],
  ]);
  expect(made.counts).toMatchObject({ update: 1 });
  const narrowed = { ...own, orgIds: [own.orgId] };
  await call(narrowed)(commitDeviceImport, { params: { id: made.id } });
  expect((await reached(made.id, 'done')).counts).toMatchObject({ done: 0 });
  expect((await call()(getDevice, { params: { id: device.id } })).name).toBe('Elsewhere');
});

test('devices imported without a secret get one each on request, as long as nobody gave them one', async () => {
  await places(own);
  const { id } = await checked([
    ['MAC', 'Name', 'Model', 'SN', 'SIP server', 'Secret'],
    ['0c383e00d002', 'Without', 'X7A', 'D2', placeServer, ''],
    ['0c383e00d003', 'With', 'X7A', 'D3', placeServer, secret],
    ['0c383e00d004', 'Used', 'X7A', 'D4', placeServer, ''],
  ]);
  const renew = (as: Actor = own, after = 0) => call(as)(renewImportSecrets, { params: { id }, body: { after } });
  await expect(renew()).rejects.toMatchObject({ code: 404 });
  await commit(id);
  const stored = async () =>
    transaction(service.database, companySession(own.companyId), async () => {
      const { rows } = await currentSql().query<{ mac: string; secret_hash: string }>(
        "select mac, secret_hash from device where mac like '0c383e00d%' order by mac",
      );
      return Object.fromEntries(rows.map((row) => [row.mac, row.secret_hash]));
    });
  const before = await stored();
  await transaction(service.database, companySession(own.companyId), () =>
    currentSql().query("update device set last_online_at = now() where mac = '0c383e00d004'"),
  );
  // A user sees only the devices of their organizations.
  const elsewhere = uuidv7();
  expect(await renew({ ...own, orgId: elsewhere, orgIds: [elsewhere] })).toEqual({ devices: [], next: null, address });
  const made = await renew();
  expect(made).toMatchObject({ devices: [{ mac: '0c383e00d002', name: 'Without', model: 'X7A' }], next: 2, address });
  expect(await renew(own, made.next!)).toEqual({ devices: [], next: null, address });
  const now = await stored();
  expect(now).toEqual({ ...before, '0c383e00d002': hashOf(made.devices[0]!.secret) });
  // A device whose secret was renewed elsewhere keeps it.
  const { secret: renewed } = await call()(renewDeviceSecret, { params: { id: made.devices[0]!.id } });
  expect(await renew()).toEqual({ devices: [], next: null, address });
  expect((await stored())['0c383e00d002']).toBe(hashOf(renewed));
  // Another user of the company, and another company, do not see this import.
  for (const as of [{ ...own, userId: uuidv7() }, newActor()])
    await expect(renew(as)).rejects.toMatchObject({ code: 404 });
  await call()(undoDeviceImport, { params: { id } });
  const { counts } = await reached(id, 'undone');
  // The device that connected, and the one with a secret of its own, were used since and stay.
  expect([counts.undone, counts.kept]).toEqual([1, 2]);
});
