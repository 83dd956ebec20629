import { afterAll, beforeAll, expect, test } from 'vitest';
import { editSysConfig, superKeys, type PermissionKey } from '@carillon/contracts';
import { importBodyLimit } from '@carillon/contracts/constants';
import { allRoutes } from '@carillon/contracts/routes';
import { deviceService } from '@carillon/device/module';
import { licenseService } from '@carillon/license/module';
import { provisioningService } from '@carillon/provisioning/module';
import type { PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { uuidv7 } from '@carillon/persistence';
import {
  eventually,
  inPieces,
  jpg,
  newActor,
  png,
  sheetFile,
  testBus,
  testService,
  type Actor,
  type TestedService,
} from '@carillon/testing';

/** Generated from the contracts: what every import must accept and refuse. */
const imports = allRoutes.filter(({ route }) => route.method === 'POST' && route.audit.endsWith('.importCheck'));
const own = newActor();
let bus: PostgresBus;
const services = new Map<string, TestedService>();

beforeAll(async () => {
  bus = await testBus('import_bus');
  const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
  for (const definition of [deviceService, provisioningService, licenseService] as unknown as ServiceDefinition[])
    services.set(definition.name, await testService(definition, bus, { dataKey: key, mailKey: key }));
});
afterAll(async () => {
  for (const service of services.values()) await service.close();
  await bus?.close();
});

/** Includes the columns that identify the rows of each import, and one of its texts. */
const headers = ['MAC', 'SN', 'Name', 'User number', 'SIP server', 'Order'];
const rows = [headers, ['0c383e000001', '=1+1', '=1+1', '2001', 'PBX; "one", two', '=1+1']];
/** Writes CSV like a spreadsheet program. */
const csv = (separator: ',' | ';', start = ''): Buffer =>
  Buffer.from(
    start + rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\r\n'),
  );
const csvs = { commas: csv(','), semicolons: csv(';'), 'a byte order mark': csv(';', '\uFEFF') };
const wrong: Record<string, Buffer> = {
  'a page': Buffer.from('<html><table><tr><td>Name</td></tr></table></html>'),
  'a document of JSON': Buffer.from(JSON.stringify(rows)),
  'a PNG': png,
  'a JPEG': jpg,
  'an OpenDocument': sheetFile(rows, 'ods'),
  'a binary workbook': sheetFile(rows, 'xlsb'),
  'XML of 2003': sheetFile(rows, 'xlml'),
  'a workbook of Excel 2': sheetFile(rows, 'biff2'),
  SYLK: sheetFile(rows, 'sylk'),
  'rich text': sheetFile(rows, 'rtf'),
  'text of two bytes a letter': Buffer.from(csv(',').toString('utf8'), 'utf16le'),
  'an empty archive': Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
  nothing: Buffer.alloc(4),
};
const names = ['devices.xls', 'devices.xlsx', 'devices.csv', 'devices.txt', 'devices'];

const operator: Actor = { ...newActor(), permissions: ['config', 'editConfig'] };
type Import = (typeof imports)[number];
/** Each import runs as a new user, because one user may have three imports at a time. */
async function upload({ owner, route }: Import, file: Buffer, name: string) {
  const service = services.get(owner)!;
  const isOperators = superKeys.includes(route.permission as PermissionKey);
  const who = { ...own, userId: uuidv7(), ...(isOperators ? { permissions: [route.permission] } : {}) } as Actor;
  const { status, body } = await service.raw(who, {
    method: route.method,
    url: route.path,
    payload: { name, file: inPieces(file) },
    headers: { 'carillon-language': 'pt_BR' },
  });
  const data = (body['data'] ?? {}) as { headers?: string[]; import?: { id: string; name: string } };
  const rowsOf = async (id: string) => {
    const answer = await service.raw(who, { method: 'GET', url: `${route.path}/${id}/row` });
    return (answer.body['data'] as { records: { cells: Record<string, string> }[] }).records;
  };
  return {
    status,
    msg: body['msg'],
    error: body['error'],
    read: data.headers,
    called: data.import?.name,
    cells: data.import ? Object.values((await rowsOf(data.import.id))[0]!.cells) : [],
  };
}
async function refuses(one: Import, files: Readonly<Record<string, Buffer>>, types: string): Promise<void> {
  for (const [what, file] of Object.entries(files))
    for (const name of names)
      expect({ import: one.name, what, name, ...(await upload(one, file, name)) }).toMatchObject({
        import: one.name,
        what,
        name,
        status: 415,
        error: 'file.typeWrong',
        msg: `Tipo de arquivo incorreto. Permitidos: ${types}.`,
      });
}
/** Expects the import to accept each file with its cells; text like a formula stays text. */
async function takes(one: Import, files: Readonly<Record<string, Buffer>>): Promise<void> {
  for (const [what, file] of Object.entries(files))
    for (const name of names) {
      const { cells, ...answer } = await upload(one, file, name);
      const expected = { import: one.name, what, status: 201, read: headers, called: name };
      expect({ import: one.name, what, ...answer }).toMatchObject(expected);
      expect(cells).toContain('=1+1');
      expect(rows[1]).toEqual(expect.arrayContaining(cells));
    }
}
const spreadsheets = { '.xls': sheetFile(rows, 'biff8'), '.xlsx': sheetFile(rows, 'xlsx') };

test(
  'every import takes .xls and .xlsx and, only while the operator allows it, .csv [SYS-11]',
  { tags: 'slow', timeout: 240_000 },
  async () => {
    const allows = async (value: boolean, check: (one: Import) => Promise<void>) => {
      await services.get('license')!.as(operator)(editSysConfig, { body: { configKey: 'importCsv', value } });
      for (const one of imports) {
        // Each service receives the setting and applies it to its imports.
        await eventually(async () =>
          expect((await upload(one, csvs.commas, 'devices.csv')).status).toBe(value ? 201 : 415),
        );
        await check(one);
      }
    };
    expect(imports.length).toBeGreaterThan(2);
    for (const one of imports) {
      await takes(one, spreadsheets);
      await refuses(one, { ...csvs, ...wrong }, '.xls, .xlsx');
    }
    await allows(true, async (one) => {
      await takes(one, { ...spreadsheets, ...csvs });
      await refuses(one, wrong, '.xls, .xlsx, .csv');
      expect((await upload(one, Buffer.from('MAC;Name\n1;Gr\u00fc\u00dfe', 'latin1'), 'devices.csv')).error).toBe(
        'import.encoding',
      );
      for (const [unread, error] of [
        ['MAC;Name\n1;"no end', 'file.importFormat'],
        [`MAC${';x'.repeat(64)}\n1`, 'import.tooManyColumns'],
        [`MAC\n${'1\n'.repeat(50_001)}`, 'import.tooManyRows'],
        ['MAC;Name\n\n', 'import.empty'],
      ] as const)
        expect((await upload(one, Buffer.from(unread), 'devices.csv')).error).toBe(error);
    });
    await allows(false, (one) => refuses(one, csvs, '.xls, .xlsx'));
  },
);

test('no other call takes a file of rows', () => {
  const uploads = allRoutes.filter(({ route }) => route.bodyLimit === importBodyLimit);
  expect(uploads.map((one) => one.name).toSorted()).toEqual(imports.map((one) => one.name).toSorted());
  expect(imports.filter((one) => !services.has(one.owner))).toEqual([]);
});
