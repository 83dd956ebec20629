import { expect, test } from 'vitest';
import { editSipAccount, getSipAccount, getSipServer, listSipAccounts, type LineStatus } from '@carillon/contracts';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { eventually } from '@carillon/testing';
import { publishDevice } from '../testing/publish-device.ts';
import { startSipAccounts } from './sip-account-test.ts';

const { bus, service, own, stranger, call, newServer, newAccount } = await startSipAccounts();

/** Publishes the state of a device with its lines. */
const publish = (
  id: string,
  accounts: { line: number; accountId: string; status: LineStatus; reported?: string }[],
  gone = false,
) => publishDevice(bus, own, id, gone ? null : { mac: '0c383e000001', name: `Phone ${id.slice(-4)}`, accounts });

test('an account has the worst state of its lines, in any order of events [ACC-02/state] [ACC-01/counts]', async () => {
  const server = await newServer('States');
  const [one, two] = [await newAccount(server.id, '6001'), await newAccount(server.id, '6002')];
  const [desk, hall] = [uuidv7(), uuidv7()];
  const state = async (id: string) => {
    const { status, devices } = await call()(getSipAccount, { params: { id } });
    return [status, devices.map((d) => [d.deviceId, d.line])];
  };
  await publish(desk, [{ line: 1, accountId: one.id, status: 'registered' }]);
  await eventually(async () => expect(await state(one.id)).toEqual(['registered', [[desk, 1]]]));
  await publish(hall, [
    { line: 2, accountId: one.id, status: 'failed' },
    { line: 3, accountId: two.id, status: 'calling' },
  ]);
  await eventually(async () =>
    expect((await state(one.id))[1]).toEqual(
      expect.arrayContaining([
        [desk, 1],
        [hall, 2],
      ]),
    ),
  );
  expect((await state(one.id))[0]).toBe('failed');
  expect(await state(two.id)).toEqual(['calling', [[hall, 3]]]);
  expect(await call()(getSipServer, { params: { id: server.id } })).toMatchObject({
    accounts: 2,
    assigned: 2,
    unassigned: 0,
  });
  expect(
    (await call()(listSipAccounts, { query: { server: [server.id], status: ['failed'] } })).records.map(
      (a) => a.number,
    ),
  ).toEqual(['6001']);
  // The failed line is free and the device is gone, so the other lines decide.
  await publish(hall, [{ line: 3, accountId: two.id, status: 'registered' }]);
  await eventually(async () => expect(await state(one.id)).toEqual(['registered', [[desk, 1]]]));
  await publish(desk, [], true);
  await eventually(async () => expect(await state(one.id)).toEqual(['unassigned', []]));
  expect(await call()(getSipServer, { params: { id: server.id } })).toMatchObject({ assigned: 1, unassigned: 1 });
});

test('accounts on several lines are found by a filter and sorted by their lines [ACC-02/several]', async () => {
  const server = await newServer('Several');
  const names = ['6101', '6102', '6103', '6104'];
  const [twice, both, once, free] = await Promise.all(names.map((number) => newAccount(server.id, number)));
  const registered = (line: number, account: { id: string }) => ({
    line,
    accountId: account.id,
    status: 'registered' as const,
  });
  const [desk, hall] = [uuidv7(), uuidv7()];
  await publish(desk, [registered(1, twice!), registered(2, twice!), registered(3, both!), registered(4, once!)]);
  await publish(hall, [registered(1, both!)]);
  const found = async (query: object, as = own) =>
    (await call(as)(listSipAccounts, { query: { server: [server.id], ...query } })).records.map((a) => a.number);
  await eventually(async () => expect(await found({ several: ['true'] })).toEqual(['6101', '6102']));
  expect(await found({ several: ['false'] })).toEqual(['6103', '6104']);
  expect((await found({ sort: '-lines' })).slice(2)).toEqual([once!.number, free!.number]);
  expect(await found({ several: ['true'] }, stranger)).toEqual([]);
  // Lines of devices that the user does not see do not count.
  const narrow = { ...own, orgIds: [uuidv7()] };
  expect(await found({ several: ['true'] }, narrow)).toEqual([]);
  // A line that is free again is no longer counted.
  await publish(hall, []);
  await eventually(async () => expect(await found({ several: ['true'] })).toEqual(['6101']));
});

test('an account is unregistered until its device reports its number [ACC-02/state]', async () => {
  const server = await newServer('Reported');
  const account = await newAccount(server.id, '6201');
  const desk = uuidv7();
  const status = async () => (await call()(getSipAccount, { params: { id: account.id } })).status;
  const report = (reported: string) =>
    publish(desk, [{ line: 1, accountId: account.id, status: 'registered', reported }]);
  const renumber = (number: string) =>
    call()(editSipAccount, { body: { id: account.id, name: 'Desk', number, serverId: server.id } });
  // The line is still registered with the account that it had before.
  await report('6200');
  await eventually(async () => expect(await status()).toBe('unregistered'));
  await report('6201@pbx.example');
  await eventually(async () => expect(await status()).toBe('registered'));
  expect((await renumber('6202')).status).toBe('unregistered');
  expect((await renumber('6201')).status).toBe('registered');
  // A device that names no account may be right.
  await publish(desk, [{ line: 1, accountId: account.id, status: 'failed' }]);
  await eventually(async () => expect(await status()).toBe('failed'));
});

test("a device's state changes lines only under the lock of their account", async () => {
  const server = await newServer('Deletion under way');
  const { id } = await newAccount(server.id, '6100');
  const device = uuidv7();
  const status = async () => (await call()(getSipAccount, { params: { id } })).status;
  await publish(device, [{ line: 1, accountId: id, status: 'registered' }]);
  await eventually(async () => expect(await status()).toBe('registered'));
  // A deletion locks the account before its lines.
  await transaction(service.database, companySession(own.companyId), async () => {
    await currentSql().query('select 1 from sip_account where id = $1 for update', [id]);
    await publish(device, [], true);
    await eventually(async () => {
      // Otherwise the transaction keeps seeing its first statistics.
      await currentSql().query('select pg_stat_clear_snapshot()');
      const { rows } = await currentSql().query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    });
    await currentSql().query('select 1 from account_line where account_id = $1 for update nowait', [id]);
  });
  await eventually(async () => expect(await status()).toBe('unassigned'));
});
