import { toPage } from '@carillon/contracts';
import {
  anyContains,
  containsPattern,
  currentSql,
  filterSql,
  orderBy,
  parameters,
  whereSql,
  type Columns,
  type FilterColumns,
} from '@carillon/persistence';

/** What a page of a list is read by. */
export interface PageOf<Row> {
  /** The request: page, sort, search and filters. */
  query: {
    page?: number | undefined;
    limit?: number | undefined;
    current?: number | undefined;
    size?: number | undefined;
    sort?: string | undefined;
    search?: string | undefined;
  };
  record: Columns<Row>;
  /** SQL: the tables behind `from`. */
  from: string;
  /** SQL: the tables that are counted, when fewer decide which rows there are. */
  counted?: string;
  /** SQL in front of `select`: common table expressions. */
  with?: string;
  /** Values of `$1` and so on, in `from` and `with`. */
  values?: readonly unknown[];
  /** SQL: the texts that a search looks in, or the condition that it means. */
  searched?: readonly string[] | ((pattern: string) => string);
  filters?: FilterColumns;
  /** Returns further conditions. */
  where?: (add: (value: unknown) => string) => readonly string[];
  sorts?: Record<string, string>;
  /** SQL: names each row, as the last key of a wanted order. Default: `id`. */
  last?: string;
  /** SQL: the order when none is wanted. It names each row. */
  order: string;
}

/** Reads a page of a list, and counts its rows. The caller's policies decide which rows exist. */
export async function readPage<Row>({
  query,
  record,
  from,
  counted = from,
  with: expressions = '',
  values: initial = [],
  searched,
  filters = {},
  where: more,
  sorts = {},
  last,
  order,
}: PageOf<Row>): Promise<{ records: Row[]; total: number; current: number; size: number }> {
  const { page, limit } = toPage(query);
  const { add, values } = parameters(initial);
  const found = typeof searched === 'function' ? searched : (like: string) => anyContains(searched ?? [], like);
  const where = whereSql([
    ...(query.search && searched ? [found(add(containsPattern(query.search)))] : []),
    ...filterSql(query, filters, add),
    ...(more?.(add) ?? []),
  ]);
  const count = await currentSql().query<{ total: number }>(
    `${expressions} select count(*)::int as total from ${counted} ${where}`,
    values,
  );
  const records = await currentSql().rows(
    record,
    `
      ${expressions}
      select ${record}
      from ${from}
      ${where}
      order by ${orderBy(query.sort, sorts, order, last)}
      limit ${add(limit)} offset ${add((page - 1) * limit)}
    `,
    values,
  );
  return { records, total: count.rows[0]!.total, current: page, size: limit };
}
