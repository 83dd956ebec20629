import { afterAll, beforeAll, expect, test } from 'vitest';
import { allRoutes } from '@carillon/contracts/routes';
import { deviceService } from '@carillon/device/module';
import { provisioningService } from '@carillon/provisioning/module';
import type { PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { inPieces, jpg, newActor, png, sheetFile, testBus, testService, type TestedService } from '@carillon/testing';

/** Generated from the contracts: what every import must take and refuse, whichever noun it is of. */
const imports = allRoutes.filter(({ route }) => route.method === 'POST' && route.audit.endsWith('.importCheck'));
const own = newActor();
let bus: PostgresBus;
const services = new Map<string, TestedService>();

beforeAll(async () => {
  bus = await testBus('import_bus');
  const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
  for (const definition of [deviceService, provisioningService] as unknown as ServiceDefinition[])
    services.set(definition.name, await testService(definition, bus, { dataKey: key }));
});
afterAll(async () => {
  for (const service of services.values()) await service.close();
  await bus?.close();
});

const headers = ['MAC', 'Name', 'User number', 'SIP server'];
const rows = [headers, ['0c383e000001', 'One', '2001', 'PBX']];
const wrong: Record<string, Buffer> = {
  'CSV called .xlsx': Buffer.from(rows.map((row) => row.join(',')).join('\n')),
  'a page called .xls': Buffer.from('<html><table><tr><td>Name</td></tr></table></html>'),
  'a PNG': png,
  'a JPEG': jpg,
  'an OpenDocument': sheetFile(rows, 'ods'),
  'a binary workbook': sheetFile(rows, 'xlsb'),
  'XML of 2003': sheetFile(rows, 'xlml'),
  'a workbook of Excel 2': sheetFile(rows, 'biff2'),
  SYLK: sheetFile(rows, 'sylk'),
  'rich text': sheetFile(rows, 'rtf'),
  'an empty archive': Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
  nothing: Buffer.alloc(4),
};

test.each(imports.map((one) => [one.name, one] as const))(
  '%s takes .xls and .xlsx, and refuses everything else with its message, whatever it is called [SYS-11/imports]',
  async (_, { owner, route }) => {
    const service = services.get(owner)!;
    const upload = async (file: Buffer, name: string) => {
      const { status, body } = await service.raw(own, {
        method: route.method,
        url: route.path,
        payload: { name, file: inPieces(file) },
        headers: { 'carillon-language': 'pt_BR' },
      });
      const { headers: read, import: made } = (body['data'] ?? {}) as { headers?: string[]; import?: { name: string } };
      return { status, msg: body['msg'], error: body['error'], read, name: made?.name };
    };
    for (const type of ['biff8', 'xlsx'] as const)
      for (const name of ['devices.xls', 'devices.xlsx', 'devices.txt', 'devices'])
        expect(await upload(sheetFile(rows, type), name)).toMatchObject({ status: 201, read: headers, name });
    for (const [what, file] of Object.entries(wrong))
      for (const name of ['devices.xls', 'devices.xlsx'])
        expect({ what, ...(await upload(file, name)) }).toMatchObject({
          what,
          status: 415,
          error: 'file.typeWrong',
          msg: 'Tipo de arquivo incorreto. Permitidos: .xls, .xlsx.',
        });
  },
);

test('there is such a test for every noun that is imported', () => {
  expect(imports.map((one) => one.name).toSorted()).toEqual([
    'addDeviceImport',
    'addSipAccountImport',
    'addSipServerImport',
  ]);
});
