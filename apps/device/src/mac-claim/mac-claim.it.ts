import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  addChannelOrder,
  addDeliveryImport,
  addDevice,
  audit,
  deleteDeliveries,
  getDeliveryImport,
  listChannelOrders,
  listCustody,
  listDeliveries,
  listDeliveryImportRows,
  listDeviceLog,
  listDevices,
  listMacDisputes,
  listOrderChannels,
  permissionKeys,
  settleMac,
  undoDeliveryImport,
  type ImportStatus,
  type RouteInput,
} from '@carillon/contracts';
import { claimLockMinutes, claimTries } from '@carillon/contracts/constants';
import { fromRecord, type BusRecord, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  companyRecord,
  deliver as deliverTo,
  devicePlaces,
  eventually,
  inPieces,
  LinkedDevice,
  newActor,
  sheetFile,
  testBus,
  testService,
  type Actor,
  type DeviceLabel,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let placeOf: ReturnType<typeof devicePlaces>;
const records: BusRecord[] = [];
const chief = newActor({ permissions: permissionKeys });
const [parent, child, stranger] = [newActor(), newActor(), newActor()];

beforeAll(async () => {
  bus = await testBus('mac_claim_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  placeOf = devicePlaces(bus, service);
  await bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: (batch) => {
      records.push(...batch.records);
    },
  });
  await bus.publish([
    companyRecord(chief, 'Operator', []),
    companyRecord(parent, 'Parent', [chief]),
    companyRecord(child, 'Child', [chief, parent]),
    companyRecord(stranger, 'Stranger', [chief]),
  ]);
  await eventually(async () => {
    expect(await service.as(parent)(listOrderChannels, {})).toHaveLength(1);
    expect(await service.as(chief)(listOrderChannels, {})).toHaveLength(2);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

type DeliveryQuery = Omit<RouteInput<typeof listDeliveries>['query'], 'page' | 'limit'>;
const listed = (query: DeliveryQuery) => service.as(chief)(listDeliveries, { query });
const idOf = (all: readonly { id: string; mac: string }[], { mac }: Label) => all.find((one) => one.mac === mac)!.id;

let serial = 0;
/** Returns the label of a new device. */
const label = () => {
  const n = (++serial).toString(16).padStart(4, '0');
  return { mac: `0c383ec0${n}`, sn: `SN-${n}`, claimCode: `Code-${n}-9ZQ7` };
};
type Label = DeviceLabel;

const reached = (id: string, status: ImportStatus) =>
  eventually(async () => {
    const now = await service.as(chief)(getDeliveryImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  });
const checked = async (rows: unknown[][]) => {
  const { import: made } = await service.as(chief)(addDeliveryImport, {
    body: { name: 'delivery.xlsx', file: inPieces(sheetFile([['MAC address', 'S/N', 'Claim code'], ...rows], 'xlsx')) },
  });
  return reached(made!.id, 'checked');
};
const deliver = (...labels: Label[]) => deliverTo(service.as(chief), labels);
/** Delivers a new device, and returns its label. */
async function delivered(): Promise<Label> {
  const made = label();
  await deliver(made);
  return made;
}

const add = async (by: Actor, { mac, sn, claimCode }: Omit<Label, 'claimCode'> & { claimCode?: string }) =>
  service.as(by)(addDevice, {
    body: { ...(await placeOf(by)), mac, sn, name: 'Phone', model: 'X7A', ...(claimCode ? { claimCode } : {}) },
  });
const type = (by: Actor, { mac, sn }: Label) => add(by, { mac, sn });
/** Returns the error of a refused call. */
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const deviceOf = async (of: Actor, mac: string) =>
  (await service.as(of)(listDevices, { query: { mac: [mac] } })).records[0];
const steps = async (of: Actor, mac: string) =>
  (await service.as(of)(listCustody, { query: { mac } })).map((s) => [s.step, s.company]);
const logged = async (of: Actor, mac: string) =>
  (await service.as(of)(listDeviceLog, { query: { search: mac } })).records.map((e) => [e.kind, e.detail]);
const noted = (of: Actor, action: string) =>
  records.flatMap((r) => {
    const { data, companyId } = fromRecord(audit, r)!;
    return data && companyId === of.companyId && data.action === action ? [data] : [];
  });
const acrossAll = <R extends object>(sql: string, values: unknown[]) =>
  platform(service.database, 'a test looks across companies', async () => {
    const { rows } = await currentSql().query<R>(sql, values);
    return rows;
  });
const ownerOf = async (mac: string) =>
  (
    await acrossAll<{ companyId: string; proof: string }>(
      'select company_id as "companyId", proof from mac_owner where mac = $1',
      [mac],
    )
  )[0];
const wanted = async (mac: string) => (await service.as(chief)(listMacDisputes, {})).find((d) => d.mac === mac);
async function connected(by: Actor, mac: string) {
  const device = (await deviceOf(by, mac))!;
  const link = new LinkedDevice(bus, device, by.companyId);
  await link.online();
  await eventually(async () => expect((await deviceOf(by, mac))!.onlineSince).not.toBeNull());
}

describe('the label of a device', () => {
  it('claims its MAC from a company that only typed it, whose device ends [CHN-04/claim]', async () => {
    const given = await delivered();
    const { mac, claimCode } = given;
    await type(stranger, given);
    expect(await refusal(type(child, given))).toBe('device.macTaken');
    // As a person types it: other letters, spaces and an own spelling of the serial number.
    await add(child, { mac, sn: given.sn.toLowerCase(), claimCode: claimCode.toLowerCase().replaceAll('-', ' ') });
    expect(await deviceOf(child, mac)).toMatchObject({ mac });
    expect(await deviceOf(stranger, mac)).toBeUndefined();
    expect(await ownerOf(mac)).toEqual({ companyId: child.companyId, proof: 'claim' });
    expect(await steps(child, mac)).toEqual([['claimed', null]]);
    expect(await steps(stranger, mac)).toEqual([['lost', null]]);
    expect(await logged(child, mac)).toEqual([['added', { by: 'tester', step: 'claimed' }]]);
    expect((await logged(stranger, mac))[0]).toEqual(['handedOver', { step: 'lost' }]);
    expect(await refusal(type(stranger, given))).toBe('device.macTaken');
    await eventually(() => {
      expect(noted(stranger, 'channelOrder.lost').at(-1)).toMatchObject({ detail: { devices: [{ mac }] } });
      expect(noted(child, 'device.add').at(-1)).toMatchObject({ result: 'success', detail: { mac, proof: 'claim' } });
    });
  });

  it('works once, and its code is stored and logged nowhere', async () => {
    const given = await delivered();
    await add(child, given);
    expect(await refusal(add(stranger, given))).toBe('device.claimRefused');
    await eventually(() =>
      expect(noted(stranger, 'device.add').at(-1)).toMatchObject({
        result: 'device.claimRefused',
        detail: { mac: given.mac, proof: 'claim' },
      }),
    );
    const plain = given.claimCode.replaceAll('-', '').toUpperCase();
    const tables = ['delivered_device', 'mac_owner', 'device', 'import', 'import_row', 'outbox'];
    for (const table of tables) {
      const found = await acrossAll(`select 1 from ${table} x where x::text ilike any ($1::text[])`, [
        [`%${given.claimCode}%`, `%${plain}%`],
      ]);
      expect([table, found.length]).toEqual([table, 0]);
    }
    for (const { value } of records) expect(value).not.toContain(given.claimCode);
  });

  it('is refused alike for a wrong code, a wrong serial number and an unknown MAC, and changes nothing', async () => {
    const given = await delivered();
    await type(stranger, given);
    for (const wrong of [{ claimCode: 'WRONG-CODE-1' }, { sn: 'SN-other' }, { mac: label().mac }])
      expect(await refusal(add(newActor(), { ...given, ...wrong }))).toBe('device.claimRefused');
    expect(await refusal(add(child, { ...given, claimCode: '12-3' }))).toBe('device.claimCodeFormat');
    expect(await ownerOf(given.mac)).toEqual({ companyId: stranger.companyId, proof: 'typed' });
    expect(await wanted(given.mac)).toBeUndefined();
    expect(await refusal(add(child, given))).toBe('none');
  });

  it('does not take a MAC with an order or a device that was online: the super administrator decides', async () => {
    const [ordered, used] = [await delivered(), await delivered()];
    await service.as(stranger)(addChannelOrder, { body: { mac: ordered.mac, model: 'X7A', order: 'PO-1' } });
    await type(stranger, used);
    await connected(stranger, used.mac);
    for (const given of [ordered, used]) {
      expect(await refusal(add(child, given))).toBe('device.macTaken');
      expect(await ownerOf(given.mac)).toMatchObject({ companyId: stranger.companyId });
      expect(await wanted(given.mac)).toMatchObject({
        holder: { id: stranger.companyId },
        claims: [{ id: child.companyId, name: 'Child', model: 'X7A', proof: 'claim' }],
      });
    }
    await service.as(chief)(settleMac, { body: { mac: used.mac, companyId: child.companyId } });
    expect(await deviceOf(stranger, used.mac)).toBeUndefined();
    const { records: lines } = await service.as(child)(listChannelOrders, { query: { mac: [used.mac] } });
    expect(lines).toHaveLength(1);
  });

  it('yields to an order of a company above, as long as its device never connected', async () => {
    const given = await delivered();
    await add(child, given);
    await service.as(parent)(addChannelOrder, { body: { mac: given.mac, model: 'X7A', order: 'PO-2' } });
    expect(await deviceOf(child, given.mac)).toBeUndefined();
    expect(await ownerOf(given.mac)).toEqual({ companyId: parent.companyId, proof: 'order' });
  });

  it('is used by exactly one of several companies that claim at the same time', async () => {
    const given = await delivered();
    const companies = [newActor(), newActor(), newActor()];
    await Promise.all(companies.map((of) => placeOf(of)));
    const answers = await Promise.all(companies.map((of) => refusal(add(of, given))));
    expect(answers.toSorted()).toEqual(['device.claimRefused', 'device.claimRefused', 'none']);
  });
});

describe('wrong claims', () => {
  const wrong = (mac = label().mac): Label => ({ mac, sn: 'SN-x', claimCode: 'WRONG-CODE-1' });

  it('lock a MAC out for everybody, listed or not, and the error says for how long', async () => {
    for (const given of [await delivered(), label()]) {
      for (let n = 0; n < claimTries.mac; n++)
        expect(await refusal(add(newActor(), wrong(given.mac)))).toBe('device.claimRefused');
      await expect(add(newActor(), given)).rejects.toMatchObject({
        error: 'device.claimLocked',
        code: 429,
        message: expect.stringContaining(`${claimLockMinutes} minutes`),
      });
    }
    const given = await delivered();
    for (let n = 0; n < claimTries.mac; n++) await refusal(add(newActor(), wrong(given.mac)));
    const now = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => now() + claimLockMinutes * 60_000);
    expect(await refusal(add(child, given))).toBe('none');
  });

  it('lock out a user over all MACs, and a company over all its users', async () => {
    const company = newActor();
    await placeOf(company);
    let refused = 0;
    for (; refused < claimTries.company;) {
      const user = { ...company, userId: newActor().userId };
      const tries = Math.min(claimTries.user, claimTries.company - refused);
      for (let n = 0; n < tries; n++, refused++) expect(await refusal(add(user, wrong()))).toBe('device.claimRefused');
      expect(await refusal(add(user, wrong()))).toBe('device.claimLocked');
    }
    const given = await delivered();
    expect(await refusal(add({ ...company, userId: newActor().userId }, given))).toBe('device.claimLocked');
    expect(await refusal(type({ ...company, userId: newActor().userId }, given))).toBe('none');
  });

  it('made at the same time are not more than one after the other', async () => {
    const given = await delivered();
    const companies = Array.from({ length: claimTries.mac + 3 }, () => newActor());
    await Promise.all(companies.map((of) => placeOf(of)));
    const answers = await Promise.all(companies.map((of) => refusal(add(of, wrong(given.mac)))));
    expect(answers.filter((answer) => answer === 'device.claimRefused')).toHaveLength(claimTries.mac);
    expect(answers.filter((answer) => answer === 'device.claimLocked')).toHaveLength(3);
  });

  it('of a user who acts in several companies at the same time are not more either', async () => {
    const { userId } = newActor();
    const companies = Array.from({ length: claimTries.user + 3 }, () => ({ ...newActor(), userId }));
    await Promise.all(companies.map((of) => placeOf(of)));
    const answers = await Promise.all(companies.map((of) => refusal(add(of, wrong()))));
    expect(answers.filter((answer) => answer === 'device.claimRefused')).toHaveLength(claimTries.user);
  });
});

describe('a delivery list', () => {
  it('is imported by the super administrator alone, row by row, without showing a code', async () => {
    const [one, bad, none] = [label(), label(), label()];
    const made = await checked([
      [one.mac, one.sn, one.claimCode],
      [bad.mac, bad.sn, 'a?b'],
      [none.mac, none.sn, ''],
      ['0c38', 'SN', 'CODE-123456'],
    ]);
    expect(made.counts).toMatchObject({ total: 4, add: 1, wrong: 3 });
    const query = { page: 1, limit: 20 };
    const { records: rows } = await service.as(chief)(listDeliveryImportRows, { params: { id: made.id }, query });
    expect(rows.map((row) => row.errors.map(({ field, error }) => `${field}: ${error}`))).toEqual([
      [],
      ['claimCode: device.claimCodeFormat'],
      ['claimCode: common.fieldRequired'],
      ['mac: device.macFormat'],
    ]);
    expect(rows[0]!.cells).toEqual({ mac: one.mac, sn: one.sn, claimCode: '••••••••' });
    const file = inPieces(sheetFile([['MAC'], [label().mac]], 'xlsx'));
    const body = { name: 'delivery.xlsx', file };
    expect(await refusal(service.as(parent)(addDeliveryImport, { body }))).toBe('common.forbidden');
  });

  it('gives a used label a new code, and is undone except for labels that were used since', async () => {
    const [again, kept, free] = [await delivered(), label(), label()];
    await add(stranger, again);
    const renewed = { ...again, claimCode: 'NEW-CODE-0001' };
    const { id } = await deliver(renewed, kept, free);
    expect((await deliver(renewed)).counts).toMatchObject({ unchanged: 1 });
    await add(child, kept);
    // The new code is right, but the earlier owner has as strong a proof.
    expect(await refusal(add(child, renewed))).toBe('device.macTaken');
    expect(await wanted(again.mac)).toMatchObject({ claims: [{ id: child.companyId, proof: 'claim' }] });
    await service.as(chief)(undoDeliveryImport, { params: { id } });
    expect((await reached(id, 'undone')).counts).toMatchObject({ undone: 2, kept: 1 });
    expect(await refusal(add(newActor(), free))).toBe('device.claimRefused');
  });

  it('shows the super administrator which company claimed a device, without its code', async () => {
    const [used, free] = [label(), label()];
    await deliver(used, free);
    await add(child, used);
    const { records: found } = await listed({ 'mac.contains': [used.mac.slice(4), free.mac.slice(4)], sort: 'mac' });
    const time = expect.stringMatching(/^20.*Z$/) as string;
    const { claimCode: _, ...plain } = free;
    expect(found).toEqual([
      {
        id: idOf(found, used),
        mac: used.mac,
        sn: used.sn,
        state: 'claimed',
        company: 'Child',
        claimedAt: time,
        importedAt: time,
      },
      { ...plain, id: idOf(found, free), state: 'free', company: null, claimedAt: null, importedAt: time },
    ]);
    const macs = async (query: DeliveryQuery) => (await listed(query)).records.map((d) => d.mac);
    expect(await macs({ search: used.sn })).toEqual([used.mac]);
    expect(await macs({ 'mac.contains': [free.mac.slice(6)], state: ['claimed'] })).toEqual([]);
    expect(await macs({ 'mac.contains': [free.mac.slice(6)], state: ['free'] })).toEqual([free.mac]);
    expect((await macs({ company: ['Child'] })).includes(used.mac)).toBe(true);
    await deliver({ ...used, claimCode: 'NEW-CODE-0002' });
    expect((await listed({ mac: [used.mac] })).records).toMatchObject([
      { state: 'free', company: null, claimedAt: null },
    ]);
    expect(await refusal(service.as(parent)(listDeliveries, {}))).toBe('common.forbidden');
  });

  it('has its wrong rows deleted, several at once, but none with a claimed device', async () => {
    const [used, one, two] = [label(), label(), label()];
    await deliver(used, one, two);
    await add(child, used);
    const all = (await listed({ mac: [used.mac, one.mac, two.mac] })).records;
    const remove = (...of: Label[]) =>
      service.as(chief)(deleteDeliveries, { query: { ids: of.map((l) => idOf(all, l)) } });
    expect(await refusal(remove(used, one))).toBe('device.deliveryClaimed');
    expect(await refusal(service.as(parent)(deleteDeliveries, { query: { ids: [idOf(all, one)] } }))).toBe(
      'common.forbidden',
    );
    expect((await listed({ mac: [used.mac, one.mac, two.mac] })).total).toBe(3);
    expect(await remove(one, two)).toEqual({ deleted: 2 });
    expect(await refusal(remove(one))).toBe('common.notFound');
    expect(await refusal(add(newActor(), one))).toBe('device.claimRefused');
    await eventually(() =>
      expect(noted(chief, 'delivery.delete')).toContainEqual(
        expect.objectContaining({
          result: 'success',
          detail: { count: 2, devices: [{ mac: one.mac }, { mac: two.mac }] },
        }),
      ),
    );
  });
});
