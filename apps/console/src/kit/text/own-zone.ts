import { userPlace } from '@carillon/contracts/user-place';
import { session } from '../session/session.ts';

/** Returns the zone of the tz database whose clock the console shows: the user's, or the browser's when none is chosen. */
export function ownZone(): string {
  const { timezoneId = 1, zoneChosen, countryId } = session() ?? {};
  return zoneChosen === false ? new Intl.DateTimeFormat().resolvedOptions().timeZone : userPlace(timezoneId, countryId);
}
