import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addFirmware,
  addFirmwareDelta,
  addOfficialFirmware,
  deleteFirmware,
  deleteFirmwareDelta,
  deleteOfficialFirmware,
  firmwareState,
  getFirmware,
  getStorage,
  listFirmware,
  makeFirmwareDelta,
  makeOfficialFirmwareDelta,
  permissionKeys,
  type EventData,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { fromRecord } from '@carillon/messaging';
import { currentSql, platform, uuidv7 } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { FirmwareService } from '../firmware/firmware.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { FILES } from '../store/file-driver.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { applied } from './delta-test.ts';
import { DeltaRunner } from './delta.runner.ts';

let store: TestedStore;
const told: { id: string; companyId: string | null; data: EventData<typeof firmwareState, 'firmware'> | null }[] = [];
beforeAll(async () => {
  store = await testStore('delta_bus', { deltaMs: 20, storageMegabytes: 100 });
  await store.bus.fanout({
    topics: [firmwareState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { key, companyId, data } = fromRecord(firmwareState, record)!;
        told.push({ id: key, companyId, data });
      }
      return Promise.resolve();
    },
  });
});
afterAll(() => store?.close());

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );
/** Creates an image that no check takes for another type. */
const image = (...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from([0, 1, 2]), ...parts]);
const shared = randomBytes(1_500_000);
const nobody = { whom: 'nobody', at: null } as const;
const call = (as: Actor) => store.service.as(as);
const add = async (as: Actor, version: string, bytes: Buffer, models = ['X7A']) =>
  call(as)(addFirmware, {
    body: {
      name: 'Desk',
      version,
      models,
      description: '',
      least: null,
      notice: nobody,
      upload: await store.upload(as, 'a.bin', bytes, 'firmware'),
    },
  });
const addOfficial = async (as: Actor, version: string, bytes: Buffer) =>
  call(as)(addOfficialFirmware, {
    body: {
      name: `Desk ${as.companyId}`,
      version,
      models: ['X7A'],
      description: '',
      least: null,
      notice: { whom: 'company', at: null },
      upload: await store.upload(as, 'a.bin', bytes, 'firmware'),
    },
  });
const make = (as: Actor, firmwareId: string, fromId: string) =>
  call(as)(makeFirmwareDelta, { body: { firmwareId, fromId } });
const record = (as: Actor, id: string) => call(as)(getFirmware, { params: { id } });
const isMade = (as: Actor, id: string, like: object) =>
  eventually(async () => {
    const found = await record(as, id);
    expect(found).toMatchObject({ deltas: [like], deltaOrders: [] });
    return found.deltas[0]!;
  }, 60_000);
const hasFailed = (as: Actor, id: string) =>
  eventually(async () => {
    const { deltaOrders } = await record(as, id);
    expect(deltaOrders).toMatchObject([{ state: 'failed' }]);
    return deltaOrders[0]!;
  }, 60_000);
const sql = <T extends object>(text: string, values: unknown[]) =>
  platform(store.service.database, 'look', async () => (await currentSql().query<T>(text, values)).rows);
const ordersOf = (id: string) =>
  sql<{ state: string; progress: number; tries: number }>(
    'select state, progress, tries from delta_order where firmware_id = $1',
    [id],
  );
const keyOf = async (sha256: string): Promise<string> =>
  (await sql<{ id: string }>('select id from stored_file where sha256 = $1', [sha256]))[0]!.id;
const bytesOf = async (sha256: string): Promise<Buffer> => {
  const key = await keyOf(sha256);
  return readFileSync(join(store.folder, key.slice(-2), key));
};
const runner = () => store.service.app.get(DeltaRunner, { strict: false });

