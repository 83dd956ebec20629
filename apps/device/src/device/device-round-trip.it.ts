import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addDeviceExport,
  addDeviceGroup,
  addDeviceImport,
  addToDeviceGroup,
  assignAccount,
  commitDeviceImport,
  deviceExport,
  editDevice,
  getDevice,
  getDeviceExport,
  getDeviceImport,
  listAccountNames,
  listDeviceImportRows,
  listDevices,
  orgOrganization,
  permissionKeys,
  provisioningAccount,
  tagDevices,
  undoDeviceImport,
  type DeviceRecord,
  type ImportStatus,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  inPieces,
  newActor,
  placeServer,
  sheetFile,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

/** A company with two organizations, eight accounts and groups of the same names. */
interface Company {
  actor: Actor;
  orgs: { head: string; branch: string };
  accounts: string[];
  groups: { doors: string; floor: string };
}

let bus: PostgresBus;
let service: TestedService;
let full: Company;
let empty: Company;

async function newCompany(): Promise<Company> {
  const actor = newActor();
  const { companyId } = actor;
  const orgs = { head: actor.orgId, branch: uuidv7() };
  const accounts = Array.from({ length: 8 }, () => uuidv7());
  const about = { companyId, version: 1 };
  const updatedAt = new Date().toISOString();
  await devicePlaces(bus, service)(actor);
  await bus.publish([
    ...Object.entries({ Head: orgs.head, Branch: orgs.branch }).map(([name, id]) =>
      toRecord(
        orgOrganization,
        id,
        { id, companyId, name, description: '', updatedAt },
        envelope('organization', about),
      ),
    ),
    ...accounts.map((id, n) =>
      toRecord(
        provisioningAccount,
        id,
        {
          ...{ id, companyId, orgId: orgs.head, name: `Account ${n}`, number: `100${n}` },
          ...{ server: n === 7 ? 'Other server' : placeServer, closed: false },
        },
        envelope('account', about),
      ),
    ),
  ]);
  const call = service.as(actor);
  await eventually(async () => expect(await call(listAccountNames, { query: {} })).toHaveLength(8));
  const group = (name: string, orgId: string, rule?: object) =>
    call(addDeviceGroup, { body: { name, description: '', orgId, ...(rule ? { rule } : {}) } });
  const doors = await eventually(() => group('Doors, gates', orgs.head));
  const floor = await eventually(() => group('Floor 4', orgs.branch));
  await group('By rule', orgs.head, { 'name.contains': ['room'] });
  return { actor, orgs, accounts, groups: { doors: doors.id, floor: floor.id } };
}

