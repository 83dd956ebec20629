import { countrySeeds } from './countries.ts';
import { placeClock } from './place.ts';
import { defaultTimezoneId, zoneSeeds } from './zones.ts';

/** Minutes east of Greenwich outside of summer time, in the year of `now`. */
function usualOffset(place: string, now: number): number {
  const offsetAt = placeClock(place);
  const year = new Date(now).getUTCFullYear();
  return Math.min(offsetAt(Date.UTC(year, 0, 1)), offsetAt(Date.UTC(year, 6, 1)));
}

/**
 * Returns the tz database place whose clock a user with this zone and country sees (SHELL-19): that of the country when
 * it is in the zone, otherwise that of the zone. Schedules are in this place, so that they fire by the clock that the
 * console shows.
 */
export function userPlace(timezoneId: number, countryId?: number, now = Date.now()): string {
  const zone = zoneSeeds.find(({ id }) => id === timezoneId) ?? zoneSeeds.find(({ id }) => id === defaultTimezoneId)!;
  const country = countrySeeds.find((one) => one.countryId === countryId)?.place;
  // UTC has no summer time, wherever the user lives.
  const isInZone = zone.id !== defaultTimezoneId && country !== undefined && usualOffset(country, now) === zone.offset;
  return isInZone ? country : zone.place;
}

/** Returns whether the text is an IANA zone name; an offset such as '+02:00' has no clock changes and is refused. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}
