import { expect, test } from 'vitest';
import {
  dstEdges,
  offsetAt,
  offsetName,
  readTime,
  renderTime,
  validRule,
  type Clock,
  type DstRuleObject,
} from './clock.ts';
import { zoneSeeds } from './zones.ts';

const europe: DstRuleObject = {
  enabled: true,
  startMonth: 3,
  startWeek: 5,
  startDay: 0,
  startHour: 2,
  endMonth: 10,
  endWeek: 5,
  endDay: 0,
  endHour: 3,
  offset: 60,
};
const berlin: Clock = { offset: 60, rule: europe };
/** New South Wales: first Sunday of October to first Sunday of April. */
const sydney: Clock = { offset: 600, rule: '1;10/1/0/2;4/1/0/3' };
const fixed: Clock = { offset: -180, rule: '0;11/2/0;2/18/24' };
const minute = 60_000;

/** Returns the wall time one minute before an edge and at it. */
const sides = (at: number, clock: Clock) =>
  [renderTime(at - minute, clock), renderTime(at, clock)].map((t) => t.slice(5, 16));

test('the clock changes at both edges north of the equator [SHELL-19/north]', () => {
  const { start, end } = dstEdges(2026, berlin)!;
  expect([start, end].map((t) => new Date(t).toISOString())).toEqual([
    '2026-03-29T01:00:00.000Z',
    '2026-10-25T01:00:00.000Z',
  ]);
  expect(sides(start, berlin)).toEqual(['03-29 01:59', '03-29 03:00']);
  expect(sides(end, berlin)).toEqual(['10-25 02:59', '10-25 02:00']);
});

test('southern summer time spans the turn of the year, by weekday and by date [SHELL-19/south]', () => {
  const a = dstEdges(2026, sydney)!;
  expect(sides(a.start, sydney)).toEqual(['10-04 01:59', '10-04 03:00']);
  expect(sides(a.end, sydney)).toEqual(['04-05 02:59', '04-05 02:00']);
  expect([Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1), Date.UTC(2026, 11, 31)].map((t) => offsetAt(t, sydney))).toEqual([
    660, 600, 660,
  ]);
  const b = dstEdges(2027, fixed)!;
  expect(sides(b.start, fixed)).toEqual(['11-01 23:59', '11-02 01:00']);
  expect(sides(b.end, fixed)).toEqual(['02-18 23:59', '02-18 23:00']);
});

test('a disabled, missing or invalid rule changes nothing', () => {
  for (const rule of [
    null,
    { ...europe, enabled: false },
    '',
    '2;3/1/2;10/1/2',
    '1;3/5/0;10/5/0/3',
    '0;2/30/1;10/1/1',
    '1;13/5/0/2;10/5/0/3',
    '1;3/5/0/2;10/5/0/3;0',
    '1;3/5/0/2',
  ]) {
    const clock = { offset: 60, rule };
    expect(offsetAt(Date.UTC(2026, 6, 1), clock)).toBe(60);
    expect(validRule(rule)).toBe(rule === null || typeof rule === 'object');
  }
  expect([
    validRule('1;3/5/0/2;10/5/0/3;30'),
    validRule({ ...europe, startWeek: 6 }),
    validRule({ ...europe, enabled: false, offset: 500 }),
  ]).toEqual([true, false, false]);
});

test('both forms of a rule agree with each other and with the tz database over thirty years', () => {
  const asText: Clock = { offset: 60, rule: '1;3/5/7/2;10/5/7/3' };
  const there = new Intl.DateTimeFormat('en-CA', {
    timeZone: 'Europe/Berlin',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  for (let year = 2000; year < 2030; year += 1) {
    const { start, end } = dstEdges(year, berlin)!;
    for (const at of [start - minute, start, end - minute, end, Date.UTC(year, 0, 1), Date.UTC(year, 6, 15, 12)]) {
      expect(renderTime(at, asText)).toBe(renderTime(at, berlin));
      expect(renderTime(at, berlin)).toBe(there.format(at).replace(', ', ' '));
    }
  }
});

test('a rendered time is read back to the same second in every zone, also around the edges', () => {
  for (const { offset } of zoneSeeds) {
    for (const clock of [
      { offset, rule: null },
      { offset, rule: europe },
      { offset, rule: '1;10/1/0/2;4/1/0/3' },
    ]) {
      const edges = dstEdges(2026, clock);
      for (const at of [
        0,
        951_782_399_000,
        1_790_000_000_000,
        ...(edges ? [edges.start - minute, edges.start, edges.end] : []),
      ])
        expect(renderTime(readTime(renderTime(at, clock), clock), clock)).toBe(renderTime(at, clock));
    }
  }
  expect(readTime('2026-07-01', berlin)).toBe(Date.UTC(2026, 5, 30, 22));
  expect(readTime('2026-03-29 02:30', berlin)).toBe(Date.UTC(2026, 2, 29, 1, 30));
  expect(readTime('2026-10-25 02:30:00', berlin)).toBe(Date.UTC(2026, 9, 25, 0, 30));
  for (const bad of ['', '2026-02-30', '2026-13-01', '2026-01-01 24:00', 'yesterday', '2026-1-1'])
    expect(readTime(bad, berlin)).toBeUndefined();
});

test('there are 41 zones from UTC-11:00 to UTC+14:00, each once, and the default is UTC [SHELL-19/zones]', () => {
  expect(zoneSeeds.map((z) => z.id).sort((a, b) => a - b)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
  expect([offsetName(zoneSeeds[0]!.offset), offsetName(zoneSeeds.at(-1)!.offset), offsetName(345)]).toEqual([
    'UTC-11:00',
    'UTC+14:00',
    'UTC+05:45',
  ]);
  expect(zoneSeeds.find((z) => z.id === 1)).toMatchObject({ offset: 0 });
  expect(zoneSeeds.map((z) => z.offset)).toEqual(zoneSeeds.map((z) => z.offset).sort((a, b) => a - b));
  expect(new Set(zoneSeeds.map((z) => z.region)).size).toBe(41);
  // The platform knows the name of each place.
  for (const z of zoneSeeds)
    expect(new Intl.DateTimeFormat('en', { timeZone: z.place, timeZoneName: 'long' }).format(0)).toBeTruthy();
});
