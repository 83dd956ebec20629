import type { ZoneRecord } from '@carillon/contracts';
import { call, remote } from './call.ts';
import { setPlace } from './session.ts';
import { keep } from './storage.ts';

const modify = remote('modifyUser', 'POST /api/f/mc/user/modify');

/**
 * The zone of all times, or that of the browser: posted first, and once the server has it kept here and the page loaded
 * anew (SHELL-15).
 */
export async function chooseZone(zone: Pick<ZoneRecord, 'id' | 'displayName'> | undefined): Promise<void> {
  await call(modify, { body: { timezoneId: zone?.id ?? '' } });
  keep('timezone', zone && { id: zone.id, displayName: zone.displayName });
  setPlace({ timezoneId: zone?.id ?? 1, zoneChosen: zone !== undefined });
  location.reload();
}
