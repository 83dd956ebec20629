import { expect, test } from 'vitest';
import {
  addLdapServer,
  deleteLdapServer,
  deleteSipAccounts,
  editSipAccount,
  getAccountKey,
  listSipAccounts,
  permissionKeys,
  renewAccountKey,
  restoreLdapServers,
  restoreSipAccounts,
  superKeys,
  undoSipAccountImport,
} from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { CompanySecrets, unseal } from '@carillon/service';
import { renewAllKeys } from '@carillon/service/renew-all-keys';
import { eventually, newActor, type Actor } from '@carillon/testing';
import { passwordPlace } from '../ldap-server/ldap-server.entity.ts';
import { passwordColumn, passwords, placeOf } from '../sip-account/sip-account.service.ts';
import { installationKey, patience, startCompanyKeys } from './company-key-test.ts';

const {
  service,
  audited,
  inCompany,
  rows,
  versions,
  addServer,
  addAccount,
  reached,
  checked,
  commit,
  accountsOf,
  openedOf,
  sealedWith,
  ended,
} = await startCompanyKeys();
const addLdap = (actor: Actor, name: string) =>
  service.as(actor)(addLdapServer, {
    body: {
      name,
      enabled: false,
      host: 'ldap.example.com',
      port: 636,
      security: 'ldaps',
      userName: 'cn=reader',
      base: 'dc=example,dc=com',
      attributes: {
        name: 'cn',
        number: 'telephoneNumber',
        mailbox: '',
        department: '',
        supervisor: '',
        adAccount: '',
      },
      cycle: 'off',
      time: '02:00',
      password: `Ldap-Secret-${name}`,
    },
  });
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

/** Waits for both entries of a company's renewal, and checks that no entry has a password. */
async function expectRenewalLogged(own: Actor, sealed: number): Promise<void> {
  await eventually(() =>
    expect(
      audited.filter(({ companyId, action }) => companyId === own.companyId && action.startsWith('accountKey.')),
    ).toEqual([
      expect.objectContaining({ action: 'accountKey.renew', result: 'success', username: 'tester' }),
      expect.objectContaining({
        action: 'accountKey.renewed',
        result: 'success',
        detail: { sealed },
      }),
    ]),
  );
  expect(audited.filter(({ text }) => /Secret-|Imported-|Waiting-/.test(text))).toEqual([]);
}

