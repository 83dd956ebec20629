import { expect, test } from 'vitest';
import {
  deleteLdapServer,
  deleteMissingLdapAccounts,
  editLdapServer,
  getLdapServer,
  listLdapServers,
  restoreLdapServers,
  syncLdapServer,
} from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { many, person, refusal, startLdapServers } from './ldap-server-test.ts';

const { ldap, audited, stranger, fields, call, add, attempt, ended, synced, accounts, inCompany } =
  await startLdapServers();

test('10,000 entries are synced in pages; then changes and deletions only [ACC-04/sync]', async () => {
  const own = newActor();
  const { id } = await add(own, 'Whole directory');
  const first = await synced(own, id);
  expect(first).toMatchObject({
    accounts: many,
    missing: 0,
    sync: { read: many, added: many, changed: 0, removed: 0 },
  });
  const found = await accounts(own, { search: 'p4711@example' });
  expect(found.records).toMatchObject([
    {
      name: 'Person 04711',
      number: '+49 30 4711',
      mailbox: 'p4711@example.com',
      department: 'Support',
      supervisor: 'Person 00000',
      adAccount: 'p4711',
      missing: false,
      server: { id, name: 'Whole directory' },
    },
  ]);
  const stamps = () => inCompany(own, 'select xmin::text as x, id from ldap_account order by id');
  const before = await stamps();
  expect((await synced(own, id)).sync).toMatchObject({ read: many, added: 0, changed: 0, removed: 0 });
  // No row was written, not even an unchanged one.
  expect(await stamps()).toEqual(before);
  await ldap.change('p7', { cn: 'Renamed', telephoneNumber: '700' });
  await ldap.remove('p8', 'p9');
  await ldap.add('new', { cn: 'New one' });
  try {
    expect((await synced(own, id)).sync).toMatchObject({ read: many - 1, added: 1, changed: 1, removed: 2 });
    const after = await stamps();
    expect(after.filter((row) => !before.some((old) => old['id'] === row['id'] && old['x'] === row['x']))).toHaveLength(
      2,
    );
    // The directory's own id identifies an entry after a change of its name.
    expect((await accounts(own, { search: 'Renamed' })).records).toMatchObject([{ number: '700', adAccount: 'p7' }]);
    expect((await accounts(own, { 'department.empty': 'true' })).records.map((a) => a.name)).toEqual(['New one']);
    expect((await accounts(own, { sort: '-name', department: ['Sales'] })).records[0]).toMatchObject({
      name: 'Person 09998',
    });
  } finally {
    await ldap.change('p7', person(7));
    await ldap.add('p8', person(8));
    await ldap.add('p9', person(9));
    await ldap.remove('new');
  }
  // Another company can neither see nor sync it.
  expect((await accounts(stranger)).total).toBe(0);
  expect(await refusal(call(stranger)(syncLdapServer, { body: { id } }))).toBe('common.notFound');
}, 180_000);

test('more than a tenth of missing accounts are kept and reported until a user deletes them', async () => {
  const own = newActor();
  const all = `(&(objectClass=person)(|(cn=Person 0000*)(cn=Person 0001*)))`;
  const { id } = await add(own, 'Careful', { filter: all });
  expect((await synced(own, id)).accounts).toBe(20);
  const narrow = (filter: string) => call(own)(editLdapServer, { body: { id, ...fields('Careful', { filter }) } });
  // Two of twenty are exactly a tenth.
  await narrow(`(&${all}(!(cn=Person 00018))(!(cn=Person 00019)))`);
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 0, sync: { removed: 2 } });
  await narrow('(cn=Person 0000*)');
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 8, sync: { read: 10, removed: 0 } });
  expect((await accounts(own, { missing: ['true'] })).total).toBe(8);
  // Entries that are back are no longer missing.
  await narrow('(|(cn=Person 0000*)(cn=Person 00010))');
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 7, sync: { changed: 1 } });
  // An empty directory deletes nothing.
  await narrow('(cn=nobody)');
  expect(await synced(own, id)).toMatchObject({ accounts: 18, missing: 18, sync: { read: 0, removed: 0 } });
  expect(await refusal(call(stranger)(deleteMissingLdapAccounts, { body: { id } }))).toBe('common.notFound');
  expect(await call(own)(deleteMissingLdapAccounts, { body: { id } })).toEqual({ deleted: 18 });
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ accounts: 0, missing: 0 });
}, 180_000);

