import { randomBytes } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addFirmware,
  addOfficialFirmware,
  deleteFirmware,
  deleteOfficialFirmware,
  editFirmware,
  editOfficialFirmware,
  getFirmware,
  getFirmwareUploadRules,
  listFirmware,
  message,
  orgCompany,
  permissionKeys,
  restoreFirmware,
  restoreOfficialFirmware,
} from '@carillon/contracts';
import { firmwareMaximum } from '@carillon/contracts/constants';
import { envelope, fromRecord, toRecord } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import { readConfig } from '@carillon/service';
import { eventually, newActor } from '@carillon/testing';
import { resourceConfig } from '../config.ts';
import { goodFiles } from '../content/content-example.ts';
import { Sweep } from '../store/sweep.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';

let store: TestedStore;
/** Published notices, by firmware. */
const published: { id: string | null; to: string | null; type: number; object: string | null; version: unknown }[] = [];
beforeAll(async () => {
  store = await testStore('firmware_bus', { firmwareNoticeMs: 50 });
  await store.bus.fanout({
    topics: [message.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data, companyId } = fromRecord(message, record)!;
        if (!data || 'id' in data) continue;
        const { objectId, type, objectName, values } = data;
        published.push({ id: objectId, to: companyId, type, object: objectName, version: values['version'] });
      }
      return Promise.resolve();
    },
  });
});
afterAll(() => store?.close());

const operator = () => newActor({ permissions: permissionKeys });
const noticesOf = (id: string) => published.filter((notice) => notice.id === id);
const now = { whom: 'company', at: null } as const;
const nobody = { whom: 'nobody', at: null } as const;
const fields = (version = '1.0.0') => ({ name: 'Desk', version, models: ['X7A', 'X6U'], description: 'What is new' });
const image = (n: number): Buffer => Buffer.concat([goodFiles['.bin']!, Buffer.from([n, 0, n])]);
let images = 0;
const upload = (as: Parameters<TestedStore['upload']>[0], name = 'desk.bin') =>
  store.upload(as, name, image(images++), 'firmware');
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );

test(
  '.bin, .z, .zip and .img up to 1 GB are taken in parts; the operator sets the endings [STORE-01]',
  { tags: 'slow', timeout: 240_000 },
  async () => {
    const own = newActor();
    expect(await store.service.as(own)(getFirmwareUploadRules)).toEqual({
      extensions: ['.bin', '.z', '.zip', '.img'],
      maximum: 1_073_741_824,
    });
    for (const ending of ['.bin', '.z', '.zip', '.img'])
      expect(await store.upload(own, `desk${ending}`, goodFiles[ending]!, 'firmware'), ending).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    for (const name of ['desk.rom', 'desk.txt', 'desk.wav', 'desk'])
      expect(await store.begin(own, name, 5, 'firmware'), name).toBe('415 file.typeWrong');
    const setting = (text: string) =>
      readConfig(
        resourceConfig,
        { filesFolder: '/files', signingKey: randomBytes(32), dataKey: randomBytes(32) },
        { CARILLON_FIRMWARE_EXTENSIONS: text },
      ).firmwareExtensions;
    expect(setting('bin, .ROM;ld')).toEqual(['.bin', '.rom', '.ld']);
    expect(() => setting('../x')).toThrow('CARILLON_FIRMWARE_EXTENSIONS');
    const set = await testStore('firmware_rom_bus', { firmwareExtensions: 'rom' });
    try {
      expect((await set.service.as(own)(getFirmwareUploadRules)).extensions).toEqual(['.rom']);
      expect(await set.upload(own, 'desk.rom', goodFiles['.bin']!, 'firmware')).toMatch(/^[0-9a-f-]{36}$/);
      for (const ending of ['.bin', '.z', '.zip', '.img'])
        expect(await set.begin(own, `desk${ending}`, 5, 'firmware'), ending).toBe('415 file.typeWrong');
    } finally {
      await set.close();
    }
    expect(await store.begin(own, 'large.img', firmwareMaximum + 1, 'firmware')).toBe('413 file.tooLarge');

    // All bytes but the end have arrived: the largest allowed file, whose holes take no space.
    const at = await store.begin(own, 'largest.img', firmwareMaximum, 'firmware');
    const id = at.split('/').at(-1)!;
    expect(
      (await store.tus(own, 'PATCH', at, { 'upload-offset': '0' }, goodFiles['.img']!)).headers['upload-offset'],
    ).toBe('512');
    truncateSync(join(store.folder, id.slice(-2), id), firmwareMaximum - 4);
    expect((await store.tus(own, 'HEAD', at)).headers).toMatchObject({
      'upload-offset': String(firmwareMaximum - 4),
      'upload-length': String(firmwareMaximum),
    });
    expect(
      await store.tus(own, 'PATCH', at, { 'upload-offset': String(firmwareMaximum - 4) }, Buffer.from([1, 2, 3, 4])),
    ).toMatchObject({ status: 204, headers: { 'upload-offset': String(firmwareMaximum) } });
    const made = await store.service.as(own)(addFirmware, {
      body: { ...fields(), models: ['X7A'], notice: nobody, upload: id },
    });
    expect([made.size, made.fileName, made.path]).toEqual([firmwareMaximum, 'largest.img', 'mine']);
  },
);