test(
  'reseals all secrets of a company with its new key, removes the old key, and leaves others alone',
  async () => {
    const [own, stranger] = [newActor(), newActor()];
    const call = service.as(own);
    const secrets = { authPassword: 'Auth-Secret-1', proxyPassword: 'Proxy-Secret-1', voicemailPassword: '4711' };
    const server = await addServer(own);
    await addAccount(own, server.id, '1001', secrets);
    await addAccount(own, server.id, '1002', { authPassword: secrets.authPassword });
    await addAccount(own, server.id, '1003');
    const gone = await addAccount(own, server.id, '1004', { authPassword: 'Gone-Secret-1' });
    const [ldap, goneLdap] = [await addLdap(own, 'stays'), await addLdap(own, 'gone')];
    const first = await commit(own, await checked(own, ['1002', 'Imported-1'], ['1005', 'Imported-5']));
    const second = await commit(own, await checked(own, ['1002', 'Imported-2']));
    expect([first.counts.done, second.counts.done]).toEqual([2, 1]);
    const waiting = await checked(own, ['1006', 'Waiting-6']);
    await call(deleteSipAccounts, { query: { ids: [gone.id] } });
    await call(deleteLdapServer, { query: { id: goneLdap.id } });
    const theirs = await addServer(stranger);
    await addAccount(stranger, theirs.id, '1001', secrets);

    const all = ['deleted', 'import_row', 'ldap_server', 'sip_account'];
    expect(await sealedWith(own, 1)).toEqual(all);
    const [before, opened] = [await accountsOf(own), await openedOf(own)];
    const strangers = [await accountsOf(stranger), await openedOf(stranger)];
    const [oldKey] = await rows<{ wrapped: string }>(own, 'select wrapped from data_key');
    const made = await call(getAccountKey);
    expect(made).toEqual({ madeAt: expect.any(String), renewal: null });

    const ordered = await call(renewAccountKey);
    expect(ordered.renewal).toMatchObject({ endedAt: null, failed: 0 });
    const done = await ended(own, 'done');
    expect(done.renewal!.done).toBe(done.renewal!.total);
    expect(done.renewal!.done).toBeGreaterThan(10);
    expect(done.madeAt! > made.madeAt!).toBe(true);
    expect([await sealedWith(own, 1), await sealedWith(own, 2), await versions(own)]).toEqual([[], all, [2]]);
    const after = await accountsOf(own);
    for (const [n, account] of after.entries())
      for (const name of passwords) {
        const [was, is] = [before[n]![passwordColumn(name)], account[passwordColumn(name)]];
        if (was === null) expect(is).toBeNull();
        else expect(is.slice(2)).not.toBe(was.slice(2));
      }
    expect(await openedOf(own)).toEqual(opened);
    expect([await accountsOf(stranger), await openedOf(stranger)]).toEqual(strangers);

    // The old key, as in a backup, opens old ciphertexts but none of the new ones.
    const place = placeOf('authPassword', after[0]!.id);
    const bytes = Buffer.from(
      unseal<string>(installationKey, `data key ${own.companyId} 1`, oldKey!.wrapped)!,
      'base64url',
    );
    const openedByOld = (sealed: string) => unseal<string>(bytes, `${own.companyId} ${place}`, sealed.slice(2));
    expect(openedByOld(before[0]!.auth_password)).toBe(secrets.authPassword);
    expect(openedByOld(after[0]!.auth_password)).toBeUndefined();
    for (const known of [new CompanySecrets(installationKey), service.app.get(CompanySecrets)])
      await expect(inCompany(own, () => known.open(place, before[0]!.auth_password))).rejects.toThrow(
        'cannot be opened',
      );

    // Pending imports, undos and restores go on as before.
    await call(restoreSipAccounts, { body: { ids: [gone.id] } });
    await call(restoreLdapServers, { body: { ids: [goneLdap.id] } });
    expect((await openedOf(own))['1004 authPassword']).toBe('Gone-Secret-1');
    for (const { id, name } of [ldap, goneLdap]) {
      const [row] = await rows<{ password: string }>(own, 'select password from ldap_server where id = $1', [id]);
      expect(
        await inCompany(own, () => new CompanySecrets(installationKey).open(passwordPlace(id), row!.password)),
      ).toBe(`Ldap-Secret-${name}`);
    }
    await commit(own, waiting);
    expect(await openedOf(own)).toMatchObject({ '1006 authPassword': 'Waiting-6', '1002 authPassword': 'Imported-2' });
    for (const [{ id }, password, counts] of [
      [second, 'Imported-1', { undone: 1, kept: 0 }],
      [first, secrets.authPassword, { undone: 2, kept: 0 }],
    ] as const) {
      await call(undoSipAccountImport, { params: { id } });
      expect((await reached(own, id, 'undone')).counts).toMatchObject(counts);
      expect((await openedOf(own))['1002 authPassword']).toBe(password);
    }

    await expectRenewalLogged(own, done.renewal!.done);
    // A second renewal works as well.
    await call(renewAccountKey);
    await eventually(async () => expect(await versions(own)).toEqual([3]), patience);
    expect(await sealedWith(own, 2)).toEqual([]);
  },
  patience,
);

