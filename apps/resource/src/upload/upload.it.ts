import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addResourceFile,
  getResourceFileUploadRules,
  languages,
  listResourceFiles,
  type Language,
} from '@carillon/contracts';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import { platform, currentSql } from '@carillon/persistence';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { bombs, goodFiles, wrongFiles } from '../content/content-example.ts';
import { Sweep } from '../store/sweep.ts';
import { testStore, type TestedStore } from './upload-test.ts';

let store: TestedStore;
let port: number;
beforeAll(async () => {
  store = await testStore('upload_bus', { uploadMaximum: 1_000_000, sweepMs: 3_600_000 });
  const fastify = store.service.app.getHttpAdapter().getInstance();
  await fastify.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = fastify.server.address() as { port: number });
});
afterAll(() => store?.close());

const rows = (table: string, actor: Actor) =>
  platform(
    store.service.database,
    'look',
    async () => (await currentSql().query(`select * from ${table} where company_id = $1`, [actor.companyId])).rows,
  );
const extensions =
  '.bmp, .png, .z, .zip, .bin, .xml, .vcf, .csv, .7z, .pem, .crt, .key, .ovpn, .tar, .gz, .der, .txt, .cfg, .wav, .apk';

test('accepts the extensions of the description in any case, and refuses others by name', async () => {
  const own = newActor();
  expect(await store.service.as(own)(getResourceFileUploadRules)).toEqual({
    extensions: extensions.split(', '),
    maximum: 1_000_000,
  });
  for (const ending of extensions.split(', '))
    expect(await store.upload(own, `File${ending.toUpperCase()}`, goodFiles[ending]!), ending).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  for (const name of ['a.img', 'a.exe', 'a.js', 'a', '.txt/', 'a.txt.exe'])
    expect(await store.begin(own, name, 10), name).toMatch(/^4\d\d (file\.typeWrong|upload\.nameWrong)$/);
});

test('refuses wrong content, large files and bombs, and leaves nothing behind [STORE-05]', async () => {
  const own = newActor();
  const said = async (language: Language, name: string, bytes: Buffer) => {
    const actor = { ...own, language };
    const begun = await store.tus(actor, 'POST', '/api/f/resource/resourceFile/upload', {
      'carillon-language': language,
      'upload-length': String(bytes.length),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    });
    if (begun.status !== 201) return [begun.status, begun.error, begun.msg];
    const sent = await store.tus(
      actor,
      'PATCH',
      String(begun.headers['location']),
      { 'carillon-language': language, 'upload-offset': '0' },
      bytes,
    );
    return [sent.status, sent.error, sent.msg];
  };
  const before = store.onDisk();
  const seen = (key: ErrorKey, language: Language, values: object) => errorText(key, language, values as never);
  const contentWrong: Readonly<Record<Language, string>> = {
    en_US: 'The content of bell.wav is not that of a .wav file. The file was not kept.',
    zh_CN: 'bell.wav 的内容与 .wav 文件不符，文件未保留。',
    ko: 'bell.wav의 내용이 .wav 파일이 아닙니다. 파일은 저장되지 않았습니다.',
    pt_BR: 'O conteúdo de bell.wav não é de um arquivo .wav. O arquivo não foi guardado.',
  };
  for (const language of languages) {
    const wrong = await said(language, 'bell.wav', wrongFiles['bell.wav']!);
    expect(wrong).toEqual([415, 'upload.contentWrong', contentWrong[language]]);
    expect(await said(language, 'zeros.zip', bombs['zeros.zip']!)).toEqual([
      413,
      'upload.bomb',
      seen('upload.bomb', language, { name: 'zeros.zip' }),
    ]);
    expect(await said(language, 'large.txt', Buffer.alloc(1_000_001, 'a'))).toEqual([
      413,
      'file.tooLarge',
      seen('file.tooLarge', language, { limit: '976.6 KB' }),
    ]);
  }
  for (const [name, bytes] of Object.entries(wrongFiles).filter(([name]) => !name.endsWith('.img')))
    expect((await said('en_US', name, bytes)).slice(0, 2), name).toEqual([415, 'upload.contentWrong']);
  for (const [name, bytes] of Object.entries(bombs))
    expect((await said('en_US', name, bytes)).slice(0, 2), name).toEqual([413, 'upload.bomb']);
  // Whatever extension they have.
  for (const [name, bytes, refused] of [
    ['picture.img', wrongFiles['picture.img']!, '415 upload.contentWrong'],
    ['zeros.zip', bombs['zeros.zip']!, '413 upload.bomb'],
  ] as const)
    expect(await store.upload(own, name, bytes, 'firmware'), name).toBe(refused);
  // A file that is longer than declared is cut at its declared end.
  const at = await store.begin(own, 'long.txt', 10);
  expect(await store.tus(own, 'PATCH', at, { 'upload-offset': '0' }, Buffer.alloc(11, 'a'))).toMatchObject({
    status: 413,
    error: 'file.tooLarge',
  });
  expect((await store.tus(own, 'DELETE', at)).status).toBe(204);
  expect(store.onDisk()).toEqual(before);
  expect([await rows('upload', own), await rows('stored_file', own), await rows('resource_file', own)]).toEqual([
    [],
    [],
    [],
  ]);
});