test("a company's firmware is added, sorted, edited, deleted and restored, and hidden from other companies", async () => {
  const own = newActor();
  const call = store.service.as(own);
  const add = async (version: string) =>
    call(addFirmware, { body: { ...fields(version), notice: nobody, upload: await upload(own) } });
  for (const version of ['1.9.0', '1.10.0', '1.10.0-rc1', '2.0']) await add(version);
  const listed = async (query: object) => (await call(listFirmware, { query })).records.map((f) => f.version);
  expect(await listed({ sort: 'version' })).toEqual(['1.9.0', '1.10.0', '1.10.0-rc1', '2.0']);
  expect(await listed({ search: 'x6u' })).toHaveLength(4);
  expect(await listed({ version: ['2.0'] })).toEqual(['2.0']);
  expect(await refusal(add('1.9.0'))).toEqual([409, 'firmware.versionTaken']);
  for (const version of ['', '1 0', '-1', '1/2', 'x'.repeat(33)])
    expect(await refusal(add(version)), version).toEqual([400, 'common.invalid']);
  const [first] = (await call(listFirmware, { query: { version: ['1.9.0'] } })).records;
  expect(first).toMatchObject({ ...fields('1.9.0'), path: 'mine', notice: { ...nobody, sentAt: null } });
  const body = { id: first!.id, ...fields('1.9.1'), models: ['X7A'], notice: nobody };
  expect(await call(editFirmware, { body })).toMatchObject({
    version: '1.9.1',
    models: ['X7A'],
    sha256: first!.sha256,
  });
  expect(await refusal(call(editFirmware, { body: { ...body, version: '2.0' } }))).toEqual([
    409,
    'firmware.versionTaken',
  ]);
  await call(deleteFirmware, { query: { id: first!.id } });
  expect(await listed({ sort: 'version' })).toEqual(['1.10.0', '1.10.0-rc1', '2.0']);
  await call(restoreFirmware, { body: { ids: [first!.id] } });
  expect((await call(getFirmware, { params: { id: first!.id } })).version).toBe('1.9.1');
  const stranger = store.service.as(newActor());
  expect((await stranger(listFirmware, {})).records.filter((f) => f.path === 'mine')).toEqual([]);
  expect(await refusal(stranger(getFirmware, { params: { id: first!.id } }))).toEqual([404, 'common.notFound']);
  expect(await refusal(stranger(deleteFirmware, { query: { id: first!.id } }))).toEqual([404, 'common.notFound']);
});

