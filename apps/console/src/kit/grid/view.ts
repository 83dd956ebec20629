import { useQuery } from '@tanstack/react-query';
import type { listViews, RouteOutput } from '@carillon/contracts';
import { call, remote } from '../session/call.ts';
import { keep, recall } from '../session/storage.ts';
import type { Arrangement, Layout } from './layout.ts';
import type { ListState } from './search.ts';

const list = remote('listViews', 'GET /api/f/org/view');
const edit = remote('editView', 'PUT /api/f/org/view');
export type View = RouteOutput<typeof listViews>[number];

/** One's own views of a list, then those that others share. */
export const useViews = (name: string) =>
  useQuery({
    queryKey: ['view', name],
    queryFn: ({ signal }) => call(list, { query: { list: name } }, { signal }),
    staleTime: 60_000,
  });

/** What of a list a view keeps. The page is where one looks, not what one looks at. */
export const keptOf = <F extends string>({ search, limit, sort, filters }: ListState<F>, layout: Arrangement) => ({
  state: { search, limit, filters: filters as Record<string, string[]>, ...(sort === undefined ? {} : { sort }) },
  layout,
});

/** In one order of keys, however it was made or stored. */
const sameText = (value: unknown): string =>
  JSON.stringify(value, (_, of: unknown) =>
    typeof of === 'object' && of !== null && !Array.isArray(of)
      ? Object.fromEntries(Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1)))
      : of,
  );

/** Whether the list shows something else than the view that it was opened by. */
export const isChanged = <F extends string>(view: View, state: ListState<F>, layout: Arrangement): boolean =>
  sameText(keptOf(state, layout)) !== sameText({ state: view.state, layout: view.layout });

/** Columns as they were before a view brought its own. */
const own = (name: string) => `grid-${name}-own`;

/** The list as the view keeps it. */
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

/** All records, in the person's own columns. */
export function openAll<F extends string>(
  name: string,
  state: ListState<F>,
  layout: Pick<Layout<never>, 'apply'>,
): ListState<F> {
  const before = recall<Arrangement>(own(name));
  if (state.view !== undefined && before !== undefined) layout.apply(before);
  return { search: '', page: 1, limit: state.limit, sort: undefined, filters: {} };
}

/** Writes what is shown over a view of one's own. */
export const saveView = <F extends string>(
  { id, name, shared }: View,
  state: ListState<F>,
  layout: Arrangement,
): Promise<View> => call(edit, { body: { id, name, shared, ...keptOf(state, layout) } as never });
