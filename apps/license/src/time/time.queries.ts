import {
  type CountryRecord,
  type listCountries,
  type listTimeZones,
  type RouteInput,
  toPage,
} from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  columnNames,
  columns,
  containsPattern,
  currentSql,
  filterBy,
  filterSql,
  orderBy,
  parameters,
  whereSql,
} from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { TimeZone } from './time.entity.ts';

const { text, number, flag, moment } = filterBy;

const zone = columnNames(TimeZone, 'z');
const zoneRow = columns(TimeZone, 'z', ['id', 'offset', 'region', 'sort', 'place']);
const zoneFilter = { region: text(zone.region), offset: number(zone.offset) };
const zoneSorts = { region: alphabetic(zone.region), offset: zone.offset, sort: zone.sort };

export function pageOfZones(query: RouteInput<typeof listTimeZones>['query']) {
  return readPage({
    query,
    record: zoneRow,
    from: 'time_zone z',
    searched: [zone.region],
    filters: zoneFilter,
    sorts: zoneSorts,
    order: `${zone.sort}, ${zone.id}`,
  });
}

const countryFilter = {
  name: text('c.name'),
  offset: number('c.offset'),
  different: flag('c.different'),
  edited: flag('c.edited'),
  updatedAt: moment('c."updatedAt"'),
};
const countrySorts = {
  name: alphabetic('c.name'),
  offset: 'c.offset',
  different: 'c.different',
  edited: 'c.edited',
  updatedAt: 'c."updatedAt"',
};
export type NamedCountry = CountryRecord & { id: string; name: string; different: boolean };

/**
 * Returns a page of countries. Names in the reader's language and differences are computed in the process and passed to
 * PostgreSQL.
 */
export async function pageOfCountries(all: readonly NamedCountry[], query: RouteInput<typeof listCountries>['query']) {
  const { page, limit } = toPage(query);
  const { add, values } = parameters([
    JSON.stringify(
      all.map(({ id, name, countryName, offset, different, edited, updatedAt }) => ({
        id,
        name,
        countryName,
        offset,
        different,
        edited,
        updatedAt,
      })),
    ),
  ]);
  const like = query.search ? add(containsPattern(query.search)) : undefined;
  const where = whereSql([
    ...(like ? [`${anyContains(['c.name', 'c."countryName"'], like)} or c.id = upper(${add(query.search)})`] : []),
    ...filterSql(query, countryFilter, add),
  ]);
  const from = `
    from jsonb_to_recordset($1::jsonb) as c(
      id text, name text, "countryName" text, "offset" int, different boolean, edited boolean, "updatedAt" timestamptz
    )
    ${where}
  `;
  const [total] = (await currentSql().query<{ n: number }>(`select count(*)::int as n ${from}`, values)).rows;
  const { rows } = await currentSql().query<{ id: string }>(
    `
      select c.id ${from}
      order by ${orderBy(query.sort, countrySorts, `${alphabetic('c.name')}, c.id`)}
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  const byId = new Map(all.map((country) => [country.id, country]));
  return { records: rows.map(({ id }) => byId.get(id)!), total: total!.n, current: page, size: limit };
}