beforeAll(async () => {
  bus = await testBus('device_round_trip_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, {});
  full = await newCompany();
  empty = await newCompany();
  const { siteId, serverId } = await devicePlaces(bus, service)(full.actor);
  const call = service.as(full.actor);
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const lines = n % 3 === 0 ? [] : [{ line: 1 + (n % 2), accountId: full.accounts[n % 7]! }];
    const body = { mac: macOf(n), name: `Room ${n}`, model: 'X7A', sn: `R${n}`, siteId, serverId, lines };
    const orgId = n % 4 === 0 ? full.orgs.branch : full.orgs.head;
    ids.push((await call(addDevice, { body: { ...body, orgId } })).device.id);
  }
  const some = (step: number, from: number) => ids.filter((_, n) => n % step === from);
  await call(addToDeviceGroup, { params: { id: full.groups.doors }, body: { ids: some(4, 1) } });
  await call(addToDeviceGroup, { params: { id: full.groups.floor }, body: { ids: some(4, 0) } });
  const tags = [
    { key: 'tower', value: 'east, "old"' },
    { key: 'floor', value: '4: north' },
  ];
  await call(tagDevices, { body: { target: { ids: some(2, 1) }, set: tags, remove: [] } });
  // An account of another server than the device's, which only this call takes.
  await call(assignAccount, { body: { deviceId: ids[18]!, accountId: full.accounts[7]!, line: 5 } });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const macOf = (n: number, block = 'd1') => `0c383e${block}${n.toString(16).padStart(4, '0')}`;
const columns = Object.keys(deviceExport.cells).map((key) => ({ key: key as 'name', title: key }));

/** Exports the devices with every column, and returns the cells. */
async function exported(): Promise<string[][]> {
  const call = service.as(full.actor);
  const { id } = await call(addDeviceExport, { body: { filter: {}, columns, sort: 'mac' } });
  await eventually(async () => expect(await call(getDeviceExport, { params: { id } })).toMatchObject({ total: 20 }));
  await eventually(async () => expect((await call(getDeviceExport, { params: { id } })).status).toBe('success'));
  const server = service.app.getHttpAdapter().getInstance() as unknown as {
    inject: (o: object) => Promise<{ rawPayload: Buffer }>;
  };
  const url = `/api/f/device/export/${id}/file`;
  const { rawPayload } = await server.inject({ method: 'GET', url, headers: service.headersOf(full.actor) });
  return (await readXlsx(rawPayload)).sheets[0]!.rows.map((row) => row.map((cell) => String(cell ?? '')));
}
const reached = (id: string, status: ImportStatus, as: Actor) =>
  eventually(async () => {
    const now = await service.as(as)(getDeviceImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  }, 30_000);
const checked = async (rows: unknown[][], as: Actor) => {
  const body = { name: 'devices.xlsx', file: inPieces(sheetFile(rows)) };
  return reached((await service.as(as)(addDeviceImport, { body })).import!.id, 'checked', as);
};
const commit = async (id: string, as: Actor) => {
  await service.as(as)(commitDeviceImport, { params: { id } });
  return reached(id, 'done', as);
};
const rowsOf = async (id: string, as: Actor, query: object = {}) =>
  (await service.as(as)(listDeviceImportRows, { params: { id }, query: { limit: 200, ...query } })).records;
const all = async (as: Actor) => (await service.as(as)(listDevices, { query: { limit: 200, sort: 'mac' } })).records;
/** A device without what differs between companies. */
const read = (d: DeviceRecord) => ({
  ...{ name: d.name, model: d.model, sn: d.sn, tags: d.tags, accounts: d.accounts },
  ...{ groups: d.groups.map((g) => g.name), organization: d.organization?.name, server: d.server?.name },
  site: d.site?.name,
});

test('an exported list that is imported unchanged changes nothing [DEV-05/round-trip]', async () => {
  const sheet = await exported();
  const cellsOf = (name: string) =>
    Object.fromEntries(sheet[0]!.map((key, at) => [key, sheet.find((r) => r.includes(name))![at]]));
  expect(cellsOf('Room 1')).toMatchObject({
    ...{ line1: '', line2: '1001@Server of devices', organization: 'Head', groups: 'By rule, "Doors, gates"' },
    tags: 'floor: 4: north, "tower: east, ""old"""',
  });
  expect((await all(full.actor))[1]!.groups.map((g) => g.name)).toEqual(['By rule', 'Doors, gates']);
  const { counts, ignored } = await checked(sheet, full.actor);
  expect(counts).toMatchObject({ total: 20, unchanged: 20, add: 0, update: 0, wrong: 0 });
  expect(ignored).not.toContain('line1');
});

test('one changed cell of each kind makes exactly these changes, and undo takes them back [DEV-05/cells]', async () => {
  const before = await all(full.actor);
  const sheet = await exported();
  const set = (n: number, cells: Record<string, string>) => {
    for (const [key, text] of Object.entries(cells)) sheet[n + 1]![sheet[0]!.indexOf(key)] = text;
  };
  set(1, { line1: '1005' });
  set(2, { line1: '1006@server of devices' });
  set(3, { tags: 'floor: 5' });
  set(5, { groups: 'doors, gates'.replace(/^.*$/, '"$&"'), name: 'Room five' });
  set(6, { groups: '"Doors, gates"' });
  set(7, { organization: 'branch', groups: 'Floor 4' });
  const made = await checked(sheet, full.actor);
  expect(made.counts).toMatchObject({ update: 6, unchanged: 14, wrong: 0 });
  expect((await rowsOf(made.id, full.actor, { outcome: 'update' })).map((r) => r.changes)).toEqual([
    ['line1'],
    ['line1'],
    ['tags'],
    ['name'],
    ['groups'],
    ['organization', 'groups'],
  ]);
  await commit(made.id, full.actor);
  const after = await all(full.actor);
  const changed = after.flatMap((d, n) => (JSON.stringify(read(d)) === JSON.stringify(read(before[n]!)) ? [] : [n]));
  expect(changed).toEqual([1, 2, 3, 5, 6, 7]);
  expect(after[1]!.accounts).toEqual([
    { line: 1, number: '1005', server: placeServer },
    { line: 2, number: '1001', server: placeServer },
  ]);
  expect(after[2]!.accounts).toEqual([{ line: 1, number: '1006', server: placeServer }]);
  expect(after[3]!.tags).toEqual({ floor: '5' });
  expect(after[6]!.groups.map((g) => g.name)).toEqual(['By rule', 'Doors, gates']);
  expect([after[7]!.organization!.name, after[7]!.groups.map((g) => g.name)]).toEqual(['Branch', ['Floor 4']]);

  // A device that was changed since stays, and its row says so.
  const call = service.as(full.actor);
  await call(tagDevices, {
    body: { target: { ids: [after[3]!.id] }, set: [{ key: 'floor', value: '6' }], remove: [] },
  });
  await call(editDevice, { body: { id: after[1]!.id, sn: 'R1 new' } });
  await call(undoDeviceImport, { params: { id: made.id } });
  expect((await reached(made.id, 'undone', full.actor)).counts).toMatchObject({ undone: 5, kept: 1 });
  expect((await rowsOf(made.id, full.actor, { state: 'kept' })).map((r) => r.cells['name'])).toEqual(['Room 3']);
  const back = await all(full.actor);
  expect(back[3]!.tags).toEqual({ floor: '6' });
  expect(read(back[1]!)).toEqual({ ...read(before[1]!), sn: 'R1 new' });
  expect(back.filter((_, n) => n !== 1 && n !== 3).map(read)).toEqual(
    before.filter((_, n) => n !== 1 && n !== 3).map(read),
  );
});

test('a cell with a hyphen alone clears a line, the tags or the groups by hand [DEV-05/clear]', async () => {
  const { actor } = full;
  const before = await all(actor);
  const sheet = [
    ['MAC', 'Groups', 'Tags', 'Line 1', 'Line 2'],
    [macOf(1), '-', '', '', '－'],
    [macOf(3), '', '-', '-', ''],
    [macOf(2), 'By rule', '', '', '-'],
  ];
  const made = await checked(sheet, actor);
  expect(made.fields.filter((field) => field.clears).map((field) => field.key)).toEqual([
    ...['groups', 'tags', 'line1', 'line2', 'line3', 'line4', 'line5'],
  ]);
  expect((await rowsOf(made.id, actor)).map((r) => [r.outcome, ...r.changes])).toEqual([
    ['update', 'groups', 'line2'],
    ['update', 'tags'],
    ['unchanged'],
  ]);
  await commit(made.id, actor);
  const after = await all(actor);
  expect(read(after[1]!)).toEqual({ ...read(before[1]!), groups: ['By rule'], accounts: [] });
  expect(read(after[3]!)).toEqual({ ...read(before[3]!), tags: {} });
  await service.as(actor)(undoDeviceImport, { params: { id: made.id } });
  await reached(made.id, 'undone', actor);
  expect((await all(actor)).map(read)).toEqual(before.map(read));
});

test('each wrong cell is named, and its row changes nothing [DEV-04/cells]', async () => {
  const { actor } = full;
  const before = (await all(actor)).map(read);
  const wrong = async (n: number, cells: Record<string, string>, as = actor) => {
    const sheet = [
      ['MAC', ...Object.keys(cells)],
      [macOf(n), ...Object.values(cells)],
    ];
    const { id } = await checked(sheet, as);
    const [row] = await rowsOf(id, as);
    expect(row!.outcome).toBe('wrong');
    return row!.errors.map((e) => [e.field, e.error]);
  };
  expect(await wrong(2, { 'Line 1': '4711@Server of devices' })).toEqual([['line1', 'import.notFound']]);
  expect(await wrong(2, { 'Line 2': '1007@Other server' })).toEqual([['line2', 'device.accountServer']]);
  expect(await wrong(2, { 'Line 1': '1001', 'Line 2': '1001' })).toEqual([
    ['line1', 'device.accountTwice'],
    ['line2', 'device.accountTwice'],
  ]);
  expect(await wrong(1, { 'Line 1': '1001' })).toEqual([['line1', 'device.accountTwice']]);
  expect(await wrong(2, { Model: 'i16SV', 'Line 4': '1001' })).toEqual([['line4', 'device.linesMany']]);
  expect(await wrong(2, { Groups: 'No such group' })).toEqual([['groups', 'import.nameMissing']]);
  expect(await wrong(4, { Groups: 'By rule' })).toEqual([['groups', 'import.nameMissing']]);
  expect(await wrong(4, { Organization: 'Head', Groups: 'By rule' })).toEqual([['groups', 'deviceGroup.byRule']]);
  expect(await wrong(2, { Organization: 'Nowhere' })).toEqual([['organization', 'import.notFound']]);
  expect(await wrong(2, { Tags: 'floor' })).toEqual([['tags', 'device.tagForm']]);
  expect(await wrong(2, { Tags: 'floor: 1, floor: 2' })).toEqual([['tags', 'device.tagForm']]);
  expect(await wrong(2, { Tags: '#: 1' })).toEqual([['tags', 'device.tagKey']]);
  const few = { ...actor, permissions: permissionKeys.filter((key) => key !== 'assignSipAccount') };
  expect(await wrong(2, { 'Line 1': '1001' }, few)).toEqual([['line1', 'common.forbidden']]);
  expect(await wrong(1, { 'Line 2': '-' }, few)).toEqual([['line2', 'common.forbidden']]);
  const narrow = { ...actor, userId: uuidv7(), orgIds: [full.orgs.head] };
  expect(await wrong(2, { Organization: 'Branch' }, narrow)).toEqual([['organization', 'import.notFound']]);
  // A line that keeps its account needs no permission.
  const { counts } = await checked(
    [
      ['MAC', 'Line 2'],
      [macOf(1), '1001'],
    ],
    few,
  );
  expect(counts).toMatchObject({ unchanged: 1 });
  expect((await all(actor)).map(read)).toEqual(before);
});

test('a list that is imported into an empty company makes equal devices [DEV-05/other-company]', async () => {
  const sheet = await exported();
  const mac = sheet[0]!.indexOf('mac');
  const rows = sheet.map((row, n) => (n === 0 ? row : row.with(mac, macOf(n - 1, 'd2'))));
  // A new device takes accounts of its own server only.
  rows[19] = rows[19]!.with(sheet[0]!.indexOf('line5'), '');
  const made = await checked(rows, empty.actor);
  expect(made.counts).toMatchObject({ add: 20, wrong: 0 });
  await commit(made.id, empty.actor);
  const ofServer = (d: DeviceRecord) => ({ ...d, accounts: d.accounts!.filter((a) => a.server === placeServer) });
  expect((await all(empty.actor)).map(read)).toEqual((await all(full.actor)).map(ofServer).map(read));
  const [first] = await all(empty.actor);
  const seen = service.as(full.actor)(getDevice, { params: { id: first!.id } });
  await expect(seen).rejects.toMatchObject({ code: 404 });
  await service.as(empty.actor)(undoDeviceImport, { params: { id: made.id } });
  expect((await reached(made.id, 'undone', empty.actor)).counts).toMatchObject({ undone: 20, kept: 0 });
});
