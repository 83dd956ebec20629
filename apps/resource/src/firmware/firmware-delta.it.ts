import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addFirmware,
  addFirmwareDelta,
  addOfficialFirmware,
  addOfficialFirmwareDelta,
  deleteFirmware,
  deleteFirmwareDelta,
  deleteOfficialFirmware,
  deleteOfficialFirmwareDelta,
  editFirmware,
  firmwareState,
  getFirmware,
  getFirmwareDeltaUploadRules,
  permissionKeys,
  restoreFirmware,
  restoreFirmwareDelta,
  type EventData,
} from '@carillon/contracts';
import { deltaMaximum } from '@carillon/contracts/constants';
import { fromRecord } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import { DeletedRetention } from '@carillon/service';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { goodFiles, wrongFiles } from '../content/content-example.ts';
import { Sweep } from '../store/sweep.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { FirmwarePublisher } from './firmware.publisher.ts';

type FirmwareState = EventData<typeof firmwareState, 'firmware'>;
const seed = randomBytes(32);
let store: TestedStore;
/** Published states of each firmware, in order. */
const published: { id: string; companyId: string | null; version: number; data: FirmwareState | null }[] = [];
beforeAll(async () => {
  store = await testStore('firmware_delta_bus', { signingKey: seed });
  await store.bus.fanout({
    topics: [firmwareState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { key, companyId, version, data } = fromRecord(firmwareState, record)!;
        published.push({ id: key, companyId, version: version!, data });
      }
      return Promise.resolve();
    },
  });
});
afterAll(() => store?.close());

const noticesOf = (id: string) => published.filter((one) => one.id === id);
/** Returns the last published state, once it is the `n`th. */
const nth = (id: string, n: number) =>
  eventually(() => {
    expect(noticesOf(id)).toHaveLength(n);
    return noticesOf(id).at(-1)!;
  });
const holds = (text: string, signature: string, key: string): boolean =>
  verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' }),
    Buffer.from(signature, 'base64url'),
  );
/** Returns whether every file is signed by the named key, checked as by a device. */
const signed = ({ version, signedBy, deltas, ...whole }: FirmwareState): boolean =>
  [whole, ...deltas].every(({ size, sha256, signature }) =>
    holds(`carillon firmware 1\n${version}\n${size}\n${sha256}`, signature, signedBy),
  );
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );

let files = 0;
/** Creates a unique package: a ZIP file may have a comment. */
function zip(): Buffer {
  const bytes = Buffer.concat([goodFiles['.zip']!, Buffer.from(`${(files++ + 1_000).toString()}`)]);
  bytes.writeUInt16LE(bytes.readUInt16LE(goodFiles['.zip']!.length - 2) + 4, goodFiles['.zip']!.length - 2);
  return bytes;
}
const image = (): Buffer => Buffer.concat([goodFiles['.bin']!, Buffer.from([0, files++, 1])]);
const fields = (version: string) => ({ name: 'Desk', version, models: ['X7A'], description: '' });
const nobody = { whom: 'nobody', at: null } as const;
const add = async (as: Actor, version: string, least: string | null = null) =>
  store.service.as(as)(addFirmware, {
    body: { ...fields(version), least, notice: nobody, upload: await store.upload(as, 'a.bin', image(), 'firmware') },
  });
const uploaded = (as: Actor, name = 'a.zip', bytes = zip()) => store.upload(as, name, bytes, 'firmwareDelta');

