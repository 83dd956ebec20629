import type { DeviceTarget } from '@carillon/contracts';
import { keep, recall } from '../../../kit/browser/storage.ts';

/** An action that was started elsewhere, with the devices selected there. */
export interface Draft {
  action: string;
  params: Record<string, unknown>;
  target: DeviceTarget;
  count: number;
  /** Name of the single device. */
  name?: string | undefined;
}

const key = 'taskDraft';

/** Stores the draft for this tab, because no URL holds ten thousand devices. Returns the id for the URL. */
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
