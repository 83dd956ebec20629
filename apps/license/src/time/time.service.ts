import { setImmediate as nextTurn } from 'node:timers/promises';
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
  listCountryTimes,
} from '@carillon/contracts';
import { currentSql, iso } from '@carillon/persistence';
import { auditNote, found } from '@carillon/service';

interface ZoneRow {
  id: number;
  offset: number;
  region: string;
  sort: number;
  place: string;
}
interface CountryRow {
  id: number;
  code: string;
  offset: number;
  rule: DstRule | null;
  place: string;
  edited: boolean;
  updatedAt: string;
}

const zoneColumns = 'id, "offset", region, sort, place';
const countryColumns = 'id, code, "offset", rule, place, edited, updated_at as "updatedAt"';
const toZone = ({ id, offset, region, sort, place }: ZoneRow): ZoneRecord => ({
  id,
  timeOffset: offsetName(offset),
  offset,
  region,
  sort,
  displayName: `${offsetName(offset)} ${region}`,
  place,
});
const names = new Intl.DisplayNames('en', { type: 'region' });
/** This year and the two after it are compared: what rules say of later years is rewritten before they come. */
const comparedYears = 3;
const shownDifferences = 6;

/** Zones and daylight saving rules of the installation (SHELL-19). */
@Injectable()
export class TimeService {
  /** What the tz database says does not change while a process runs. */
  private readonly database = new Map<string, { changes: Change[]; offset: (at: number) => number; year: number }>();

  async zones(): Promise<ZoneRecord[]> {
    return (await currentSql().query<ZoneRow>(`select ${zoneColumns} from time_zone order by sort, id`)).rows.map(
      toZone,
    );
  }

  /**
   * An unknown zone is the default one, and an unknown country none: a user record that is older than a row loses no
   * time.
   */
  async clock({ timezoneId, countryId }: RouteInput<typeof getClock>['query']): Promise<RouteReturn<typeof getClock>> {
    const { rows } = await currentSql().query<{ offset: number; rule: DstRule | null }>(
      `
        select z."offset", (select c.rule from country_time c where c.id = $2) as rule
        from time_zone z
        where z.id = any (array[$1::int, $3::int])
        order by z.id = $1 desc
        limit 1
      `,
      [timezoneId, countryId, defaultTimezoneId],
    );
    const { offset, rule } = rows[0] ?? { offset: 0, rule: null };
    // UTC has no summer, wherever its reader lives.
    return {
      timezoneId,
      countryId,
      offset,
      rule: countryId === noCountryId || timezoneId === defaultTimezoneId ? null : rule,
    };
  }

  async editZone({ id, offset, region, sort }: RouteInput<typeof editZone>['body']): Promise<ZoneRecord> {
    const before = found(
      (await currentSql().query<ZoneRow>(`select ${zoneColumns} from time_zone where id = $1 for update`, [id]))
        .rows[0],
    );
    const { rows } = await currentSql().query<ZoneRow>(
      `
        update time_zone
        set "offset" = $2, region = $3, sort = $4, updated_at = now()
        where id = $1
        returning ${zoneColumns}
      `,
      [id, offset, region, sort],
    );
    auditNote({
      objectId: String(id),
      objectName: region,
      detail: {
        before: { offset: before.offset, region: before.region, sort: before.sort },
        after: { offset, region, sort },
      },
    });
    return toZone(rows[0]!);
  }

  async countries(): Promise<RouteReturn<typeof listCountryTimes>> {
    const { rows } = await currentSql().query<CountryRow>(`select ${countryColumns} from country_time order by code`);
    const records: CountryRecord[] = [];
    for (const row of rows) {
      const fresh = this.database.get(row.place)?.year !== new Date().getUTCFullYear();
      records.push(this.compared(row));
      if (fresh) await nextTurn();
    }
    return { version: process.versions['tz'] ?? '', records };
  }

  async editCountry({ countryId, offset, rule }: RouteInput<typeof editCountryTime>['body']): Promise<CountryRecord> {
    return this.store(await this.country(countryId), { offset, rule: rule as DstRule | null }, true);
  }

  async resetCountry(countryId: number): Promise<CountryRecord> {
    const row = await this.country(countryId);
    return this.store(row, clockOfPlace(row.place, new Date().getUTCFullYear()), false);
  }

  private async country(countryId: number): Promise<CountryRow> {
    return found(
      (
        await currentSql().query<CountryRow>(`select ${countryColumns} from country_time where id = $1 for update`, [
          countryId,
        ])
      ).rows[0],
    );
  }

  private async store(before: CountryRow, { offset, rule }: Clock, edited: boolean): Promise<CountryRecord> {
    const { rows } = await currentSql().query<CountryRow>(
      `
        update country_time
        set "offset" = $2, rule = $3::jsonb, edited = $4, updated_at = now()
        where id = $1
        returning ${countryColumns}
      `,
      [before.id, offset, rule === null ? null : JSON.stringify(rule), edited],
    );
    auditNote({
      objectId: String(before.id),
      objectName: names.of(before.code) ?? before.code,
      detail: { before: { offset: before.offset, rule: before.rule }, after: { offset, rule } },
    });
    return this.compared(rows[0]!);
  }

  private compared({ id, code, offset, rule, place, edited, updatedAt }: CountryRow): CountryRecord {
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
      updatedAt: iso(updatedAt),
      differences: differences
        .slice(0, shownDifferences)
        .map((d) => ({ ...d, from: new Date(d.from).toISOString(), to: new Date(d.to).toISOString() })),
    };
  }
}