test(
  'a delta package is a .zip up to 900 MB by content, one for each base version [STORE-02/upload]',
  { tags: 'slow', timeout: 240_000 },
  async () => {
    const own = newActor();
    const call = store.service.as(own);
    expect(await call(getFirmwareDeltaUploadRules)).toEqual({ extensions: ['.zip'], maximum: 943_718_400 });
    for (const name of ['a.bin', 'a.z', 'a.img', 'a'])
      expect(await store.begin(own, name, 5, 'firmwareDelta'), name).toBe('415 file.typeWrong');
    expect(await store.begin(own, 'a.zip', deltaMaximum + 1, 'firmwareDelta')).toBe('413 file.tooLarge');
    expect(await uploaded(own, 'a.zip', wrongFiles['bell.wav']!)).toBe('415 upload.contentWrong');

    const { id: firmwareId } = await add(own, '2.10');
    const body = { firmwareId, from: '2.9' };
    const [first] = [await uploaded(own, 'from-2.9.zip')];
    const made = await call(addFirmwareDelta, { body: { ...body, upload: first } });
    expect(made.deltas).toEqual([
      {
        from: '2.9',
        format: 'maker',
        fileName: 'from-2.9.zip',
        size: expect.any(Number),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    const next = await uploaded(own);
    expect(await refusal(call(addFirmwareDelta, { body: { ...body, upload: next } }))).toEqual([
      409,
      'firmware.deltaTaken',
    ]);
    expect(await refusal(call(addFirmwareDelta, { body: { ...body, from: '2.10', upload: next } }))).toEqual([
      400,
      'firmware.deltaSame',
    ]);
    expect(await refusal(call(addFirmwareDelta, { body: { ...body, from: '2 9', upload: next } }))).toEqual([
      400,
      'common.invalid',
    ]);
    // The firmware's version cannot become that of a package's source.
    expect(await refusal(call(editFirmware, { body: { id: firmwareId, ...fields('2.9'), notice: nobody } }))).toEqual([
      400,
      'firmware.deltaSame',
    ]);
    // An upload for another purpose is refused.
    const other = await store.upload(own, 'a.zip', zip(), 'firmware');
    expect(await refusal(call(addFirmwareDelta, { body: { ...body, from: '2.8', upload: other } }))).toEqual([
      409,
      'upload.incomplete',
    ]);
    const two = await call(addFirmwareDelta, { body: { ...body, from: '2.8', upload: next } });
    expect(two.deltas.map(({ from }) => from)).toEqual(['2.9', '2.8']);

    // The largest allowed file: its end is that of a ZIP file, and its holes take no space.
    const end = zip();
    const at = await store.begin(own, 'largest.zip', deltaMaximum, 'firmwareDelta');
    const largest = at.split('/').at(-1)!;
    const empty = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');
    await store.tus(own, 'PATCH', at, { 'upload-offset': '0' }, end.subarray(0, 30));
    truncateSync(join(store.folder, largest.slice(-2), largest), deltaMaximum - empty.length);
    expect(
      await store.tus(own, 'PATCH', at, { 'upload-offset': String(deltaMaximum - empty.length) }, empty),
    ).toMatchObject({ status: 204, headers: { 'upload-offset': String(deltaMaximum) } });
    const three = await call(addFirmwareDelta, { body: { ...body, from: '2.7', upload: largest } });
    expect(three.deltas.at(-1)).toMatchObject({ from: '2.7', size: deltaMaximum });

    const gone = await call(deleteFirmwareDelta, { query: { firmwareId, from: '2.9' } });
    expect(gone.deltas.map(({ from }) => from)).toEqual(['2.8', '2.7']);
    expect(await refusal(call(deleteFirmwareDelta, { query: { firmwareId, from: '2.9' } }))).toEqual([
      404,
      'common.notFound',
    ]);

    // Others see and change nothing.
    for (const stranger of [newActor(), { ...own, orgIds: [own.orgId] }]) {
      const refused = stranger.companyId === own.companyId ? [403, 'firmware.narrowed'] : [404, 'common.notFound'];
      const theirs = store.service.as(stranger);
      expect(await refusal(theirs(addFirmwareDelta, { body: { ...body, upload: firmwareId } }))).toEqual(refused);
      expect(await refusal(theirs(deleteFirmwareDelta, { query: { firmwareId, from: '2.8' } }))).toEqual(refused);
    }
    expect(await refusal(store.service.as(own)(addOfficialFirmwareDelta, { body: { ...body, upload: next } }))).toEqual(
      [403, 'common.forbidden'],
    );
  },
);

test('a deleted firmware is restored with its packages, and the sweep keeps their files meanwhile', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const { id: firmwareId } = await add(own, '1.0');
  await call(addFirmwareDelta, { body: { firmwareId, from: '0.9', upload: await uploaded(own) } });
  const before = await call(getFirmware, { params: { id: firmwareId } });
  const sweep = async () => {
    await platform(store.service.database, 'let time pass', () =>
      currentSql().query(`update stored_file set used_at = used_at - interval '2 hours' where company_id = $1`, [
        own.companyId,
      ]),
    );
    await store.service.app.get(Sweep, { strict: false }).forget();
    const { rows } = await platform(store.service.database, 'look', () =>
      currentSql().query<{ sha256: string }>('select sha256 from stored_file where company_id = $1', [own.companyId]),
    );
    return rows.map(({ sha256 }) => sha256);
  };
  expect(await sweep()).toContain(before.deltas[0]!.sha256);
  await call(deleteFirmware, { query: { id: firmwareId } });
  expect(await sweep()).toContain(before.deltas[0]!.sha256);
  await call(restoreFirmware, { body: { ids: [firmwareId] } });
  expect((await call(getFirmware, { params: { id: firmwareId } })).deltas).toEqual(before.deltas);
  await call(deleteFirmwareDelta, { query: { firmwareId, from: '0.9' } });
  expect(await sweep()).toContain(before.deltas[0]!.sha256);
  // Once it can no longer be restored, its file is deleted.
  await platform(store.service.database, 'let time pass', () =>
    currentSql().query(`update deleted set deleted_at = deleted_at - interval '1 day' where company_id = $1`, [
      own.companyId,
    ]),
  );
  await store.service.app.get(DeletedRetention, { strict: false }).forget();
  expect(await sweep()).toEqual([before.sha256]);
});

test('a deleted package is restored by its deleter unless it was replaced, and the sweep keeps its file', async () => {
  const own = newActor();
  const call = store.service.as(own);
  const { id: firmwareId } = await add(own, '1.0');
  const body = { firmwareId, from: '0.9' };
  const before = await call(addFirmwareDelta, { body: { ...body, upload: await uploaded(own) } });
  await call(deleteFirmwareDelta, { query: body });
  await platform(store.service.database, 'let time pass', () =>
    currentSql().query(`update stored_file set used_at = used_at - interval '2 hours' where company_id = $1`, [
      own.companyId,
    ]),
  );
  await store.service.app.get(Sweep, { strict: false }).forget();
  const other = newActor();
  const colleague = { ...other, companyId: own.companyId };
  expect(await refusal(store.service.as(colleague)(restoreFirmwareDelta, { body }))).toEqual([
    409,
    'common.restoreOver',
  ]);
  expect(await refusal(store.service.as(other)(restoreFirmwareDelta, { body }))).toEqual([404, 'common.notFound']);
  expect(await call(restoreFirmwareDelta, { body })).toEqual({ restored: 1 });
  // Again, from another tab.
  expect(await call(restoreFirmwareDelta, { body })).toEqual({ restored: 0 });
  expect((await call(getFirmware, { params: { id: firmwareId } })).deltas).toEqual(before.deltas);
  await call(deleteFirmwareDelta, { query: body });
  const next = await call(addFirmwareDelta, { body: { ...body, upload: await uploaded(own) } });
  expect(await call(restoreFirmwareDelta, { body })).toEqual({ restored: 0 });
  await call(deleteFirmwareDelta, { query: body });
  await call(restoreFirmwareDelta, { body });
  expect((await call(getFirmware, { params: { id: firmwareId } })).deltas).toEqual(next.deltas);
});

test('publishes each firmware change with signatures and rising versions; official ones without a company', async () => {
  const own = newActor();
  const boss = newActor({ permissions: permissionKeys });
  const call = store.service.as(own);
  const { id, sha256, size } = await add(own, '3.0', '2.5');
  const first = await nth(id, 1);
  expect(first).toMatchObject({ companyId: own.companyId, version: 1 });
  expect(first.data).toMatchObject({
    id,
    path: 'mine',
    name: 'Desk',
    version: '3.0',
    models: ['X7A'],
    least: '2.5',
    fileName: 'a.bin',
    size,
    sha256,
    deltas: [],
    endorsements: [],
  });
  expect(signed(first.data!)).toBe(true);
  expect(signed({ ...first.data!, version: '3.1' })).toBe(false);

  await call(editFirmware, { body: { id, ...fields('3.1'), least: null, notice: nobody } });
  expect((await nth(id, 2)).data).toMatchObject({ version: '3.1', least: null });
  await call(addFirmwareDelta, { body: { firmwareId: id, from: '3.0', upload: await uploaded(own, 'd.zip') } });
  const withDelta = await nth(id, 3);
  expect(withDelta.data!.deltas).toMatchObject([{ from: '3.0', fileName: 'd.zip' }]);
  expect(signed(withDelta.data!)).toBe(true);
  await call(deleteFirmware, { query: { id } });
  expect((await nth(id, 4)).data).toBeNull();
  await call(restoreFirmware, { body: { ids: [id] } });
  expect((await nth(id, 5)).data).toEqual(withDelta.data);
  await call(deleteFirmwareDelta, { query: { firmwareId: id, from: '3.0' } });
  expect((await nth(id, 6)).data!.deltas).toEqual([]);
  expect(noticesOf(id).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);

  const officially = store.service.as(boss);
  const official = await officially(addOfficialFirmware, {
    body: {
      ...fields('9.0'),
      notice: { whom: 'company', at: null },
      upload: await store.upload(boss, 'o.bin', image(), 'firmware'),
    },
  });
  const query = { firmwareId: official.id, from: '8.0' };
  const upload = await uploaded(boss);
  expect(await refusal(call(addFirmwareDelta, { body: { ...query, upload } }))).toEqual([404, 'common.notFound']);
  await officially(addOfficialFirmwareDelta, { body: { ...query, upload } });
  const seen = await nth(official.id, 2);
  expect([seen.companyId, seen.data!.path, seen.data!.deltas.map(({ from }) => from)]).toEqual([
    null,
    'official',
    ['8.0'],
  ]);
  expect(signed(seen.data!)).toBe(true);
  expect((await call(getFirmware, { params: { id: official.id } })).deltas).toHaveLength(1);
  await officially(deleteOfficialFirmwareDelta, { query });
  await officially(deleteOfficialFirmware, { query: { id: official.id } });
  const last = await nth(official.id, 4);
  expect([last.companyId, last.data]).toEqual([null, null]);
});

test('a new signing key republishes all firmware once, endorsed by the previous key', async () => {
  const own = newActor();
  const boss = newActor({ permissions: permissionKeys });
  const { id } = await add(own, '5.0');
  await store.service.as(own)(addFirmwareDelta, {
    body: { firmwareId: id, from: '4.0', upload: await uploaded(own) },
  });
  const official = await store.service.as(boss)(addOfficialFirmware, {
    body: {
      ...fields('5.0'),
      notice: { whom: 'company', at: null },
      upload: await store.upload(boss, 'o.bin', image(), 'firmware'),
    },
  });
  const before = (await nth(id, 2)).data!;
  await nth(official.id, 1);
  const next = randomBytes(32);
  const start = async (config: object) => {
    const events = new FirmwarePublisher(store.service.database, config as never);
    events.onApplicationBootstrap();
    await events.onApplicationShutdown();
  };
  // The same key republishes nothing; two processes with the next one republish each firmware once.
  await start({ signingKey: seed });
  await Promise.all([1, 2].map(() => start({ signingKey: next, signingKeyBefore: seed })));
  const after = (await nth(id, 3)).data!;
  expect((await nth(official.id, 2)).data!.signedBy).toBe(after.signedBy);
  expect(after).toEqual({
    ...before,
    signature: expect.any(String),
    deltas: [{ ...before.deltas[0]!, signature: expect.any(String) }],
    signedBy: expect.any(String),
    endorsements: [{ key: before.signedBy, signature: expect.any(String) }],
  });
  expect(after.signedBy).not.toBe(before.signedBy);
  expect(signed(after)).toBe(true);
  expect(holds(`carillon key 1\n${after.signedBy}`, after.endorsements[0]!.signature, before.signedBy)).toBe(true);
  expect(noticesOf(id).map(({ version }) => version)).toEqual([1, 2, 3]);
});