describe('possible sources of a differential package', () => {
  test('are found by name and version: same models, not itself, and without a package already', async () => {
    const own = newActor();
    const [old, next] = [image(shared), image(randomBytes(900), shared)];
    const from = await add(own, '1.0', old);
    const to = await add(own, '9.0', next);
    await add(own, '2.0', old, ['X4U']);
    // More versions than a test could upload.
    await sql(
      `
        insert into firmware
        select r.*
        from firmware f
        cross join generate_series(1, 230) n
        cross join lateral jsonb_populate_record(
          null::firmware,
          to_jsonb(f) || jsonb_build_object('id', gen_random_uuid(), 'version', '3.' || n)
        ) r
        where f.id = $1
      `,
      [from.id],
    );
    const sources = async (search?: string, as = own) => {
      const query = { deltaFor: to.id, limit: 200, ...(search === undefined ? {} : { search }) } as const;
      const { records, total } = await call(as)(listFirmware, { query });
      return { total, versions: records.map((f) => f.version).toSorted() };
    };
    expect((await sources()).total).toBe(231);
    expect((await sources('desk 3.229')).versions).toEqual(['3.229']);
    expect(await sources('Desk 1.0')).toEqual({ total: 1, versions: ['1.0'] });
    for (const search of ['Desk 9.0', 'Desk 2.0']) expect((await sources(search)).total).toBe(0);
    expect((await sources(undefined, newActor())).total).toBe(0);
    await make(own, to.id, from.id);
    expect((await sources('Desk 1.0')).total).toBe(0);
    await isMade(own, to.id, { from: '1.0' });
    expect((await sources('Desk 1.0')).total).toBe(0);
    expect((await sources()).total).toBe(230);
  });
});

