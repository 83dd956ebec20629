import { addDeliveryImport, commitDeliveryImport, getDeliveryImport, listDeliveries } from '@carillon/contracts';
import { eventually, inPieces, sheetFile } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';

/** Imports a maker's delivery list, and returns the ids of its devices by their MACs. */
export async function deliver(
  { call }: Platform,
  labels: readonly { mac: string; sn: string; claimCode: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rows = labels.map(({ mac, sn, claimCode }) => [mac, sn, claimCode]);
  const file = inPieces(sheetFile([['MAC', 'SN', 'Claim code'], ...rows], 'xlsx'));
  const { import: made } = await call(addDeliveryImport, { body: { name: 'delivery.xlsx', file } });
  const params = { id: made!.id };
  await eventually(() => call(commitDeliveryImport, { params }));
  await eventually(async () => {
    const { status } = await call(getDeliveryImport, { params });
    if (status !== 'done') throw new Error(`the delivery list is ${status}`);
  });
  const { records } = await call(listDeliveries, { query: { mac: labels.map(({ mac }) => mac), limit: 200 } });
  return new Map(records.map(({ mac, id }) => [mac, id]));
}
