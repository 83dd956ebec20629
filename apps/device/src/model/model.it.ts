import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDevice,
  addModel,
  deleteDevices,
  deviceModelState,
  deviceState,
  deleteModel,
  editModel,
  getDevice,
  getModel,
  hiddenItems,
  listModels,
  modelTypes,
  restoreModels,
  suppliedModels,
  type EventData,
  type RouteInput,
} from '@carillon/contracts';
import { pictureMaximum } from '@carillon/contracts/constants';
import { readPicture } from '@carillon/contracts/picture';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import {
  ico,
  jpg,
  newActor,
  png,
  testBus,
  testService,
  type TestedService,
  devicePlaces,
  eventually,
  LinkedDevice,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let places: ReturnType<typeof devicePlaces>;
const own = newActor();
const stranger = newActor();
const call = (as = own) => service.as(as);
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
type Body = RouteInput<typeof addModel>['body'];
const fields = (name: string, more: Partial<Body> = {}): Body => ({
  name,
  showName: `Show ${name}`,
  internalName: `f0${name}`,
  series: 'Zz series',
  type: 'general',
  sipCount: 4,
  doorCount: 0,
  softDssKeys: 30,
  dssKeysPerPage: 6,
  dssKeyPages: 5,
  sideKeysPerPage: 4,
  sideKeyPages: 2,
  hiddenItems: ['doors'],
  secondScreen: true,
  mutualAuth: false,
  ...more,
});
const add = async (name: string, more: Partial<Body> = {}) => await call()(addModel, { body: fields(name, more) });
const fetched = (url: string, as = own) =>
  service.app
    .getHttpAdapter()
    .getInstance()
    .inject({ method: 'GET', url, headers: service.headersOf(as) });
const names = async (query: object = {}, as = own) =>
  (await call(as)(listModels, { query: { size: 200, ...query } as never })).records.map((m) => m.name);

beforeAll(async () => {
  bus = await testBus('model_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus);
  places = devicePlaces(bus, service);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

test('a model is edited, deleted and restored, and its name is unique in any case [CFG-03/fields]', async () => {
  for (const type of modelTypes) {
    const made = await add(`Zz ${type}`, { type, hiddenItems: [...hiddenItems], mutualAuth: type === 'egs' });
    expect(made).toEqual({
      ...fields(`Zz ${type}`, { type, hiddenItems: [...hiddenItems], mutualAuth: type === 'egs' }),
      id: made.id,
      supplied: false,
      confirmed: true,
      capabilities: {},
      picture: null,
      devices: 0,
      updatedAt: expect.stringMatching(/^\d{4}-/),
    });
    expect(await call()(getModel, { params: { id: made.id } })).toEqual(made);
  }
  expect(modelTypes).toEqual(['general', 'video', 'egs', 'base', 'ipct']);
  expect(await refusal(call()(addModel, { body: fields('Zz other', { type: 'fax' as never }) }))).toBe(
    'common.invalid',
  );
  expect(await refusal(add('zZ VIDEO'))).toBe('model.nameTaken');
  const made = await add('Zz again', { picture: png.toString('base64') });
  const changed = fields('Zz changed', { series: '', sipCount: 0, secondScreen: false });
  const after = await call()(editModel, { body: { id: made.id, ...changed } });
  expect(after).toMatchObject(changed);
  expect(after.picture).toMatch(new RegExp(`^/api/f/device/model/${made.id}/picture\\?v=2$`));
  expect(await refusal(call()(editModel, { body: { id: made.id, ...fields('Zz base') } }))).toBe('model.nameTaken');
  await call()(deleteModel, { query: { id: made.id } });
  expect(await refusal(call()(getModel, { params: { id: made.id } }))).toBe('common.notFound');
  expect(await call()(restoreModels, { body: { ids: [made.id] } })).toEqual({ restored: 1 });
  const back = await call()(getModel, { params: { id: made.id } });
  const picture = after.picture!.replace('v=2', 'v=3');
  expect({ ...back, updatedAt: '' }).toEqual({ ...after, picture, updatedAt: '' });
  const { rawPayload } = await fetched(back.picture!);
  expect(rawPayload.equals(readPicture(png)!.bytes)).toBe(true);
});

test('a model has from 0 to 100 soft DSS keys and no other number [CFG-03]', async () => {
  for (const softDssKeys of [0, 100])
    expect((await add(`Zz keys ${softDssKeys}`, { softDssKeys })).softDssKeys).toBe(softDssKeys);
  for (const softDssKeys of [-1, 101, 1.5, '5' as never, null as never])
    expect(await refusal(add('Zz keys', { softDssKeys })), String(softDssKeys)).toBe('common.invalid');
  expect(await names({ search: 'Zz keys' })).toEqual(['Zz keys 0', 'Zz keys 100']);
});

test('a picture is a JPG or PNG under 100 KB by content and loses its metadata [CFG-03]', async () => {
  const padded = (length: number) => Buffer.concat([jpg.subarray(0, 2), comment(length - jpg.length), jpg.subarray(2)]);
  const huge = Buffer.from(png);
  huge.writeUInt32BE(20_000, 16);
  for (const wrong of [ico, Buffer.from('<svg/>'), Buffer.alloc(0), padded(pictureMaximum), png.subarray(0, -8)])
    expect(await refusal(add('Zz picture', { picture: wrong.toString('base64') }))).toBe('config.imageWrong');
  expect(await refusal(add('Zz picture', { picture: huge.toString('base64') }))).toBe('config.pixelsMany');
  expect(await names({ search: 'Zz picture' })).toEqual([]);
  const made = await add('Zz picture', { picture: padded(pictureMaximum - 1).toString('base64') });
  const answer = await fetched(made.picture!);
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect(answer.rawPayload.equals(readPicture(jpg)!.bytes)).toBe(true);
  expect((await fetched(made.picture!, stranger)).statusCode).toBe(404);
  const { id } = made;
  const { picture } = await call()(editModel, { body: { id, ...fields('Zz picture'), picture: null } });
  expect(picture).toBeNull();
  expect((await fetched(made.picture!)).statusCode).toBe(404);
});

test('every company has the supplied models, read-only, and no other company’s [CFG-03/supplied]', async () => {
  await add('Zz mine');
  const supplied = suppliedModels.map((m) => m.name).toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  expect(await names({}, stranger)).toEqual(supplied);
  const all = await names();
  expect(all.slice(-supplied.length)).toEqual(supplied);
  expect(all.slice(0, -supplied.length)).toContain('Zz mine');
  const [first] = (await call(stranger)(listModels, { query: { search: suppliedModels[0]!.name } })).records;
  expect(first).toMatchObject({ ...suppliedModels[0], supplied: true, picture: null, updatedAt: null });
  const id = first!.id;
  expect(await refusal(call()(editModel, { body: { id, ...fields('Zz theirs') } }))).toBe('model.supplied');
  expect(await refusal(call()(deleteModel, { query: { id } }))).toBe('model.supplied');
  expect(await refusal(add(first!.name.toLowerCase()))).toBe('model.nameTaken');
  const mine = (await call()(listModels, { query: { search: 'Zz mine' } })).records[0]!.id;
  expect(await refusal(call(stranger)(getModel, { params: { id: mine } }))).toBe('common.notFound');
  expect(await refusal(call(stranger)(deleteModel, { query: { id: mine } }))).toBe('common.notFound');
});

test('a model in use cannot be deleted, and changing models needs all organizations [CFG-03/devices]', async () => {
  const { id } = await add('Zz counted');
  const body = { ...(await places(own)), mac: '0c383ec00001', name: 'Counted', model: 'zz COUNTED', sn: '1' };
  const { device } = await call()(addDevice, { body });
  expect((await call()(getModel, { params: { id } })).devices).toBe(1);
  expect(await refusal(call()(deleteModel, { query: { id } }))).toBe('model.inUse');
  const narrow = { ...own, orgIds: [own.orgId] };
  expect([
    await refusal(call(narrow)(addModel, { body: fields('Zz narrow') })),
    await refusal(call(narrow)(editModel, { body: { id, ...fields('Zz narrow') } })),
    await refusal(call(narrow)(deleteModel, { query: { id } })),
    await refusal(call(narrow)(restoreModels, { body: { ids: [id] } })),
  ]).toEqual(Array.from({ length: 4 }, () => 'model.narrowed'));
  await call()(deleteDevices, { query: { ids: [device.id] } });
  await call()(deleteModel, { query: { id } });
  expect(await names({ search: 'Zz counted' })).toEqual([]);
});

test('an Auto device gets the model of its hello, or is listed until confirmed [DEV-02/hello]', async () => {
  const add = async (mac: string) => {
    const body = { ...(await places(own)), mac, name: mac, model: 'Auto', series: 'Fanvil X', sn: mac };
    return (await call()(addDevice, { body })).device;
  };
  const [one, other] = [await add('0c383ec10001'), await add('0c383ec10002')];
  const unconfirmed = () => names({ confirmed: ['false'] });
  expect([one.model, await unconfirmed()]).toEqual(['Auto', []]);
  await new LinkedDevice(bus, one, own.companyId).hello({ model: 'X5U' });
  await new LinkedDevice(bus, other, own.companyId).hello({ model: 'Zz 9000' });
  await eventually(async () =>
    expect([
      (await call()(getDevice, { params: { id: one.id } })).model,
      (await call()(getDevice, { params: { id: other.id } })).model,
    ]).toEqual(['X5U', 'Zz 9000']),
  );
  expect(await unconfirmed()).toEqual(['Zz 9000']);
  const [found] = (await call()(listModels, { query: { search: 'Zz 9000' } })).records;
  expect(found).toMatchObject({ name: 'Zz 9000', supplied: false, confirmed: false, devices: 1 });
  expect(await call()(getModel, { params: { id: found!.id } })).toEqual(found);
  const { id } = found!;
  expect([
    await refusal(call()(editModel, { body: { id, ...fields('Zz 9000') } })),
    await refusal(call()(deleteModel, { query: { id } })),
    await refusal(
      call()(addDevice, {
        body: { ...(await places(own)), mac: '0c383ec10003', name: 'x', model: 'Zz 9000', sn: 'x' },
      }),
    ),
  ]).toEqual(['common.notFound', 'common.notFound', 'device.modelUnknown']);
  expect(await names({ confirmed: ['false'] }, stranger)).toEqual([]);
  expect((await call()(addModel, { body: fields('Zz 9000') })).devices).toBe(1);
  expect(await unconfirmed()).toEqual([]);
  await call()(deleteDevices, { query: { ids: [one.id, other.id] } });
});

test('capabilities of a model are stored, kept by other edits and validated [CFG-03/capability]', async () => {
  const known = { reboot: true, factoryReset: false };
  const made = await add('Zz able', { capabilities: known });
  expect(made.capabilities).toEqual(known);
  const { id } = made;
  const edit = (more: Partial<Body>) => call()(editModel, { body: { id, ...fields('Zz able', more) } });
  expect((await edit({ softDssKeys: 5 })).capabilities).toEqual(known);
  for (const capabilities of [
    { reboot: 'yes' as never },
    { 'no key': true },
    Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`key${n}`, true])),
  ])
    expect(await refusal(edit({ capabilities }))).toBe('common.invalid');
  expect((await call()(getModel, { params: { id } })).capabilities).toEqual(known);
  await call()(deleteModel, { query: { id } });
  await call()(restoreModels, { body: { ids: [id] } });
  expect((await call()(getModel, { params: { id } })).capabilities).toEqual(known);
  expect((await edit({ capabilities: {} })).capabilities).toEqual({});
  const [supplied] = (await call()(listModels, { query: { search: 'GDS3710' } })).records;
  expect(supplied!.capabilities).toEqual({ doorControl: true });
});

test('a device’s own abilities decide about an action that its model lacks [CFG-03/capability]', async () => {
  const published: (string[] | undefined)[] = [];
  const body = { ...(await places(own)), mac: '0c383ec20001', name: 'Able', model: 'Zz able', sn: 'A1' };
  const { device } = await call()(addDevice, { body });
  const feed = await bus.fanout({
    topics: [deviceState.name],
    from: 'end',
    handle: ({ records }) => {
      for (const r of records)
        if (r.key === device.id) published.push(fromRecord(deviceState, r)!.data?.capabilities as string[] | undefined);
    },
  });
  const hello = ['reboot', 'factoryReset', 'locate'];
  await new LinkedDevice(bus, device, own.companyId).hello({ model: 'Zz able', capabilities: hello });
  await eventually(() => expect(published.at(-1)).toEqual(hello));
  const id = (await call()(listModels, { query: { search: 'Zz able' } })).records[0]!.id;
  const set = (capabilities: Record<string, boolean>) =>
    call()(editModel, { body: { id, ...fields('Zz able', { capabilities }) } });
  // Unknown and supported ones stay: the device's own word decides.
  await set({ factoryReset: false, reboot: true, firmwareUpgrade: true });
  await eventually(() => expect(published.at(-1)).toEqual(['reboot', 'locate']));
  const shown = async () => (await call()(getDevice, { params: { id: device.id } })).unsupported;
  expect(await shown()).toEqual(['factoryReset']);
  await set({ reboot: true });
  await eventually(() => expect(published.at(-1)).toEqual(hello));
  expect(await shown()).toEqual([]);
  await feed.close();
  await call()(deleteDevices, { query: { ids: [device.id] } });
});

test('a model is published when it is added, edited, deleted and restored, with its versions', async () => {
  const published: [EventData<typeof deviceModelState, 'model'> | null, number][] = [];
  const feed = await bus.fanout({
    topics: [deviceModelState.name],
    from: 'end',
    handle: ({ records }) => {
      for (const r of records) {
        const { data, version } = fromRecord(deviceModelState, r)!;
        published.push([data, version!]);
      }
    },
  });
  const { id } = await add('Zz told');
  await call()(editModel, { body: { id, ...fields('Zz told', { series: 'Zz other' }) } });
  await call()(deleteModel, { query: { id } });
  await call()(restoreModels, { body: { ids: [id] } });
  await call()(editModel, { body: { id, ...fields('Zz told') } });
  const { companyId } = own;
  const model = {
    id,
    companyId,
    name: 'Zz told',
    showName: 'Show Zz told',
    internalName: 'f0Zz told',
    mutualAuth: false,
    keys: {
      ...{ sipCount: 4, softDssKeys: 30, dssKeysPerPage: 6, dssKeyPages: 5, sideKeysPerPage: 4, sideKeyPages: 2 },
      ...{ hiddenItems: ['doors'], secondScreen: true },
    },
  };
  await eventually(() =>
    expect(published).toEqual([
      [{ ...model, series: 'Zz series' }, 1],
      [{ ...model, series: 'Zz other' }, 2],
      [null, 3],
      [{ ...model, series: 'Zz other' }, 3],
      [{ ...model, series: 'Zz series' }, 4],
    ]),
  );
  await feed.close();
});

/** Returns JPG comment segments of the given total length. */
function comment(length: number): Buffer {
  const parts: Buffer[] = [];
  for (let left = length; left > 0;) {
    const size = Math.min(left, 60_000);
    // Leaves no rest that is shorter than a segment header.
    const piece = left - size > 0 && left - size < 4 ? size - 4 : size;
    parts.push(Buffer.from([0xff, 0xfe, (piece - 2) >> 8, (piece - 2) & 0xff]), Buffer.alloc(piece - 4));
    left -= piece;
  }
  return Buffer.concat(parts);
}
