import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  editCountryTime,
  editZone,
  getClock,
  listCountryTimes,
  listZones,
  permissionKeys,
  resetCountryTime,
} from '@carillon/contracts';
import { dstEdges, renderTime, type DstRule } from '@carillon/contracts/time';
import { placeClock } from '@carillon/contracts/place';
import { allRoutes } from '@carillon/contracts/routes';
import { checkPolicies, companySession, currentSql, transaction } from '@carillon/persistence';
import type { PostgresBus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { newActor, testBus, testService, unguarded, type TestedService } from '@carillon/testing';
import { licenseService, seedTimes } from '../license.module.ts';

let bus: PostgresBus;
let service: TestedService;
const anyone = newActor();
const operator = newActor({ permissions: permissionKeys });
const minute = 60_000;
const ids = { DE: 276, AU: 36, US: 840, BR: 76, MA: 504, KR: 410 };

beforeAll(async () => {
  bus = await testBus('license_bus');
  service = await testService(licenseService as unknown as ServiceDefinition, bus, {
    mailKey: 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8',
  });
  await seedTimes(service.database);
});
afterAll(async () => {
  await service?.close();
  await bus?.close();
});

const clockOf = (timezoneId: number, countryId: number) =>
  service.as(anyone)(getClock, { query: { timezoneId, countryId } });
/** Returns the local time one minute before and at each change of daylight saving in a year. */
async function sides(timezoneId: number, countryId: number, year = 2027) {
  const clock = (await clockOf(timezoneId, countryId)) as Parameters<typeof dstEdges>[1];
  const edges = dstEdges(year, clock);
  return edges === undefined
    ? []
    : [edges.start, edges.end]
        .flatMap((at) => [renderTime(at - minute, clock), renderTime(at, clock)])
        .map((text) => text.slice(5, 16));
}

test('has 41 zones from UTC-11:00 to UTC+14:00 and every country, with all fields [SHELL-19/rules]', async () => {
  const zones = await service.as(anyone)(listZones);
  expect([zones.length, zones[0]!.timeOffset, zones.at(-1)!.timeOffset]).toEqual([41, 'UTC-11:00', 'UTC+14:00']);
  expect(zones.find((z) => z.id === 25)).toEqual({
    id: 25,
    timeOffset: 'UTC+05:45',
    offset: 345,
    region: 'Kathmandu',
    sort: 250,
    displayName: 'UTC+05:45 Kathmandu',
    place: 'Asia/Kathmandu',
  });
  // Complete and in order.
  const offsets = zones.map((z) => z.offset);
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(zones.map((z) => z.sort)).toEqual(zones.map((z) => z.sort).toSorted((a, b) => a - b));
  expect(new Set(zones.map((z) => z.id)).size).toBe(41);
  for (const z of zones) {
    const [, sign, hours, minutes] = /^UTC([+-])(\d\d):(\d\d)$/.exec(z.timeOffset)!;
    expect(z.offset, z.displayName).toBe((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)));
    expect(z.region, z.displayName).toMatch(/\S/);
    expect(z.displayName).toBe(`${z.timeOffset} ${z.region}`);
  }
  const { records, version } = await service.as(operator)(listCountryTimes);
  for (const c of records)
    expect([Number.isInteger(c.countryId), Number.isInteger(c.offset), c.countryName], c.code).toEqual([
      true,
      true,
      expect.stringMatching(/\S/),
    ]);
  expect(new Set(records.map((c) => c.countryId)).size).toBe(249);
  expect(version).toMatch(/^20\d\d[a-z]?$/);
  expect(records).toHaveLength(249);
  expect(records.find((c) => c.countryId === ids.DE)).toMatchObject({
    code: 'DE',
    countryName: 'Germany',
    offset: 60,
    edited: false,
    differences: [],
    rule: {
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
    },
  });
  expect(records.find((c) => c.countryId === ids.KR)).toMatchObject({ offset: 540, rule: null, differences: [] });
});

test('seeded rules match the tz database over three years in nearly all countries [SHELL-19]', async () => {
  const { records } = await service.as(operator)(listCountryTimes);
  const year = new Date().getUTCFullYear();
  let checked = 0;
  for (const country of records.filter((c) => c.differences.length === 0)) {
    const answer = placeClock(country.place);
    for (let y = year; y < year + 3; y++) {
      const edges = dstEdges(y, country as never);
      for (const at of edges
        ? [edges.start - minute, edges.start, edges.end - minute, edges.end]
        : [Date.UTC(y, 6, 1)]) {
        expect([country.code, new Date(at).toISOString(), renderTime(at, country as never)]).toEqual([
          country.code,
          new Date(at).toISOString(),
          renderTime(at, { offset: answer(at), rule: null }),
        ]);
        checked++;
      }
    }
  }
  expect(checked).toBeGreaterThan(1_000);
  // Countries whose daylight saving follows the moon or no fixed week (Morocco, Palestine and a few more) can only be
  // reported.
  expect(records.filter((c) => c.differences.length > 0).length).toBeLessThan(8);
});

