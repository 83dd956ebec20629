import { autoModel, type listModels, type RouteInput, type RouteReturn, suppliedModels } from '@carillon/contracts';
import { filterBy } from '@carillon/contracts/filter-sql';
import { alphabetic, columnNames, columns, computed, currentSql, type RowOf, uuidv5 } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { Model } from './model.entity.ts';

export type ModelRecord = RouteReturn<typeof listModels>['records'][number];

const column = columnNames(Model, 'm');
/** Makes the ids of supplied models, which are the same in every version. */
const namespace = '6f0d8c0a-3a52-4b0e-9c55-0f6b2f6e8a11';
const supplied = JSON.stringify(
  suppliedModels.map((facts) => ({
    id: uuidv5(facts.name, namespace),
    ...Object.fromEntries(
      Object.entries(facts).map(([property, value]) => [column[property as keyof typeof column].slice(2), value]),
    ),
  })),
);
/** Models of the company and the supplied ones, which `$1` contains (docs/adr/0019-supplied-models.md). */
const models = `
  (
    select false as supplied, t.* from device_model t
    union all
    select true, t.* from jsonb_populate_recordset(null::device_model, $1::jsonb) t
  ) m
`;
/** All models, and reported names that match no model: adding one confirms it. Its id is derived from its name. */
const listed = `
  (
    select true as confirmed, m.* from ${models}
    union all
    select false, false, t.*
    from (
      -- A model's name is shorter than what a device may say.
      select distinct on (lower(d.model)) d.model
      from (select left(model, 64) as model from device) d
      where lower(d.model) <> lower('${autoModel}') and not exists (
          select from ${models}
          where lower(d.model) in (lower(m.name), lower(m.show_name), lower(m.internal_name))
        )
      order by lower(d.model), d.model
    ) u
    cross join lateral jsonb_populate_record(
      null::device_model,
      jsonb_build_object(
        'id', overlay(overlay(md5(lower(u.model)) placing '8' from 13) placing '8' from 17)::uuid, 'name', u.model,
        'show_name', '', 'internal_name', '', 'series', '', 'type', 'general', 'hidden_items', '[]'::jsonb, 'version', 1,
        'capabilities', '{}'::jsonb
      )
    ) t
  ) m
`;
const counted = `
  ${listed}
  left join (select lower(d.model) as name, count(*)::int as devices from device d group by 1) c
    on c.name = lower(${column.name})
`;
const record = columns(
  Model,
  'm',
  [
    'id',
    'name',
    'showName',
    'internalName',
    'series',
    'type',
    'sipCount',
    'doorCount',
    'softDssKeys',
    'dssKeysPerPage',
    'dssKeyPages',
    'sideKeysPerPage',
    'sideKeyPages',
    'hiddenItems',
    'secondScreen',
    'mutualAuth',
    'capabilities',
    'updatedAt',
  ],
  {
    supplied: computed<boolean>('m.supplied'),
    confirmed: computed<boolean>('m.confirmed'),
    devices: computed<number>('coalesce(c.devices, 0)'),
    picture: computed<string | null>(
      `case when ${column.picture} is not null
        then '/api/f/device/model/' || ${column.id} || '/picture?v=' || ${column.version} end`,
    ),
  },
);
const filterColumns = {
  name: filterBy.text(column.name),
  series: filterBy.text(column.series),
  type: filterBy.text(column.type),
  supplied: filterBy.flag('m.supplied'),
  confirmed: filterBy.flag('m.confirmed'),
  sipCount: filterBy.number(column.sipCount),
  doorCount: filterBy.number(column.doorCount),
  softDssKeys: filterBy.number(column.softDssKeys),
  secondScreen: filterBy.flag(column.secondScreen),
  mutualAuth: filterBy.flag(column.mutualAuth),
  updatedAt: filterBy.moment(column.updatedAt),
};
const sorts = {
  name: alphabetic(column.name),
  showName: alphabetic(column.showName),
  series: alphabetic(column.series),
  type: column.type,
  sipCount: column.sipCount,
  doorCount: column.doorCount,
  softDssKeys: column.softDssKeys,
  devices: 'devices',
  updatedAt: column.updatedAt,
};

export async function pageOfModels(
  query: RouteInput<typeof listModels>['query'],
): Promise<RouteReturn<typeof listModels>> {
  return readPage({
    query,
    record,
    from: counted,
    counted: listed,
    values: [supplied],
    searched: [column.name, column.showName, column.internalName, column.series],
    filters: filterColumns,
    sorts,
    order: `m.confirmed, m.supplied, ${alphabetic(column.name)}, ${column.id}`,
  });
}

const known = columns(Model, 'm', ['name', 'showName', 'internalName', 'series', 'type', 'capabilities'], {
  sipCount: computed<number | null>(column.sipCount),
  doorCount: computed<number | null>(column.doorCount),
  mutualAuth: computed<boolean | null>(column.mutualAuth),
});
export type KnownModel = RowOf<typeof known>;

/** Returns all models for devices of the company, by name. */
export function knownModels(): Promise<KnownModel[]> {
  return currentSql().rows(known, `select ${known} from ${models} order by ${alphabetic(column.name)}`, [supplied]);
}

export async function modelById(id: string): Promise<ModelRecord | undefined> {
  const rows = await currentSql().rows(record, `select ${record} from ${counted} where ${column.id} = $2`, [
    supplied,
    id,
  ]);
  return rows[0];
}

export const isSupplied = (id: string): boolean => suppliedModels.some(({ name }) => uuidv5(name, namespace) === id);
export const isSuppliedName = (name: string): boolean =>
  suppliedModels.some((facts) => facts.name.toLowerCase() === name.toLowerCase());

const suppliedNames = suppliedModels.map(({ name }) => `'${name.toLowerCase().replaceAll("'", "''")}'`).join(', ');
/**
 * Returns, as SQL, the actions that the company's model of this name does not support. A supplied model supports all
 * that its device announces.
 */
export const unsupportedSql = (model: string): string => `
  (
    select coalesce(array_agg(c.key order by c.key), '{}')
    from (
      select m.capabilities
      from device_model m
      where lower(${model}) in (lower(m.name), lower(m.show_name), lower(m.internal_name))
        and lower(${model}) not in (${suppliedNames})
      order by lower(m.name) = lower(${model}) desc, lower(m.show_name) = lower(${model}) desc, m.name
      limit 1
    ) m
    cross join lateral jsonb_each(m.capabilities) c
    where c.value = 'false'
  )
`;
