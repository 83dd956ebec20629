import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addLdapServer,
  addSipAccount,
  addSipAccountImport,
  addSipAccountRange,
  addSipServer,
  audit,
  commitSipAccountImport,
  deleteLdapServer,
  deleteSipAccounts,
  editSipAccount,
  getAccountKey,
  getSipAccountImport,
  listSipAccounts,
  permissionKeys,
  renewAccountKey,
  restoreLdapServers,
  restoreSipAccounts,
  superKeys,
  undoSipAccountImport,
  type ImportStatus,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, Database, transaction } from '@carillon/persistence';
import { CompanySecrets, unseal, type ServiceDefinition } from '@carillon/service';
import { renewAllKeys } from '@carillon/service/renew-all-keys';
import { runAs, systemContext } from '@carillon/tenancy';
import {
  eventually,
  inPieces,
  newActor,
  sheetFile,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { passwordPlace } from '../ldap-server/ldap-server.entity.ts';
import { provisioningService } from '../provisioning.module.ts';
import { passwordColumn, passwords, placeOf } from '../sip-account/sip-account.service.ts';

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const installationKey = Buffer.from(key, 'base64url');
const config = { dataKey: key, keyTickMs: 50, keyLeaseSeconds: 1, keyGraceSeconds: 0 };
const definition = provisioningService as unknown as ServiceDefinition;
const patience = 120_000;
type Looked = Pick<TestedService, 'database'>;
let bus: PostgresBus;
let service: TestedService;
const audited: { companyId: string; action: string; username: string; result: string; text: string }[] = [];

beforeAll(async () => {
  bus = await testBus('company_key_bus');
  service = await testService(definition, bus, config);
  await bus.fanout({
    topics: [audit.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const { data, companyId } = fromRecord(audit, record)!;
        audited.push({ ...data!, companyId: companyId!, text: String(record.value) });
      }
    },
  });
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

/** Runs work beside a second process of the service. */
async function beside<T>(of: TestedService, work: (other: TestedService) => Promise<T>): Promise<T> {
  const other = await testService(definition, bus, config, { beside: of });
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}
/** A job takes no connection from the calls of its company, which wait for one of two here. */
const inCompany = <T>({ companyId }: Actor, work: () => Promise<T>, of: Looked = service): Promise<T> =>
  runAs(systemContext(companyId), () => transaction(of.database, companySession(companyId), work, { job: true }));
const rows = <R = Record<string, unknown>>(actor: Actor, sql: string, values: unknown[] = [], of: Looked = service) =>
  inCompany(actor, async () => (await currentSql().query<R>(sql, values)).rows, of);
const versions = async (actor: Actor, of: Looked = service) =>
  (await rows<{ version: number }>(actor, 'select version from data_key order by version', [], of)).map(
    (row) => row.version,
  );
const addServer = (actor: Actor, of = service) =>
  of.as(actor)(addSipServer, {
    body: {
      name: 'PBX',
      address: 'pbx.example.com',
      port: 5060,
      transport: 'udp',
      domain: '',
      proxyAddress: null,
      proxyPort: null,
      backupAddress: null,
      backupPort: null,
    },
  });
const addAccount = (actor: Actor, serverId: string, number: string, more: object = {}, of = service) =>
  of.as(actor)(addSipAccount, { body: { name: `Account ${number}`, number, serverId, ...more } });
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
const reached = (actor: Actor, id: string, status: ImportStatus) =>
  eventually(async () => {
    const now = await service.as(actor)(getSipAccountImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  });
/** Uploads an import of numbers and passwords and waits until it is checked. */
const checked = async (actor: Actor, ...accounts: [string, string][]) => {
  const answer = await service.as(actor)(addSipAccountImport, {
    body: {
      name: 'accounts.xlsx',
      file: inPieces(
        sheetFile(
          [
            ['number', 'server', 'name', 'authPassword'],
            ...accounts.map(([number, password]) => [number, 'PBX', `Account ${number}`, password]),
          ],
          'xlsx',
        ),
      ),
    },
  });
  return (await reached(actor, answer.import!.id, 'checked')).id;
};
const commit = async (actor: Actor, id: string) => {
  await service.as(actor)(commitSipAccountImport, { params: { id } });
  return reached(actor, id, 'done');
};

type Account = Record<'id' | 'number' | 'auth_password' | 'proxy_password' | 'voicemail_password', string>;
const accountsOf = (actor: Actor, of: Looked = service) =>
  rows<Account>(actor, 'select * from sip_account order by number', [], of);
/** Returns the passwords that a process without cached keys can open, by number and column. */
const openedOf = (actor: Actor, of: Looked = service): Promise<Record<string, string>> =>
  inCompany(
    actor,
    async () => {
      const secrets = new CompanySecrets(installationKey);
      const result: Record<string, string> = {};
      for (const account of (await currentSql().query<Account>('select * from sip_account order by number')).rows)
        for (const name of passwords) {
          const sealed = account[passwordColumn(name)];
          if (sealed !== null)
            result[`${account.number} ${name}`] = await secrets.open(placeOf(name, account.id), sealed);
        }
      return result;
    },
    of,
  );
/**
 * Returns all tables that contain texts sealed with this key version. Reads every table, so that a new one cannot be
 * forgotten.
 */
async function sealedWith(actor: Actor, version: number): Promise<string[]> {
  const tables = await rows<{ t: string }>(
    actor,
    `
      select tablename as t from pg_tables
      where schemaname = 'public' and tablename not in ('migration', 'outbox', 'inbox')
    `,
  );
  const found: string[] = [];
  for (const { t } of tables) {
    const [row] = await rows<{ n: number }>(
      actor,
      `select count(*)::int as n from "${t}" x where to_jsonb(x)::text ~ $1`,
      [`"${version}[.][A-Za-z0-9_-]{38,}"`],
    );
    if (row!.n > 0) found.push(t);
  }
  return found.toSorted();
}
const ended = (actor: Actor, status: string, of = service) =>
  eventually(async () => {
    const now = await of.as(actor)(getAccountKey);
    expect(now.renewal?.status).toBe(status);
    return now;
  }, patience);
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );

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

    await eventually(() =>
      expect(
        audited.filter(({ companyId, action }) => companyId === own.companyId && action.startsWith('accountKey.')),
      ).toEqual([
        expect.objectContaining({ action: 'accountKey.renew', result: 'success', username: 'tester' }),
        expect.objectContaining({
          action: 'accountKey.renewed',
          result: 'success',
          detail: { sealed: done.renewal!.done },
        }),
      ]),
    );
    expect(audited.filter(({ text }) => /Secret-|Imported-|Waiting-/.test(text))).toEqual([]);
    // A second renewal works as well.
    await call(renewAccountKey);
    await eventually(async () => expect(await versions(own)).toEqual([3]), patience);
    expect(await sealedWith(own, 2)).toEqual([]);
  },
  patience,
);

