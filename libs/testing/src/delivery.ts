import { addDeliveryImport, commitDeliveryImport, getDeliveryImport, type Client } from '@carillon/contracts';
import { eventually } from './eventually.ts';
import { inPieces, sheetFile } from './sheet.ts';

/** What is printed on the label of a device. */
export interface DeviceLabel {
  mac: string;
  sn: string;
  claimCode: string;
}

/** Imports labels as the maker's delivery list, and returns the finished import. `call` is the operator's. */
export async function deliver(call: Client, labels: readonly DeviceLabel[]) {
  const rows = labels.map(({ mac, sn, claimCode }) => [mac, sn, claimCode]);
  const file = inPieces(sheetFile([['MAC', 'SN', 'Claim code'], ...rows]));
  const { import: made } = await call(addDeliveryImport, { body: { name: 'delivery.xlsx', file } });
  const params = { id: made!.id };
  await eventually(() => call(commitDeliveryImport, { params }));
  return eventually(async () => {
    const now = await call(getDeliveryImport, { params });
    if (now.status !== 'done') throw new Error(`the delivery list is ${now.status}`);
    return now;
  });
}
