import type { DeviceTarget } from '@carillon/contracts';
import { keep, recall } from '../../../kit/session/storage.ts';

/** An action begun elsewhere, with the devices that were selected there. */
export interface Draft {
  action: string;
  params: Record<string, unknown>;
  target: DeviceTarget;
  count: number;
  /** Of the one device. */
  name?: string | undefined;
}

const key = 'taskDraft';

/** Kept for this tab, since no address holds ten thousand devices; answers what the address says instead. */
export function keepDraft(draft: Draft): string {
  const id = crypto.randomUUID().slice(0, 8);
  keep(key, { id, draft }, sessionStorage);
  return id;
}
export function recallDraft(id: string | undefined): Draft | undefined {
  const kept = recall<{ id: string; draft: Draft }>(key, sessionStorage);
  return id !== undefined && kept?.id === id ? kept.draft : undefined;
}
export const dropDraft = (): void => keep(key, undefined, sessionStorage);
