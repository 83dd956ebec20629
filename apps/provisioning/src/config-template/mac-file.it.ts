import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addConfigTemplate,
  getDeviceConfig,
  listConfigTemplates,
  listConfigTemplateVersions,
  uploadMacFiles,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, testBus, type Actor, type TestedService } from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';
import { publishDevice } from '../testing/publish-device.ts';

let bus: PostgresBus;
let service: TestedService;

beforeAll(async () => {
  bus = await testBus('mac_file_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const macOf = (i: number): string => `0c383e${i.toString(16).padStart(6, '0')}`;
/** Publishes devices of the actor's company, and returns their ids when the service knows them all. */
async function withDevices(as: Actor, macs: readonly string[]): Promise<string[]> {
  const ids = macs.map(() => uuidv7());
  for (const [i, mac] of macs.entries()) await publishDevice(bus, as, ids[i]!, { mac, name: `Phone ${mac}` });
  const known = () =>
    transaction(service.database, companySession(as.companyId), async () => {
      const { rows } = await currentSql().query<{ n: number }>('select count(*)::int n from device_copy');
      return rows[0]!.n;
    });
  await eventually(async () => expect(await known()).toBeGreaterThanOrEqual(ids.length));
  return ids;
}
const upload = async (as: Actor, files: { name: string; text: string }[]) =>
  (await service.as(as)(uploadMacFiles, { body: { files } })).results;
const valuesOf = async (as: Actor, id: string) => {
  const { values } = await service.as(as)(getDeviceConfig, { params: { id } });
  return Object.fromEntries(values.map(({ key: name, value, template }) => [name, [value, template.name]]));
};
const templates = async (as: Actor) => (await service.as(as)(listConfigTemplates, { query: { limit: 200 } })).records;

test('takes or refuses each of 1,000 MAC files by name, with the reason, and no more at once [CFG-02/call]', async () => {
  const as = newActor();
  const macs = Array.from({ length: 990 }, (_, i) => macOf(i));
  const ids = await withDevices(as, macs);
  const good = macs.map((mac, i) => ({ name: `${mac}.txt`, text: `screen.backlight = ${i + 1}\n` }));
  const bad = [
    ['notes.txt', 'screen.backlight = 1', 'macFile.name'],
    ['0C-38-3E-00-00-00.txt', 'screen.backlight = 1', 'macFile.twice'],
    ['ffffffffffff.txt', 'screen.backlight = 1', 'macFile.device'],
    ['0c383f000001.txt', '', 'macFile.device'],
  ].map(([name, text, error]) => ({ name: name!, text: text!, error: error! }));
  const files = [...good, ...bad.map(({ name, text }) => ({ name, text }))];
  while (files.length < 1_000) files.push({ name: `${files.length}.txt`, text: '' });
  const results = await upload(as, files);
  expect(results.map(({ name }) => name)).toEqual(files.map(({ name }) => name));
  expect(results.slice(0, 990).every((r) => r.isChanged && r.error === null && r.settings === 1)).toBe(true);
  expect(results.slice(0, 990).map((r) => r.deviceId)).toEqual(ids);
  expect(results.slice(990, 994).map(({ error }) => error)).toEqual(bad.map(({ error }) => error));
  expect(results[991]!.msg).toBe('Another file of this upload is for the same device: 0c383e000000.txt.');
  expect((await service.as(as)(listConfigTemplates, { query: {} })).total).toBe(990);
  await expect(upload(as, [...files, { name: 'one-too-many.txt', text: '' }])).rejects.toMatchObject({ code: 400 });
  await eventually(async () =>
    expect(await valuesOf(as, ids[989]!)).toEqual({ 'screen.backlight': [990, '0C:38:3E:00:03:DD'] }),
  );
});

test('the template of a MAC file is found by its MAC in any spelling [DEV-03/template]', async () => {
  const as = newActor();
  const mac = '0c383ea7b2f3';
  await withDevices(as, [mac, '0c383ea7b2f4']);
  await upload(
    as,
    [mac, '0c383ea7b2f4'].map((one) => ({ name: `${one}.txt`, text: 'screen.backlight = 1\n' })),
  );
  const parted = [':', '-', '.', ' '].map((mark) => mac.match(/../g)!.join(mark));
  for (const search of [mac, mac.slice(-6), ...parted].flatMap((one) => [one, one.toUpperCase()])) {
    const { records } = await service.as(as)(listConfigTemplates, { query: { search } });
    expect(
      records.map(({ name }) => name),
      search,
    ).toEqual(['0C:38:3E:A7:B2:F3']);
  }
});

test('a file replaces the device’s own template as a version named by the file, the same file nothing', async () => {
  const as = newActor();
  const mac = macOf(4_000);
  const [id] = await withDevices(as, [mac]);
  const own = { name: 'Bar', description: 'Kept', level: 'device' as const, target: id! };
  const values = { 'phone.language': 'ko', 'screen.backlight': 5 };
  const { id: template } = await service.as(as)(addConfigTemplate, { body: { ...own, values } });
  const file = { name: `${mac}.txt`, text: 'screen.backlight = 60\nnetwork.lldp = 0' };
  expect((await upload(as, [file]))[0]).toMatchObject({ deviceName: `Phone ${mac}`, settings: 2, isChanged: true });
  expect((await upload(as, [file]))[0]).toMatchObject({ isChanged: false, error: null });
  const [now] = await templates(as);
  const replaced = { 'screen.backlight': 60, 'network.lldp': false };
  expect(now).toMatchObject({ id: template, name: 'Bar', description: 'Kept', version: 2, values: replaced });
  const { records } = await service.as(as)(listConfigTemplateVersions, { query: { id: template } });
  expect(records.map(({ version, reason }) => [version, reason])).toEqual([
    [2, `${mac}.txt`],
    [1, ''],
  ]);
});

test('a user who may only add templates cannot replace one by a file', async () => {
  const as = newActor();
  const [one, other] = [macOf(7_000), macOf(7_001)];
  const [id] = await withDevices(as, [one, other]);
  const own = { name: 'Bar', description: '', level: 'device' as const, target: id! };
  await service.as(as)(addConfigTemplate, { body: { ...own, values: { 'screen.backlight': 5 } } });
  const files = [one, other].map((mac) => ({ name: `${mac}.txt`, text: 'screen.backlight = 60' }));
  const results = await upload({ ...as, permissions: ['addConfigTemplate'] }, files);
  expect(results.map(({ error, isChanged }) => [error, isChanged])).toEqual([
    ['common.forbidden', false],
    [null, true],
  ]);
  expect((await templates(as)).find(({ name }) => name === 'Bar')).toMatchObject({ version: 1 });
});

test('a file that is refused changes nothing, in the language of the user', async () => {
  const as = newActor();
  const mac = macOf(5_000);
  const [id] = await withDevices(as, [mac]);
  const file = { name: `${mac}.txt`, text: 'time.format = 12\nscreen.backlight = 0' };
  const [result] = await upload({ ...as, language: 'pt_BR' }, [file]);
  expect(result).toMatchObject({
    error: 'macFile.value',
    msg: 'Linha 2: “screen.backlight” não aceita este valor.',
    deviceId: null,
  });
  expect(await templates(as)).toEqual([]);
  expect(await valuesOf(as, id!)).toEqual({});
});

test('a template that has the MAC as its name is told, in any case of its letters', async () => {
  const as = newActor();
  const mac = macOf(0xabcd);
  await withDevices(as, [mac]);
  const body = { name: '0c:38:3e:00:ab:cd', description: '', level: 'general' as const, target: null };
  await service.as(as)(addConfigTemplate, { body: { ...body, values: { 'screen.backlight': 5 } } });
  const [result] = await upload(as, [{ name: `${mac}.txt`, text: 'screen.backlight = 60' }]);
  expect(result!.error).toBe('configTemplate.nameTaken');
});

test('a device of another company is unknown, and who sees some organizations only is refused', async () => {
  const [as, other] = [newActor(), newActor()];
  const mac = macOf(6_000);
  await withDevices(other, [mac]);
  const file = { name: `${mac}.txt`, text: 'screen.backlight = 60' };
  expect((await upload(as, [file]))[0]!.error).toBe('macFile.device');
  expect(await templates(other)).toEqual([]);
  const narrowed = { ...other, orgIds: [other.orgId] };
  await expect(upload(narrowed, [file])).rejects.toMatchObject({ error: 'configTemplate.narrowed' });
});

test('more than 1,000 files are refused whole', async () => {
  const as = newActor();
  const files = Array.from({ length: 1_001 }, (_, i) => ({ name: `${macOf(i)}.txt`, text: '' }));
  await expect(upload(as, files)).rejects.toMatchObject({ error: 'common.invalid' });
});
