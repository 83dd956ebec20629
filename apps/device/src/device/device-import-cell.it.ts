import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addDeviceImport,
  getDeviceImport,
  listDeviceImportRows,
  mendDeviceImportRow,
  type ImportRecord,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import {
  devicePlaces,
  eventually,
  inPieces,
  newActor,
  placeServer,
  sheetFile,
  testBus,
  testService,
  type TestedService,
} from '@carillon/testing';
import { deviceService } from '../device.module.ts';

let bus: PostgresBus;
let service: TestedService;
let call: ReturnType<TestedService['as']>;
const own = newActor();
const header = ['MAC', 'Name', 'Model', 'SN', 'SIP server'];

beforeAll(async () => {
  bus = await testBus('device_import_cell_bus');
  service = await testService(deviceService as unknown as ServiceDefinition, bus, {});
  await devicePlaces(bus, service)(own);
  call = service.as(own);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const checkedAgain = (id: string): Promise<ImportRecord> =>
  eventually(async () => {
    const now = await call(getDeviceImport, { params: { id } });
    expect(now.status).toBe('checked');
    return now;
  });
const checked = async (rows: unknown[][]) => {
  const body = { name: 'devices.xlsx', file: inPieces(sheetFile([header, ...rows])) };
  return checkedAgain((await call(addDeviceImport, { body })).import!.id);
};
const rowsOf = async (id: string) =>
  (await call(listDeviceImportRows, { params: { id }, query: { limit: 200 } })).records;

test('a MAC that is stored as a number is wrong, and says why once', async () => {
  const made = await checked([
    [805011234000, 'Typed as 8050112340E2', 'X7A', 'A-1', placeServer],
    [{ t: 'n', v: 1565123456, z: '000000000000' }, 'Shown with its zeros', 'X7A', 'A-2', placeServer],
    ['805011234000', 'Text', 'X7A', 'A-3', placeServer],
  ]);
  expect((await rowsOf(made.id)).map((row) => [row.outcome, row.errors.map((e) => [e.field, e.error])])).toEqual([
    ['wrong', [['mac', 'import.cellNumber']]],
    ['wrong', [['mac', 'import.cellNumber']]],
    ['add', []],
  ]);
  expect(made).toMatchObject({ sheet: 'Sheet1', counts: { add: 1, wrong: 2 } });
});

test('dates, errors and cut numbers are wrong, and a mended cell is not', async () => {
  const { id } = await checked([
    ['805011235001', { t: 'n', v: 46024, z: 'd-mmm' }, 'X7A', { t: 'e', v: 0x17 }, placeServer],
    ['805011235002', 'Long', 'X7A', 1.234e18, placeServer],
    ['805011235003', { t: 'n', v: 7, z: '000' }, 'X7A', { t: 'n', v: 42, z: '00000' }, placeServer],
  ]);
  const [first, second, third] = await rowsOf(id);
  expect(first!.errors.map((e) => [e.field, e.error, e.msg.includes('#REF!')])).toEqual([
    ['name', 'import.cellDate', false],
    ['sn', 'import.cellError', true],
  ]);
  expect(second!.errors.map((e) => [e.field, e.error])).toEqual([['sn', 'import.cellLong']]);
  expect(third).toMatchObject({ outcome: 'add', cells: { name: '007', sn: '00042' } });

  await call(mendDeviceImportRow, { params: { id, number: 2 }, body: { cells: { name: '1-2' } } });
  await checkedAgain(id);
  expect((await rowsOf(id))[0]!.errors.map((e) => e.field)).toEqual(['sn']);
  await call(mendDeviceImportRow, { params: { id, number: 2 }, body: { cells: { sn: '\u200bＡ－１ ' } } });
  await checkedAgain(id);
  expect((await rowsOf(id))[0]).toMatchObject({ outcome: 'add', cells: { name: '1-2', sn: 'A-1' } });
});

test('a MAC with dots, full-width digits or invisible marks is the one that it shows', async () => {
  const { id } = await checked([
    ['0015.6512.3458', 'Dots', 'X7A', 'H-1', placeServer],
    ['\u202a００１５６５１２３４５９\u202c', 'Wide', 'X7A', 'H-2', placeServer],
    ['00.15.65.12.34.60', 'Other dots', 'X7A', 'H-3', placeServer],
    ['00:15:65:12:34:58', 'Same as the first', 'X7A', 'H-4', placeServer],
  ]);
  expect((await rowsOf(id)).map((row) => [row.outcome, row.errors.map((e) => e.error)])).toEqual([
    ['add', []],
    ['add', []],
    ['wrong', ['device.macFormat']],
    ['wrong', ['import.rowTwice']],
  ]);
});