test(
  'after a kill in a batch all stays readable, and another process continues without repeating',
  async () => {
    const own = newActor();
    // A database of its own, so that no other process continues.
    const dying = await testService(definition, bus, config);
    const server = await addServer(own, dying);
    await dying.as(own)(addSipAccountRange, {
      body: { serverId: server.id, from: '2001', to: '2450', authPassword: 'Range-Secret-1' },
    });
    const secrets = dying.app.get(CompanySecrets);
    const renewer = secrets.renewer.bind(secrets);
    let batches = 0;
    // The third batch has locked its rows when its connection is lost, and the process ends soon after.
    secrets.renewer = async () => {
      const renew = await renewer();
      if (++batches < 3) return renew;
      await currentSql().query('select pg_terminate_backend(pg_backend_pid())');
      return renew;
    };
    await dying.as(own)(renewAccountKey);
    await eventually(() => expect(batches).toBeGreaterThanOrEqual(3), patience);
    const halfway = async (of: Looked) => {
      const [row] = await rows<{ done: number; old: number }>(
        own,
        `select done, (select count(*)::int from sip_account where auth_password like '1.%') as old from key_renewal`,
        [],
        of,
      );
      return row!;
    };
    await dying.close();
    const database = await Database.open({ connection: dying.connection, entities: [], migrations: [] });
    try {
      expect(await halfway({ database })).toEqual({ done: 400, old: 50 });
      const all = Object.values(await openedOf(own, { database }));
      expect([all.length, new Set(all)]).toEqual([450, new Set(['Range-Secret-1'])]);
      await beside(dying, async (next) => {
        const { renewal } = await ended(own, 'done', next);
        expect(renewal).toMatchObject({ done: 450, total: 450, failed: 0 });
      });
      expect(await versions(own, { database })).toEqual([2]);
      expect(new Set(Object.values(await openedOf(own, { database })))).toEqual(new Set(['Range-Secret-1']));
    } finally {
      await database.close();
    }
  },
  patience,
);

