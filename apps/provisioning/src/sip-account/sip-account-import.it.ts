import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSipAccountImport,
  addSipServer,
  commitSipAccountImport,
  getSipAccountImport,
  listSipAccountImportRows,
  listSipAccounts,
  provisioningAccount,
  undoSipAccountImport,
  type ImportStatus,
} from '@carillon/contracts';
import { fromRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { CompanySecrets } from '@carillon/service';
import { runAs, systemContext } from '@carillon/tenancy';
import { eventually, inPieces, newActor, sheetFile, testBus, type TestedService } from '@carillon/testing';
import { placeOf } from './sip-account.service.ts';
import { startProvisioning } from '../testing/provisioning.ts';

const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const published = new Map<string, string | null>();

beforeAll(async () => {
  bus = await testBus('account_import_bus');
  service = await startProvisioning(bus);
  await bus.fanout({
    topics: [provisioningAccount.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records)
        published.set(record.key, fromRecord(provisioningAccount, record)!.data?.name ?? null);
    },
  });
  for (const name of ['PBX', 'Other PBX'])
    await service.as(own)(addSipServer, {
      body: {
        name,
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
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = () => service.as(own);
const reached = (id: string, status: ImportStatus) =>
  eventually(async () => {
    const now = await call()(getSipAccountImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  });
const checked = async (rows: unknown[][], type: 'xlsx' | 'biff8' = 'xlsx') => {
  const answer = await call()(addSipAccountImport, {
    body: { name: 'accounts.xls', file: inPieces(sheetFile(rows, type)) },
  });
  return reached(answer.import!.id, 'checked');
};
const commit = async (id: string) => {
  await call()(commitSipAccountImport, { params: { id } });
  return reached(id, 'done');
};
const rowsOf = async (id: string, query: object = {}) =>
  (await call()(listSipAccountImportRows, { params: { id }, query })).records;
const inCompany = <T>(work: () => Promise<T>): Promise<T> =>
  runAs(systemContext(own.companyId), () => transaction(service.database, companySession(own.companyId), work));
const passwordsOf = (number: string) =>
  inCompany(async () => {
    const { rows } = await currentSql().query<Record<'id' | 'auth' | 'voicemail', string>>(
      'select id, auth_password as auth, voicemail_password as voicemail from sip_account where number = $1',
      [number],
    );
    const secrets = new CompanySecrets(Buffer.from(key, 'base64url'));
    const { id, auth, voicemail } = rows[0]!;
    return [
      auth && (await secrets.open(placeOf('authPassword', id), auth)),
      voicemail && (await secrets.open(placeOf('voicemailPassword', id), voicemail)),
    ];
  });

test.each(['xlsx', 'biff8'] as const)(
  '%s: adds and changes accounts, encrypts passwords, and empty cells change nothing [ACC-02/import]',
  async (type) => {
    const number = type === 'xlsx' ? '20' : '30';
    const password = `Imported-${type}`;
    const made = await checked(
      [
        ['用户号码', 'SIP server', 'Account name', 'Auth password', 'Voicemail password', 'Site'],
        [`${number}01`, 'pbx', `A ${type}`, password, 4711471147, ''],
        [`${number}01`, 'Other PBX', `B ${type}`, '', '', ''],
        [`${number} 2`, 'Unknown PBX', '', 'x'.repeat(200), '', 'Nowhere'],
      ],
      type,
    );
    expect((await rowsOf(made.id)).map((r) => [r.outcome, r.errors.map((e) => [e.field, e.error])])).toEqual([
      ['add', []],
      ['add', []],
      [
        'wrong',
        [
          ['server', 'import.notFound'],
          ['site', 'import.notFound'],
          ['name', 'common.fieldRequired'],
          ['number', 'sipAccount.numberFormat'],
          ['authPassword', 'common.fieldTooLong'],
        ],
      ],
    ]);
    const stored = () =>
      inCompany(async () => (await currentSql().query<{ t: string }>('select r::text as t from import_row r')).rows);
    expect((await stored()).filter(({ t }) => t.includes(password) || t.includes('4711471147'))).toEqual([]);
    expect((await rowsOf(made.id))[0]!.cells).toMatchObject({ authPassword: '••••••••', number: `${number}01` });
    expect((await commit(made.id)).counts).toMatchObject({ done: 2, wrong: 1 });
    expect((await stored()).filter(({ t }) => t.includes(password))).toEqual([]);
    const { records } = await call()(listSipAccounts, { query: { search: `${number}01`, sort: 'name' } });
    expect(records.map((a) => [a.name, a.server.name, a.authPasswordSet, a.orgId])).toEqual([
      [`A ${type}`, 'PBX', true, own.orgId],
      [`B ${type}`, 'Other PBX', false, own.orgId],
    ]);
    await eventually(() => expect(published.get(records[0]!.id)).toBe(`A ${type}`));

    // The list's placeholder for a password changes nothing; another password does.
    const same = await checked(
      [
        ['User number', 'SIP server', 'Display name', 'Auth password'],
        [`${number}01`, 'PBX', '', '설정됨'],
        [`${number}01`, 'Other PBX', '', 'Não definida'],
      ],
      type,
    );
    expect(same.counts).toMatchObject({ unchanged: 2, update: 0 });
    const more = await checked(
      [
        ['User number', 'SIP server', 'Display name', 'Auth password'],
        [`${number}01`, 'PBX', 'Front desk', `${password}-2`],
      ],
      type,
    );
    expect((await rowsOf(more.id))[0]).toMatchObject({ outcome: 'update', changes: ['displayName', 'authPassword'] });
    await commit(more.id);
    const pbx = records[0]!.id;
    expect(
      await inCompany(
        async () => (await currentSql().query('select display_name from sip_account where id = $1', [pbx])).rows,
      ),
    ).toEqual([{ display_name: 'Front desk' }]);
    await call()(undoSipAccountImport, { params: { id: more.id } });
    expect((await reached(more.id, 'undone')).counts).toMatchObject({ undone: 1, kept: 0 });
    await call()(undoSipAccountImport, { params: { id: made.id } });
    expect((await reached(made.id, 'undone')).counts).toMatchObject({ undone: 2, kept: 0 });
    await eventually(() => expect(published.get(pbx)).toBeNull());
  },
);

test('a password passes the file, its rows and an update exactly as typed', async () => {
  const made = await checked([
    ['number', 'server', 'name', 'authPassword', 'voicemailPassword'],
    ['4001', 'PBX', 'Kept', 'Päss wörd 1', '99'],
  ]);
  await commit(made.id);
  expect(await passwordsOf('4001')).toEqual(['Päss wörd 1', '99']);
  await commit(
    (
      await checked([
        ['number', 'server', 'voicemailPassword'],
        ['4001', 'PBX', '98'],
      ])
    ).id,
  );
  expect(await passwordsOf('4001')).toEqual(['Päss wörd 1', '98']);
});

test('an import does not tell whether a password in it is the stored one', async () => {
  await commit(
    (
      await checked([
        ['number', 'server', 'name', 'authPassword'],
        ['4100', 'PBX', 'Guessed', 'Right-1'],
      ])
    ).id,
  );
  const planOf = async (password: string) => {
    const { id } = await checked([
      ['number', 'server', 'authPassword'],
      ['4100', 'PBX', password],
    ]);
    return (await rowsOf(id)).map(({ outcome, changes }) => ({ outcome, changes }));
  };
  const guess = [{ outcome: 'update', changes: ['authPassword'] }];
  expect([await planOf('Right-1'), await planOf('Wrong-1')]).toEqual([guess, guess]);
});