test(
  'keeps the old key while a transaction that used it runs, and reseals what that one leaves behind',
  async () => {
    const own = newActor();
    const server = await addServer(own);
    const account = await addAccount(own, server.id, '4001', { authPassword: 'Early-Secret-1' });
    const place = placeOf('authPassword', account.id);
    const [sealed, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = inCompany(own, async () => {
      const text = await service.app.get(CompanySecrets).seal(place, 'Late-Secret-1');
      sealed.resolve();
      await end.promise;
      await currentSql().query('update sip_account set auth_password = $2 where id = $1', [account.id, text]);
    });
    await sealed.promise;
    await service.as(own)(renewAccountKey);
    await ended(own, 'waiting');
    const looked = async () => (await rows<{ at: Date }>(own, 'select lease_until as at from key_renewal'))[0]!.at;
    // Two more attempts have left the renewal waiting.
    for (let last = await looked(), times = 0; times < 2; times++)
      last = await eventually(async () => {
        const now = await looked();
        expect(now).not.toEqual(last);
        return now;
      });
    expect([(await service.as(own)(getAccountKey)).renewal?.status, await versions(own)]).toEqual(['waiting', [1, 2]]);
    end.resolve();
    await late;
    await ended(own, 'done');
    expect(await versions(own)).toEqual([2]);
    expect(await openedOf(own)).toEqual({ '4001 authPassword': 'Late-Secret-1' });
  },
  patience,
);

test(
  'leaves a secret that no key opens, and the old key with it, until the secret is set again',
  async () => {
    const own = newActor();
    const server = await addServer(own);
    const broken = await addAccount(own, server.id, '5001', { authPassword: 'Broken-Secret-1' });
    await addAccount(own, server.id, '5002', { authPassword: 'Whole-Secret-1' });
    await rows(own, `update sip_account set auth_password = auth_password || 'AAAA' where id = $1`, [broken.id]);
    const [before] = await accountsOf(own);
    await service.as(own)(renewAccountKey);
    expect((await ended(own, 'partly')).renewal).toMatchObject({ failed: 1, done: 1, endedAt: expect.any(String) });
    const after = await accountsOf(own);
    expect(after[0]!.auth_password).toBe(before!.auth_password);
    expect(after[1]!.auth_password).toMatch(/^2\./);
    expect(await versions(own)).toEqual([1, 2]);
    await service.as(own)(editSipAccount, {
      body: { id: broken.id, name: 'Mended', number: '5001', serverId: server.id, authPassword: 'Mended-Secret-1' },
    });
    await service.as(own)(renewAccountKey);
    await ended(own, 'done');
    expect(await versions(own)).toEqual([3]);
    expect(Object.values(await openedOf(own))).toEqual(['Mended-Secret-1', 'Whole-Secret-1']);
  },
  patience,
);

test(
  'renewing a key needs the right, all organizations and a key; operators renew all at once',
  async () => {
    const own = newActor();
    expect(await refusal(service.as(own)(renewAccountKey))).toBe('companyKey.none');
    const server = await addServer(own);
    await addAccount(own, server.id, '6001', { authPassword: 'Right-Secret-1' });
    const rights = permissionKeys.filter((one) => !superKeys.includes(one));
    for (const [without, answer, seen] of [
      ['renewCompanyKey', 'common.forbidden', 'none'],
      ['companyKey', 'none', 'common.forbidden'],
    ] as const) {
      const call = service.as({ ...own, permissions: rights.filter((one) => one !== without) });
      expect(await refusal(call(getAccountKey))).toBe(seen);
      if (answer !== 'none') expect(await refusal(call(renewAccountKey))).toBe(answer);
    }
    expect(await refusal(service.as({ ...own, orgIds: [own.orgId] })(renewAccountKey))).toBe('companyKey.narrowed');
    expect(await versions(own)).toEqual([1]);

    // An open transaction delays the end of the renewal, so the second order comes while the first one runs.
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const reads = inCompany(own, async () => {
      await currentSql().query('select 1');
      begun.resolve();
      await end.promise;
    });
    await begun.promise;
    const first = await service.as(own)(renewAccountKey);
    const again = await service.as(own)(renewAccountKey);
    expect(again.renewal!.startedAt).toBe(first.renewal!.startedAt);
    await ended(own, 'waiting');
    end.resolve();
    await reads;
    await ended(own, 'done');
    expect(await versions(own)).toEqual([2]);

    expect(await renewAllKeys(service.database, 'accountKey')).toBeGreaterThan(1);
    await eventually(async () => expect(await versions(own)).toEqual([3]), patience);
    expect((await service.as(own)(listSipAccounts, { query: {} })).total).toBe(1);
    expect(await openedOf(own)).toEqual({ '6001 authPassword': 'Right-Secret-1' });
    await eventually(() =>
      expect(
        audited.filter(({ companyId, action }) => companyId === own.companyId && action === 'accountKey.renew'),
      ).toContainEqual(expect.objectContaining({ username: 'system', result: 'success' })),
    );
  },
  patience,
);
