// @module-tag slow
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addResourceFile,
  addTask,
  deleteResourceFile,
  editResourceFile,
  getTask,
  listDevices,
  listTaskDevices,
  stopTask,
  type DeviceRecord,
  type ResourceType,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

/** Resource files from the upload to the device, with real downloads of simulated phones. */
const count = 12;
let platform: Platform;
let fleet: DeviceRecord[];

beforeAll(async () => {
  platform = await Platform.start({ name: 'resource', devices: count });
  await platform.allOnline(count);
  fleet = (await platform.call(listDevices, { query: { limit: 200, sort: 'mac' } })).records;
});
afterAll(() => platform?.close());

async function upload(name: string, bytes: Buffer): Promise<string> {
  const tus = { 'carillon-auth': platform.authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${platform.ready.url}/api/f/resource/resourceFile/upload`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
  });
  const at = begun.headers.get('location')!;
  const sent = await fetch(platform.ready.url + at, {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(sent.status).toBe(204);
  return at.split('/').at(-1)!;
}
/** The head of a PNG of 320 by 240 pixels. */
const pngHead = Buffer.from('89504e470d0a1a0a0000000d4948445200000140000000f0', 'hex');
const wav = (): Buffer => Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), randomBytes(100_000)]);
interface Stored {
  id: string;
  kind: ResourceType;
  name: string;
  files: { name: string; size: number; sha256: string }[];
}
async function add(type: ResourceType, name: string, files: Record<string, Buffer>): Promise<Stored> {
  const uploads: string[] = [];
  for (const [file, bytes] of Object.entries(files)) uploads.push(await upload(file, bytes));
  const { id } = await platform.call(addResourceFile, { body: { name, type, description: '', uploads } });
  const said = Object.entries(files).map(([file, bytes]) => ({
    name: file,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  return { id, kind: type, name, files: said };
}
const send = (name: string, action: string, params: object, to: readonly DeviceRecord[], push = false) =>
  eventually(() =>
    platform.call(addTask, {
      body: { name, action, params: { ...params }, target: { ids: to.map((d) => d.id) }, push },
    }),
  );
const ended = (id: string, counts: object) =>
  eventually(async () => {
    const task = await platform.call(getTask, { params: { id } });
    expect([task.endedAt !== null, task.counts]).toMatchObject([true, counts]);
  }, 240_000);
/** Returns the files that the phones themselves hold. */
const held = async () => {
  const all = await platform.devices();
  return fleet.map(({ mac }) => all.find((d) => d.mac === mac)!.resources ?? []);
};
const shown = ({ kind, name, files }: Stored) => ({ kind, name, files });

it('phones load and keep language packs, images and ringtones until a factory reset [DEV-06/resource]', async () => {
  const bells = await add('ringtone', 'Bells', { 'one.wav': wav(), 'two.wav': wav() });
  const logo = await add('image', 'Logo', { 'logo.png': Buffer.concat([pngHead, randomBytes(50_000)]) });
  const words = await add('languagePack', 'Words', { 'words.txt': Buffer.from('hello=Hallo\n') });
  for (const file of [bells, logo, words]) {
    const { id } = await send(file.name, 'resourceUpgrade', { resourceFileId: file.id }, fleet, true);
    await ended(id, { total: count, success: count, fail: 0 });
    await platform.allOnline(count);
  }
  const all = [bells, logo, words].map(shown);
  expect(await held()).toEqual(fleet.map(() => all));

  // Other content under the same name: a phone with a damaged download keeps its old files.
  const uploads = [await upload('three.wav', wav())];
  const edited = await platform.call(editResourceFile, {
    body: { id: bells.id, name: 'Bells', type: 'ringtone', description: '', uploads },
  });
  const [broken, ...others] = fleet;
  await platform.behave([broken!.mac], 'broken');
  // Until the task service knows the edit, tasks send the old files.
  await eventually(async () => {
    const { id } = await send('Bells again', 'resourceUpgrade', { resourceFileId: bells.id }, others.slice(0, 1));
    await ended(id, { success: 1 });
    expect((await held())[1]!.find((r) => r.name === 'Bells')!.files).toHaveLength(1);
  }, 240_000);
  const { id } = await send('Bells again', 'resourceUpgrade', { resourceFileId: bells.id }, fleet);
  await ended(id, { success: count - 1, fail: 1 });
  const rows = (await platform.call(listTaskDevices, { params: { id }, query: { limit: 200 } })).records;
  expect(rows.filter((r) => r.status === 'fail').map((r) => [r.deviceId, r.code, r.message])).toEqual([
    [broken!.id, 'checksum', 'The file was damaged on its way'],
  ]);
  const renewed = { ...shown(bells), files: edited.files.map(({ name, size, sha256 }) => ({ name, size, sha256 })) };
  expect(await held()).toEqual(fleet.map((d) => (d === broken ? all : [...all.slice(1), renewed])));

  await platform.behave([broken!.mac], 'normal');
  const reset = await send('Reset', 'factoryReset', {}, others.slice(0, 2));
  await ended(reset.id, { success: 2 });
  expect((await held()).map((r) => r.length)).toEqual(fleet.map((_, n) => (n === 1 || n === 2 ? 0 : 3)));
  await platform.allOnline(count);
});

it('a file of an open task stays in the store until the task has ended', async () => {
  const file = await add('ringtone', 'Gongs', { 'gong.wav': wav() });
  const [device] = fleet;
  await platform.behave([device!.mac], 'dead');
  const { id } = await send('Gongs', 'resourceUpgrade', { resourceFileId: file.id }, [device!]);
  const remove = () => platform.call(deleteResourceFile, { query: { id: file.id } });
  await eventually(async () =>
    expect((await platform.call(getTask, { params: { id } })).counts).toMatchObject({ process: 1 }),
  );
  // The store learns of the task a moment later.
  await eventually(async () => {
    const body = { id: file.id, name: 'Gongs', type: 'image' as const, description: '' };
    await expect(platform.call(editResourceFile, { body })).rejects.toMatchObject({ error: 'resourceFile.inUse' });
  });
  await expect(remove()).rejects.toMatchObject({ error: 'resourceFile.inUse' });
  await platform.call(stopTask, { params: { id } });
  await expect(remove()).rejects.toMatchObject({ error: 'resourceFile.inUse' });
  await platform.behave([device!.mac], 'normal');
  await platform.simulator('/cut', {});
  await eventually(async () => {
    const { counts } = await platform.call(getTask, { params: { id } });
    expect(counts.process).toBe(0);
  }, 240_000);
  await eventually(remove);
});
