import { linkReport, type StatePayload } from '@carillon/contracts';
import { emit } from '@carillon/messaging';

/** What a phone tells of its state. */
export type StateReport = Omit<StatePayload, 'at'>;

/** Publishes what a phone told over HTTP, as its connection would. The epoch 0 is that of no connection. */
export async function reportState(
  { id, companyId, mac, ownerEpoch }: { id: string; companyId: string; mac: string; ownerEpoch: number },
  reported: StateReport,
): Promise<void> {
  const at = Date.now();
  const about = { deviceId: id, mac, ownerEpoch, epoch: 0, receivedAt: at };
  await emit(linkReport, 'state', id, { ...about, payload: { at, ...reported } }, { companyId });
}
