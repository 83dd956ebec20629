import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { lazy } from '../part/lazy.tsx';
import type { ActionBarProps } from './action-bar.tsx';
import { GridHeader } from './grid-header.tsx';
import { GridTable } from './grid-table.tsx';
import type { DataGridProps, GridAction } from './grid.types.ts';
import { useLayout } from './layout.ts';
import { Pager } from './pager.tsx';
import type { PhoneListProps } from './phone-list.tsx';
import type { RowEvents } from './row.tsx';
import type { OpenMenu, RowMenuProps } from './row-menu.tsx';
import { filterOf, type ListState } from './search.ts';
import { isSelected, selectedCount, targetOf } from './selection.ts';
import { GridState } from './states.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFirstRow, useGridKeyboard, useSearchKey } from './use-grid-keyboard.ts';
import { useSelection, type GridSelection } from './use-selection.ts';
import frame from './data-grid.module.css';

/** Loaded on first use, to keep the list's first load small. */
const ActionBar = lazy(() => import('./action-bar.tsx')) as <T>(props: ActionBarProps<T>) => React.ReactNode;
/** Loaded on phones in place of the table. */
const PhoneList = lazy(() => import('./phone-list.tsx')) as <T extends { id: string }, F extends string>(
  props: PhoneListProps<T, F>,
) => React.ReactNode;
const RowMenu = lazy(() => import('./row-menu.tsx')) as <T>(props: RowMenuProps<T>) => React.ReactNode;
const rowHeights = { dense: 32, comfortable: 40 } as const;

