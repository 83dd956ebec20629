import {
  lazy,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
} from 'react';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { Late } from '../part/late.tsx';
import { useText } from '../text/use-text.ts';
import { count, pageTexts } from '../text/text.ts';
import { LiveMark } from '../live/live-mark.tsx';
import type { ActionBarProps } from './action-bar.tsx';
import type { Column, DataGridProps } from './grid.types.ts';
import { useLayout } from './layout.ts';
import { Pager } from './pager.tsx';
import { PhoneItem, Row, type RowEvents } from './row.tsx';
import type { OpenMenu, RowMenuProps } from './row-menu.tsx';
import { filterOf } from './search.ts';
import {
  between,
  everything,
  isSelected,
  mark,
  nothing,
  selectedCount,
  targetOf,
  type Selection,
} from './selection.ts';
import { GridState } from './states.tsx';
import { Head } from './head.tsx';
import { Toolbar } from './toolbar.tsx';
import { useWindow } from './use-window.ts';
import css from './table.module.css';
import frame from './data-grid.module.css';

/** Shown once something is chosen or asked for: the list's first load does not carry them. */
const ActionBar = lazy(() => import('./action-bar.tsx')) as <T>(props: ActionBarProps<T>) => React.ReactNode;
const RowMenu = lazy(() => import('./row-menu.tsx')) as <T>(props: RowMenuProps<T>) => React.ReactNode;
const ExportDialog = lazy(() => pageTexts().then(() => import('./export-dialog.tsx'))) as <T>(props: {
  name: string;
  columns: readonly Column<T>[];
  total: number;
  onPage: NonNullable<DataGridProps<T & { id: string }, string>['onExport']>;
  onClose: () => void;
}) => React.ReactNode;

