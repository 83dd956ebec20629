import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSipAccount,
  addSipServer,
  addSipServerImport,
  commitSipServerImport,
  deleteSipServerImport,
  editSipServer,
  getSipServerImport,
  getSipServerImportFile,
  getSipServerImportTemplate,
  listSipServerImportRows,
  listSipServerImports,
  listSipServers,
  mendSipServerImportRow,
  undoSipServerImport,
  type ImportStatus,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import {
  eventually,
  inPieces,
  newActor,
  rowsOfSheet,
  sheetFile,
  testBus,
  type Actor,
  type TestedService,
} from '@carillon/testing';
import { startProvisioning } from '../testing/provisioning.ts';

let bus: PostgresBus;
let service: TestedService;
const own = newActor();
const stranger = newActor();

beforeAll(async () => {
  bus = await testBus('server_import_bus');
  service = await startProvisioning(bus);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const call = (as: Actor = own) => service.as(as);
const upload = (file: Buffer, more: object = {}, as: Actor = own) =>
  call(as)(addSipServerImport, { body: { name: 'servers.xlsx', file: inPieces(file), ...more } });
const reached = (id: string, status: ImportStatus, as: Actor = own) =>
  eventually(async () => {
    const now = await call(as)(getSipServerImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  });
const checked = async (rows: unknown[][], type: 'xlsx' | 'biff8' = 'xlsx') => {
  const answer = await upload(sheetFile(rows, type));
  expect(answer.import).not.toBeNull();
  return reached(answer.import!.id, 'checked');
};
const rowsOf = async (id: string, query: object = {}) =>
  (await call()(listSipServerImportRows, { params: { id }, query })).records;
const names = async (search: string) =>
  (await call()(listSipServers, { query: { search, limit: 200 } })).records.map((s) => s.name);
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; code: number }) => [e.code, e.error],
  );

test.each(['xlsx', 'biff8'] as const)(
  '%s: rows are checked, change nothing until confirmed, and count one by one [ACC-01/import]',
  async (type) => {
    const host = `${type}.example.com`;
    await call()(addSipServer, {
      body: {
        name: `Known ${type}`,
        address: host,
        port: 5060,
        transport: 'udp',
        domain: 'old.example.com',
        proxyAddress: null,
        proxyPort: null,
        backupAddress: null,
        backupPort: null,
      },
    });
    const made = await checked(
      [
        ['Nome', '주소', 'port', '传输协议', 'Outbound proxy', 'Notes', '__proto__'],
        [`New ${type}`, host, 5062, 'TLS', '[2001:db8::7]:5080', 'x', 'y'],
        [`KNOWN ${type}`, '', '', '', 'proxy.example.com', '', ''],
        [`Known ${type}`, host, 5060, 'tcp', '', '', ''],
        [`Bad ${type}`, 'a b', 'many', 'pigeon', '', '', ''],
        [`Same ${type}`, host, '', '', '', '', ''],
      ],
      type,
    );
    expect(made.counts).toMatchObject({ total: 5, checked: 5, add: 2, update: 1, unchanged: 0, wrong: 2, done: 0 });
    expect(made.ignored).toEqual(['Notes', '__proto__']);
    expect(await names(host)).toEqual([`Known ${type}`]);
    expect(await rowsOf(made.id)).toMatchObject([
      { number: 2, outcome: 'add', cells: { name: `New ${type}`, port: '5062', proxy: '[2001:db8::7]:5080' } },
      { number: 3, outcome: 'update', changes: ['name', 'proxy'] },
      {
        number: 4,
        outcome: 'wrong',
        errors: [{ field: 'name', error: 'import.rowTwice', msg: expect.stringContaining('3') }],
      },
      {
        number: 5,
        outcome: 'wrong',
        errors: [
          { field: 'address', error: 'common.hostName' },
          { field: 'port', error: 'common.fieldType' },
          { field: 'transport', error: 'common.fieldValue' },
        ],
      },
      { number: 6, outcome: 'add' },
    ]);
    await call()(commitSipServerImport, { params: { id: made.id } });
    const done = await reached(made.id, 'done');
    expect(done.counts).toMatchObject({ add: 2, update: 1, wrong: 2, done: 3 });
    const after = (await call()(listSipServers, { query: { search: host, sort: 'name' } })).records;
    expect(after).toMatchObject([
      {
        name: `KNOWN ${type}`,
        address: host,
        domain: 'old.example.com',
        proxyAddress: 'proxy.example.com',
        proxyPort: null,
      },
      { name: `New ${type}`, port: 5062, transport: 'tls', proxyAddress: '[2001:db8::7]', proxyPort: 5080 },
      { name: `Same ${type}`, port: 5060, transport: 'udp', domain: '' },
    ]);
    // Importing the same file again changes nothing.
    const again = await checked(
      [
        ['Name', 'Address'],
        [`New ${type}`, host],
      ],
      type,
    );
    expect(again.counts).toMatchObject({ unchanged: 1, add: 0, update: 0 });
  },
);

