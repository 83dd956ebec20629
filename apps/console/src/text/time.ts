import { currentTag } from './language.ts';

const two = (v: number) => String(v).padStart(2, '0');

/** `YYYY-MM-DD HH:mm:ss` in the browser's zone; an absent or broken instant is a dash. */
export function moment(instant: string | null | undefined): string {
  const d = new Date(instant ?? Number.NaN);
  if (Number.isNaN(d.getTime())) return '–';
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

/** `HH:mm` of an epoch in ms. */
export const clock = (at: number) => moment(new Date(at).toISOString()).slice(11, 16);

/** `mm:ss`, from an hour on `h:mm:ss`; of a length in ms. */
export function length(ms: number | null): string {
  if (ms === null) return '–';
  const s = Math.round(ms / 1000);
  return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${two(Math.floor(s / 60))}:${two(s % 60)}`;
}

/** Offset of the browser's zone: `UTC+01:00`. */
export function zoneName(): string {
  const minutes = -new Date().getTimezoneOffset();
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/** How long ago, in words of the language. */
export function ago(instant: string | null, now = Date.now()): string | null {
  if (instant === null) return null;
  const s = Math.round((new Date(instant).getTime() - now) / 1000);
  const [value, unit] = Math.abs(s) < 60 ? [s, 'second'] as const : Math.abs(s) < 3600 ? [Math.round(s / 60), 'minute'] as const : Math.abs(s) < 86_400 ? [Math.round(s / 3600), 'hour'] as const : [Math.round(s / 86_400), 'day'] as const;
  return new Intl.RelativeTimeFormat(currentTag(), { numeric: 'auto' }).format(Math.min(0, value), unit);
}

/** `0C:38:3E:55:7E:B1` from the stored twelve digits. */
export const macText = (mac: string) => mac.toUpperCase().match(/../g)?.join(':') ?? mac;
