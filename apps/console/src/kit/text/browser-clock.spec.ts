import { offsetAt } from '@carillon/contracts/time';
import { expect, it } from 'vitest';
import { clockOf } from './browser-clock.ts';

/** Returns the offsets from this machine's tz database. */
function offsetIn(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find((p) => p.type === 'timeZoneName')!.value;
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(name)!;
    return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}

it.each([
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Asia/Shanghai',
  'Asia/Kathmandu',
  'Pacific/Auckland',
  'UTC',
])('a browser in %s shows every hour of three years correctly by the derived rule', (zone) => {
  const real = offsetIn(zone);
  const clock = clockOf(real, 2026, Date.UTC(2026, 10, 24));
  const wrong: string[] = [];
  for (let at = Date.UTC(2025, 0, 1); at < Date.UTC(2028, 0, 1); at += 3_600_000)
    if (offsetAt(at, clock) !== real(at)) wrong.push(new Date(at).toISOString());
  expect(wrong).toEqual([]);
});
