import type { Clock } from '@carillon/contracts/time';
import { zoneSeeds, defaultTimezoneId } from '@carillon/contracts/zones';
import { session } from '../session/session.ts';
import { recall } from '../session/storage.ts';

/** The zone and the country's rule that the server has for this user; until it is known, the zone alone as installed. */
export interface KeptClock extends Clock { timezoneId: number }

let known: Clock | undefined;
/** Which zone a person reads times in: his own, kept in his profile (spec, section 4). Read once: another zone loads the page anew. */
export const userClock = (): Clock => known ??= find();
export const forgetClock = () => { known = undefined; };

function find(): Clock {
  const id = session()?.timezoneId ?? defaultTimezoneId;
  const kept = recall<KeptClock>('clock');
  if (kept?.timezoneId === id) return kept;
  return { offset: zoneSeeds.find((z) => z.id === id)?.offset ?? 0, rule: null };
}
