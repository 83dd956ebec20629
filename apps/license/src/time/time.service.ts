import { setImmediate as nextTurn } from 'node:timers/promises';
import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { offsetName, type Clock, type DstRule } from '@carillon/contracts/time';
import { noCountryId } from '@carillon/contracts/countries';
import { changesOf, clockOfPlace, differencesOf, placeClock, type Change } from '@carillon/contracts/place';
import { defaultTimezoneId } from '@carillon/contracts/zones';
import type {
  CountryRecord,
  RouteInput,
  RouteReturn,
  ZoneRecord,
  editCountryTime,
  editZone,
  getClock,
  listCountries,
  listCountryTimes,
  listTimeZones,
} from '@carillon/contracts';
import { columns, computed, currentEntities, currentSql } from '@carillon/persistence';
import { auditNote, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { CountryTime, TimeZone } from './time.entity.ts';
import { pageOfCountries, pageOfZones } from './time.queries.ts';

const toZone = ({ id, offset, region, sort, place }: Omit<TimeZone, 'updatedAt'>): ZoneRecord => ({
  id,
  timeOffset: offsetName(offset),
  offset,
  region,
  sort,
  displayName: `${offsetName(offset)} ${region}`,
  place,
});
/** A zone with the rule of country $2. */
const zoneClock = columns(TimeZone, 'z', ['offset'], {
  rule: computed<DstRule | null>('(select c.rule from country_time c where c.id = $2)'),
});
const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
const names = new Intl.DisplayNames('en', { type: 'region' });
/** Compares this year and the two after it: rules for later years are likely to change before then. */
const comparedYears = 3;
const shownDifferences = 6;

/** Manages the zones and daylight saving rules of the installation (SHELL-19). */
@Injectable()
export class TimeService {
  /** Cached, because the tz database does not change while a process runs. */
  private readonly database = new Map<string, { changes: Change[]; offset: (at: number) => number; year: number }>();

  async zones(): Promise<ZoneRecord[]> {
    const zones = await currentEntities().findAll(TimeZone, { orderBy: { sort: 'asc', id: 'asc' } });
    return zones.map(toZone);
  }

  /**
   * Returns the clock for a zone and a country. An unknown zone falls back to the default, an unknown country to no
   * rule, so that old user records still get a time.
   */
  async clock({ timezoneId, countryId }: RouteInput<typeof getClock>['query']): Promise<RouteReturn<typeof getClock>> {
    const [zone] = await currentSql().rows(
      zoneClock,
      `
        select ${zoneClock}
        from time_zone z
        where z.id = any (array[$1::int, $3::int])
        order by z.id = $1 desc
        limit 1
      `,
      [timezoneId, countryId, defaultTimezoneId],
    );
    const { offset, rule } = zone ?? { offset: 0, rule: null };
    // UTC has no daylight saving time, wherever the user lives.
    return {
      timezoneId,
      countryId,
      offset,
      rule: countryId === noCountryId || timezoneId === defaultTimezoneId ? null : rule,
    };
  }

  async editZone({ id, offset, region, sort }: RouteInput<typeof editZone>['body']): Promise<ZoneRecord> {
    const zone = found(await currentEntities().findOne(TimeZone, id, locked));
    const before = { offset: zone.offset, region: zone.region, sort: zone.sort };
    const after = { offset, region, sort };
    currentEntities().assign(zone, after);
    auditNote({ objectId: String(id), objectName: region, detail: { before, after } });
    return toZone(zone);
  }

  async countries(): Promise<RouteReturn<typeof listCountryTimes>> {
    const rows = await currentEntities().findAll(CountryTime, { orderBy: { code: 'asc' } });
    const records: CountryRecord[] = [];
    for (const row of rows) {
      const fresh = this.database.get(row.place)?.year !== new Date().getUTCFullYear();
      records.push(this.compared(row));
      if (fresh) await nextTurn();
    }
    return { version: process.versions['tz'] ?? '', records };
  }

  /** Returns countries with names and order in the caller's language. */
  async countryPage(query: RouteInput<typeof listCountries>['query']): Promise<RouteReturn<typeof listCountries>> {
    const { version, records } = await this.countries();
    const named = new Intl.DisplayNames(context().language.replace('_', '-'), { type: 'region' });
    const all = records.map((country) => ({
      ...country,
      id: country.code,
      name: named.of(country.code) ?? country.code,
      different: country.differences.length > 0,
    }));
    return { ...(await pageOfCountries(all, query)), version };
  }

  async zonePage(query: RouteInput<typeof listTimeZones>['query']): Promise<RouteReturn<typeof listTimeZones>> {
    const page = await pageOfZones(query);
    return { ...page, records: page.records.map((row) => ({ ...toZone(row), id: String(row.id), zoneId: row.id })) };
  }

  async editCountry({ countryId, offset, rule }: RouteInput<typeof editCountryTime>['body']): Promise<CountryRecord> {
    return this.store(await this.country(countryId), { offset, rule: rule as DstRule | null }, true);
  }

  async resetCountry(countryId: number): Promise<CountryRecord> {
    const row = await this.country(countryId);
    return this.store(row, clockOfPlace(row.place, new Date().getUTCFullYear()), false);
  }

  private async country(id: number): Promise<CountryTime> {
    return found(await currentEntities().findOne(CountryTime, id, locked));
  }

  private async store(country: CountryTime, after: Clock, edited: boolean): Promise<CountryRecord> {
    const before = { offset: country.offset, rule: country.rule };
    currentEntities().assign(country, { ...after, edited });
    // The flush sets `updatedAt`, which the result contains.
    await currentEntities().flush();
    auditNote({
      objectId: String(country.id),
      objectName: names.of(country.code) ?? country.code,
      detail: { before, after },
    });
    return this.compared(country);
  }

  private compared({ id, code, offset, rule, place, edited, updatedAt }: CountryTime): CountryRecord {
    const year = new Date().getUTCFullYear();
    let known = this.database.get(place);
    if (known?.year !== year) {
      known = { changes: changesOf(place, year, year + comparedYears), offset: placeClock(place), year };
      this.database.set(place, known);
    }
    const differences = differencesOf({ offset, rule }, known.changes, known.offset, year, year + comparedYears);
    return {
      countryId: id,
      code,
      countryName: names.of(code) ?? code,
      offset,
      rule,
      place,
      edited,
      updatedAt,
      differences: differences
        .slice(0, shownDifferences)
        .map((d) => ({ ...d, from: new Date(d.from).toISOString(), to: new Date(d.to).toISOString() })),
    };
  }
}
