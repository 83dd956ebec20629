import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replaceDevice } from '@carillon/contracts';
import { eventually, testPostgres, type Actor } from '@carillon/testing';
import { refusal, startClaims, type Label } from './claim-test.ts';

const { service, child, stranger, delivered, type, add, deviceOf } = await startClaims('claim_order_bus');
/** Holds MACs, so that calls wait for each other in a known order. */
let holder: pg.Client;
let watcher: pg.Client;
beforeAll(async () => {
  const admin = await testPostgres();
  [holder, watcher] = [0, 1].map(() => new pg.Client({ ...admin, database: service.database.name })) as [
    pg.Client,
    pg.Client,
  ];
  await Promise.all([holder.connect(), watcher.connect()]);
});
afterAll(async () => {
  await Promise.all([holder?.end(), watcher?.end()]);
});

async function hold(...macs: string[]): Promise<void> {
  await holder.query('begin');
  await holder.query('select from mac_owner where mac = any($1::text[]) order by mac for update', [macs]);
}
/** Waits until this number of calls waits for locks. */
const blocked = (calls: number): Promise<unknown> =>
  eventually(async () => {
    const { rowCount } = await watcher.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    expect(rowCount).toBe(calls);
  });
const replace = async (by: Actor, { mac }: Label, { mac: to, sn, claimCode }: Label): Promise<string> => {
  const { id } = (await deviceOf(by, mac))!;
  return refusal(service.as(by)(replaceDevice, { params: { id }, body: { mac: to, sn, claimCode } }));
};

test('of two companies that replace their devices by each other’s at once, one succeeds', async () => {
  const [ours, theirs] = [await delivered(), await delivered()];
  await type(child, ours);
  await type(stranger, theirs);
  await hold(ours.mac, theirs.mac);
  const both = Promise.all([replace(child, ours, theirs), replace(stranger, theirs, ours)]);
  await blocked(2);
  await holder.query('commit');
  // The other one’s device has ended meanwhile.
  expect((await both).sort()).toEqual(['common.notFound', 'none']);
});

test('a claim locks the owner of a MAC before its code, as a dispute does that is being settled', async () => {
  const given = await delivered();
  await type(stranger, given);
  await hold(given.mac);
  const claiming = add(child, given);
  await blocked(1);
  await holder.query('select from delivered_device where mac = $1 for update nowait', [given.mac]);
  await holder.query('commit');
  await claiming;
  expect(await deviceOf(child, given.mac)).toBeDefined();
});
