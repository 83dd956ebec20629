import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addDeviceImport,
  commitDeviceImport,
  getDevice,
  getDeviceImport,
  getDeviceImportTemplate,
  listDeviceImportRows,
  listDeviceImports,
  listDevices,
  undoDeviceImport,
  type DeviceRecord,
  type ImportRecord,
  type ImportStatus,
} from '@carillon/contracts';
import { eventually, inPieces, rowsOfSheet, sheetFile, devicePlace, placeServer } from '@carillon/testing';
import { Platform } from '@carillon/testing/platform';

/** In ms, for a slow machine. Benchmarks check the speed. */
const patience = 240_000;
/** An existing device; the second import would rename it. */
const there = '02cb00000001';

let platform: Platform;
let device: DeviceRecord;
beforeAll(async () => {
  platform = await Platform.start({ name: 'import', devices: 5 });
  const place = await devicePlace(platform.call);
  const body = { ...place, mac: there, name: 'As it was', model: 'X5U', sn: 'T1' };
  ({ device } = await platform.call(addDevice, { body }));
});
afterAll(() => platform?.close());

const macOf = (n: number): string => `02ca00${n.toString(16).padStart(6, '0')}`;
/** Polls the import until it has the status. Calls to a killed process are repeated. */
async function follow(id: string, status: ImportStatus, seen?: (now: ImportRecord) => void): Promise<ImportRecord> {
  return eventually(async () => {
    const now = await platform.call(getDeviceImport, { params: { id } });
    seen?.(now);
    if (now.status !== status) throw new Error(`${now.status} ${JSON.stringify(now.counts)}`);
    return now;
  }, patience);
}
const total = async () => (await platform.call(listDevices, { query: { search: '02ca00', limit: 1 } })).total;

/**
 * Imports a file of `count` rows while the process is killed. Three rows do nothing: an invalid MAC, an unknown site
 * and a secret that is too short.
 */
async function importWhileKilled(count: number): Promise<void> {
  const wrong = [10, count / 2, count - 1];
  const headers = { 'carillon-auth': platform.authorization, 'carillon-language': 'ko' };
  const answer = await fetch(`${platform.ready.url}${getDeviceImportTemplate.path}`, { headers });
  const [titles] = rowsOfSheet(Buffer.from(await answer.arrayBuffer()));
  const lines = [1, 2, 3, 4, 5].map((line) => `회선 ${line}`);
  expect(titles).toEqual([
    ...['MAC', '이름', '모델', 'SN', '사이트', 'SIP 서버', '조직', '그룹', '태그', ...lines, '비밀 키'],
  ]);
  const rows = Array.from({ length: count }, (_, n) => [
    n === wrong[0] ? 'ff:ff:ff:ff:ff:ff' : n === wrong[1] ? there : macOf(n),
    `Phone ${n}`,
    'X7A',
    `SN-${n}`,
    n === wrong[1] ? 'Nowhere' : '',
    placeServer,
    ...[null, null, `floor: ${n % 40}`, ...lines.map(() => null)],
    n === wrong[2] ? 'too short' : `${'Secret-of-one-device-'.repeat(2)}${n}`,
  ]);
  const all = [titles!, ...rows];
  const [xls, xlsx] = [inPieces(sheetFile(all, 'biff8')), inPieces(sheetFile(all))];
  // Writing the rows took so long that the server may have closed idle connections; a request with a body is not
  // retried.
  expect(await eventually(total)).toBe(0);
  const old = (await platform.call(addDeviceImport, { body: { name: 'all.xls', file: xls } })).import!;
  expect((await follow(old.id, 'checked')).counts).toMatchObject({ total: count, add: count - 3, wrong: 3 });
  const { import: made } = await platform.call(addDeviceImport, { body: { name: 'all.xlsx', file: xlsx } });
  const { id } = made!;
  const progress = new Set<number>();
  const checked = await follow(id, 'checked', (now) => progress.add(now.counts.checked));
  expect(checked.counts).toMatchObject({ total: count, checked: count, add: count - 3, wrong: 3, done: 0 });
  expect(await total()).toBe(0);

  await platform.call(commitDeviceImport, { params: { id } });
  await eventually(async () => {
    const now = await platform.call(getDeviceImport, { params: { id } });
    if (now.counts.done < count / 10) throw new Error(`${now.counts.done} done`);
    progress.add(now.counts.done);
  }, patience);
  expect((await platform.call(getDeviceImport, { params: { id } })).status).toBe('running');
  platform.kill(platform.isCluster ? 'device' : 'standalone');
  const done = await follow(id, 'done', (now) => progress.add(now.counts.done));
  expect(done.counts).toMatchObject({ add: count - 3, wrong: 3, done: count - 3 });
  expect(await total()).toBe(count - 3);
  expect([...progress].filter((n) => n > 0 && n < count - 3)).not.toEqual([]);
  const report = await platform.call(listDeviceImportRows, { params: { id }, query: { outcome: 'wrong' } });
  expect(report.records.map((r) => [r.number, r.errors[0]!.error])).toEqual([
    [wrong[0]! + 2, 'device.macNotOwn'],
    [wrong[1]! + 2, 'import.notFound'],
    [wrong[2]! + 2, 'device.secretFormat'],
  ]);
  const last = await platform.call(listDeviceImportRows, { params: { id }, query: { page: count / 200, limit: 200 } });
  expect([last.total, last.records.length, last.records[198]]).toMatchObject([
    count,
    200,
    { number: count, outcome: 'add', state: 'done' },
  ]);
  for (const n of wrong) expect((await platform.call(listDevices, { query: { search: macOf(n) } })).total).toBe(0);
  const { name, model, sn, site } = device;
  expect(await platform.call(getDevice, { params: { id: device.id } })).toMatchObject({ name, model, sn, site });

  await platform.call(undoDeviceImport, { params: { id } });
  expect((await follow(id, 'undone')).counts).toMatchObject({ undone: count - 3, kept: 0 });
  expect(await total()).toBe(0);
  expect((await platform.call(listDeviceImports))[0]).toMatchObject({ id, status: 'undone' });
}

it('imports each of 2,000 rows once although the process is killed, and undoes them all [DEV-04/killed]', () =>
  importWhileKilled(2_000));

it(
  'imports each of the maximum 50,000 rows once although the process is killed [DEV-04]',
  { tags: 'slow', timeout: 900_000 },
  () => importWhileKilled(50_000),
);
