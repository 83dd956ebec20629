import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DstRule } from '@carillon/contracts/time';
import { changedInstant } from '@carillon/persistence';

/** A time zone for users (SHELL-19); its id is an integer of the spec. */
const TimeZoneSchema = defineEntity({
  name: 'TimeZone',
  tableName: 'time_zone',
  properties: {
    id: p.integer().primary().autoincrement(false),
    offset: p.integer(),
    region: p.string().length(128),
    sort: p.integer(),
    place: p.string().length(64),
    updatedAt: changedInstant(3),
  },
});
export class TimeZone extends TimeZoneSchema.class {}
TimeZoneSchema.setClass(TimeZone);

/**
 * Offset and daylight saving rule of a country (SHELL-19); its id is that of ISO 3166-1.
 */
const CountryTimeSchema = defineEntity({
  name: 'CountryTime',
  tableName: 'country_time',
  properties: {
    id: p.integer().primary().autoincrement(false),
    code: p.string().length(2),
    offset: p.integer(),
    rule: p.json<DstRule>().strictNullable(),
    place: p.string().length(64),
    edited: p.boolean(),
    updatedAt: changedInstant(3),
  },
});
export class CountryTime extends CountryTimeSchema.class {}
CountryTimeSchema.setClass(CountryTime);
