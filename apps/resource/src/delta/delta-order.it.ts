import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deleteFirmware, deleteFirmwareDelta } from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { uuidv7 } from '@carillon/persistence';
import { CONFIG } from '@carillon/service';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { FirmwareService } from '../firmware/firmware.service.ts';
import { StorageService } from '../storage/storage.service.ts';
import { FILES } from '../store/file-driver.ts';
import { applied } from './delta-test.ts';
import { DeltaRunner } from './delta.runner.ts';
import { refusal, image, shared, startDeltas } from './delta-store-test.ts';

const { store, published, call, add, make, record, isMade, hasFailed, sql, ordersOf, keyOf, bytesOf } =
  await startDeltas();
const runner = () => store.service.app.get(DeltaRunner, { strict: false });

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
    const begun = published.length;
    for (const { id } of many) await make(own, id, old.id);
    await make(other, next.id, theirs.id);
    const last = many.at(-1)!.id;
    await isMade(own, last, { from: '1.0' });
    await isMade(other, next.id, { from: '1.0' });
    const made = await eventually(() => {
      const ids = published.slice(begun).flatMap(({ id, data }) => (data?.deltas.length ? [id] : []));
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
      const [config, files, firmware, storage] = [CONFIG, FILES, FirmwareService, StorageService].map((token) =>
        app.get(token as never, { strict: false }),
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