describe('an ordered differential package', () => {
  test('is made from two versions, listed, counted, signed and published, and produces the new image', async () => {
    const own = newActor();
    const [old, next] = [image(shared), image(randomBytes(900), shared)];
    const from = await add(own, '1.0', old);
    const to = await add(own, '1.1', next);
    const { used } = await call(own)(getStorage);
    const ordered = await make(own, to.id, from.id);
    expect(ordered.deltaOrders).toEqual([{ from: '1.0', state: 'waiting', progress: 0, msg: null }]);
    const delta = await isMade(own, to.id, { from: '1.0', format: 'zstd-windows', fileName: '1.0-to-1.1.delta' });
    expect(delta.size).toBeLessThan(next.length / 100);
    expect((await call(own)(getStorage)).used).toBe(used + delta.size);
    expect(applied(await bytesOf(delta.sha256), old).equals(next)).toBe(true);
    await eventually(() =>
      expect(told.findLast(({ id }) => id === to.id)!.data!.deltas).toMatchObject([
        { from: '1.0', format: 'zstd-windows', size: delta.size, sha256: delta.sha256, signature: expect.any(String) },
      ]),
    );
    expect(await ordersOf(to.id)).toEqual([]);
    // It is deleted like an uploaded one.
    await call(own)(deleteFirmwareDelta, { query: { firmwareId: to.id, from: '1.0' } });
    expect((await record(own, to.id)).deltas).toEqual([]);
  });

  test('is refused for its own version, other models, a repeat or an existing package, and stores nothing', async () => {
    const own = newActor();
    const [from, same, other, to] = [
      await add(own, '1.0', image(shared)),
      await add(own, '1.1-A', image(shared), ['X6U']),
      await add(own, '2.0', image(shared), ['X6U']),
      await add(own, '3.0', image(shared, Buffer.alloc(1))),
    ];
    expect(await refusal(make(own, to.id, to.id))).toEqual([400, 'firmware.deltaSame']);
    for (const { id } of [same, other])
      expect(await refusal(make(own, to.id, id))).toEqual([400, 'firmware.deltaModels']);
    expect(await refusal(make(own, to.id, uuidv7()))).toEqual([404, 'common.notFound']);
    expect(await ordersOf(to.id)).toEqual([]);
    // One of two parallel orders is accepted.
    const both = await Promise.all([1, 2].map(() => refusal(make(own, to.id, from.id))));
    expect(both.toSorted()).toEqual(['none', [409, expect.stringMatching(/^firmware\.delta(Runs|Taken)$/)]].toSorted());
    await isMade(own, to.id, { from: '1.0' });
    expect(await refusal(make(own, to.id, from.id))).toEqual([409, 'firmware.deltaTaken']);
  });

  test('is hidden from other companies and from users who see only some organizations', async () => {
    const own = newActor();
    const [from, to] = [await add(own, '1.0', image(shared)), await add(own, '1.1', image(shared, shared))];
    for (const stranger of [newActor(), { ...own, orgIds: [own.orgId] }]) {
      const of = stranger.companyId === own.companyId ? [403, 'firmware.narrowed'] : [404, 'common.notFound'];
      expect(await refusal(make(stranger, to.id, from.id))).toEqual(of);
    }
    // The firmware of another company cannot be the source.
    const stranger = newActor();
    const theirs = await add(stranger, '1.1', image(shared));
    expect(await refusal(make(stranger, theirs.id, from.id))).toEqual([404, 'common.notFound']);
    expect(
      await refusal(call(own)(makeOfficialFirmwareDelta, { body: { firmwareId: to.id, fromId: from.id } })),
    ).toEqual([403, 'common.forbidden']);
    expect(await ordersOf(to.id)).toEqual([]);
  });

  test('of official firmware uses only official sources, and own firmware may use official ones too', async () => {
    const boss = newActor({ permissions: permissionKeys });
    const own = newActor();
    const mine = await add(boss, '0.9', image(shared));
    const [from, to] = [
      await addOfficial(boss, '1.0', image(shared, Buffer.alloc(1))),
      await addOfficial(boss, '1.1', image(shared, Buffer.alloc(2))),
    ];
    const body = { firmwareId: to.id, fromId: from.id };
    expect(await refusal(call(boss)(makeOfficialFirmwareDelta, { body: { ...body, fromId: mine.id } }))).toEqual([
      400,
      'firmware.deltaOwn',
    ]);
    await call(boss)(makeOfficialFirmwareDelta, { body });
    const delta = await isMade(own, to.id, { from: '1.0', format: 'zstd-windows' });
    await eventually(() => expect(told.findLast(({ id }) => id === to.id)).toMatchObject({ companyId: null }));
    const derived = await add(own, '1.2', image(shared, Buffer.alloc(3)));
    await make(own, derived.id, to.id);
    await isMade(own, derived.id, { from: '1.1' });
    expect(delta.size).toBeLessThan(5_000);
    for (const { id } of [from, to]) await call(boss)(deleteOfficialFirmware, { query: { id } });
  });

  test("that saves less than a tenth fails in the reader's language, and can be repeated or deleted", async () => {
    const own = newActor();
    const from = await add(own, '1.0', image(shared));
    const to = await add(own, '1.1', image(randomBytes(1_400_000), shared.subarray(0, 100_000)));
    const before = store.onDisk().toSorted();
    await make(own, to.id, from.id);
    await hasFailed(own, to.id);
    await eventually(() => expect(store.onDisk().toSorted()).toEqual(before));
    for (const language of ['en_US', 'zh_CN', 'ko', 'pt_BR'] as const)
      expect((await hasFailed({ ...own, language }, to.id)).msg).toBe(errorText('firmware.deltaSaves', language, {}));
    expect((await make(own, to.id, from.id)).deltaOrders).toMatchObject([{ from: '1.0', state: 'waiting', msg: null }]);
    await hasFailed(own, to.id);
    const none = await call(own)(deleteFirmwareDelta, { query: { firmwareId: to.id, from: '1.0' } });
    expect(none.deltaOrders).toEqual([]);
    expect(await refusal(call(own)(deleteFirmwareDelta, { query: { firmwareId: to.id, from: '1.0' } }))).toEqual([
      404,
      'common.notFound',
    ]);
  });

  test('that finds the storage full fails with that reason', async () => {
    const own = newActor();
    const from = await add(own, '1.0', image(shared));
    const to = await add(own, '1.1', image(shared, randomBytes(100_000)));
    await sql('insert into stored_file (id, company_id, sha256, size, used_at) values ($1, $2, $3, $4, now())', [
      uuidv7(),
      own.companyId,
      'ab'.repeat(32),
      100 * 1_048_576 - (await call(own)(getStorage)).used - 1_000,
    ]);
    const before = store.onDisk().toSorted();
    await make(own, to.id, from.id);
    expect((await hasFailed(own, to.id)).msg).toBe(
      errorText('upload.quotaFull', 'en_US', { used: '100 MB', quota: '100 MB' }),
    );
    await eventually(() => expect(store.onDisk().toSorted()).toEqual(before));
    expect((await call(own)(getStorage)).state).toBe('low');
  });

  test('is replaced by an upload only after it was cancelled or failed', async () => {
    const own = newActor();
    const from = await add(own, '1.0', image(randomBytes(20_000_000)));
    const to = await add(own, '1.1', image(randomBytes(20_000_000)));
    const zip = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');
    await make(own, to.id, from.id);
    const body = {
      firmwareId: to.id,
      from: '1.0',
      upload: await store.upload(own, 'a.zip', zip, 'firmwareDelta'),
    };
    expect(await refusal(call(own)(addFirmwareDelta, { body }))).toEqual([409, 'firmware.deltaRuns']);
    await call(own)(deleteFirmwareDelta, { query: { firmwareId: to.id, from: '1.0' } });
    const added = await call(own)(addFirmwareDelta, { body });
    expect([added.deltas.map(({ format }) => format), added.deltaOrders]).toEqual([['maker'], []]);
  });
});