test("a scheduled sync starts once by itself; a failed one gives its reason in the caller's language", async () => {
  const own = newActor();
  const { id } = await add(own, 'By cycle', { cycle: 'day', filter: '(cn=Person 0000*)' });
  const { nextSyncAt } = await call(own)(getLdapServer, { params: { id } });
  expect(Date.parse(nextSyncAt!)).toBeGreaterThan(Date.now());
  await inCompany(own, `update ldap_server set next_sync_at = now() - interval '1 minute' where id = $1`, [id]);
  const done = await ended(own, id, 'success');
  expect(done).toMatchObject({ accounts: 10, nextSyncAt });
  await call(own)(editLdapServer, { body: { id, ...fields('By cycle'), cycle: 'day', password: 'wrong' } });
  await call(own)(syncLdapServer, { body: { id } });
  expect((await ended(own, id, 'fail')).sync).toMatchObject({
    msg: 'The LDAP server does not accept the username and password.',
  });
  expect((await call({ ...own, language: 'pt_BR' })(getLdapServer, { params: { id } })).sync).toMatchObject({
    msg: 'O servidor LDAP não aceita o nome de usuário e a senha.',
  });
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ accounts: 10 });
  await eventually(() =>
    expect(audited.filter((a) => a.companyId === own.companyId && a.action === 'ldapServer.synced')).toMatchObject([
      { result: 'success' },
      { result: 'ldapServer.credentialsWrong' },
    ]),
  );
  await call(own)(editLdapServer, { body: { id, ...fields('By cycle'), cycle: 'day', enabled: false } });
  expect(await call(own)(getLdapServer, { params: { id } })).toMatchObject({ nextSyncAt: null });
  expect(await refusal(call(own)(syncLdapServer, { body: { id } }))).toBe('ldapServer.disabled');
}, 180_000);

test('another process restarts the sync of a dead one after its lease, and gives up after three attempts', async () => {
  const own = newActor();
  const { id } = await add(own, 'Died', { filter: '(cn=Person 0000*)' });
  const dead = (attempts: number) =>
    inCompany(
      own,
      `
        insert into ldap_sync (
          id, company_id, server_id, status, by_hand, attempts, runner, lease_until, started_at, read, added, changed,
          removed, error_values
        )
        values ($1, $2, $3, 'process', true, $4, $1, now() + interval '1 second', now(), 500, 0, 0, 0, '{}')
        on conflict (server_id) do update
        set id = excluded.id, status = 'process', attempts = $4, ended_at = null, lease_until = excluded.lease_until
      `,
      [uuidv7(), own.companyId, id, attempts],
    );
  await dead(1);
  expect((await call(own)(syncLdapServer, { body: { id } })).sync).toMatchObject({ status: 'process', read: 500 });
  expect(await ended(own, id, 'success')).toMatchObject({ accounts: 10, sync: { read: 10, added: 10 } });
  await dead(3);
  expect((await ended(own, id, 'fail')).sync!.msg).toContain('three times');
}, 180_000);

test('a server is deleted and restored with its accounts and password, by users of all organizations only', async () => {
  const own = newActor();
  const { id } = await add(own, 'Gone and back', { filter: '(cn=Person 0000*)' });
  await synced(own, id);
  await add(own, 'Other');
  expect(await refusal(add(own, 'OTHER'))).toBe('ldapServer.nameTaken');
  const narrowed = { ...own, orgIds: [own.orgId] };
  for (const change of [
    () => add(narrowed, 'Third'),
    () => call(narrowed)(deleteLdapServer, { query: { id } }),
    () => call(narrowed)(syncLdapServer, { body: { id } }),
    () => attempt(narrowed),
  ])
    expect(await refusal(change())).toBe('ldapServer.narrowed');
  expect(await refusal(call(stranger)(deleteLdapServer, { query: { id } }))).toBe('common.notFound');
  await call(own)(deleteLdapServer, { query: { id } });
  expect((await accounts(own)).total).toBe(0);
  expect(await call(own)(restoreLdapServers, { body: { ids: [id] } })).toEqual({ restored: 1 });
  expect(await call(own)(listLdapServers, { query: { search: 'gone' } })).toMatchObject({
    total: 1,
    records: [{ id, accounts: 10, passwordSet: true }],
  });
  expect((await synced(own, id)).sync).toMatchObject({ added: 0, changed: 0, removed: 0 });
}, 180_000);
