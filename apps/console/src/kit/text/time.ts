import { offsetAt, offsetName, renderTime } from '@carillon/contracts/time';
import { currentTag } from '../browser/language.ts';
import { userClock } from './clock.ts';

const two = (v: number) => String(v).padStart(2, '0');

/**
 * Returns `YYYY-MM-DD HH:mm:ss` in the user's zone with their country's rule; a dash for an absent or invalid instant.
 */
export const moment = (instant: string | null | undefined): string => renderTime(instant, userClock());

/** Returns `HH:mm` of a Unix time in milliseconds. */
export const clock = (at: number) => moment(new Date(at).toISOString()).slice(11, 16);

/** Returns a duration in milliseconds as `mm:ss`, from an hour on as `h:mm:ss`. */
export function length(ms: number | null): string {
  if (ms === null) return '–';
  const s = Math.round(ms / 1000);
  return s >= 3600
    ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`
    : `${two(Math.floor(s / 60))}:${two(s % 60)}`;
}

/** Returns the current offset of the user's zone: `UTC+01:00`. */
export const zoneName = (): string => offsetName(offsetAt(Date.now(), userClock()));

/** Returns how long ago an instant was, in words of the language. */
export function ago(instant: string | null, now = Date.now()): string | null {
  if (instant === null) return null;
  const s = Math.round((new Date(instant).getTime() - now) / 1000);
  const [value, unit] =
    Math.abs(s) < 60
      ? ([s, 'second'] as const)
      : Math.abs(s) < 3600
        ? ([Math.round(s / 60), 'minute'] as const)
        : Math.abs(s) < 86_400
          ? ([Math.round(s / 3600), 'hour'] as const)
          : ([Math.round(s / 86_400), 'day'] as const);
  return new Intl.RelativeTimeFormat(currentTag(), { numeric: 'auto' }).format(Math.min(0, value), unit);
}

/** Returns `0C:38:3E:55:7E:B1` for the stored twelve digits. */
export const macText = (mac: string) => mac.toUpperCase().match(/../g)?.join(':') ?? mac;