describe('waiting orders', () => {
  /** Creates orders that no process takes. */
  const wait = (companyId: string, firmwareIds: readonly string[]) =>
    sql(
      `
        insert into delta_order (
          id, company_id, path, firmware_id, from_id, version, state, progress, tries, values, lease_until,
          created_at
        )
        select gen_random_uuid(), $1, 'mine', f::uuid, gen_random_uuid(), '0.' || n, 'waiting', 0, 0, '{}',
          now() + interval '1 day', now()
        from unnest($2::text[]) with ordinality as x(f, n)
      `,
      [companyId, firmwareIds],
    );

  test('are limited per company over all firmware, without affecting other companies', async () => {
    const own = newActor();
    const old = await add(own, '1.0', image(shared));
    const firmware = await add(own, '1.1', image(shared, randomBytes(100)));
    await wait(
      own.companyId,
      Array.from({ length: 50 }, () => uuidv7()),
    );
    expect(await refusal(make(own, firmware.id, old.id))).toEqual([409, 'firmware.deltaQueue']);
    expect(await ordersOf(firmware.id)).toEqual([]);
    const other = newActor();
    const theirs = await add(other, '1.0', image(shared));
    const next = await add(other, '1.1', image(shared, randomBytes(100)));
    await make(other, next.id, theirs.id);
    await isMade(other, next.id, { from: '1.0' });
    await sql('delete from delta_order where company_id = $1', [own.companyId]);
  });

  test("are processed in turn, so that each company gets its first before another's second", async () => {
    const own = newActor();
    const old = await add(own, '1.0', image(shared));
    const many = [];
    for (const version of ['1.1', '1.2', '1.3']) many.push(await add(own, version, image(shared, randomBytes(100))));
    const other = newActor();
    const theirs = await add(other, '1.0', image(shared));
    const next = await add(other, '1.1', image(shared, randomBytes(100)));
    const begun = told.length;
    for (const { id } of many) await make(own, id, old.id);
    await make(other, next.id, theirs.id);
    const last = many.at(-1)!.id;
    await isMade(own, last, { from: '1.0' });
    await isMade(other, next.id, { from: '1.0' });
    const made = await eventually(() => {
      const ids = told.slice(begun).flatMap(({ id, data }) => (data?.deltas.length ? [id] : []));
      expect(ids).toEqual(expect.arrayContaining([last, next.id]));
      return ids;
    });
    expect(made.indexOf(next.id)).toBeLessThan(made.indexOf(last));
  });

  test('count together with the packages of a firmware', async () => {
    const own = newActor();
    const old = await add(own, '1.0', image(shared));
    const firmware = await add(own, '1.1', image(shared, randomBytes(100)));
    await sql(
      `
        update firmware
        set deltas = (select jsonb_agg(jsonb_build_object('from', '9.' || n)) from generate_series(1, 99) n)
        where id = $1
      `,
      [firmware.id],
    );
    await wait(own.companyId, [firmware.id]);
    expect(await refusal(make(own, firmware.id, old.id))).toEqual([409, 'firmware.deltaLimit']);
    await sql(`update firmware set deltas = '[]' where id = $1`, [firmware.id]);
    await sql('delete from delta_order where company_id = $1', [own.companyId]);
  });
});

