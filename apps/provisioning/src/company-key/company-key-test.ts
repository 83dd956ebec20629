import { afterAll, expect } from 'vitest';
import {
  addSipAccount,
  addSipAccountImport,
  addSipServer,
  audit,
  commitSipAccountImport,
  getAccountKey,
  getSipAccountImport,
  type ImportStatus,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { CompanySecrets, type ServiceDefinition } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import {
  eventually,
  inPieces,
  sheetFile,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { provisioningService } from '../provisioning.module.ts';
import { passwordColumn, passwords, placeOf } from '../sip-account/sip-account.service.ts';

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
export const installationKey = Buffer.from(key, 'base64url');
export const config = { dataKey: key, keyTickMs: 50, keyLeaseSeconds: 1, keyGraceSeconds: 0 };
export const definition = provisioningService as unknown as ServiceDefinition;
export const patience = 120_000;
export type Looked = Pick<TestedService, 'database'>;

type Account = Record<'id' | 'number' | 'auth_password' | 'proxy_password' | 'voicemail_password', string>;

async function openCompanyKeys() {
  const audited: { companyId: string; action: string; username: string; result: string; text: string }[] = [];
  const bus = await testBus('company_key_bus');
  const service = await testService(definition, bus, config);
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
  afterAll(async () => {
    await service.close();
    await bus.close();
  });
  return { bus, service, audited };
}

function secretReaders({ service }: Awaited<ReturnType<typeof openCompanyKeys>>) {
  /** A job takes no connection from the calls of its company, which wait for one of two here. */
  const inCompany = <T>({ companyId }: Actor, work: () => Promise<T>, tested: Looked = service): Promise<T> =>
    runAs(systemContext(companyId), () => transaction(tested.database, companySession(companyId), work, { job: true }));
  const rows = <R = Record<string, unknown>>(
    actor: Actor,
    sql: string,
    values: unknown[] = [],
    tested: Looked = service,
  ) => inCompany(actor, async () => (await currentSql().query<R>(sql, values)).rows, tested);
  const versions = async (actor: Actor, tested: Looked = service) =>
    (await rows<{ version: number }>(actor, 'select version from data_key order by version', [], tested)).map(
      (row) => row.version,
    );
  const accountsOf = (actor: Actor, tested: Looked = service) =>
    rows<Account>(actor, 'select * from sip_account order by number', [], tested);
  /** Returns the passwords that a process without cached keys can open, by number and column. */
  const openedOf = (actor: Actor, tested: Looked = service): Promise<Record<string, string>> =>
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
      tested,
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
  return { inCompany, rows, versions, accountsOf, openedOf, sealedWith };
}

function secretOwners({ service }: Awaited<ReturnType<typeof openCompanyKeys>> & ReturnType<typeof secretReaders>) {
  const addServer = (actor: Actor, tested = service) =>
    tested.as(actor)(addSipServer, {
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
  const addAccount = (actor: Actor, serverId: string, number: string, more: object = {}, tested = service) =>
    tested.as(actor)(addSipAccount, { body: { name: `Account ${number}`, number, serverId, ...more } });
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
  const ended = (actor: Actor, status: string, tested = service) =>
    eventually(async () => {
      const now = await tested.as(actor)(getAccountKey);
      expect(now.renewal?.status).toBe(status);
      return now;
    }, patience);
  return { addServer, addAccount, reached, checked, commit, ended };
}

/** Starts provisioning with quick key renewals, and records the operation log. Closes it after the tests. */
export async function startCompanyKeys() {
  const opened = await openCompanyKeys();
  const readable = { ...opened, ...secretReaders(opened) };
  return { ...readable, ...secretOwners(readable) };
}