/** The list of every screen: search, filters, sort and page in its address, selection over all pages, live cells. */
export function DataGrid<T extends { id: string }, F extends string>(props: DataGridProps<T, F>) {
  const { query, state, onState, columns, actions = [], onOpen } = props;
  const { t } = useText();
  const phone = useMediaQuery('(max-width: 640px)', matchMedia('(max-width: 640px)').matches);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [selection, setSelection] = useState<Selection>(nothing);
  const [selecting, setSelecting] = useState(false);
  const [menu, setMenu] = useState<OpenMenu<T>>();
  const [reachable, setReachable] = useState<string>();
  const anchor = useRef<string>(undefined);
  const wanted = useRef<string>(undefined);
  const layout = useLayout(props.name, columns);
  const height = layout.dense ? 32 : 40;

  const records = useMemo(() => query.data?.records ?? [], [query.data]);
  const total = query.data?.total ?? 0;
  const ids = useMemo(() => records.map((r) => r.id), [records]);
  const manyActions = actions.filter((a) => a.onMany !== undefined || a.onPage !== undefined);
  const wholeSet = props.pageOnly !== true && manyActions.every((a) => a.onMany !== undefined);
  const [exporting, setExporting] = useState(false);
  const selectable = manyActions.length > 0;
  const sight = useWindow(records.length, phone ? 60 : height, scroller);

  // Other filters are another set of records: what was chosen of the old one is let go.
  const filter = JSON.stringify(filterOf(state));
  // Asleep and woken again (SHELL-04), effects run once more: only what is really another one begins anew.
  const known = useRef({ filter, page: `${filter} ${state.page} ${state.limit} ${state.sort}` });
  useEffect(() => {
    const page = `${filter} ${state.page} ${state.limit} ${state.sort}`;
    if (known.current.filter !== filter) {
      setSelection(nothing);
      setSelecting(false);
    }
    if (known.current.page !== page) scroller.current?.scrollTo({ top: 0 });
    known.current = { filter, page };
  }, [filter, state.page, state.limit, state.sort]);
  // A page beyond the end, from an old link or after records went: the last one there is.
  const leaveMissingPage = useEffectEvent(() => {
    if (query.data && !query.isPlaceholderData && total > 0 && records.length === 0)
      onState({ ...state, page: Math.max(1, Math.ceil(total / state.limit)) });
  });
  useEffect(() => leaveMissingPage(), [query.data]);
  useEffect(() => {
    const focusSearch = (e: globalThis.KeyboardEvent) => {
      if (e.key === '/' && !(e.target as HTMLElement).closest?.('input,textarea,select,[role=dialog]')) {
        e.preventDefault();
        field.current?.focus();
      }
    };
    addEventListener('keydown', focusSearch);
    return () => removeEventListener('keydown', focusSearch);
  }, []);

  const { history } = useRouter();
  const link = columns.find((c) => c.link)?.link;
  const named = link === undefined && onOpen ? columns.find((c) => c.fixed)?.key : undefined;
  const open =
    onOpen ??
    ((record: T) => {
      if (link) history.push(link(record));
    });
  const current = useRef({ ids, open });
  current.current = { ids, open };
  const check = useCallback((id: string, on: boolean, range: boolean) => {
    const from = anchor.current;
    anchor.current = id;
    setSelection((s) => mark(s, range ? between(current.current.ids, from, id) : [id], on));
  }, []);
  const events = useMemo<RowEvents<T>>(
    () => ({
      check,
      open: (record) => current.current.open(record),
      menu: (record, at) => setMenu({ record, at }),
      focused: setReachable,
    }),
    [check],
  );

  const chosen = selectedCount(selection, total);
  const onPage = ids.filter((id) => isSelected(selection, id)).length;
  const reach = reachable !== undefined && ids.includes(reachable) ? reachable : ids[0];

  function onKeyDown(e: KeyboardEvent) {
    if ((e.target as HTMLElement).closest('thead')) return;
    const at = ids.indexOf(reach ?? '');
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -ids.length, End: ids.length }[e.key];
    if (step !== undefined && at !== -1) {
      e.preventDefault();
      const next = Math.min(ids.length - 1, Math.max(0, at + step));
      if (e.shiftKey && selectable) setSelection((s) => mark(s, between(ids, ids[at], ids[next]!), true));
      focusRow(next);
      setReachable(ids[next]);
    } else if (e.key === ' ' && at !== -1 && selectable && !(e.target as HTMLElement).closest('button,input')) {
      e.preventDefault();
      check(ids[at]!, !isSelected(selection, ids[at]!), e.shiftKey);
    }
  }
  /** A row out of sight is not in the page yet: it is scrolled to, and focused once it is drawn. */
  function focusRow(index: number) {
    wanted.current = ids[index];
    const box = scroller.current!;
    if (box.querySelector(`[data-id="${ids[index]}"]`) === null) box.scrollTop = index * height - box.clientHeight / 2;
  }
  useLayoutEffect(() => {
    const row = wanted.current === undefined ? null : scroller.current?.querySelector(`[data-id="${wanted.current}"]`);
    const name = row?.querySelector<HTMLElement>('[data-name]') ?? row?.querySelector<HTMLElement>('[tabindex]');
    if (!name) return;
    wanted.current = undefined;
    name.focus({ preventScroll: true });
    name.closest('tr')?.scrollIntoView({ block: 'nearest' });
  });

  const rows = records.slice(sight.from, sight.to);
  const shown = query.data !== undefined && records.length > 0;
  return (
    <section className={frame.grid} aria-label={props.title} aria-busy={query.isFetching && query.isPlaceholderData}>
      <header className={frame.title}>
        <h1 title={phone ? props.title : undefined}>{props.title}</h1>
        {query.data && <span className={frame.total}>{count(total)}</span>}
        <LiveMark short={phone} />
        <span className={frame.spring} />
        {phone && selectable && records.length > 0 && (
          <button
            type="button"
            className={frame.select}
            onClick={() => {
              setSelecting(!selecting);
              setSelection(nothing);
            }}
          >
            {t(selecting ? 'common.done' : 'grid.select')}
          </button>
        )}
        {(props.onExportAll ?? props.onExport) && total > 0 && (
          <Button
            variant="subtle"
            className={frame.export}
            leftSection={<IconDownload size={15} stroke={1.75} />}
            onClick={props.onExportAll ?? (() => setExporting(true))}
          >
            {t('grid.export')}
          </Button>
        )}
        {props.primary}
      </header>
      {props.tabs && (
        <nav className={frame.tabs} aria-label={props.title}>
          {props.tabs.map((tab) => (
            <button
              key={tab.key}
              type="button"
              aria-current={tab.key === props.tab ? 'page' : undefined}
              onClick={() => props.onTab?.(tab.key)}
            >
              {tab.label}
            </button>
          ))}
        </nav>
      )}
      <Toolbar {...props} field={field} layout={layout} small={phone} />
      {props.strip}
      {query.isError && query.data && (
        <GridState.Stale text={props.failure} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {shown && phone && (
        <div className={css.list} ref={scroller} data-scroll-restoration-id={`grid-${props.name}`}>
          <ul style={{ paddingTop: sight.from * 60, paddingBottom: (records.length - sight.to) * 60 }}>
            {rows.map((record) => (
              <PhoneItem
                key={record.id}
                record={record}
                row={props.phone(record)}
                menu={!selectable && actions.length > 0}
                selecting={selecting}
                selected={selecting && isSelected(selection, record.id)}
                opened={record.id === props.openId}
                events={events}
                texts={rowTexts(t, props.label(record))}
              />
            ))}
          </ul>
        </div>
      )}
      {shown && !phone && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Hears the keys of its rows' own controls.
        <div
          className={css.scroll}
          ref={scroller}
          data-scroll-restoration-id={`grid-${props.name}`}
          style={{ '--row': `${height}px` } as React.CSSProperties}
          onKeyDown={onKeyDown}
        >
          <table
            className={css.table}
            aria-rowcount={sight.windowed ? records.length + 1 : undefined}
            style={{
              minWidth: layout.shown.reduce((w, c) => w + (layout.widths?.[c.key] ?? c.width), selectable ? 106 : 66),
            }}
          >
            <Head
              layout={layout}
              selectable={selectable}
              sort={state.sort}
              onSort={(sort) => onState({ ...state, sort, page: 1 })}
              checked={onPage === 0 ? 'none' : onPage === ids.length ? 'all' : 'some'}
              onCheck={(on) => setSelection((s) => mark(s, ids, on))}
            />
            <tbody>
              {sight.from > 0 && (
                <tr className={css.space} aria-hidden>
                  <td style={{ height: sight.from * height }} />
                </tr>
              )}
              {rows.map((record, i) => (
                <Row
                  key={record.id}
                  record={record}
                  columns={layout.shown}
                  events={events}
                  actions={actions}
                  named={named}
                  selectable={selectable}
                  selected={isSelected(selection, record.id)}
                  reachable={record.id === reach}
                  opened={record.id === props.openId}
                  rowIndex={sight.windowed ? sight.from + i + 2 : undefined}
                  texts={rowTexts(t, props.label(record))}
                />
              ))}
              {sight.to < records.length && (
                <tr className={css.space} aria-hidden>
                  <td style={{ height: (records.length - sight.to) * height }} />
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
      {!shown && <GridState {...props} height={height} columnCount={layout.shown.length} />}
      {chosen > 0 && (
        <Late>
          <ActionBar
            total={total}
            chosen={chosen}
            selection={selection}
            pageFull={wholeSet && onPage === ids.length && selection.mode === 'some' && total > chosen}
            actions={manyActions}
            phone={phone && wholeSet}
            onAll={() => setSelection(everything)}
            onClear={() => {
              setSelection(nothing);
              setSelecting(false);
            }}
            onAction={(a) =>
              a.onMany
                ? a.onMany(targetOf(selection, filterOf(state)), chosen)
                : a.onPage!(selection.mode === 'some' ? [...selection.ids] : ids)
            }
          />
        </Late>
      )}
      {shown && !(phone && chosen > 0) && <Pager state={state} total={total} onState={onState} phone={phone} />}
      <Late>
        {exporting && (
          <ExportDialog<T>
            name={props.title}
            columns={layout.shown}
            total={total}
            onPage={props.onExport!}
            onClose={() => setExporting(false)}
          />
        )}
      </Late>
      <Late>
        {menu && <RowMenu menu={menu} actions={actions} onClose={() => setMenu(undefined)} onOpen={onOpen} />}
      </Late>
    </section>
  );
}

/** The same texts for the same name, so that memo rows stay as they are. */
const kept = new Map<string, { select: string; actions: string }>();
function rowTexts(t: ReturnType<typeof useText>['t'], name: string) {
  let texts = kept.get(name);
  if (texts === undefined) {
    if (kept.size > 2000) kept.clear();
    kept.set(name, (texts = { select: t('grid.selectOne', { name }), actions: t('grid.actionsOf', { name }) }));
  }
  return texts;
}