test('the stored rule applies, in both forms and hemispheres, and a disabled one does not [SHELL-19]', async () => {
  expect(await sides(17, ids.DE)).toEqual(['03-28 01:59', '03-28 03:00', '10-31 02:59', '10-31 02:00']);
  expect(await sides(34, ids.AU)).toEqual(['10-03 01:59', '10-03 03:00', '04-04 02:59', '04-04 02:00']);
  expect(await sides(9, ids.US)).toEqual(['03-14 01:59', '03-14 03:00', '11-07 01:59', '11-07 01:00']);
  expect(await sides(13, ids.BR)).toEqual([]);
  const store = (countryId: number, offset: number, rule: DstRule | null) =>
    service.as(operator)(editCountryTime, { body: { countryId, offset, rule: rule as never } });
  // North and south by fixed dates, the latter across the turn of the year; then by weekdays with half an hour.
  await store(ids.DE, 60, '0;4/1/0;9/30/24');
  expect(await sides(17, ids.DE)).toEqual(['03-31 23:59', '04-01 01:00', '09-30 23:59', '09-30 23:00']);
  await store(ids.BR, -180, '0;11/2/0;2/18/24');
  expect(await sides(13, ids.BR)).toEqual(['11-01 23:59', '11-02 01:00', '02-18 23:59', '02-18 23:00']);
  await store(ids.AU, 600, '1;10/1/0/2;4/1/0/2;30');
  expect(await sides(34, ids.AU)).toEqual(['10-03 01:59', '10-03 02:30', '04-04 01:59', '04-04 01:30']);
  // The object form, stored but not enabled.
  const rule = {
    enabled: false,
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
  await store(ids.DE, 60, rule);
  expect([await sides(17, ids.DE), (await clockOf(17, ids.DE)).rule]).toEqual([[], rule]);
  await store(ids.DE, 60, { ...rule, enabled: true });
  expect(await sides(17, ids.DE)).toEqual(['03-28 01:59', '03-28 03:00', '10-31 02:59', '10-31 02:00']);
});

test('a rule that differs from the tz database is shown with the differences until it is reset [SHELL-19]', async () => {
  const year = new Date().getUTCFullYear();
  const edited = await service.as(operator)(editCountryTime, {
    body: { countryId: ids.KR, offset: 540, rule: '0;5/1/0;10/1/0' },
  });
  expect(edited).toMatchObject({ edited: true, rule: '0;5/1/0;10/1/0' });
  expect(edited.differences).toHaveLength(3);
  expect(edited.differences[0]).toEqual({
    from: `${year}-04-30T15:00:00.000Z`,
    to: `${year}-09-30T14:00:00.000Z`,
    stored: 600,
    database: 540,
  });
  expect(
    (await service.as(operator)(listCountryTimes)).records.find((c) => c.countryId === ids.KR)!.differences,
  ).toEqual(edited.differences);
  // A second start must not overwrite the operator's rule.
  await seedTimes(service.database);
  expect((await clockOf(32, ids.KR)).rule).toBe('0;5/1/0;10/1/0');
  expect(await service.as(operator)(resetCountryTime, { body: { countryId: ids.KR } })).toMatchObject({
    edited: false,
    rule: null,
    differences: [],
  });
  expect((await clockOf(32, ids.KR)).rule).toBeNull();
});

test('a zone is edited and counts at once; UTC has no summer, and who named no country neither [SHELL-19]', async () => {
  const zone = await service.as(operator)(editZone, {
    body: { id: 41, offset: 825, region: 'Kiritimati, Line Islands', sort: 5 },
  });
  expect(zone).toMatchObject({ timeOffset: 'UTC+13:45', displayName: 'UTC+13:45 Kiritimati, Line Islands' });
  expect((await service.as(anyone)(listZones))[0]).toEqual(zone);
  expect(await clockOf(41, 1)).toEqual({ timezoneId: 41, countryId: 1, offset: 825, rule: null });
  expect(await clockOf(1, ids.US)).toMatchObject({ offset: 0, rule: null });
  expect(await clockOf(77, ids.US)).toMatchObject({ offset: 0 });
  const refused = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (e: { error: string; fields: { error: string }[] }) => e.fields[0]?.error ?? e.error,
    );
  expect(await refused(service.as(operator)(editZone, { body: { id: 77, offset: 0, region: 'x', sort: 1 } }))).toBe(
    'common.notFound',
  );
  for (const bad of ['', '2;3/1/2;10/1/2', '0;2/30/1;10/1/1', '1;3/5/0/2'])
    expect(
      await refused(service.as(operator)(editCountryTime, { body: { countryId: ids.US, offset: -300, rule: bad } })),
    ).toBe('time.ruleInvalid');
  expect(await sides(9, ids.US)).toEqual(['03-14 01:59', '03-14 03:00', '11-07 01:59', '11-07 01:00']);
});

const routes = allRoutes.filter((r) => r.owner === 'license');
test('refuses every call to a stranger and to a caller with every permission but its own [ROLE-03/license]', async () => {
  expect(
    await unguarded({
      routes,
      ask: async (one, permissions) => {
        const { status, body } = await service.raw(permissions && { ...operator, permissions }, {
          method: one.method,
          url: one.url,
          ...(one.body ? { payload: one.body, headers: { 'content-type': 'application/json' } } : {}),
        });
        return { status, error: body['error'] };
      },
    }),
  ).toEqual([]);
  expect(
    await transaction(service.database, companySession(null), () =>
      checkPolicies(Object.keys(licenseService.database!.untenanted)),
    ),
  ).toEqual([]);
  expect(
    (await transaction(service.database, companySession(null), () => currentSql().query('select 1 from time_zone')))
      .rowCount,
  ).toBe(41);
});
