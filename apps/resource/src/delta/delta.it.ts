import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  addFirmwareDelta,
  addOfficialFirmware,
  deleteFirmwareDelta,
  deleteOfficialFirmware,
  getStorage,
  listFirmware,
  makeOfficialFirmwareDelta,
  permissionKeys,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { applied } from './delta-test.ts';
import { refusal, image, shared, startDeltas } from './delta-store-test.ts';

const { store, published, call, add, make, record, isMade, hasFailed, sql, ordersOf, bytesOf } = await startDeltas();
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
      expect(published.findLast(({ id }) => id === to.id)!.data!.deltas).toMatchObject([
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
      const refused = stranger.companyId === own.companyId ? [403, 'firmware.narrowed'] : [404, 'common.notFound'];
      expect(await refusal(make(stranger, to.id, from.id))).toEqual(refused);
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
    await eventually(() => expect(published.findLast(({ id }) => id === to.id)).toMatchObject({ companyId: null }));
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
