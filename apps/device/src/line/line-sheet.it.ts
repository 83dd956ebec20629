import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  assignAccount,
  audit,
  deleteDevices,
  deviceState,
  findLineAccounts,
  listAccountNames,
  listLineSheet,
  provisioningAccount,
  saveLineSheet,
  type DeviceView,
  type EventData,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  newActor,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const stranger = newActor();
const call = (as: Actor = own) => service.as(as);
const published = new Map<string, DeviceView | null>();
const entries: EventData<typeof audit, 'entry'>[] = [];

beforeAll(async () => {
  bus = await testBus('line_sheet_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
  await bus.fanout({
    topics: [deviceState.name, audit.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === audit.name) entries.push(fromRecord(audit, r)!.data!);
        else published.set(r.key, fromRecord(deviceState, r)!.data);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

let version = 1;
/** Publishes an account and waits until the device service knows it. */
async function account(number: string, { server = 'PBX', closed = false, as = own } = {}): Promise<string> {
  const id = uuidv7();
  const data = { id, companyId: as.companyId, orgId: as.orgId, name: `Account ${number}`, number, server, closed };
  await bus.publish([
    toRecord(provisioningAccount, id, data, envelope('account', { companyId: as.companyId, version: ++version })),
  ]);
  await eventually(async () => expect(await call(as)(listAccountNames, { query: { id } })).toHaveLength(1));
  return id;
}
let macs = 0x0c383e200000;
const newDevice = async (name: string, model = 'X7A', as: Actor = own) =>
  (
    await call(as)(addDevice, {
      body: { ...(await places(as)), mac: (macs++).toString(16).padStart(12, '0'), name, model, sn: `S${macs}` },
    })
  ).device;
type Line = { line: number; accountId: string | null; was: string | null };
const save = (devices: { deviceId: string; lines: Line[] }[], as: Actor = own) =>
  call(as)(saveLineSheet, { body: { devices } });
const put = (line: number, accountId: string | null, was: string | null = null): Line => ({ line, accountId, was });
const rows = (ids: string[], as: Actor = own) => call(as)(listLineSheet, { query: { ids } });
const numbers = async (id: string) =>
  (await rows([id]))[0]!.accounts.map(({ line, account: of }) => [line, of?.number ?? null]);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields?: { error: string }[] }) => e.fields?.[0]?.error ?? e.error,
  );

test('lines of many devices are read as rows and saved in one call with one log entry [ACC-02/sheet]', async () => {
  const devices = [await newDevice('Sheet b'), await newDevice('Sheet a', 'SIP-T31P')];
  const [b, a] = devices.map((d) => d.id) as [string, string];
  const [one, two, three] = [await account('7001'), await account('7002'), await account('7003')];
  await call()(assignAccount, { body: { deviceId: b, accountId: one, line: 2 } });
  expect(await rows([b, a])).toMatchObject([
    { id: a, name: 'Sheet a', model: 'SIP-T31P', lines: 2, accounts: [] },
    {
      ...{ id: b, name: 'Sheet b', model: 'X7A', lines: 5 },
      accounts: [{ line: 2, accountId: one, account: { number: '7001', server: 'PBX', ambiguous: false } }],
    },
  ]);
  const reader = { ...own, userId: uuidv7() };
  const { results } = await save(
    [
      { deviceId: b, lines: [put(1, two), put(2, null, one), put(5, two)] },
      { deviceId: a, lines: [put(1, three), put(2, null)] },
    ],
    reader,
  );
  expect(results).toEqual([
    { deviceId: b, changed: 3, error: null, msg: null, line: null },
    { deviceId: a, changed: 1, error: null, msg: null, line: null },
  ]);
  expect([await numbers(b), await numbers(a)]).toEqual([
    [
      [1, '7002'],
      [5, '7002'],
    ],
    [[1, '7003']],
  ]);
  await eventually(() => {
    expect(published.get(b)?.accounts?.map((x) => [x.line, x.accountId])).toEqual([
      [1, two],
      [5, two],
    ]);
    expect(entries.filter((e) => e.userId === reader.userId)).toMatchObject([
      {
        action: 'sipAccount.assignMany',
        result: 'success',
        objectName: 'Sheet b, Sheet a',
        orgIds: [own.orgId],
        detail: { count: 4, lines: expect.arrayContaining(['Sheet b · 1: 7002', 'Sheet b · 2: –']) },
      },
    ]);
  });
});

test('each refused device has its reason in the user’s language, and the others are saved [ACC-02/sheet]', async () => {
  const [good, conflict, small, shut, ghost] = await Promise.all(
    ['good', 'conflict', 'small', 'shut', 'ghost'].map((name) =>
      newDevice(`Refused ${name}`, name === 'small' ? 'SIP-T31P' : 'X7A'),
    ),
  );
  const [free, other] = [await account('7101'), await account('7102')];
  const closed = await account('7103', { closed: true });
  const foreign = await account('7104', { as: stranger });
  await call()(assignAccount, { body: { deviceId: conflict!.id, accountId: other, line: 1 } });
  const gone = uuidv7();
  const { results } = await save(
    [
      { deviceId: conflict!.id, lines: [put(2, free), put(1, free)] },
      { deviceId: small!.id, lines: [put(1, free), put(3, free)] },
      { deviceId: shut!.id, lines: [put(1, closed)] },
      { deviceId: ghost!.id, lines: [put(4, foreign)] },
      { deviceId: gone, lines: [put(1, free)] },
      { deviceId: good!.id, lines: [put(1, free)] },
    ],
    { ...own, language: 'pt_BR' },
  );
  expect(results.map(({ changed, error, line }) => [changed, error, line])).toEqual([
    [0, 'device.lineChanged', 1],
    [0, 'device.linesMany', 3],
    [0, 'fcs.off', 1],
    [0, 'device.accountMissing', 4],
    [0, 'common.notFound', null],
    [1, null, null],
  ]);
  expect(results[0]!.msg).toBe('A linha já tem outra conta. Verifique-a e salve de novo.');
  expect([await numbers(conflict!.id), await numbers(small!.id), await numbers(good!.id)]).toEqual([
    [[1, '7102']],
    [],
    [[1, '7101']],
  ]);
});

test('a sheet shows and changes only devices that the user sees, and needs the permission [ACC-02/sheet]', async () => {
  const device = await newDevice('Guarded');
  const id = await account('7201');
  const lines = [put(1, id)];
  const strange = await account('7202', { as: stranger });
  expect(await rows([device.id], stranger)).toEqual([]);
  expect((await save([{ deviceId: device.id, lines: [put(1, strange)] }], stranger)).results[0]!.error).toBe(
    'common.notFound',
  );
  const narrow = { ...own, orgIds: [uuidv7()] };
  expect(await rows([device.id], narrow)).toEqual([]);
  expect((await save([{ deviceId: device.id, lines }], narrow)).results[0]!.error).toBe('common.notFound');
  const reader = { ...own, permissions: ['device', 'editDevice'] as const };
  expect([
    await refusal(save([{ deviceId: device.id, lines }], reader)),
    await refusal(rows([device.id], reader)),
    await refusal(call(reader)(findLineAccounts, { query: { text: ['7201'] } })),
  ]).toEqual(Array.from({ length: 3 }, () => 'common.forbidden'));
  expect(await numbers(device.id)).toEqual([]);
  await call()(deleteDevices, { query: { ids: [device.id] } });
});

test('a text names accounts by number, and by number and server when several have it [ACC-02/sheet]', async () => {
  const [pbx, cloud, single] = [
    await account('7301'),
    await account('7301', { server: 'Cloud' }),
    await account('7302'),
  ];
  const strange = await account('7303', { as: stranger });
  const find = async (text: string[], as: Actor = own) =>
    (await call(as)(findLineAccounts, { query: { text } })).map((found) => found.accounts.map((a) => a.id));
  expect(await find(['7301', '7301@pbx', '7301@CLOUD', '7301@Other', '7302', '7302@', '7303'])).toEqual([
    ...[[cloud, pbx], [pbx], [cloud], [], [single], [], []],
  ]);
  expect(await find(['7303', '7301'], stranger)).toEqual([[strange], []]);
  const device = await newDevice('Ambiguous');
  await save([{ deviceId: device.id, lines: [put(1, pbx), put(2, single)] }]);
  expect((await rows([device.id]))[0]!.accounts.map((a) => a.account!.ambiguous)).toEqual([true, false]);
});

test('a call takes 500 devices; more, a device or a line twice, and no line change nothing [ACC-02/sheet]', async () => {
  const id = await account('7401');
  const device = await newDevice('Bounds');
  const row = (deviceId: string, lines = [put(1, id)]) => ({ deviceId, lines });
  const many = (count: number) => Array.from({ length: count }, () => row(uuidv7()));
  expect([
    await refusal(save([...many(500), row(device.id)])),
    await refusal(save([row(device.id), row(device.id)])),
    await refusal(save([row(device.id, [put(1, id), put(1, null)])])),
    await refusal(save([row(device.id, [])])),
    await refusal(save([row(device.id, [put(6, id)])])),
    await refusal(save([])),
  ]).toEqual([
    'common.fieldTooLong',
    'device.deviceTwice',
    'device.lineTwice',
    'common.fieldTooShort',
    'common.fieldTooLong',
    'common.fieldTooShort',
  ]);
  expect(await numbers(device.id)).toEqual([]);
  const { results } = await save([...many(499), row(device.id)]);
  expect(results.filter((r) => r.error === null).map((r) => r.deviceId)).toEqual([device.id]);
});