test('unknown columns are returned with their headers, and their mapping is kept for the next file', async () => {
  const file = sheetFile([
    ['PBX', 'Where', 'Port'],
    ['Mapped', 'mapped.example.com', '5070'],
  ]);
  const asked = await upload(file);
  expect(asked).toMatchObject({ headers: ['PBX', 'Where', 'Port'], mapping: { port: 2 }, import: null });
  expect(await refusal(upload(file, { mapping: { address: 1 } }))).toEqual([400, 'import.columnMissing']);
  const made = (await upload(file, { mapping: { name: 0, address: 1 } })).import!;
  expect((await reached(made.id, 'checked')).counts).toMatchObject({ add: 1, wrong: 0 });
  expect(made.ignored).toEqual(['Port']);
  // Another company does not get this mapping.
  expect((await upload(file, {}, stranger)).import).toBeNull();
  expect((await upload(file)).mapping).toEqual({ name: 0, address: 1, port: 2 });
});

test('an invalid row is corrected in place, or in the file of invalid rows', async () => {
  const made = await checked([
    ['Name', 'Address'],
    ['Mend', 'not a host'],
    ['Mend 2', 'mend.example.com'],
    ['mend 2', 'mend.example.com'],
  ]);
  const { id } = made;
  const answer = await service.app
    .getHttpAdapter()
    .getInstance()
    .inject({
      method: 'GET',
      url: getSipServerImportFile.path.replace('{id}', id),
      headers: service.headersOf(own),
    });
  expect(rowsOfSheet(answer.rawPayload).map((row) => row.filter((cell) => cell !== ''))).toEqual([
    ['Name', 'Address', 'Port', 'Transport', 'Domain', 'Outbound proxy', 'Backup server', 'Row', 'What to fix'],
    ['Mend', 'not a host', '2', expect.stringContaining('Address: ')],
    ['mend 2', 'mend.example.com', '4', expect.stringContaining('Name: Row 3')],
  ]);
  expect(made.counts.wrong).toBe(2);
  const mend = (number: number, cells: Record<string, string>) =>
    call()(mendSipServerImportRow, { params: { id, number }, body: { cells } });
  expect(await refusal(mend(2, { __proto__x: 'y' }))).toEqual([400, 'common.fieldUnknown']);
  await mend(2, { address: 'mend.example.com', domain: 'd.example.com' });
  expect((await reached(id, 'checked')).counts).toMatchObject({ add: 2, wrong: 1 });
  await mend(3, { name: 'Mend 3' });
  expect((await reached(id, 'checked')).counts).toMatchObject({ add: 3, wrong: 0 });
  await call()(commitSipServerImport, { params: { id } });
  await reached(id, 'done');
  expect((await names('mend.example.com')).toSorted()).toEqual(['Mend', 'Mend 3', 'mend 2']);
  expect(await refusal(mend(2, { address: 'x' }))).toEqual([409, 'import.wrongState']);
});

