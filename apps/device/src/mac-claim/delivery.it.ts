import { describe, expect, it } from 'vitest';
import {
  addDeliveryImport,
  deleteDeliveries,
  getDeliveryImport,
  listDeliveries,
  listDeliveryImportRows,
  listMacDisputes,
  undoDeliveryImport,
  type ImportStatus,
} from '@carillon/contracts';
import { eventually, inPieces, newActor, sheetFile } from '@carillon/testing';
import { label, refusal, startClaims, type DeliveryQuery, type Label } from './claim-test.ts';

const { service, chief, parent, child, stranger, add, deliver, delivered, listed, noted } =
  await startClaims('delivery_bus');
const idOf = (all: readonly { id: string; mac: string }[], { mac }: Label) => all.find((one) => one.mac === mac)!.id;
const wanted = async (mac: string) => (await service.as(chief)(listMacDisputes, {})).find((d) => d.mac === mac);

const reached = (id: string, status: ImportStatus) =>
  eventually(async () => {
    const now = await service.as(chief)(getDeliveryImport, { params: { id } });
    expect(now.status).toBe(status);
    return now;
  });
const checked = async (rows: unknown[][]) => {
  const { import: made } = await service.as(chief)(addDeliveryImport, {
    body: { name: 'delivery.xlsx', file: inPieces(sheetFile([['MAC address', 'S/N', 'Claim code'], ...rows], 'xlsx')) },
  });
  return reached(made!.id, 'checked');
};
describe('a delivery list', () => {
  it('is imported by the super administrator alone, row by row, without showing a code', async () => {
    const [one, bad, none] = [label(), label(), label()];
    const made = await checked([
      [one.mac, one.sn, one.claimCode],
      [bad.mac, bad.sn, 'a?b'],
      [none.mac, none.sn, ''],
      ['0c38', 'SN', 'CODE-123456'],
    ]);
    expect(made.counts).toMatchObject({ total: 4, add: 1, wrong: 3 });
    const query = { page: 1, limit: 20 };
    const { records: rows } = await service.as(chief)(listDeliveryImportRows, { params: { id: made.id }, query });
    expect(rows.map((row) => row.errors.map(({ field, error }) => `${field}: ${error}`))).toEqual([
      [],
      ['claimCode: device.claimCodeFormat'],
      ['claimCode: common.fieldRequired'],
      ['mac: device.macFormat'],
    ]);
    expect(rows[0]!.cells).toEqual({ mac: one.mac, sn: one.sn, claimCode: '••••••••' });
    const file = inPieces(sheetFile([['MAC'], [label().mac]], 'xlsx'));
    const body = { name: 'delivery.xlsx', file };
    expect(await refusal(service.as(parent)(addDeliveryImport, { body }))).toBe('common.forbidden');
  });

  it('gives a used label a new code, and is undone except for labels that were used since', async () => {
    const [again, kept, free] = [await delivered(), label(), label()];
    await add(stranger, again);
    const renewed = { ...again, claimCode: 'NEW-CODE-0001' };
    const { id } = await deliver(renewed, kept, free);
    expect((await deliver(renewed)).counts).toMatchObject({ unchanged: 1 });
    await add(child, kept);
    // The new code is right, but the earlier owner has as strong a proof.
    expect(await refusal(add(child, renewed))).toBe('device.macTaken');
    expect(await wanted(again.mac)).toMatchObject({ claims: [{ id: child.companyId, proof: 'claim' }] });
    await service.as(chief)(undoDeliveryImport, { params: { id } });
    expect((await reached(id, 'undone')).counts).toMatchObject({ undone: 2, kept: 1 });
    expect(await refusal(add(newActor(), free))).toBe('device.claimRefused');
  });

  it('shows the super administrator which company claimed a device, without its code', async () => {
    const [used, free] = [label(), label()];
    await deliver(used, free);
    await add(child, used);
    const { records: found } = await listed({ 'mac.contains': [used.mac.slice(4), free.mac.slice(4)], sort: 'mac' });
    const time = expect.stringMatching(/^20.*Z$/) as string;
    const { claimCode: _, ...plain } = free;
    expect(found).toEqual([
      {
        id: idOf(found, used),
        mac: used.mac,
        sn: used.sn,
        state: 'claimed',
        company: 'Child',
        claimedAt: time,
        importedAt: time,
      },
      { ...plain, id: idOf(found, free), state: 'free', company: null, claimedAt: null, importedAt: time },
    ]);
    const macs = async (query: DeliveryQuery) => (await listed(query)).records.map((d) => d.mac);
    expect(await macs({ search: used.sn })).toEqual([used.mac]);
    expect(await macs({ 'mac.contains': [free.mac.slice(6)], state: ['claimed'] })).toEqual([]);
    expect(await macs({ 'mac.contains': [free.mac.slice(6)], state: ['free'] })).toEqual([free.mac]);
    expect((await macs({ company: ['Child'] })).includes(used.mac)).toBe(true);
    await deliver({ ...used, claimCode: 'NEW-CODE-0002' });
    expect((await listed({ mac: [used.mac] })).records).toMatchObject([
      { state: 'free', company: null, claimedAt: null },
    ]);
    expect(await refusal(service.as(parent)(listDeliveries, {}))).toBe('common.forbidden');
  });

  it('has its wrong rows deleted, several at once, but none with a claimed device', async () => {
    const [used, one, two] = [label(), label(), label()];
    await deliver(used, one, two);
    await add(child, used);
    const all = (await listed({ mac: [used.mac, one.mac, two.mac] })).records;
    const remove = (...labels: Label[]) =>
      service.as(chief)(deleteDeliveries, { query: { ids: labels.map((l) => idOf(all, l)) } });
    expect(await refusal(remove(used, one))).toBe('device.deliveryClaimed');
    expect(await refusal(service.as(parent)(deleteDeliveries, { query: { ids: [idOf(all, one)] } }))).toBe(
      'common.forbidden',
    );
    expect((await listed({ mac: [used.mac, one.mac, two.mac] })).total).toBe(3);
    expect(await remove(one, two)).toEqual({ deleted: 2 });
    expect(await refusal(remove(one))).toBe('common.notFound');
    expect(await refusal(add(newActor(), one))).toBe('device.claimRefused');
    await eventually(() =>
      expect(noted(chief, 'delivery.delete')).toContainEqual(
        expect.objectContaining({
          result: 'success',
          detail: { count: 2, devices: [{ mac: one.mac }, { mac: two.mac }] },
        }),
      ),
    );
  });
});
