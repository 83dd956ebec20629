import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSipAccount,
  addSipAccountImport,
  addSipAccountRange,
  addSipServer,
  commitSipAccountImport,
  deleteSipAccounts,
  deleteSipServer,
  editSipAccount,
  editSipServer,
  getFcs,
  getSipAccount,
  getSipAccountImport,
  getSipServer,
  licenseConfig,
  listSipAccountImportRows,
  listSipAccounts,
  listSipServerNames,
  listSipServers,
  orgCompany,
  provisioningAccount,
  provisioningFcsUse,
  restoreSipAccounts,
  undoSipAccountImport,
  type EventData,
  type FcsServer,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { eventually, inPieces, newActor, sheetFile, testBus, type Actor, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';

let bus: PostgresBus;
let service: TestedService;
/** The last published state of each account. */
const published = new Map<string, EventData<typeof provisioningAccount, 'account'> | null>();

/** The published FCS use of each company. */
const uses = new Map<string, number>();

beforeAll(async () => {
  bus = await testBus('fcs_bus');
  service = await startProvisioning(bus);
  await bus.fanout({
    topics: [provisioningAccount.name, provisioningFcsUse.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const r of records)
        if (topic === provisioningFcsUse.name) uses.set(r.key, fromRecord(provisioningFcsUse, r)!.data!.used);
        else published.set(r.key, fromRecord(provisioningAccount, r)!.data);
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor) => service.as(as);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const server = (name: string, more: Partial<FcsServer> = {}): FcsServer => ({
  name,
  address: 'fcs.example.com',
  port: 5061,
  transport: 'tls',
  domain: 'fcs.example.com',
  ...more,
});
let version = 1;
/** Publishes the installation's FCS setting. */
const offer = (servers: FcsServer[], enabled = true) =>
  bus.publish([
    toRecord(licenseConfig, 'fcs', { enabled, servers }, envelope('fcs', { companyId: null, version: ++version })),
  ]);
/** Publishes a company's FCS limits. */
const grant = ({ companyId }: Actor, fcsLimit: number, fcsEnabled = true, more: object = {}) =>
  bus.publish([
    toRecord(
      orgCompany,
      companyId,
      {
        id: companyId,
        name: companyId,
        path: `/${companyId}/`,
        type: 'reseller',
        status: 'normal',
        fcsLimit,
        fcsEnabled,
        ...more,
      },
      envelope('company', { companyId, version: ++version }),
    ),
  ]);
const fcsOf = (as: Actor) => call(as)(getFcs, {});
/** Creates a company with FCS and waits until the service knows it and its servers. */
async function company(limit: number, names: readonly string[] = ['Cloud']): Promise<Actor> {
  const as = newActor();
  await offer(names.map((name) => server(name)));
  await grant(as, limit);
  await eventually(async () => {
    const fcs = await fcsOf(as);
    expect([fcs.enabled, fcs.limit, fcs.servers.map((s) => s.name)]).toEqual([true, limit, names]);
  });
  return as;
}
const serverOf = async (as: Actor) => (await fcsOf(as)).servers[0]!.id;
const add = (as: Actor, serverId: string, number: string, more: object = {}) =>
  call(as)(addSipAccount, { body: { name: `FCS ${number}`, number, serverId, ...more } });
const fcsNumbers = async (as: Actor) =>
  (await call(as)(listSipAccounts, { query: { fcs: ['true'], sort: 'number', limit: 200 } })).records.map(
    (a) => a.number,
  );

test('adds FCS accounts up to the limit; parallel calls, deletions and restores respect it [ACC-03/limit]', async () => {
  const as = await company(3, ['Cloud', 'Second']);
  await grant(as, 3, true, { fcsUrl: 'https://fcs.example.com', fcsDomain: 'reseller.fcs.example.com' });
  await eventually(async () => expect((await fcsOf(as)).domain).toBe('reseller.fcs.example.com'));
  const [cloud, second] = (await fcsOf(as)).servers;
  expect(cloud).toMatchObject({ name: 'Cloud', address: 'fcs.example.com', domain: 'reseller.fcs.example.com' });
  const first = await add(as, cloud!.id, '7000', { authPassword: 'Sealed-Secret-1' });
  expect(first).toMatchObject({ fcs: true, closed: false, authPasswordSet: true, server: { name: 'Cloud' } });
  await add(as, second!.id, '7000');
  const both = await Promise.all(['7001', '7002', '7003'].map((number) => refusal(add(as, cloud!.id, number))));
  expect(both.toSorted()).toEqual(['fcs.limit', 'fcs.limit', 'none']);
  expect(await fcsOf(as)).toMatchObject({ limit: 3, used: 3, url: 'https://fcs.example.com' });
  await eventually(() => expect(uses.get(as.companyId)).toBe(3));
  // A call that is refused for another reason does not count.
  await call(as)(deleteSipAccounts, { query: { ids: [first.id] } });
  expect(await refusal(add(as, second!.id, '7000'))).toBe('sipAccount.numberTaken');
  expect(await refusal(add(as, cloud!.id, 'no number'))).toBe('sipAccount.numberFormat');
  expect((await fcsOf(as)).used).toBe(2);
  await eventually(() => expect(uses.get(as.companyId)).toBe(2));
  const last = await add(as, cloud!.id, '7004');
  expect(await refusal(call(as)(restoreSipAccounts, { body: { ids: [first.id] } }))).toBe('fcs.limit');
  await call(as)(deleteSipAccounts, { query: { ids: [last.id] } });
  await call(as)(restoreSipAccounts, { body: { ids: [first.id] } });
  expect(await fcsOf(as)).toMatchObject({ used: 3 });
  // It still counts on another FCS server, not on a server of the company, and again when it is moved back.
  const pbx = await call(as)(addSipServer, {
    body: {
      name: 'Cloud',
      address: 'pbx.example.com',
      port: 5060,
      transport: 'udp',
      domain: '',
      proxyAddress: null,
      proxyPort: null,
      backupAddress: null,
      backupPort: null,
    },
  });
  const move = (serverId: string) =>
    call(as)(editSipAccount, { body: { id: first.id, name: 'Moved', number: '7100', serverId } });
  await move(second!.id);
  expect((await fcsOf(as)).used).toBe(3);
  expect((await move(pbx.id)).fcs).toBe(false);
  expect((await fcsOf(as)).used).toBe(2);
  await add(as, cloud!.id, '7005');
  expect(await refusal(move(cloud!.id))).toBe('fcs.limit');
  // A lowered limit removes no account, but no new one can be added.
  await grant(as, 1);
  await eventually(async () => expect((await fcsOf(as)).limit).toBe(1));
  expect(await fcsNumbers(as)).toHaveLength(3);
  expect(await refusal(add(as, cloud!.id, '7006'))).toBe('fcs.limit');
  expect(
    (await call(as)(listSipAccounts, { query: { fcs: ['false'] } })).records.map((a) => [a.number, a.fcs]),
  ).toEqual([['7100', false]]);
});

test('with FCS off, accounts stay, and none is added, imported or assigned [ACC-03/flag]', async () => {
  const as = await company(10);
  const cloud = await serverOf(as);
  const kept = await add(as, cloud, '7000');
  const gone = await add(as, cloud, '7001');
  for (const [off, on] of [
    [() => grant(as, 10, false), () => grant(as, 10, true)],
    [() => offer([server('Cloud')], false), () => offer([server('Cloud')], true)],
    // The operator removes the server and adds it again.
    [() => offer([server('Other')]), () => offer([server('cloud')])],
  ] as const) {
    await call(as)(deleteSipAccounts, { query: { ids: [gone.id] } });
    await off();
    await eventually(() => expect(published.get(kept.id)?.closed).toBe(true));
    expect((await fcsOf(as)).servers.map((s) => s.name)).not.toContain('Cloud');
    expect(await call(as)(getSipAccount, { params: { id: kept.id } })).toMatchObject({ fcs: true, closed: true });
    expect(await refusal(add(as, cloud, '7002'))).toBe('fcs.off');
    expect(await refusal(call(as)(addSipAccountRange, { body: { serverId: cloud, from: '1', to: '2' } }))).toBe(
      'fcs.off',
    );
    expect(await refusal(call(as)(restoreSipAccounts, { body: { ids: [gone.id] } }))).toBe('fcs.off');
    const edited = await call(as)(editSipAccount, {
      body: { id: kept.id, name: 'Still here', number: '7000', serverId: cloud },
    });
    expect(edited).toMatchObject({ name: 'Still here', closed: true });
    const { import: read } = await call(as)(addSipAccountImport, {
      body: {
        name: 'a.xlsx',
        file: inPieces(
          sheetFile([
            ['number', 'server', 'name'],
            ['7009', 'Cloud', 'Nine'],
          ]),
        ),
      },
    });
    const params = { id: read!.id };
    await eventually(async () =>
      expect(await call(as)(getSipAccountImport, { params })).toMatchObject({ counts: { checked: 1, wrong: 1 } }),
    );
    expect((await call(as)(listSipAccountImportRows, { params, query: {} })).records[0]!.errors).toMatchObject([
      { field: 'server', error: 'fcs.off' },
    ]);
    await on();
    await eventually(() => expect(published.get(kept.id)?.closed).toBe(false));
    await call(as)(restoreSipAccounts, { body: { ids: [gone.id] } });
    expect(await fcsNumbers(as)).toEqual(['7000', '7001']);
    expect((await fcsOf(as)).used).toBe(2);
  }
  // A company that never had FCS.
  const without = newActor();
  expect(await fcsOf(without)).toEqual({ enabled: false, limit: 0, used: 0, url: '', domain: '', servers: [] });
  expect(await refusal(add(without, cloud, '7000'))).toBe('common.notFound');
});

test('a range is added all or none, an import up to the limit, and undo frees it [ACC-03/many]', async () => {
  const as = await company(205);
  const cloud = await serverOf(as);
  const range = (from: string, to: string, more: object = {}) =>
    call(as)(addSipAccountRange, { body: { name: 'Desk', serverId: cloud, from, to, ...more } });
  expect(await range('8000', '8199', { authPassword: 'Sealed-Secret-2' })).toEqual({ added: 200 });
  const { records, total } = await call(as)(listSipAccounts, { query: { sort: 'number', limit: 200 } });
  expect([total, records[0]!.name, records.at(-1)!.number]).toEqual([200, 'Desk 8000', '8199']);
  expect(records.every((a) => a.fcs && a.authPasswordSet)).toBe(true);
  expect(JSON.stringify(records)).not.toContain('Sealed-Secret');
  expect(await refusal(range('8190', '8203'))).toBe('fcs.limit');
  expect(await refusal(range('8198', '8202'))).toBe('sipAccount.rangeTaken');
  for (const [from, to, error] of [
    ['9', '8', 'sipAccount.rangeOrder'],
    ['1', '1001', 'sipAccount.rangeLong'],
    ['x', '9', 'sipAccount.rangeFormat'],
  ] as const)
    expect(await refusal(range(from, to))).toBe(error);
  expect((await fcsOf(as)).used).toBe(200);

  const rows = Array.from({ length: 8 }, (_, i) => [`90${i}`, 'Cloud', `Imported ${i}`]);
  const { import: read } = await call(as)(addSipAccountImport, {
    body: { name: 'a.xlsx', file: inPieces(sheetFile([['number', 'server', 'name'], ...rows])) },
  });
  const params = { id: read!.id };
  const reached = (status: string) =>
    eventually(async () => {
      const now = await call(as)(getSipAccountImport, { params });
      expect(now.status).toBe(status);
      return now;
    });
  expect((await reached('checked')).counts.add).toBe(8);
  await call(as)(commitSipAccountImport, { params });
  expect((await reached('done')).counts).toMatchObject({ done: 5, wrong: 3 });
  const { records: wrong } = await call(as)(listSipAccountImportRows, { params, query: { outcome: 'wrong' } });
  expect(wrong.map((row) => row.errors.map((e) => e.error))).toEqual([['fcs.limit'], ['fcs.limit'], ['fcs.limit']]);
  expect((await fcsOf(as)).used).toBe(205);
  await call(as)(undoSipAccountImport, { params });
  await reached('undone');
  expect((await fcsOf(as)).used).toBe(200);
});

test("companies cannot change the installation's FCS servers, have their own accounts, and follow updates", async () => {
  const [one, two] = [await company(5), await company(5)];
  const [ofOne, ofTwo] = [await serverOf(one), await serverOf(two)];
  await add(one, ofOne, '7000');
  expect(await fcsNumbers(two)).toEqual([]);
  expect(await refusal(add(two, ofOne, '7000'))).toBe('common.notFound');
  await add(two, ofTwo, '7000');
  expect((await call(one)(listSipServers, { query: {} })).total).toBe(0);
  expect((await call(one)(listSipServerNames, {})).map((s) => [s.name, s.fcs])).toEqual([['Cloud', true]]);
  expect([
    await refusal(call(one)(getSipServer, { params: { id: ofOne } })),
    await refusal(call(one)(deleteSipServer, { query: { id: ofOne } })),
    await refusal(
      call(one)(editSipServer, {
        body: {
          id: ofOne,
          ...server('Mine'),
          proxyAddress: null,
          proxyPort: null,
          backupAddress: null,
          backupPort: null,
        },
      }),
    ),
  ]).toEqual(Array.from({ length: 3 }, () => 'common.notFound'));
  await offer([server('Cloud', { address: 'moved.example.com' }), server('New')]);
  for (const as of [one, two])
    await eventually(async () =>
      expect((await fcsOf(as)).servers.map((s) => [s.name, s.address])).toEqual([
        ['Cloud', 'moved.example.com'],
        ['New', 'fcs.example.com'],
      ]),
    );
});
