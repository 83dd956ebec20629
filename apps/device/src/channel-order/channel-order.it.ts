import { describe, expect, it } from 'vitest';
import {
  addChannelOrderImport,
  addModel,
  commitChannelOrderImport,
  deleteChannelOrders,
  deleteDevices,
  getChannelOrderImport,
  getDevice,
  listChannelOrderImportRows,
  listChannelOrders,
  listMacDisputes,
  permissionKeys,
  restoreChannelOrders,
  settleMac,
  undoChannelOrderImport,
  type ImportStatus,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { eventually, filterFaults, inPieces, newActor, sheetFile, violations, type Actor } from '@carillon/testing';
import { DeletionService } from '../device/deletion.service.ts';
import { refusal, startChannelOrders } from './channel-order-test.ts';

const {
  service,
  top,
  parent,
  child,
  sibling,
  grandchild,
  nextMac,
  add,
  allocate,
  make,
  orders,
  lineOf,
  deviceOf,
  steps,
  addOwn,
  connected,
  inside,
  ownerOf,
  noted,
} = await startChannelOrders();
const shown = (mac: string) => mac.toUpperCase().match(/../g)!.join(':');
const model = (by: Actor, name: string) =>
  service.as(by)(addModel, {
    body: {
      ...{ name, showName: '', internalName: '', series: '', type: 'general', sipCount: 2, doorCount: 0 },
      ...{ softDssKeys: 0, dssKeysPerPage: 0, dssKeyPages: 0, sideKeysPerPage: 0, sideKeyPages: 0 },
      ...{ hiddenItems: [], secondScreen: false, mutualAuth: false },
    },
  });

describe('a line of an order', () => {
  it('is added by hand with a normalized MAC, and found by each of its fields', async () => {
    const mac = nextMac();
    const line = await add(parent, { mac: shown(mac), model: 'X6U', order: 'PO-1' });
    expect(line).toEqual({
      id: expect.any(String),
      mac,
      model: 'X6U',
      order: 'PO-1',
      source: 'manual',
      from: null,
      status: 'unassigned',
      inAt: expect.any(String),
      assignedAt: null,
      company: null,
      deviceId: null,
    });
    expect((await orders(parent, { search: shown(mac).slice(-8) })).map((o) => o.mac)).toContain(mac);
    await allocate(parent, child, { macs: [mac] });
    const { checked, faults } = await filterFaults(listChannelOrders, (query) =>
      service.as(parent)(listChannelOrders, { query } as never),
    );
    expect(faults).toEqual([]);
    expect(checked.length).toBeGreaterThan(10);
  });

  it('is refused with a model that the company’s list does not have [CHN-03/model]', async () => {
    await model(sibling, 'Theirs only');
    for (const name of ['Theirs only', 'Auto', 'zzz'])
      expect(await refusal(add(parent, { model: name }))).toBe('model: device.modelUnknown');
    expect((await add(sibling, { model: 'theirs only' })).model).toBe('Theirs only');
  });

  it('is deleted and restored while it is free; one that is given, received or in use stays', async () => {
    const [free, given, device] = [await add(parent), await add(parent), await add(parent)];
    await allocate(parent, child, { ids: [given.id] });
    await make(parent, [device.mac]);
    const remove = (by: Actor, id: string) => refusal(service.as(by)(deleteChannelOrders, { query: { ids: [id] } }));
    expect(await remove(parent, given.id)).toBe('channelOrder.assigned');
    expect(await remove(parent, device.id)).toBe('channelOrder.hasDevice');
    expect(await remove(child, (await lineOf(child, given.mac))!.id)).toBe('channelOrder.fromAbove');
    expect(await remove(sibling, free.id)).toBe('common.notFound');
    expect(await remove(parent, free.id)).toBe('none');
    expect(await lineOf(parent, free.mac)).toBeUndefined();
    expect(await ownerOf(free.mac)).toBeUndefined();
    await service.as(parent)(restoreChannelOrders, { body: { ids: [free.id] } });
    expect(await lineOf(parent, free.mac)).toEqual(free);
    expect(await ownerOf(free.mac)).toMatchObject({ company_id: parent.companyId, proof: 'order' });
    // A line is not restored when another company has claimed its MAC since.
    expect(await remove(parent, free.id)).toBe('none');
    await add(sibling, { mac: free.mac });
    expect(await refusal(service.as(parent)(restoreChannelOrders, { body: { ids: [free.id] } }))).toBe(
      'common.restoreOver',
    );
  });
});

describe('an import of a sheet', () => {
  const reached = (by: Actor, id: string, status: ImportStatus) =>
    eventually(async () => {
      const now = await service.as(by)(getChannelOrderImport, { params: { id } });
      expect(now.status).toBe(status);
      return now;
    });
  const checked = async (by: Actor, rows: unknown[][], type: 'xlsx' | 'biff8') => {
    const { import: made } = await service.as(by)(addChannelOrderImport, {
      body: { name: 'order.xls', file: inPieces(sheetFile(rows, type)) },
    });
    return reached(by, made!.id, 'checked');
  };
  const commit = async (by: Actor, id: string) => {
    await service.as(by)(commitChannelOrderImport, { params: { id } });
    return reached(by, id, 'done');
  };

  it.each(['xlsx', 'biff8'] as const)(
    '%s: adds and updates MACs, rejects invalid rows, and undoes what was not given on [CHN-03/import]',
    async (type) => {
      const known = await add(parent, { order: 'Old' });
      const given = await add(parent);
      const elsewhere = nextMac();
      await addOwn(newActor(), elsewhere);
      await allocate(parent, child, { ids: [given.id] });
      const [first, second, kept] = [nextMac(), nextMac(), nextMac()] as [string, string, string];
      const made = await checked(
        parent,
        [
          ['MAC', 'Modelo', '订单'],
          [shown(first), 'X7A', 'PO-9'],
          [second, 'x6u', ''],
          [kept, 'X6U', ''],
          [known.mac, '', 'New'],
          [given.mac, 'X6U', ''],
          ['0c383e', 'X7A', ''],
          [nextMac(), '', ''],
          [nextMac(), 'zzz', ''],
          [elsewhere, 'X7A', ''],
        ],
        type,
      );
      expect(made.counts).toMatchObject({ total: 9, add: 4, update: 1, wrong: 4 });
      expect(await lineOf(parent, first)).toBeUndefined();
      const done = await commit(parent, made.id);
      expect(done.counts).toMatchObject({ done: 4, wrong: 5 });
      expect(await lineOf(parent, first)).toMatchObject({ model: 'X7A', order: 'PO-9', source: 'import' });
      expect(await lineOf(parent, second)).toMatchObject({ model: 'X6U', source: 'import' });
      expect(await lineOf(parent, known.mac)).toMatchObject({ model: 'X7A', order: 'New', source: 'manual' });
      const { records: rows } = await service.as(parent)(listChannelOrderImportRows, {
        params: { id: made.id },
        query: { outcome: 'wrong' },
      });
      expect(rows.flatMap((r) => r.errors.map((e) => [e.field, e.error]))).toEqual([
        ['model', 'channelOrder.assigned'],
        ['mac', 'device.macFormat'],
        ['model', 'common.fieldRequired'],
        ['model', 'device.modelUnknown'],
        ['mac', 'device.macTaken'],
      ]);
      expect(await deviceOf(parent, elsewhere)).toBeUndefined();
      await allocate(parent, sibling, { macs: [kept] });
      await service.as(parent)(undoChannelOrderImport, { params: { id: made.id } });
      expect((await reached(parent, made.id, 'undone')).counts).toMatchObject({ undone: 3, kept: 1 });
      expect(await lineOf(parent, first)).toBeUndefined();
      expect(await lineOf(parent, known.mac)).toMatchObject({ order: 'Old' });
      expect(await lineOf(parent, kept)).toMatchObject({ status: 'assigned' });
      expect(await ownerOf(second)).toBeUndefined();
    },
  );
});

describe('a MAC', () => {
  it("belongs to the first company; a typed one is free after its device's deletion, an ordered one is not", async () => {
    const [typed, ordered] = [nextMac(), nextMac()];
    const { device } = await addOwn(sibling, typed);
    await add(sibling, { mac: ordered });
    const { devices } = await make(sibling, [ordered]);
    for (const mac of [typed, ordered]) {
      expect(await refusal(addOwn(child, mac))).toBe('device.macTaken');
      expect(await refusal(add(child, { mac }))).toBe('device.macTaken');
    }
    await service.as(sibling)(deleteDevices, { query: { ids: [device.id, devices[0]!.id] } });
    // Another company cannot take it while its deletion can be undone.
    expect(await refusal(addOwn(child, typed))).toBe('device.macTaken');
    await inside(sibling, `update device_deleted set deleted_at = deleted_at - interval '1 hour'`);
    await service.app.get(DeletionService).forget();
    expect(await refusal(addOwn(child, ordered))).toBe('device.macTaken');
    expect(await refusal(addOwn(child, typed))).toBe('none');
    expect(await ownerOf(typed)).toMatchObject({ company_id: child.companyId, proof: 'typed' });
  });

  it("a parent's order displaces only MACs that a subsidiary typed and that never connected", async () => {
    const [fresh, used, beside] = [nextMac(), nextMac(), nextMac()];
    const { device } = await addOwn(grandchild, fresh, 'Typed below');
    await addOwn(grandchild, used, 'In use below');
    await addOwn(sibling, beside);
    await connected(grandchild, used);
    expect(await refusal(add(child, { mac: fresh }))).toBe('none');
    expect(await refusal(service.as(grandchild)(getDevice, { params: { id: device.id } }))).toBe('common.notFound');
    expect(await steps(grandchild, fresh)).toEqual([['lost', null]]);
    await eventually(() => expect(noted(grandchild, 'channelOrder.lost').at(-1)).toMatchObject({ username: 'system' }));
    expect(await refusal(add(child, { mac: used }))).toBe('device.macTaken');
    expect(await deviceOf(grandchild, used)).toBeDefined();
    // A sibling is not a subsidiary.
    expect(await refusal(add(child, { mac: beside }))).toBe('device.macTaken');
    expect(await deviceOf(sibling, beside)).toBeDefined();
  });
});

describe('a MAC that two companies want', () => {
  const chief: Actor = { ...top, permissions: permissionKeys };
  const wanted = async (mac: string) => (await service.as(chief)(listMacDisputes, {})).find((d) => d.mac === mac);
  const settle = (mac: string, to: Actor) => service.as(chief)(settleMac, { body: { mac, companyId: to.companyId } });

  it("is given by the super administrator: the loser's device ends, the winner gets stock, and both log it", async () => {
    const mac = nextMac();
    await addOwn(sibling, mac, 'Held');
    await connected(sibling, mac);
    expect(await refusal(add(child, { mac, model: 'X6U' }))).toBe('device.macTaken');
    expect(await refusal(add(grandchild, { mac }))).toBe('device.macTaken');
    expect(await wanted(mac)).toEqual({
      mac,
      holder: { id: sibling.companyId, name: 'Sibling', since: expect.any(String), connected: true },
      claims: [
        { id: grandchild.companyId, name: 'Grandchild', model: 'X7A', proof: 'order', at: expect.any(String) },
        { id: child.companyId, name: 'Child', model: 'X6U', proof: 'order', at: expect.any(String) },
      ],
    });
    // Nothing can be settled for an undisputed MAC, or in favor of a company that has not asked for it.
    expect(await refusal(settle(nextMac(), child))).toBe('common.notFound');
    expect(await refusal(settle(mac, parent))).toBe('common.notFound');
    await settle(mac, child);
    expect(await deviceOf(sibling, mac)).toBeUndefined();
    expect(await lineOf(child, mac)).toMatchObject({ status: 'unassigned', model: 'X6U' });
    expect(await ownerOf(mac)).toMatchObject({ company_id: child.companyId, proof: 'order', epoch: 2 });
    expect(await steps(sibling, mac)).toEqual([['lost', null]]);
    expect(await wanted(mac)).toBeUndefined();
    expect(await refusal(addOwn(sibling, mac))).toBe('device.macTaken');
    await eventually(() => {
      for (const [actor, action] of [
        [sibling, 'channelOrder.lost'],
        [child, 'channelOrder.settled'],
      ] as const)
        expect(noted(actor, action).at(-1)).toMatchObject({ username: 'system', detail: { devices: [{ mac }] } });
    });
  });

  it('stays with its owner when so decided, and the dispute ends once one company gives up', async () => {
    const [kept, freed] = [nextMac(), nextMac()];
    await add(sibling, { mac: kept });
    const held = await add(sibling, { mac: freed });
    for (const mac of [kept, freed]) expect(await refusal(add(child, { mac }))).toBe('device.macTaken');
    await settle(kept, sibling);
    expect(await lineOf(sibling, kept)).toBeDefined();
    expect(await wanted(kept)).toBeUndefined();
    await service.as(sibling)(deleteChannelOrders, { query: { ids: [held.id] } });
    expect((await wanted(freed))!.holder).toBeNull();
    await add(child, { mac: freed });
    expect(await wanted(freed)).toBeUndefined();
  });
});

it(
  'no call reaches devices beside or two levels down the tree, by id, MAC or name [CHN-04]',
  { tags: 'slow', timeout: 120_000 },
  async () => {
    await model(child, 'Marked-Model');
    const { mac } = await add(child, { model: 'Marked-Model', order: 'Marked-Order' });
    const { devices } = await make(child, [mac]);
    const given = await add(child, { model: 'Marked-Model' });
    await allocate(child, grandchild, { macs: [given.mac] });
    const lineId = (await lineOf(child, mac))!.id;
    const ids = [child.companyId, child.orgId, lineId, given.id, devices[0]!.id];
    const tables = ['device', 'channel_order', 'custody', 'mac_owner', 'mac_dispute', 'device_deleted'];
    const state = async () => {
      const found = [];
      for (const table of tables) {
        const sql = `select to_jsonb(x) from ${table} x where x.mac = any ($1) order by to_jsonb(x)::text`;
        found.push((await inside(child, sql, [[mac, given.mac]])).rows);
      }
      return JSON.stringify(found);
    };
    const routes = allRoutes.filter((r) => r.owner === 'device' && r.route.permission !== 'public');
    for (const by of [top, parent, sibling, grandchild]) {
      // The direct parent knows its channel and gives to it.
      const theirs = by === parent ? ids.filter((id) => id !== child.companyId) : ids;
      const found = await violations({
        routes,
        ids: theirs,
        marks: ['Marked-Model', 'Marked-Order', mac, shown(mac)],
        state,
        ask: async (one) => {
          const { status, body } = await service.raw(
            { ...by, userId: newActor().userId },
            {
              method: one.method,
              url: one.url,
              ...(one.body === undefined ? {} : { payload: one.body, headers: { 'content-type': 'application/json' } }),
            },
          );
          return { status, text: JSON.stringify(body) };
        },
      });
      // A grandchild sees in its own stock what it was given.
      const wrong = by === grandchild ? found.filter((f) => !f.endsWith('tells Marked-Model')) : found;
      expect(wrong.map((f) => f.slice(0, 400)).join('\n')).toBe('');
    }
  },
);
