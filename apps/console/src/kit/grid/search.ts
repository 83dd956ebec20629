import { defaultPageSize, pageSizes } from '@carillon/contracts/constants';
import { one, several } from '../browser/address.ts';

/**
 * A list's state in the address: text, page, size, sort (`-name` is descending), opened view, and filters by field and
 * operator (`filter.ts`).
 */
export type ListSearch<F extends string> = {
  [K in 'search' | 'page' | 'limit' | 'sort' | 'view' | F]?: string | string[];
};

/** The parsed state: missing and invalid values become defaults, so that an old link still opens. */
export interface ListState<F extends string> {
  search: string;
  page: number;
  limit: PageSize;
  sort: string | undefined;
  filters: Partial<Record<F, string[]>>;
  /** The opened saved view, which may have been changed since. */
  view?: string;
}

export type PageSize = (typeof pageSizes)[number];

export type Values = readonly string[] | ((value: string) => boolean) | undefined;

export interface ListRules<F extends string> {
  sorts: readonly string[];
  /** Filters with their allowed values, or a function that returns them; `undefined` allows any text. */
  filters: Record<F, Values>;
}

export function readList<F extends string>(search: ListSearch<F>, rules: ListRules<F>): ListState<F> {
  const page = Number(one(search.page));
  const limit = Number(one(search.limit)) as PageSize;
  const sort = one(search.sort);
  const filters: Partial<Record<F, string[]>> = {};
  for (const [key, allowed] of Object.entries(rules.filters) as [F, Values][]) {
    const values = several(search[key])
      ?.filter((v) => (typeof allowed === 'function' ? allowed(v) : (allowed?.includes(v) ?? true)))
      .slice(0, 200);
    if (values !== undefined && values.length > 0) filters[key] = values;
  }
  const view = one(search.view);
  return {
    search: (one(search.search) ?? '').slice(0, 128),
    page: Number.isInteger(page) && page >= 1 && page <= 1_000_000 ? page : 1,
    limit: pageSizes.includes(limit) ? limit : defaultPageSize,
    sort: sort !== undefined && rules.sorts.includes(sort.replace(/^-/, '')) ? sort : undefined,
    filters,
    ...(view === undefined ? {} : { view }),
  };
}

/** Converts the state to the address; defaults are left out. */
export function writeList<F extends string>(state: ListState<F>): ListSearch<F> {
  return {
    ...state.filters,
    ...(state.search === '' ? {} : { search: state.search }),
    ...(state.page === 1 ? {} : { page: String(state.page) }),
    ...(state.limit === defaultPageSize ? {} : { limit: String(state.limit) }),
    ...(state.sort === undefined ? {} : { sort: state.sort }),
    ...(state.view === undefined ? {} : { view: state.view }),
  } as ListSearch<F>;
}

/** Returns whether a parameter has a single value: an end of a range, a span, or emptiness. */
const isSingle = (parameter: string) => /\.(from|to|within|empty)$/.test(parameter);

/** Returns the part that selects records, for counts and for the target "all that match" of a task. */
export const filterOf = <F extends string>(state: Pick<ListState<F>, 'search' | 'filters'>) => ({
  ...(Object.fromEntries(
    Object.entries<string[]>(state.filters as Record<string, string[]>).map(([key, values]) => [
      key,
      isSingle(key) ? values[0] : values,
    ]),
  ) as Partial<Record<F, string[]>>),
  ...(state.search === '' ? {} : { search: state.search }),
});
/** Returns the query of the list call. */
export const queryOf = <F extends string>(state: ListState<F>) => ({
  ...filterOf(state),
  page: state.page,
  limit: state.limit,
  ...(state.sort === undefined ? {} : { sort: state.sort }),
});

/** Returns the next sort: ascending, descending, none. */
export const nextSort = (sort: string | undefined, field: string): string | undefined =>
  sort === field ? `-${field}` : sort === `-${field}` ? undefined : field;