test('every company sees official firmware, only the operator changes it, with one notice [STORE-01]', async () => {
  const boss = operator();
  const own = newActor();
  const companies = [boss.companyId, own.companyId, newActor().companyId];
  await store.bus.publish(
    companies.map((id, i) =>
      toRecord(
        orgCompany,
        id,
        {
          id,
          name: `Company ${i}`,
          path: `/${id}/`,
          type: 'reseller',
          status: 'normal',
          fcsLimit: 0,
          fcsEnabled: false,
        },
        envelope('company', { companyId: id, version: 1 }),
      ),
    ),
  );
  await eventually(async () => {
    const known = await platform(store.service.database, 'look', () =>
      currentSql().query('select id from company_copy where id = any ($1)', [companies]),
    );
    expect(known.rowCount).toBe(3);
  });
  const call = store.service.as(boss);
  const official = await call(addOfficialFirmware, {
    body: { ...fields('7.0'), notice: { whom: 'everybody', at: null }, upload: await upload(boss) },
  });
  await eventually(() => {
    expect(noticesOf(official.id).toSorted((a, b) => companies.indexOf(a.to!) - companies.indexOf(b.to!))).toEqual(
      companies.map((to) => ({ id: official.id, to, type: -2, object: 'X7A, X6U', version: '7.0' })),
    );
  });
  const reader = store.service.as(own);
  const [seen] = (await reader(listFirmware, { query: { path: ['official'], version: ['7.0'] } })).records;
  expect(seen).toMatchObject({ id: official.id, path: 'official', notice: { whom: 'everybody' } });
  const loaded = await store.service.app
    .getHttpAdapter()
    .getInstance()
    .inject({ method: 'GET', url: seen!.url, headers: store.service.headersOf(own) });
  expect([loaded.statusCode, loaded.rawPayload.length]).toEqual([200, official.size]);
  // A company's own administrator has every permission but this one.
  const change = { id: official.id, ...fields('7.1'), notice: { whom: 'everybody' as const, at: null } };
  for (const refused of [
    () => reader(editOfficialFirmware, { body: change }),
    () => reader(deleteOfficialFirmware, { query: { id: official.id } }),
  ])
    expect(await refusal(refused())).toEqual([403, 'common.forbidden']);
  for (const refused of [
    () => reader(editFirmware, { body: { ...change, notice: nobody } }),
    () => reader(deleteFirmware, { query: { id: official.id } }),
  ])
    expect(await refusal(refused())).toEqual([404, 'common.notFound']);
  // A new official version is always announced.
  const silent = { ...fields('8.0'), notice: nobody as never, upload: official.id };
  expect(await refusal(call(addOfficialFirmware, { body: silent }))).toEqual([400, 'common.invalid']);

  // Not announced before it is due; an announcement is not repeated or changed.
  const later = await call(addOfficialFirmware, {
    body: {
      ...fields('9.0'),
      notice: { whom: 'company', at: new Date(Date.now() + 3_600_000).toISOString() },
      upload: await upload(boss),
    },
  });
  const mine = await reader(addFirmware, { body: { ...fields('3.0'), notice: now, upload: await upload(own) } });
  await eventually(() => {
    expect(noticesOf(mine.id).map(({ to, type }) => [to, type])).toEqual([[own.companyId, -2]]);
  });
  expect(noticesOf(later.id)).toEqual([]);
  expect((await call(getFirmware, { params: { id: later.id } })).notice.sentAt).toBeNull();
  await call(editOfficialFirmware, { body: { id: later.id, ...fields('9.0'), notice: now } });
  await eventually(() => expect(noticesOf(later.id).map(({ to }) => to)).toEqual([boss.companyId]));
  // Automatically when due, to everyone.
  const due = await call(addOfficialFirmware, {
    body: {
      ...fields('10.0'),
      notice: { whom: 'everybody', at: new Date(Date.now() + 3_600_000).toISOString() },
      upload: await upload(boss),
    },
  });
  expect(noticesOf(due.id)).toEqual([]);
  await platform(store.service.database, 'let time pass', () =>
    currentSql().query(`update official_firmware set notice_at = notice_at - interval '1 hour' where id = $1`, [
      due.id,
    ]),
  );
  await eventually(() => expect(noticesOf(due.id).map(({ to, type }) => [to, type])).toHaveLength(companies.length));
  expect(
    noticesOf(due.id)
      .map(({ to, type }) => `${to} ${type}`)
      .toSorted(),
  ).toEqual(companies.map((to) => `${to} -2`).toSorted());
  const after = await call(editOfficialFirmware, { body: change });
  expect([after.version, after.notice]).toEqual(['7.1', { ...official.notice, sentAt: expect.any(String) }]);
  await call(deleteOfficialFirmware, { query: { id: official.id } });
  expect(await refusal(reader(getFirmware, { params: { id: official.id } }))).toEqual([404, 'common.notFound']);
  await call(restoreOfficialFirmware, { body: { ids: [official.id] } });
  expect((await reader(getFirmware, { params: { id: official.id } })).version).toBe('7.1');

  // The sweep keeps their files while they exist.
  await platform(store.service.database, 'let time pass', () =>
    currentSql().query(`update stored_file set used_at = used_at - interval '2 hours'`),
  );
  await store.service.app.get(Sweep, { strict: false }).forget();
  for (const { id } of [official, mine])
    expect(
      (
        await store.service.app
          .getHttpAdapter()
          .getInstance()
          .inject({
            method: 'GET',
            url: `/api/f/resource/firmware/${id}/file`,
            headers: store.service.headersOf(own),
          })
      ).statusCode,
    ).toBe(200);
  expect([noticesOf(official.id).length, noticesOf(mine.id).length]).toEqual([3, 1]);
});

test('a user who sees only some organizations cannot change firmware', async () => {
  const own = newActor();
  const narrow = { ...own, orgIds: [own.orgId] };
  const call = store.service.as(narrow);
  const body = { ...fields(), notice: nobody };
  const made = await store.service.as(own)(addFirmware, { body: { ...body, upload: await upload(own) } });
  const other = await upload(narrow);
  for (const refused of [
    () => call(addFirmware, { body: { ...body, upload: other } }),
    () => call(editFirmware, { body: { ...body, id: made.id } }),
    () => call(deleteFirmware, { query: { id: made.id } }),
    () => call(restoreFirmware, { body: { ids: [made.id] } }),
  ])
    expect(await refusal(refused())).toEqual([403, 'firmware.narrowed']);
  expect((await call(listFirmware, { query: { path: ['mine'] } })).total).toBe(1);
});