test(
  'two processes reseal during concurrent changes, and every password stays correct and readable',
  { tags: 'slow', timeout: patience },
  async () => {
    const own = newActor();
    const server = await addServer(own);
    await service.as(own)(addSipAccountRange, {
      body: { serverId: server.id, from: '3001', to: '3480', authPassword: 'First-Secret-1' },
    });
    const given = Array.from({ length: 60 }, (_, n): [string, string] => [String(3401 + n), 'Import-2']);
    const imported = await checked(own, ...given);
    await commit(own, imported);
    const ids = new Map((await accountsOf(own)).map(({ id, number }) => [number, id] as const));
    const expected = await openedOf(own);
    expect(expected['3401 authPassword']).toBe('Import-2');

    await beside(service, async (other) => {
      const calls = [service.as(own), other.as(own)];
      let over = false;
      const reading = (async () => {
        let looks = 0;
        for (; !over; looks++) expect(Object.keys(await openedOf(own)).length).toBeGreaterThan(300);
        return looks;
      })();
      await calls[0]!(renewAccountKey);
      const edit = async (n: number) => {
        const number = String(3001 + n);
        const authPassword = `Edited-Secret-${n}`;
        const body = { id: ids.get(number)!, name: 'Edited', number, serverId: server.id };
        // Every other edit changes no password, so the stored one must stay.
        await calls[n % 2]!(editSipAccount, { body: n % 4 < 2 ? { ...body, authPassword } : body });
        if (n % 4 < 2) expected[`${number} authPassword`] = authPassword;
      };
      const deleteAndRestore = async (n: number) => {
        const some = [ids.get(String(3101 + n))!];
        await calls[n % 2]!(deleteSipAccounts, { query: { ids: some } });
        await calls[(n + 1) % 2]!(restoreSipAccounts, { body: { ids: some } });
      };
      const add = async (n: number) => {
        await addAccount(own, server.id, String(3601 + n), { authPassword: `Added-${n}` });
        expected[`${3601 + n} authPassword`] = `Added-${n}`;
      };
      await Promise.all([
        ...[...Array(4).keys()].map(async (part) => {
          for (let n = part; n < 80; n += 4) await edit(n);
        }),
        (async () => {
          for (let n = 0; n < 30; n++) await deleteAndRestore(n);
        })(),
        (async () => {
          for (let n = 0; n < 20; n++) await add(n);
        })(),
        (async () => {
          await service.as(own)(undoSipAccountImport, { params: { id: imported } });
          expect((await reached(own, imported, 'undone')).counts).toMatchObject({ undone: 60, kept: 0 });
          for (let n = 0; n < 60; n++) expected[`${3401 + n} authPassword`] = 'First-Secret-1';
        })(),
      ]);
      await ended(own, 'done', other);
      over = true;
      expect(await reading).toBeGreaterThan(0);
    });
    expect(await openedOf(own)).toEqual(expected);
    expect([await sealedWith(own, 1), await versions(own)]).toEqual([[], [2]]);
  },
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
