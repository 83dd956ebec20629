import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { addFirmware, firmwareState, getFirmware, makeFirmwareDelta, type EventData } from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import { eventually, type Actor } from '@carillon/testing';
import { testStore } from '../upload/upload-test.ts';

export const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );
/** Creates an image that no check takes for another type. */
export const image = (...parts: Buffer[]): Buffer => Buffer.concat([Buffer.from([0, 1, 2]), ...parts]);
export const shared = randomBytes(1_500_000);
const nobody = { whom: 'nobody', at: null } as const;

async function openDeltas() {
  const published: {
    id: string;
    companyId: string | null;
    data: EventData<typeof firmwareState, 'firmware'> | null;
  }[] = [];
  const store = await testStore('delta_bus', { deltaMs: 20, storageMegabytes: 100 });
  await store.bus.fanout({
    topics: [firmwareState.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { key, companyId, data } = fromRecord(firmwareState, record)!;
        published.push({ id: key, companyId, data });
      }
      return Promise.resolve();
    },
  });
  afterAll(() => store.close());
  return { store, published };
}

function deltaCalls({ store }: Awaited<ReturnType<typeof openDeltas>>) {
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
  return { call, add, make, record, isMade, hasFailed, sql, ordersOf, keyOf, bytesOf };
}

/** Starts the store with a quick maker of packages, and records firmware events. Closes it after the tests. */
export async function startDeltas() {
  const opened = await openDeltas();
  return { ...opened, ...deltaCalls(opened) };
}
