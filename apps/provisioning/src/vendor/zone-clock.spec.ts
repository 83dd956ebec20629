import { expect, it, test } from 'vitest';
import { desired } from '../testing/vendor-sample.ts';
import { fanvil } from './fanvil.ts';
import { grandstream } from './grandstream.ts';
import { poly } from './poly.ts';
import type { Vendor } from './vendor.ts';
import { vendors } from './vendor-of.ts';
import { yealink } from './yealink.ts';

const zoneOf = (vendor: Vendor, zone: string) => {
  const named = vendor.settingsOf(desired({ values: { 'time.zone': zone } }));
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name.split(/[./](?=\w+$)/).at(-1), value]));
};

test.each([
  ['Europe/Berlin', 'STD-1DST-2,M3.5.0/02:00:00,M10.5.0/03:00:00'],
  ['America/New_York', 'STD5DST4,M3.2.0/02:00:00,M11.1.0/02:00:00'],
  ['America/St_Johns', 'STD3:30DST2:30,M3.2.0/02:00:00,M11.1.0/02:00:00'],
  ['Australia/Sydney', 'STD-10DST-11,M10.1.0/02:00:00,M4.1.0/03:00:00'],
  ['Australia/Lord_Howe', 'STD-10:30DST-11,M10.1.0/02:00:00,M4.1.0/02:00:00'],
  ['Asia/Kolkata', 'STD-5:30'],
  ['Etc/UTC', 'STD0'],
])('a Grandstream phone in %s gets its rule as POSIX writes it', (zone, rule) => {
  expect(zoneOf(grandstream, zone)).toEqual({ P64: 'customize', P246: rule });
});

it('a Yealink phone gets hours and the days on which its clock changes', () => {
  expect(zoneOf(yealink, 'America/New_York')).toEqual({
    time_zone: '-5',
    summer_time: 1,
    dst_time_type: 1,
    start_time: '3/2/7/2',
    end_time: '11/1/7/2',
    offset_time: 60,
  });
  expect(zoneOf(yealink, 'Asia/Kathmandu')).toEqual({ time_zone: '+5:45', summer_time: 0 });
});

it('a Fanvil phone gets quarters of an hour, and the days on which its clock changes', () => {
  expect(zoneOf(fanvil, 'Europe/Berlin')).toEqual({
    TimeZone: 4,
    TimeZoneName: 'UTC+1',
    EnableDST: 2,
    DSTFixedType: 2,
    DSTMinOffset: 60,
    ...{ DSTStartMon: 3, DSTStartWeek: -1, DSTStartWday: 0, DSTStartHour: 2 },
    ...{ DSTEndMon: 10, DSTEndWeek: -1, DSTEndWday: 0, DSTEndHour: 3 },
  });
  expect(zoneOf(fanvil, 'America/St_Johns')).toMatchObject({ TimeZone: -14, TimeZoneName: 'UTC-3:30' });
  expect(zoneOf(fanvil, 'Etc/UTC')).toEqual({ TimeZone: 0, TimeZoneName: 'UTC', EnableDST: 0 });
});

it('a Poly phone gets seconds, and the days on which its clock changes', () => {
  const named = poly.settingsOf(desired({ values: { 'time.zone': 'America/New_York' } }));
  const savings = 'tcpIpApp.sntp.daylightSavings';
  expect(named).toMatchObject({
    'tcpIpApp.sntp.gmtOffset': -18_000,
    [`${savings}.enable`]: 1,
    [`${savings}.start.month`]: 3,
    [`${savings}.start.date`]: 8,
    [`${savings}.start.dayOfWeek`]: 1,
    [`${savings}.start.dayOfWeek.lastInMonth`]: 0,
    [`${savings}.stop.month`]: 11,
    [`${savings}.stop.date`]: 1,
  });
});

it('a zone whose clock a maker cannot express is named at the device', () => {
  const without = (zone: string) =>
    [fanvil, yealink, grandstream, poly].filter((one) => one.withoutName({ 'time.zone': zone }).length > 0);
  // The last is of a later tz database, which the service of sites may have.
  for (const zone of ['Pacific/Chatham', 'Africa/Casablanca', 'Europe/Atlantis']) expect(without(zone)).toHaveLength(4);
  expect(without('Australia/Lord_Howe')).toEqual([poly]);
  expect(without('America/Bogota')).toEqual([]);
});

it('makers whose zones are numbers or names of their own are named at the device', () => {
  const without = vendors.filter((vendor) => vendor.withoutName({ 'time.zone': 'Europe/Berlin' }).length > 0);
  expect(without.map(({ name }) => name)).toEqual(['Snom', 'Akuvox', 'Htek']);
});
