import { useQuery } from '@tanstack/react-query';
import type { listViews, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../api/call.ts';
import { keep, recall } from '../browser/storage.ts';
import type { Arrangement, Layout } from './layout.ts';
import type { ListState } from './search.ts';

const list = remote('listViews', 'GET /api/f/org/view');
const edit = remote('editView', 'PUT /api/f/org/view');
export type View = RouteOutput<typeof listViews>[number];

/** Returns the user's own views of a list, then those that others share. */
export const useViews = (name: string) =>
  useQuery({
    queryKey: ['view', name],
    queryFn: ({ signal }) => call(list, { query: { list: name } }, { signal }),
    staleTime: 60_000,
  });

/** Returns the parts of a list that a view stores. The page number is not included. */
export const keptOf = <F extends string>({ search, limit, sort, filters }: ListState<F>, layout: Arrangement) => ({
  state: { search, limit, filters: filters as Record<string, string[]>, ...(sort === undefined ? {} : { sort }) },
  layout,
});

/** Serializes with sorted keys, independently of how the object was made or stored. */
const sameText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** Returns whether the list differs from its opened view. */
export const isChanged = <F extends string>(view: View, state: ListState<F>, layout: Arrangement): boolean =>
  sameText(keptOf(state, layout)) !== sameText({ state: view.state, layout: view.layout });

/** Storage key of the columns from before a view was opened. */
const own = (name: string) => `grid-${name}-own`;

/** Shows the list of a view. */
export function openView<F extends string>(
  name: string,
  { id, state: { search, limit, sort, filters }, layout: columns }: View,
  state: ListState<F>,
  layout: Pick<Layout<never>, 'stored' | 'apply'>,
): ListState<F> {
  if (state.view === undefined) keep(own(name), layout.stored);
  layout.apply(columns as Arrangement);
  return {
    search,
    limit: limit as ListState<F>['limit'],
    sort,
    filters: filters as ListState<F>['filters'],
    page: 1,
    view: id,
  };
}

/** Shows all records, in the user's own columns. */
export function openAll<F extends string>(
  name: string,
  state: ListState<F>,
  layout: Pick<Layout<never>, 'apply'>,
): ListState<F> {
  const before = recall<Arrangement>(own(name));
  if (state.view !== undefined && before !== undefined) layout.apply(before);
  return { search: '', page: 1, limit: state.limit, sort: undefined, filters: {} };
}

/** Saves the current list over a view of the user. */
export const saveView = <F extends string>(
  { id, name, shared }: View,
  state: ListState<F>,
  layout: Arrangement,
): Promise<View> => call(edit, { body: { id, name, shared, ...keptOf(state, layout) } as never });
