import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addResourceFile,
  deleteResourceFile,
  editResourceFile,
  getResourceFile,
  getResourceFileUploadRules,
  listResourceFiles,
  resourceFileState,
  restoreResourceFiles,
  type EventData,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { goodFiles } from '../content/content-example.ts';
import { downloads } from '../download/download-test.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { ResourceFilePublisher } from './resource-file.publisher.ts';

let store: TestedStore;
/** Published states of resource files, latest last. */
const published: {
  key: string;
  companyId: string | null;
  version: number;
  data: EventData<typeof resourceFileState, 'resourceFile'> | null;
}[] = [];
beforeAll(async () => {
  store = await testStore('resource_file_bus');
  await store.bus.fanout({
    topics: [resourceFileState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { key, companyId, version, data } = fromRecord(resourceFileState, record)!;
        published.push({ key, companyId, version: version!, data });
      }
      return Promise.resolve();
    },
  });
});
afterAll(() => store?.close());

const wav = (length = 400): Buffer =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), randomBytes(length)]);
const get = (actor: Actor, url: string, headers: Record<string, string> = {}) =>
  store.service.app
    .getHttpAdapter()
    .getInstance()
    .inject({ method: 'GET', url, headers: { ...store.service.headersOf(actor), ...headers } });
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );

test('a resource file is added from uploads, read byte for byte, edited, deleted and restored', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const bytes = wav();
  const id = await store.upload(own, 'bell.wav', bytes);
  const added = await call(addResourceFile, {
    body: { name: 'Bell', type: 'ringtone', description: 'Rings', uploads: [id] },
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const url = `/api/f/resource/resourceFile/${added.id}/file/1`;
  expect(added).toMatchObject({
    name: 'Bell',
    type: 'ringtone',
    description: 'Rings',
    fileNames: 'bell.wav',
    url,
    size: bytes.length,
    files: [{ name: 'bell.wav', size: bytes.length, sha256, url }],
  });
  const answer = await get(own, url);
  expect([answer.statusCode, answer.rawPayload.equals(bytes), answer.headers['etag']]).toEqual([
    200,
    true,
    `"${sha256}"`,
  ]);
  const edited = await call(editResourceFile, {
    body: { id: added.id, name: 'Bell 2', type: 'ringtone', description: '' },
  });
  expect(edited).toMatchObject({ name: 'Bell 2', description: '', fileNames: 'bell.wav' });
  await call(deleteResourceFile, { query: { id: added.id } });
  expect((await call(listResourceFiles, {})).total).toBe(0);
  await call(restoreResourceFiles, { body: { ids: [added.id] } });
  expect(await call(getResourceFile, { params: { id: added.id } })).toEqual({
    ...edited,
    updatedAt: expect.any(String),
  });
});

test('language packs, images and ringtones are one record; an APK’s name has up to 127 letters [STORE-03]', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const endings = Object.keys(goodFiles).filter((ending) => ending !== '.img');
  // "bmp, png, z, zip, bin, xml, vcf, csv, 7z, pem, crt, key, ovpn, tar, gz, der, txt, cfg, wav, apk" (section 5)
  expect((await call(getResourceFileUploadRules)).extensions.toSorted()).toEqual(
    [
      ...['.bmp', '.png', '.z', '.zip', '.bin', '.xml', '.vcf', '.csv', '.7z', '.pem', '.crt', '.key', '.ovpn'],
      ...['.tar', '.gz', '.der', '.txt', '.cfg', '.wav', '.apk'],
    ].toSorted(),
  );
  expect(endings).toHaveLength(20);
  const uploads: string[] = [];
  for (const ending of endings) uploads.push(await store.upload(own, `file${ending}`, goodFiles[ending]!));
  const names = endings.map((ending) => `file${ending}`).join(';');
  const all = await call(addResourceFile, {
    body: { name: 'All of them', type: 'languagePack', description: 'Every ending', uploads },
  });
  expect([all.type, all.description, all.fileNames]).toEqual(['languagePack', 'Every ending', names]);
  for (const [i, ending] of endings.entries()) {
    const { url } = all.files[i]!;
    const answer = await get(own, url);
    expect([answer.statusCode, answer.rawPayload.equals(goodFiles[ending]!)], ending).toEqual([200, true]);
  }
  for (const name of ['file.exe', 'file.html', 'file.img', 'file.jpg', 'file.mp3', 'file'])
    expect(await store.upload(own, name, goodFiles['.bin']!), name).toBe('415 file.typeWrong');
  // One more semicolon would turn one name into two.
  expect(await store.upload(own, 'a;b.txt', goodFiles['.cfg']!)).toBe('400 upload.nameWrong');

  for (const type of ['image', 'ringtone'] as const) {
    const id = await store.upload(own, `${type}.wav`, wav());
    await call(addResourceFile, { body: { name: type, type, description: '', uploads: [id] } });
  }
  const namesOf = async (query: object) => (await call(listResourceFiles, { query })).records.map((r) => r.name);
  expect(await namesOf({ sort: 'type' })).toEqual(['image', 'All of them', 'ringtone']);
  expect(await namesOf({ type: ['ringtone'] })).toEqual(['ringtone']);
  expect(await namesOf({ search: 'file.ovpn' })).toEqual(['All of them']);
  const wrongType = { name: 'Film', type: 'film' as 'image', description: '', uploads: [uploads[0]!] };
  expect(await refusal(call(addResourceFile, { body: wrongType }))).toEqual([400, 'common.invalid']);

  const apk = (length: number) => store.upload(own, `${'a'.repeat(length - 4)}.apk`, goodFiles['.apk']!);
  expect(await apk(128)).toBe('400 upload.nameWrong');
  const longest = await call(addResourceFile, {
    body: { name: 'App', type: 'languagePack', description: '', uploads: [await apk(127)] },
  });
  expect(longest.fileNames).toHaveLength(127);
  expect((await get(own, longest.url)).statusCode).toBe(200);
});

