import type { LdapCycle } from '@carillon/contracts';
import { placeClock } from '@carillon/contracts/place';

const dayMs = 86_400_000;
const minuteMs = 60_000;

/**
 * Returns when a server's next scheduled sync is due after `now`: at a local time of the zone, whatever daylight saving
 * does.
 */
export function nextSync(
  { cycle, time, weekday, timeZone }: { cycle: LdapCycle; time: string; weekday: number; timeZone: string },
  now: number,
): number | null {
  if (cycle === 'off') return null;
  const offsetAt = placeClock(timeZone);
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  if (cycle === 'hour') {
    const step = 60 * minuteMs;
    // Some zones have an offset with half an hour.
    const wall = now + offsetAt(now) * minuteMs;
    const at = Math.floor(wall / step) * step + minute * minuteMs;
    return now + ((at > wall ? at : at + step) - wall);
  }
  const today = Math.floor((now + offsetAt(now) * minuteMs) / dayMs) * dayMs;
  for (let day = 0; ; day++) {
    const wall = today + day * dayMs + (hour * 60 + minute) * minuteMs;
    // A time inside the skipped hour does not exist; it comes an hour later then.
    const at = wall - offsetAt(wall - offsetAt(wall) * minuteMs) * minuteMs;
    const isDay = cycle === 'day' || (new Date(wall).getUTCDay() + 6) % 7 === weekday - 1;
    if (isDay && at > now) return at;
  }
}
