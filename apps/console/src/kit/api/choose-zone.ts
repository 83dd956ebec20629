import type { ZoneRecord } from '@carillon/contracts';
import { call, remote } from './call.ts';
import { setPlace } from '../session/session.ts';
import { keep } from '../browser/storage.ts';

const modify = remote('modifyUser', 'POST /api/f/mc/user/modify');

/**
 * Sets the time zone, or that of the browser: saves it on the server, then in the browser, and reloads the page
 * (SHELL-15).
 */
export async function chooseZone(zone: Pick<ZoneRecord, 'id' | 'displayName'> | undefined): Promise<void> {
  await call(modify, { body: { timezoneId: zone?.id ?? '' } });
  keep('timezone', zone && { id: zone.id, displayName: zone.displayName });
  setPlace({ timezoneId: zone?.id ?? 1, zoneChosen: zone !== undefined });
  location.reload();
}