describe('while a differential package is being made', () => {
  /** Two versions that take some seconds and have enough in common. */
  const slow = async (own: Actor) => {
    const large = randomBytes(12_000_000);
    const from = await add(own, '1.0', image(large));
    const to = await add(own, '1.1', image(randomBytes(3_000_000), large));
    return { from, to, large };
  };
  const isUnderWay = (id: string) =>
    eventually(async () => expect((await ordersOf(id))[0]!.progress).toBeGreaterThan(20), 30_000);

  test.each(['given up', 'without its source', 'without its target'])(
    'that is %s stops it, and no part of it stays',
    async (how) => {
      const own = newActor();
      const { from, to } = await slow(own);
      const before = store.onDisk().toSorted();
      await make(own, to.id, from.id);
      await isUnderWay(to.id);
      expect(store.onDisk()).toHaveLength(before.length + 1);
      if (how === 'given up') await call(own)(deleteFirmwareDelta, { query: { firmwareId: to.id, from: '1.0' } });
      else await call(own)(deleteFirmware, { query: { id: how === 'without its source' ? from.id : to.id } });
      await eventually(() => expect(store.onDisk().toSorted()).toEqual(before), 30_000);
      expect(await ordersOf(to.id)).toEqual([]);
      if (how !== 'without its target') expect(await record(own, to.id)).toMatchObject({ deltas: [], deltaOrders: [] });
    },
    120_000,
  );

  test(
    'its process may stop: no partial file stays, and the next one starts again',
    { tags: 'slow', timeout: 240_000 },
    async () => {
      const own = newActor();
      const { from, to, large } = await slow(own);
      const before = store.onDisk().toSorted();
      await make(own, to.id, from.id);
      await isUnderWay(to.id);
      await runner().onApplicationShutdown();
      expect([await ordersOf(to.id), store.onDisk().toSorted()]).toEqual([
        [expect.objectContaining({ state: 'waiting', tries: 0 })],
        before,
      ]);
      const { app, database } = store.service;
      const [config, files, firmware, storage] = [CONFIG, FILES, FirmwareService, StorageService].map((of) =>
        app.get(of as never, { strict: false }),
      );
      const next = new DeltaRunner(database, config as never, files as never, firmware as never, storage as never);
      next.onApplicationBootstrap();
      try {
        const delta = await isMade(own, to.id, { from: '1.0' });
        expect(applied(await bytesOf(delta.sha256), image(large)).length).toBe(to.size);

        // A killed process leaves its lease to expire, and its partial file to the sweep.
        const more = await add(own, '1.2', image(large, Buffer.alloc(9)));
        await sql(
          `
          insert into delta_order (
            id, company_id, path, firmware_id, from_id, version, state, progress, tries, error, values, lease_until,
            created_at
          )
          values ($1, $2, 'mine', $3, $4, '1.0', 'making', 60, 1, null, '{}', now() + interval '1 second', now())
        `,
          [uuidv7(), own.companyId, more.id, from.id],
        );
        next.wake();
        await isMade(own, more.id, { from: '1.0' });

        // An order that crashes every process is tried three times.
        const last = await add(own, '1.3', image(large, Buffer.alloc(8)));
        const key = await keyOf(from.sha256);
        rmSync(join(store.folder, key.slice(-2), key));
        await make(own, last.id, from.id);
        next.wake();
        expect((await hasFailed(own, last.id)).msg).toBe(errorText('firmware.deltaFailed', 'en_US', {}));
        expect(await ordersOf(last.id)).toMatchObject([{ tries: 3 }]);
      } finally {
        await next.onApplicationShutdown();
      }
    },
  );
});
