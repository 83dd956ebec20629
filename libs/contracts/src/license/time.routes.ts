import { z } from 'zod';
import { filters, flag, moment, number, text } from '../define/filter.ts';
import { listOf, pageQuery, sortBy } from '../define/list.ts';
import { route } from '../define/route.ts';
import { validRule, type DstRule } from '../time/clock.ts';
import { countryId, timezoneId } from '../auth/user.schemas.ts';

const minutes = z.number().int().min(-720).max(840);
const whole = (from: number, to: number) => z.number().int().min(from).max(to);

/** The two forms (SHELL-19); `validRule` checks whether the edges are possible. */
const ruleObject = z.strictObject({
  enabled: z.boolean(),
  startMonth: whole(1, 12),
  startWeek: whole(1, 5),
  startDay: whole(0, 7),
  startHour: whole(0, 24),
  endMonth: whole(1, 12),
  endWeek: whole(1, 5),
  endDay: whole(0, 7),
  endHour: whole(0, 24),
  offset: whole(-120, 120),
});
const anyRule = z.union([ruleObject, z.string().max(64)]).nullable();
const rule = anyRule.refine((given) => validRule(given as DstRule | null), 'time.ruleInvalid');

export const zoneRecord = z
  .object({
    id: z.number().int(),
    /** `UTC+05:45` */ timeOffset: z.string(),
    /** Minutes. */ offset: z.number().int(),
    region: z.string(),
    sort: z.number().int(),
    /** Offset and region together, as users choose it. */ displayName: z.string(),
    /** Name in the tz database. */ place: z.string(),
  })
  .meta({ id: 'TimeZone' });
export type ZoneRecord = z.output<typeof zoneRecord>;

const countryFields = {
  countryId: z.number().int(),
  code: z.string(),
  countryName: z.string(),
  /** Minutes of its zone; with several zones, those of the most populous one. */ offset: z.number().int(),
  rule: anyRule,
};

/** A time span in which the stored rule and the tz database differ; offsets in minutes. */
export const timeDifference = z.object({
  from: z.string(),
  to: z.string(),
  stored: z.number().int(),
  database: z.number().int(),
});
export const countryRecord = z
  .object({
    ...countryFields,
    place: z.string(),
    edited: z.boolean(),
    updatedAt: z.string(),
    differences: z.array(timeDifference),
  })
  .meta({ id: 'CountryTime' });
export type CountryRecord = z.output<typeof countryRecord>;

/** Lists time zones from west to east. */
export const listZones = route({
  method: 'GET',
  path: '/api/f/license/time/zone',
  summary: 'Time zones that a user may choose',
  permission: 'session',
  visitors: true,
  audit: 'none',
  response: z.array(zoneRecord),
  errors: [],
});

/** Returns the wall clock of a user with this zone and country, by which the console shows all times (SHELL-19). */
export const getClock = route({
  method: 'GET',
  path: '/api/f/license/time/clock',
  summary: 'Offset and daylight saving rule of a zone and a country',
  permission: 'session',
  visitors: true,
  audit: 'none',
  passive: true,
  query: z.object({ timezoneId, countryId: z.coerce.number().pipe(countryId) }),
  response: z.object({ timezoneId: z.number(), countryId: z.number(), offset: z.number(), rule: anyRule }),
  errors: [],
});

/** Lists countries with the differences to this program's tz database, for this year and the next two. */
export const listCountryTimes = route({
  method: 'GET',
  path: '/api/f/license/time/country',
  summary: 'Daylight saving rules of all countries, compared with the tz database',
  permission: 'time',
  audit: 'none',
  response: z.object({ /** Version of the tz database. */ version: z.string(), records: z.array(countryRecord) }),
  errors: [],
});

const search = z.string().trim().max(128).optional();

/** Lists countries by page, each with its name in the caller's language. */
export const listCountries = route({
  method: 'GET',
  path: '/api/f/license/time/country/list',
  summary: 'Daylight saving rules of countries, filtered, sorted, a page at a time',
  permission: 'time',
  audit: 'none',
  query: z.object({
    search,
    ...filters({ name: text(), offset: number, different: flag, edited: flag, updatedAt: moment }),
    ...pageQuery,
    sort: sortBy(['name', 'offset', 'different', 'edited', 'updatedAt']),
  }),
  response: listOf(
    countryRecord.extend({
      /** Country code. */ id: z.string().max(2),
      name: z.string(),
      /** Whether the tz database differs. */ different: z.boolean(),
    }),
  ).extend({ /** Version of the tz database. */ version: z.string() }),
  errors: [],
});

/** Lists time zones, by default from west to east. */
export const listTimeZones = route({
  method: 'GET',
  path: '/api/f/license/time/zone/list',
  summary: 'Time zones, filtered, sorted, a page at a time',
  permission: 'time',
  audit: 'none',
  query: z.object({
    search,
    ...filters({ region: text(), offset: number }),
    ...pageQuery,
    sort: sortBy(['region', 'offset', 'sort']),
  }),
  response: listOf(zoneRecord.extend({ id: z.string().max(8), zoneId: z.number().int() })),
  errors: [],
});

export const editZone = route({
  method: 'PUT',
  path: '/api/f/license/time/zone',
  summary: 'Edit a time zone',
  permission: 'editTime',
  audit: 'timezone.edit',
  body: z.strictObject({
    id: timezoneId,
    offset: minutes,
    region: z.string().trim().min(1).max(128),
    sort: whole(0, 9_999),
  }),
  response: zoneRecord,
  errors: [],
});

export const editCountryTime = route({
  method: 'PUT',
  path: '/api/f/license/time/country',
  summary: 'Edit the daylight saving rule of a country',
  permission: 'editTime',
  audit: 'country.edit',
  body: z.strictObject({ countryId, offset: minutes, rule }),
  response: countryRecord,
  errors: ['time.ruleInvalid'],
});

/** Replaces the stored rule with that of the tz database. */
export const resetCountryTime = route({
  method: 'POST',
  path: '/api/f/license/time/country/reset',
  summary: 'Take the rule of a country from the tz database',
  permission: 'editTime',
  audit: 'country.reset',
  body: z.strictObject({ countryId }),
  response: countryRecord,
  errors: [],
});