/** The list of every screen: search, filters, sort and page in the address, selection over all pages, live cells. */
export function DataGrid<T extends { id: string }, F extends string>(props: DataGridProps<T, F>) {
  const { query, state, onState, actions = [], onOpen } = props;
  const rowActions = useMemo(() => props.actions?.filter((a) => !a.manyOnly) ?? [], [props.actions]);
  const phone = useMediaQuery('(max-width: 640px)', matchMedia('(max-width: 640px)').matches);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [menu, setMenu] = useState<OpenMenu<T>>();
  const layout = useLayout(props.name, props.columns);
  const height = layout.dense ? rowHeights.dense : rowHeights.comfortable;

  const records = useMemo(() => query.data?.records ?? [], [query.data]);
  const total = query.data?.total ?? 0;
  const ids = useMemo(() => records.map((r) => r.id), [records]);
  const manyActions = actions.filter((a) => a.onMany !== undefined || a.onPage !== undefined);
  const selectable = manyActions.length > 0;
  const selected = useSelection(ids);
  const keyboard = useGridKeyboard({ ids, height, scroller, selectable, selected });
  useSearchKey(field);
  const toFirstRow = useFirstRow(
    query.data && !query.isPlaceholderData ? state.search : undefined,
    keyboard.focusFirst,
  );
  useOtherRecords(state, selected.clear, () => scroller.current?.scrollTo({ top: 0 }));
  useLastPage(props);

  const { open, named } = useOpen(props);
  const { check } = selected;
  const { setReachable } = keyboard;
  const events = useMemo<RowEvents<T>>(
    () => ({ check, open, menu: (record, at) => setMenu({ record, at }), focused: setReachable }),
    [check, open, setReachable],
  );

  const chosen = selectedCount(selected.selection, total);
  const shown = query.data !== undefined && records.length > 0;
  const list = { grid: { ...props, actions: rowActions }, records, scroller, selectable, selected, events };
  return (
    <section className={frame.grid} aria-label={props.title} aria-busy={query.isFetching && query.isPlaceholderData}>
      <GridHeader grid={props} layout={layout} phone={phone} selectable={selectable} selected={selected} />
      <Toolbar {...props} field={field} onFirstRow={toFirstRow} layout={layout} small={phone} />
      {props.strip}
      {query.isError && query.data && (
        <GridState.Stale text={props.failure} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {shown && phone && <PhoneList {...list} />}
      {shown && !phone && (
        <GridTable
          {...list}
          ids={ids}
          layout={layout}
          height={height}
          reachable={keyboard.reachable}
          named={named}
          onKeyDown={keyboard.onKeyDown}
          onDrawn={keyboard.onDrawn}
        />
      )}
      {!shown && <GridState {...props} height={height} columnCount={layout.shown.length} />}
      {chosen > 0 && <SelectionBar grid={props} ids={ids} chosen={chosen} selected={selected} phone={phone} />}
      {shown && !(phone && chosen > 0) && <Pager state={state} total={total} onState={onState} />}
      {menu && <RowMenu menu={menu} actions={rowActions} onClose={() => setMenu(undefined)} onOpen={onOpen} />}
    </section>
  );
}

/** Shows the actions for the selected records. */
function SelectionBar<T extends { id: string }, F extends string>({
  grid,
  ids,
  chosen,
  selected,
  phone,
}: {
  grid: DataGridProps<T, F>;
  ids: readonly string[];
  chosen: number;
  selected: GridSelection;
  phone: boolean;
}) {
  const { selection } = selected;
  const { total = 0, records = [] } = grid.query.data ?? {};
  // A selection of all that match supports only actions whose call takes its filter; named records support all.
  const many = (grid.actions ?? []).filter((a) => a.onMany !== undefined || a.onPage !== undefined);
  const takesAll = ({ onMany, namedOnly }: GridAction<T>) => onMany !== undefined && namedOnly === undefined;
  const actions = selection.mode === 'some' ? many : many.filter(takesAll);
  // Actions that fit none of the selected records are hidden; records of other pages are unknown.
  const known = records.filter((r) => isSelected(selection, r.id));
  const fits = ({ when }: GridAction<T>) => !when || known.length < chosen || known.some((r) => when(r));
  const wholeSet = actions.some(takesAll);
  const isPageSelected = ids.every((id) => isSelected(selection, id));
  return (
    <ActionBar
      total={total}
      chosen={chosen}
      selection={selection}
      pageFull={wholeSet && isPageSelected && selection.mode === 'some' && total > chosen}
      actions={actions.filter(fits)}
      note={selection.mode === 'all' ? many.find((a) => a.namedOnly)?.namedOnly : undefined}
      phone={phone && wholeSet}
      onAll={selected.selectEverything}
      onClear={selected.clear}
      onAction={(action) =>
        action.onMany
          ? action.onMany(targetOf(selection, filterOf(grid.state)), chosen)
          : action.onPage!(selection.mode === 'some' ? [...selection.ids] : [...ids])
      }
    />
  );
}

/** Clears the selection when the filters change, and scrolls to the top on another page. */
function useOtherRecords<F extends string>(state: ListState<F>, onOtherSet: () => void, onOtherPage: () => void): void {
  const filter = JSON.stringify(filterOf(state));
  const page = `${filter} ${state.page} ${state.limit} ${state.sort}`;
  // After a sleep (SHELL-04) effects run again: only real changes count.
  const known = useRef({ filter, page });
  const compare = useEffectEvent(() => {
    if (known.current.filter !== filter) onOtherSet();
    if (known.current.page !== page) onOtherPage();
    known.current = { filter, page };
  });
  useEffect(() => compare(), [filter, page]);
}

/** Goes to the last page when the current one does not exist, from an old link or after deletions. */
function useLastPage<T extends { id: string }, F extends string>({ query, state, onState }: DataGridProps<T, F>): void {
  const leaveMissingPage = useEffectEvent(() => {
    if (!query.data || query.isPlaceholderData || query.data.total === 0 || query.data.records.length > 0) return;
    onState({ ...state, page: Math.max(1, Math.ceil(query.data.total / state.limit)) });
  });
  useEffect(() => leaveMissingPage(), [query.data]);
}

/**
 * Returns how a record is opened: by the page's handler, or by the address of its link column. `open` is a stable
 * function, so that rows are not rendered again. `named` is the column that opens by a button when there is no link
 * column.
 */
function useOpen<T extends { id: string }, F extends string>({ columns, onOpen }: DataGridProps<T, F>) {
  const { history } = useRouter();
  const link = columns.find((c) => c.link)?.link;
  const newest = useRef<(record: T) => void>(undefined);
  newest.current = onOpen ?? ((record) => link && history.push(link(record)));
  const [open] = useState(() => (record: T) => newest.current?.(record));
  return { open, named: link === undefined && onOpen ? columns.find((c) => c.fixed)?.key : undefined };
}