test("a resource file's name is unique in its company ignoring case, and an upload is used once", async () => {
  const own = newActor();
  const call = store.service.as(own);
  const body = async (name: string) => ({
    name,
    type: 'ringtone' as const,
    description: '',
    uploads: [await store.upload(own, 'a.wav', wav())],
  });
  const first = await body('Bell');
  const made = await call(addResourceFile, { body: first });
  expect(await refusal(call(addResourceFile, { body: await body('bELL') }))).toEqual([409, 'file.taken']);
  expect(await refusal(call(addResourceFile, { body: { ...first, name: 'Again' } }))).toEqual([
    409,
    'upload.incomplete',
  ]);
  const other = await call(addResourceFile, { body: await body('Gong') });
  expect(await refusal(call(editResourceFile, { body: { id: other.id, ...(await body('BELL')) } }))).toEqual([
    409,
    'file.taken',
  ]);
  // A refused call keeps its upload.
  const unused = await body('Chime');
  await refusal(call(addResourceFile, { body: { ...unused, name: 'Bell' } }));
  await call(addResourceFile, { body: unused });
  await call(deleteResourceFile, { query: { id: made.id } });
  await call(addResourceFile, { body: await body('Bell') });
  expect(await refusal(call(restoreResourceFiles, { body: { ids: [made.id] } }))).toEqual([409, 'file.taken']);
});

