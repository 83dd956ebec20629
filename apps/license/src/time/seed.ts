import { setImmediate as nextTurn } from 'node:timers/promises';
import { columns, companySession, currentSql, transaction, type Database } from '@carillon/persistence';
import { countrySeeds } from '@carillon/contracts/countries';
import { clockOfPlace } from '@carillon/contracts/place';
import { zoneSeeds } from '@carillon/contracts/zones';
import { CountryTime } from './time.entity.ts';

const country = columns(CountryTime, 'c', ['id']);

/** Seeds zones and rules from the tz database. Existing rows are decisions of the operator and stay (SHELL-19). */
export async function seedTimes(database: Database, year = new Date().getUTCFullYear()): Promise<void> {
  const known = await transaction(
    database,
    companySession(null),
    async () => new Set((await currentSql().rows(country, `select ${country} from country_time c`)).map((c) => c.id)),
    { readOnly: true },
  );
  const countries: { id: number; code: string; place: string; offset: number; rule: unknown }[] = [];
  for (const { countryId, code, place } of countrySeeds.filter((c) => !known.has(c.countryId))) {
    countries.push({ id: countryId, code, place, ...clockOfPlace(place, year) });
    // Each takes two milliseconds; other work runs in between.
    await nextTurn();
  }
  await transaction(database, companySession(null), async () => {
    await currentSql().query(
      `
        insert into time_zone (id, "offset", region, sort, place, updated_at)
        select id, "offset", region, sort, place, now()
        from jsonb_to_recordset($1::jsonb) as z(id int, "offset" int, region text, sort int, place text)
        on conflict (id) do nothing
      `,
      [JSON.stringify(zoneSeeds.map((z, i) => ({ ...z, sort: (i + 1) * 10 })))],
    );
    await currentSql().query(
      `
        insert into country_time (id, code, "offset", rule, place, edited, updated_at)
        select id, code, "offset", nullif(rule, 'null'::jsonb), place, false, now()
        from jsonb_to_recordset($1::jsonb) as c(id int, code text, "offset" int, rule jsonb, place text)
        on conflict (id) do nothing
      `,
      [JSON.stringify(countries)],
    );
  });
}