test('an import is undone except for rows that were changed or used since, which are named', async () => {
  const add = (name: string) =>
    call()(addSipServer, {
      body: {
        name,
        address: 'undo.example.com',
        port: 5060,
        transport: 'udp',
        domain: '',
        proxyAddress: null,
        proxyPort: null,
        backupAddress: null,
        backupPort: null,
      },
    });
  const kept = await add('Undo old');
  await add('Undo old 2');
  const made = await checked([
    ['Name', 'Address', 'Port'],
    ['Undo old', 'undo.example.com', '5099'],
    ['Undo old 2', 'undo.example.com', '5098'],
    ['Undo new', 'undo.example.com', ''],
    ['Undo used', 'undo.example.com', ''],
  ]);
  const { id } = made;
  expect(await refusal(call()(undoSipServerImport, { params: { id } }))).toEqual([409, 'import.wrongState']);
  await call()(commitSipServerImport, { params: { id } });
  await reached(id, 'done');
  const now = (await call()(listSipServers, { query: { search: 'undo.example', sort: 'name' } })).records;
  expect(now.map((s) => s.port)).toEqual([5060, 5099, 5098, 5060]);
  await call()(addSipAccount, {
    body: { name: 'A', number: '1', serverId: now.find((s) => s.name === 'Undo used')!.id },
  });
  const found = now.find((s) => s.id === kept.id)!;
  const { accounts: _, assigned: __, unassigned: ___, devices: ____, updatedAt: _____, ...same } = found;
  await call()(editSipServer, { body: { ...same, domain: 'changed.example.com' } });
  await call()(undoSipServerImport, { params: { id } });
  expect((await reached(id, 'undone')).counts).toMatchObject({ undone: 2, kept: 2 });
  expect((await rowsOf(id, { state: 'kept' })).map((r) => r.cells['name'])).toEqual(['Undo old', 'Undo used']);
  const left = (await call()(listSipServers, { query: { search: 'undo.example', sort: 'name' } })).records;
  expect(left.map((s) => [s.name, s.port])).toEqual([
    ['Undo old', 5099],
    ['Undo old 2', 5060],
    ['Undo used', 5060],
  ]);
});

test('refuses a file that is no spreadsheet, whatever its name [SYS-11/content]', async () => {
  const good = sheetFile([['Name'], ['A']]);
  const wrong = {
    'text as .xlsx': Buffer.from('Name,Address\nA,b'),
    'a page as .xls': Buffer.from('<html><table><tr><td>Name</td></tr></table></html>'),
    'a picture': Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    'a ZIP of something else': sheetFile([['Name'], ['A']], 'ods'),
    'a binary workbook': sheetFile([['Name'], ['A']], 'xlsb'),
    'XML of 2003': sheetFile([['Name'], ['A']], 'xlml'),
  };
  for (const [what, file] of Object.entries(wrong))
    expect([what, await refusal(upload(file, { name: `${what}.xlsx` }))]).toEqual([what, [415, 'file.typeWrong']]);
  expect(await refusal(upload(good.subarray(0, good.length - 60)))).toEqual([415, 'file.typeWrong']);
  expect(await refusal(upload(Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])))).toEqual([
    400,
    'file.importFormat',
  ]);
  expect(await refusal(upload(sheetFile([['Name', 'Address']])))).toEqual([400, 'import.empty']);
  expect(await refusal(upload(sheetFile([])))).toEqual([400, 'import.empty']);
});

test("the template is a spreadsheet in the caller's language, and its example row is never imported", async () => {
  const connected = await service.app
    .getHttpAdapter()
    .getInstance()
    .inject({
      method: 'GET',
      url: getSipServerImportTemplate.path,
      headers: service.headersOf({ ...own, language: 'pt_BR' }),
    });
  const rows = rowsOfSheet(connected.rawPayload);
  expect(rows[0]).toEqual(['Nome', 'Endereço', 'Porta', 'Transporte', 'Domínio', 'Proxy de saída', 'Servidor reserva']);
  expect(rows).toHaveLength(2);
  expect(await refusal(upload(connected.rawPayload))).toEqual([400, 'import.empty']);
  const filled = await checked([...rows, ['Filled', 'filled.example.com']]);
  expect(filled.counts).toMatchObject({ total: 1, add: 1 });
});

test('only its owner sees an import, and importing servers needs all organizations', async () => {
  const made = await checked([
    ['Name', 'Address'],
    ['Mine', 'mine.example.com'],
  ]);
  const colleague = { ...newActor(), companyId: own.companyId };
  for (const other of [stranger, colleague]) {
    expect(await call(other)(listSipServerImports)).toEqual([]);
    for (const asked of [getSipServerImport, listSipServerImportRows, commitSipServerImport, deleteSipServerImport])
      expect(await refusal(call(other)(asked as typeof getSipServerImport, { params: { id: made.id } }))).toEqual([
        404,
        'common.notFound',
      ]);
  }
  expect((await call()(listSipServerImports))[0]).toMatchObject({ id: made.id });
  expect(await refusal(upload(sheetFile([['Name'], ['A']]), {}, { ...own, orgIds: [own.orgId] }))).toEqual([
    403,
    'sipServer.narrowed',
  ]);
  await call()(deleteSipServerImport, { params: { id: made.id } });
  expect(await refusal(call()(getSipServerImport, { params: { id: made.id } }))).toEqual([404, 'common.notFound']);
});