test('a file is loaded in ranges, resumed, and answered with 304 to a client that has it', async () => {
  const own = newActor();
  const bytes = wav(1_000);
  const id = await store.upload(own, 'Glocke №1.wav', bytes);
  const { url } = await store.service.as(own)(addResourceFile, {
    body: { name: 'Bell', type: 'ringtone', description: '', uploads: [id] },
  });
  const part = async (headers: Record<string, string>) => {
    const answer = await get(own, url, headers);
    return [answer.statusCode, answer.headers['content-range'], answer.rawPayload];
  };
  const { length } = bytes;
  expect(await part({ range: 'bytes=10-19' })).toEqual([206, `bytes 10-19/${length}`, bytes.subarray(10, 20)]);
  expect(await part({ range: 'bytes=1000-' })).toEqual([
    206,
    `bytes 1000-${length - 1}/${length}`,
    bytes.subarray(1_000),
  ]);
  expect(await part({ range: 'bytes=-5' })).toEqual([
    206,
    `bytes ${length - 5}-${length - 1}/${length}`,
    bytes.subarray(-5),
  ]);
  const whole = [200, undefined, bytes];
  for (const range of ['bytes=5000-', 'bytes=9-2', 'lines=1-2', 'bytes=0-1,5-6', 'bytes=-'])
    expect(await part({ range }), range).toEqual(whole);
  const etag = String((await get(own, url)).headers['etag']);
  expect((await part({ range: 'bytes=0-0', 'if-range': etag }))[0]).toBe(206);
  expect(await part({ range: 'bytes=0-0', 'if-range': '"other"' })).toEqual(whole);
  expect((await part({ 'if-none-match': etag }))[0]).toBe(304);
  expect((await get(own, url)).headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''Glocke%20%E2%84%961.wav`,
    'content-length': String(length),
  });
  expect((await get(own, url.replace(/1$/, '2'))).statusCode).toBe(404);
  expect((await get(newActor(), url)).statusCode).toBe(404);
});

test('publishes files with checksums, each change with a higher version, and the deletion', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const bytes = wav();
  const { id } = await call(addResourceFile, {
    body: { name: 'Bell', type: 'ringtone', description: '', uploads: [await store.upload(own, 'bell.wav', bytes)] },
  });
  await call(editResourceFile, { body: { id, name: 'Gong', type: 'ringtone', description: '' } });
  await call(deleteResourceFile, { query: { id } });
  await call(restoreResourceFiles, { body: { ids: [id] } });
  const said = await eventually(() => {
    const events = published.filter(({ key }) => key === id);
    expect(events).toHaveLength(4);
    return events;
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const files = [{ fileId: expect.any(String) as string, fileName: 'bell.wav', size: bytes.length, sha256 }];
  expect(said.map(({ data }) => data)).toEqual([
    { id, name: 'Bell', type: 'ringtone', files },
    { id, name: 'Gong', type: 'ringtone', files },
    null,
    { id, name: 'Gong', type: 'ringtone', files },
  ]);
  expect(said.map(({ version }) => version)).toEqual(said.map(({ version }) => version).toSorted((a, b) => a - b));
  expect(new Set(said.map(({ version }) => version)).size).toBe(4);
  expect(said.every(({ companyId }) => companyId === own.companyId)).toBe(true);

  // A file from before they were published.
  const { look } = downloads(store);
  await look(() => currentSql().query('update resource_file set revision = 0 where id = $1', [id]));
  published.length = 0;
  store.service.app.get(ResourceFilePublisher).wake();
  await eventually(() => expect(published).toMatchObject([{ key: id, version: 1, data: { name: 'Gong' } }]));
});

test('a file of an open task cannot be deleted or replaced, but renamed', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const upload = () => store.upload(own, 'bell.wav', wav());
  const fields = { name: 'Bell', type: 'ringtone' as const, description: '' };
  const made = await call(addResourceFile, { body: { ...fields, uploads: [await upload()] } });
  const { id } = made;
  const { task } = downloads(store);
  const tasks = [uuidv7(), uuidv7()] as const;
  for (const one of tasks) await task(one, own.companyId, { stopped: false, objectId: id, noun: 'resourceFile' });
  const inUse = [409, 'resourceFile.inUse'];
  const other = await upload();
  expect(await refusal(call(deleteResourceFile, { query: { id } }))).toEqual(inUse);
  expect(await refusal(call(editResourceFile, { body: { id, ...fields, uploads: [other] } }))).toEqual(inUse);
  expect(await refusal(call(editResourceFile, { body: { id, ...fields, type: 'image' } }))).toEqual(inUse);
  expect((await call(editResourceFile, { body: { id, ...fields, description: 'Rings' } })).files).toEqual(made.files);
  await task(tasks[0], own.companyId, null);
  // A stopped task may still run on some devices.
  await task(tasks[1], own.companyId, { stopped: true, objectId: id, noun: 'resourceFile' });
  expect(await refusal(call(deleteResourceFile, { query: { id } }))).toEqual(inUse);
  await task(tasks[1], own.companyId, null);
  expect((await call(editResourceFile, { body: { id, ...fields, uploads: [other] } })).files).not.toEqual(made.files);
  await call(deleteResourceFile, { query: { id } });
});

test('a user who sees only some organizations can read and download, and change nothing', async () => {
  const own = newActor();
  const id = await store.upload(own, 'bell.wav', wav());
  const made = await store.service.as(own)(addResourceFile, {
    body: { name: 'Bell', type: 'ringtone', description: '', uploads: [id] },
  });
  const narrow = { ...own, orgIds: [own.orgId] };
  const call = store.service.as(narrow);
  expect((await call(listResourceFiles, {})).total).toBe(1);
  const body = { name: 'Mine', type: 'image' as const, description: '' };
  const upload = await store.upload(narrow, 'b.wav', wav());
  for (const refused of [
    () => call(addResourceFile, { body: { ...body, uploads: [upload] } }),
    () => call(editResourceFile, { body: { id: made.id, ...body } }),
    () => call(deleteResourceFile, { query: { id: made.id } }),
    () => call(restoreResourceFiles, { body: { ids: [made.id] } }),
  ])
    expect(await refusal(refused())).toEqual([403, 'resourceFile.narrowed']);
});
