import type {
  addFirmware,
  DeltaOrderState,
  FirmwarePath,
  listFirmware,
  RouteInput,
  RouteReturn,
} from '@carillon/contracts';
import { errorText, type ErrorKey } from '@carillon/contracts/errors';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy, type RowOf } from '@carillon/persistence';
import { found, readPage } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { Firmware, OfficialFirmware } from './firmware.entity.ts';

export type FirmwareRecord = RouteReturn<typeof addFirmware>;

const shown = [
  'id',
  'name',
  'version',
  'least',
  'models',
  'description',
  'files',
  'size',
  'deltas',
  'noticeWhom',
  'noticeAt',
  'noticedAt',
  'damagedAt',
  'updatedAt',
] as const;
interface Ordered {
  from: string;
  state: DeltaOrderState;
  progress: number;
  error: ErrorKey | null;
  values: Record<string, string | number>;
}
const record = columns(Firmware, 'f', shown, {
  path: computed<FirmwarePath>('f.path'),
  orders: computed<Ordered[]>(`
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'from', o.version, 'state', o.state, 'progress', o.progress, 'error', o.error, 'values', o.values
          )
          order by o.created_at, o.id
        )
        from delta_order o
        where o.firmware_id = f.id
      ),
      '[]'
    )
  `),
});
const mine = columnNames(Firmware, 'm');
const official = columnNames(OfficialFirmware, 'o');
/** SQL: a company's own firmware and the official one. */
const every = `(
  select ${shown.map((key) => mine[key]).join(', ')}, 'mine' as path from firmware m
  union all
  select ${shown.map((key) => official[key]).join(', ')}, 'official' as path from official_firmware o
)`;
const both = `${every} f`;
/** SQL: whether `f` can be the source of a new differential package to firmware `id`, by the same rules as an order. */
const isSourceSql = (id: string): string => `
  exists (
    select 1
    from ${every} g
    where g.id = ${id}
      and (g.path = 'mine' or f.path = 'official')
      and g.models && f.models
      and lower(g.version) <> lower(f.version)
      and not exists (
        select 1 from jsonb_array_elements(g.deltas) d where lower(d ->> 'from') = lower(f.version)
      )
      and not exists (
        select 1
        from delta_order o
        where o.firmware_id = g.id and o.state <> 'failed' and lower(o.version) = lower(f.version)
      )
  )
`;
const column = columnNames(Firmware, 'f');
/** SQL: sort key that puts 1.10 after 1.9: by its numbers, then by its text. */
const byNumbers = `(
  select string_agg(lpad(n.digits[1], 32, '0'), '.' order by n.at)
  from regexp_matches(${column.version}, '\\d+', 'g') with ordinality n (digits, at)
)`;
const sorts = {
  name: alphabetic(column.name),
  version: byNumbers,
  path: 'f.path',
  size: column.size,
  updatedAt: column.updatedAt,
};
const filterColumns = {
  path: filterBy.text('f.path'),
  name: filterBy.text(column.name),
  version: filterBy.text(column.version),
  description: filterBy.text(column.description),
  updatedAt: filterBy.moment(column.updatedAt),
};

type FirmwareRow = RowOf<typeof record>;

/** Returns firmware as the routes answer it, with errors of its orders in the reader's language. */
export const answered = ({
  files,
  deltas,
  orders,
  noticeWhom,
  noticeAt,
  noticedAt,
  damagedAt,
  ...row
}: FirmwareRow): FirmwareRecord => ({
  ...row,
  deltas: deltas.map(({ from, format = 'maker', name, size, sha256 }) => ({
    from,
    format,
    fileName: name,
    size,
    sha256,
  })),
  deltaOrders: orders.map(({ error, values, ...order }) => ({
    ...order,
    msg: error === null ? null : errorText(error, context().language, values),
  })),
  fileName: files[0]!.name,
  sha256: files[0]!.sha256,
  damaged: damagedAt !== null,
  url: `/api/f/resource/firmware/${row.id}/file`,
  notice: { whom: noticeWhom, at: noticeAt, sentAt: noticedAt },
});

/** Returns a page of a company's own firmware and the official one. */
export async function firmwarePage(
  query: RouteInput<typeof listFirmware>['query'],
): Promise<RouteReturn<typeof listFirmware>> {
  const title = `${column.name} || ' ' || ${column.version}`;
  const page = await readPage({
    query,
    record,
    from: both,
    searched: [title, column.description, `array_to_string(${column.models}, ' ')`],
    filters: filterColumns,
    where: (add) => (query.deltaFor ? [isSourceSql(add(query.deltaFor))] : []),
    sorts,
    order: `${alphabetic(column.name)}, ${byNumbers} desc nulls last, ${column.id}`,
  });
  return { ...page, records: page.records.map(answered) };
}

/** Returns firmware of either kind; fails when the company does not see it. */
export async function firmwareRow(id: string): Promise<FirmwareRow> {
  return found((await currentSql().rows(record, `select ${record} from ${both} where ${column.id} = $1`, [id]))[0]);
}
