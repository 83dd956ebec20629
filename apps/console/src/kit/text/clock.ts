import type { Clock } from '@carillon/contracts/time';
import { call, remote } from '../api/call.ts';
import { session } from '../session/session.ts';
import { keep, recall } from '../browser/storage.ts';
import { clockOf } from './browser-clock.ts';

const getClock = remote('getClock', 'GET /api/f/license/time/clock');

let known: Clock = { offset: 0, rule: null };
/**
 * Returns the clock of the user: the chosen zone with the rule of the country as stored on the server (SHELL-19), or
 * that of the browser while none is chosen.
 */
export const userClock = (): Clock => known;

/**
 * Loads the clock before the first time is shown, and again after zone, country or rule changed. The last known one
 * replaces a server that does not answer.
 */
export async function startClock(): Promise<void> {
  const { timezoneId = 1, countryId = 1, zoneChosen } = session() ?? {};
  if (zoneChosen === false) {
    known = clockOf((at) => -new Date(at).getTimezoneOffset(), new Date().getFullYear());
    return;
  }
  known = recall<Clock>('clock') ?? known;
  try {
    const { offset, rule } = await call(getClock, { query: { timezoneId, countryId } });
    known = { offset, rule } as Clock;
    keep('clock', known);
  } catch {
    /* Other calls report the failure. */
  }
}
