import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addChannelAddress,
  authCompany,
  deleteChannelAddress,
  editChannel,
  editChannelAddress,
  getChannelAddress,
  listChannelAddresses,
  listChannelAddressNames,
  listChannels,
  orgChannelAddress,
  restoreChannelAddresses,
} from '@carillon/contracts';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import { eventually, filterFaults, newActor, testBus, testService, type TestedService } from '@carillon/testing';
import { orgService, seedCompany } from '../org.module.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const call = () => service.as(own);
const published: { key: string; known: boolean; version: number }[] = [];
const add = (name: string, parentId: string | null = null, description = '') =>
  call()(addChannelAddress, { body: { name, parentId, description } });
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields: { path: string; msg: string }[] }) => [e.error, ...e.fields.map((f) => f.path)],
  );

beforeAll(async () => {
  bus = await testBus('channel_address_bus');
  service = await testService(orgService as unknown as ServiceDefinition, bus);
  await seedCompany(service.database, {
    companyId: own.companyId,
    name: 'Bells',
    orgId: own.orgId,
    organizationName: 'Head office',
  });
  await bus.fanout({
    topics: [orgChannelAddress.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        const { data, version = 0 } = fromRecord(orgChannelAddress, r)!;
        published.push({ key: r.key, known: data !== null, version });
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('addresses are a tree sorted by name, searchable, movable without cycles, with unique sibling names', async () => {
  const europe = await add('Europe', null, 'All of it');
  const spain = await add('Spain', europe.id);
  await add('Austria', europe.id);
  await add('Africa');
  const { records, total } = await call()(listChannelAddresses, { query: {} });
  expect([total, records.map((a) => a.path.join('/'))]).toEqual([
    4,
    ['Africa', 'Europe', 'Europe/Austria', 'Europe/Spain'],
  ]);
  expect(records[3]).toMatchObject({ id: spain.id, parentId: europe.id, description: '', channels: 0 });
  expect((await call()(listChannelAddressNames, {})).map((a) => a.path.join('/'))).toEqual(
    records.map((a) => a.path.join('/')),
  );
  expect((await call()(listChannelAddresses, { query: { search: 'all OF' } })).records.map((a) => a.name)).toEqual([
    'Europe',
  ]);
  const { faults } = await filterFaults(listChannelAddresses, (query) =>
    call()(listChannelAddresses, { query } as never),
  );
  expect(faults).toEqual([]);
  expect(await refusal(add('sPAIN', europe.id))).toEqual(['channelAddress.nameTaken', 'name']);
  const edit = (id: string, parentId: string | null) =>
    call()(editChannelAddress, { body: { id, name: 'Europe', parentId, description: '' } });
  expect(await refusal(edit(europe.id, spain.id))).toEqual(['channelAddress.cycle', 'parentId']);
  expect(await refusal(edit(europe.id, europe.id))).toEqual(['channelAddress.cycle', 'parentId']);
  const madrid = await add('Madrid', spain.id);
  await call()(editChannelAddress, { body: { id: spain.id, name: 'Iberia', parentId: null, description: 'moved' } });
  expect((await call()(getChannelAddress, { params: { id: madrid.id } })).path).toEqual(['Iberia', 'Madrid']);
});

test('addresses are edited as a tree, kept while in use, and restored in place [CHN-05]', async () => {
  const north = await add('North', null, 'Cold');
  const hill = await add('Hil', north.id);
  await call()(editChannelAddress, { body: { id: hill.id, name: 'Hill', parentId: north.id, description: 'High' } });
  const listed = async () =>
    (await call()(listChannelAddresses, { query: { search: 'h' } })).records
      .filter((a) => [north.id, hill.id].includes(a.id))
      .map((a) => [a.name, a.parentId, a.description]);
  expect(await listed()).toEqual([
    ['North', null, 'Cold'],
    ['Hill', north.id, 'High'],
  ]);
  const remove = (id: string) => call()(deleteChannelAddress, { query: { id } });
  expect(await refusal(remove(north.id))).toEqual(['channelAddress.notEmpty']);
  const channel = uuidv7();
  await bus.publish([
    toRecord(
      authCompany,
      channel,
      {
        companyId: channel,
        orgId: uuidv7(),
        name: 'Hill bells',
        organizationName: 'Head office',
        type: 'reseller',
        remarks: '',
        parentId: own.companyId,
        channel: {
          addressId: hill.id,
          createSubLimit: 0,
          fcsLimit: 0,
          licenseGranting: false,
          fcsEnabled: false,
          localSync: false,
          fcsUrl: '',
          fcsDomain: '',
        },
      },
      envelope('made', { companyId: channel }),
    ),
  ]);
  const placed = await eventually(async () => {
    const { records } = await call()(listChannels, { query: { addressId: [hill.id] } });
    expect(records.map((c) => [c.name, c.address])).toEqual([['Hill bells', ['North', 'Hill']]]);
    return records[0]!;
  });
  expect((await call()(getChannelAddress, { params: { id: hill.id } })).channels).toBe(1);
  expect(await refusal(remove(hill.id))).toEqual(['channelAddress.used']);
  const { id, name, type, remarks, fcsUrl, fcsDomain, licenseGranting, fcsEnabled, localSync } = placed;
  const edit = (addressId: string | null) =>
    call()(editChannel, {
      body: {
        id,
        name,
        type,
        remarks,
        fcsUrl,
        fcsDomain,
        licenseGranting,
        fcsEnabled,
        localSync,
        createSubLimit: 0,
        fcsLimit: 0,
        addressId,
      },
    });
  // A company with addresses must place each channel at one of its own.
  expect(await refusal(edit(null))).toEqual(['channel.superiorAddressEmpty', 'addressId']);
  expect(await refusal(edit(uuidv7()))).toEqual(['common.notFound']);
  await edit(north.id);
  await remove(hill.id);
  expect(await listed()).toHaveLength(1);
  const back = (ids: string[]) => call()(restoreChannelAddresses, { body: { ids } });
  expect(await back([hill.id])).toEqual({ restored: 1 });
  expect(await back([hill.id])).toEqual({ restored: 0 });
  expect((await call()(getChannelAddress, { params: { id: hill.id } })).path).toEqual(['North', 'Hill']);
  await eventually(() =>
    expect(published.filter((a) => a.key === hill.id)).toEqual([
      { key: hill.id, known: true, version: 1 },
      { key: hill.id, known: true, version: 2 },
      { key: hill.id, known: false, version: 3 },
      { key: hill.id, known: true, version: 4 },
    ]),
  );
});

test('another company can neither see nor change an address', async () => {
  const mine = await add('Foreign-Mark');
  const other = service.as(newActor());
  expect((await other(listChannelAddresses, { query: { search: 'Foreign-Mark' } })).total).toBe(0);
  expect(await other(listChannelAddressNames, {})).toEqual([]);
  expect(await refusal(other(getChannelAddress, { params: { id: mine.id } }))).toEqual(['common.notFound']);
  expect(await refusal(other(deleteChannelAddress, { query: { id: mine.id } }))).toEqual(['common.notFound']);
  expect(
    await refusal(other(editChannelAddress, { body: { id: mine.id, name: 'x', parentId: null, description: '' } })),
  ).toEqual(['common.notFound']);
  expect(await refusal(other(addChannelAddress, { body: { name: 'x', parentId: mine.id, description: '' } }))).toEqual([
    'common.notFound',
  ]);
});
