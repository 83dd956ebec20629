import { expect, test } from 'vitest';
import {
  addSipAccountRange,
  deleteSipAccounts,
  editSipAccount,
  renewAccountKey,
  restoreSipAccounts,
  undoSipAccountImport,
} from '@carillon/contracts';
import { currentSql, Database } from '@carillon/persistence';
import { CompanySecrets } from '@carillon/service';
import { eventually, newActor, testService, type TestedService } from '@carillon/testing';
import { definition, config, patience, type Looked, startCompanyKeys } from './company-key-test.ts';

const {
  bus,
  service,
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

/** Runs work beside a second process of the service. */
async function beside<T>(server: TestedService, work: (other: TestedService) => Promise<T>): Promise<T> {
  const other = await testService(definition, bus, config, { beside: server });
  try {
    return await work(other);
  } finally {
    await other.close();
  }
}

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
    const halfway = async (tested: Looked) => {
      const [row] = await rows<{ done: number; old: number }>(
        own,
        `select done, (select count(*)::int from sip_account where auth_password like '1.%') as old from key_renewal`,
        [],
        tested,
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