test('an upload that was broken off in the middle of a part goes on where it was, and its sum is right', async () => {
  const own = newActor();
  const bytes = Buffer.from(randomBytes(150_000).toString('hex'));
  const at = await store.begin(own, 'long.txt', bytes.length);
  // The client disconnects within its part.
  await new Promise<void>((resolve) => {
    const request = httpRequest({
      port,
      path: at,
      method: 'PATCH',
      headers: {
        ...store.service.headersOf(own),
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.length,
      },
    });
    request.on('error', () => resolve());
    request.write(bytes.subarray(0, 100_000), () => {
      void eventually(async () => {
        expect(Number((await headOf()).headers['upload-offset'])).toBeGreaterThan(0);
      }).then(() => request.destroy());
    });
  });
  async function headOf() {
    return store.tus(own, 'HEAD', at);
  }
  const { headers } = await headOf();
  const come = Number(headers['upload-offset']);
  expect(come).toBeLessThanOrEqual(100_000);
  expect(headers).toMatchObject({
    'upload-length': String(bytes.length),
    'cache-control': 'no-store',
    'tus-resumable': '1.0.0',
  });
  const half = come + 70_000;
  // The next part replaces one that is no longer being sent.
  await eventually(async () => {
    const part = await store.tus(own, 'PATCH', at, { 'upload-offset': String(come) }, bytes.subarray(come, half));
    expect(part).toMatchObject({ status: 204, headers: { 'upload-offset': String(half) } });
  });
  // A repeated part is not appended twice.
  expect(
    await store.tus(own, 'PATCH', at, { 'upload-offset': String(come) }, bytes.subarray(come, half)),
  ).toMatchObject({ status: 409, error: 'upload.offset' });
  expect(await store.tus(own, 'PATCH', at, { 'upload-offset': String(half) }, bytes.subarray(half))).toMatchObject({
    status: 204,
  });
  const added = await store.service.as(own)(addResourceFile, {
    body: { name: 'Long', type: 'languagePack', description: '', uploads: [at.split('/').at(-1)!] },
  });
  expect(added.files[0]!.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('an upload that is whole when its process dies is checked when someone asks for it', async () => {
  const own = newActor();
  for (const [name, bytes, status] of [
    ['good.txt', goodFiles['.cfg']!, 200],
    ['bad.png', goodFiles['.cfg']!, 415],
  ] as const) {
    const at = await store.begin(own, name, bytes.length);
    const id = at.split('/').at(-1)!;
    // As the process left it: all bytes are stored, nothing was checked.
    writeFileSync(join(store.folder, id.slice(-2), id), bytes);
    expect((await store.tus(own, 'HEAD', at)).status, name).toBe(status);
    const add = store.service.as(own)(addResourceFile, {
      body: { name, type: 'image', description: '', uploads: [id] },
    });
    if (status === 200) expect((await add).files[0]!.size).toBe(bytes.length);
    else await expect(add).rejects.toMatchObject({ error: 'upload.incomplete' });
  }
});

test('only its owner sees, resumes, uses or ends an upload', async () => {
  const own = newActor();
  const bytes = goodFiles['.txt']!;
  const at = await store.begin(own, 'own.txt', bytes.length);
  for (const other of [newActor(), { ...newActor(), companyId: own.companyId }]) {
    expect((await store.tus(other, 'HEAD', at)).status).toBe(404);
    expect((await store.tus(other, 'PATCH', at, { 'upload-offset': '0' }, bytes)).status).toBe(404);
    expect((await store.tus(other, 'DELETE', at)).status).toBe(404);
  }
  expect((await store.tus(own, 'PATCH', at, { 'upload-offset': '0' }, bytes)).status).toBe(204);
  const body = { name: 'Own', type: 'image', description: '', uploads: [at.split('/').at(-1)!] } as const;
  for (const other of [newActor(), { ...newActor(), companyId: own.companyId }])
    await expect(
      store.service.as(other)(addResourceFile, { body: { ...body, uploads: [...body.uploads] } }),
    ).rejects.toMatchObject({
      code: 409,
      error: 'upload.incomplete',
    });
  await store.service.as(own)(addResourceFile, { body: { ...body, uploads: [...body.uploads] } });
});

test('no part of a name becomes a path, and an invalid protocol header is a 400', async () => {
  const own = newActor();
  for (const name of [
    '../../up.txt',
    '/etc/up.txt',
    'a\\b.txt',
    'a;b.txt',
    ' a.txt',
    'a\u0007.txt',
    `${'a'.repeat(252)}.txt`,
  ])
    expect(await store.begin(own, name, 5), name).toBe('400 upload.nameWrong');
  const at = await store.begin(own, '..txt', 5);
  expect(store.onDisk()).toContain(at.split('/').at(-1)!);
  const wrong: Record<string, string>[] = [
    {},
    { 'upload-length': '-1', 'upload-metadata': 'filename YS50eHQ=' },
    { 'upload-length': '1e3', 'upload-metadata': 'filename YS50eHQ=' },
    { 'upload-length': '5', 'upload-metadata': 'name YS50eHQ=' },
    { 'upload-length': '5', 'upload-metadata': 'filename /////w==' },
    { 'upload-length': '5', 'upload-metadata': 'filename YS50eHQ=', 'tus-resumable': '0.2.2' },
  ];
  for (const headers of wrong)
    expect(await store.tus(own, 'POST', '/api/f/resource/resourceFile/upload', headers)).toMatchObject({
      status: 400,
      error: 'upload.headers',
    });
  expect(await store.begin(own, 'a.txt', 0)).toBe('400 upload.empty');
});

test("a company's equal files are stored once, and those of another company separately", async () => {
  const own = newActor();
  const bytes = randomBytes(60).toString('hex');
  const ids = [];
  for (const actor of [own, { ...newActor(), companyId: own.companyId }, newActor()]) {
    const id = await store.upload(actor, 'same.txt', Buffer.from(bytes));
    ids.push(
      await store.service.as(actor)(addResourceFile, {
        body: { name: `Same ${id}`, type: 'image', description: '', uploads: [id] },
      }),
    );
  }
  const held = store.onDisk().filter((key) => readFileSync(join(store.folder, key.slice(-2), key), 'utf8') === bytes);
  expect(held).toHaveLength(2);
  expect(await rows('stored_file', own)).toHaveLength(1);
  expect((await store.service.as(own)(listResourceFiles, {})).total).toBe(2);
});

test('what nobody ends, saves or needs is swept away, and what is needed stays', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const text = () => Buffer.from(randomBytes(20).toString('hex'));
  const half = await store.begin(own, 'half.txt', 100);
  await store.tus(own, 'PATCH', half, { 'upload-offset': '0' }, Buffer.alloc(50, 'a'));
  const unsaved = await store.upload(own, 'unsaved.txt', text());
  const kept = await call(addResourceFile, {
    body: { name: 'Kept', type: 'image', description: '', uploads: [await store.upload(own, 'kept.txt', text())] },
  });
  const [stored] = (await rows('resource_file', own)) as { files: { id: string }[] }[];
  // A day later, and two hours.
  await platform(store.service.database, 'let time pass', async () => {
    await currentSql().query(`update upload set expires_at = now() - interval '1 second' where company_id = $1`, [
      own.companyId,
    ]);
    await currentSql().query(`update stored_file set used_at = used_at - interval '2 hours' where company_id = $1`, [
      own.companyId,
    ]);
  });
  for (const key of store.onDisk()) utimesSync(join(store.folder, key.slice(-2), key), 0, 0);
  expect((await store.tus(own, 'HEAD', half)).status).toBe(404);
  await store.service.app.get(Sweep, { strict: false }).forget();
  expect(await rows('upload', own)).toEqual([]);
  expect((await rows('stored_file', own)).map((row) => (row as { id: string }).id)).toEqual([stored!.files[0]!.id]);
  expect(store.onDisk()).toContain(stored!.files[0]!.id);
  for (const gone of [half.split('/').at(-1)!, unsaved]) expect(store.onDisk()).not.toContain(gone);
  expect(kept.fileNames).toBe('kept.txt');
});

test('an upload that would fill the disk is refused before it begins', async () => {
  const full = await testStore('upload_full_bus', { uploadReserve: Number.MAX_SAFE_INTEGER });
  try {
    expect(await full.begin(newActor(), 'a.txt', 5)).toBe('503 upload.noSpace');
    expect(full.onDisk()).toEqual([]);
  } finally {
    await full.close();
  }
});
