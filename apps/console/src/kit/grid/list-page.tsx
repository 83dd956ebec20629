import { createElement, isValidElement, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconDownload, IconPencil, IconPlus, IconTrash, type Icon } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { listOrganizations } from '@carillon/contracts';
import { lazy } from '../part/lazy.tsx';
import { useAccess } from '../api/access.ts';
import { one, type Search } from '../browser/address.ts';
import { call } from '../api/call.ts';
import { pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { DataGrid } from './data-grid.tsx';
import type { Filter, GridAction, Page } from './grid.types.ts';
import { asked as askedFor, inNewWords, rulesOf } from './filter.ts';
import { gridColumns, phoneRow, word } from './list-columns.tsx';
import type { Asked, ListAction, ListDeclaration, ListFilter, ListRoute, QueryOf, RecordOf } from './list.types.ts';
import { filterOf, queryOf, readList, writeList, type ListRules, type ListState } from './search.ts';
import type { Target } from './selection.ts';
import type { ExportRequest } from './list-file.calls.ts';
import { useExport } from './use-export.tsx';

const RecordDrawer = lazy(() => pageTexts().then(() => import('./record-drawer.tsx')));

/**
 * A list page from its declaration: search, filters, sort and opened record are in the address; columns and views are
 * stored; records are selected over all pages, changed by users with the permission, and exported.
 */
export function ListPage<R extends ListRoute>(list: ListDeclaration<R>) {
  const { t } = useText();
  const { search, state, go } = useAddress(list);
  const { query, count, request: filter } = usePage(list, state);
  const [asked, ask] = useState<{ dialog: Dialog<RecordOf<R>> }>();
  const setAsked = useCallback((dialog?: Dialog<RecordOf<R>>) => ask(dialog && { dialog }), []);
  const [cleared, setCleared] = useState(0);
  const { drawer, tabs, edit } = list;
  const access = useAccess();
  const mayEdit = edit !== undefined && access.can(edit.right);
  const opened = drawer && one(search[drawer.parameter]);
  const show = (id: string | undefined) => go(state, { [drawer!.parameter]: id });
  const deselect = () => {
    setCleared((n) => n + 1);
    if (opened !== undefined) show(undefined);
  };
  const columns = useMemo(() => gridColumns(list.columns, t), [list.columns, t]);
  const filters = gridFilters(list.filters, query.data?.records ?? [], state, t);
  const written = useExport({ of: list, columns, filters });
  const exported =
    list.exportRight === undefined || access.can(list.exportRight)
      ? (target: Target<unknown>) =>
          written.order({ ...('ids' in target ? target : { ...target, filter }), ...sortOf(state) } as ExportRequest)
      : undefined;
  const actions = useActions(list, state, setAsked, deselect, exported);
  const records = useRecords(list, query.data?.records, opened);
  const beside = drawer && drawer.show === undefined ? records.find((record) => record.id === opened) : undefined;
  const newest = useRef(list);
  newest.current = list;
  const drawn = useMemo(() => {
    const href = (record: RecordOf<R>) => (newest.current.edit as { href: (r: RecordOf<R>) => string }).href(record);
    return mayEdit && 'href' in newest.current.edit! && newest.current.edit.when === undefined
      ? columns.map((c) => (c.fixed ? { ...c, link: href } : c))
      : columns;
  }, [columns, mayEdit]);
  const onOpen =
    list.onOpen ??
    (drawer
      ? (record: RecordOf<R>) => {
          drawer.onOpen?.(record);
          show(record.id);
        }
      : mayEdit && 'dialog' in edit
        ? (record: RecordOf<R>) => setAsked(() => edit.dialog(record, () => setAsked()))
        : undefined);
  const add = list.add && access.can(list.add.right) && <AddButton add={list.add} onAsk={setAsked} />;
  const current = (record: RecordOf<R>) => query.data?.records.find(({ id }) => id === record.id) ?? record;
  return (
    <>
      <DataGrid<RecordOf<R>, string>
        key={`${tabs?.current ?? ''} ${cleared}`}
        name={list.name}
        title={word(t, list.title)}
        columns={drawn}
        query={query}
        state={state}
        filters={filters}
        actions={actions}
        openId={opened}
        onState={(next) => go(next)}
        onCount={count}
        {...(onOpen ? { onOpen } : {})}
        label={list.label}
        searchLabel={t(`${list.texts}.search`)}
        phone={(r) => ({ ...phoneRow(list.columns, columns, r, list.label(r), t), ...list.phone?.(r) })}
        {...(exported ? { onExport: () => exported({ filter }) } : {})}
        {...(tabs
          ? {
              tabs: Object.entries(tabs.names).map(([key, name]) => ({ key, label: word(t, name) })),
              tab: tabs.current,
              onTab: (key) => go(readList({}, { sorts: [], filters: {} }), { [tabs.parameter]: key }),
            }
          : {})}
        strip={
          <>
            {list.strip}
            {written.strip}
          </>
        }
        primary={
          list.primary ?? (
            <>
              {list.beside}
              {add}
            </>
          )
        }
        empty={{
          icon: <list.icon size={20} stroke={1.5} />,
          title: word(t, list.none ?? `${list.texts}.none`),
          text: t(`${list.texts}.noneText`),
          action: list.emptyAction ?? add,
        }}
        noMatch={word(t, `${list.texts}.noMatch`, { count: Object.keys(filterOf(state)).length })}
        failure={t(`${list.texts}.listFailed`)}
      />
      {opened !== undefined && drawer?.show?.(opened, { records, close: () => show(undefined), deselect })}
      {beside && (
        <RecordDrawer
          key={beside.id}
          record={beside}
          title={list.label(beside)}
          columns={columns as never}
          actions={actions.filter((a) => !a.manyOnly) as never}
          page={mayEdit && 'href' in edit && edit.when?.(beside) !== false ? edit.href(beside) : undefined}
          more={drawer!.more?.(beside)}
          onClose={() => show(undefined)}
        />
      )}
      {/* Outside of the drawer: a dialog that is still loading would hide the drawer and take its focus. */}
      {asked?.dialog(current)}
    </>
  );
}

/** A dialog before an action. `current` returns the current state of a record. */
type Dialog<T> = (current: (record: T) => T) => ReactNode;

/** Returns the page's records, and the opened one where the list keeps it after it has left the page. */
function useRecords<R extends ListRoute>(
  { drawer }: ListDeclaration<R>,
  records: readonly RecordOf<R>[] = [],
  opened: string | undefined,
): readonly RecordOf<R>[] {
  const last = useRef<RecordOf<R>>(undefined);
  const found = records.find((record) => record.id === opened);
  if (found) last.current = found;
  const gone = found === undefined ? last.current : undefined;
  return drawer?.keep && gone && gone.id === opened ? [...records, drawer.keep(gone)] : records;
}

/** Returns the list's part of the address; `go` changes it and keeps tab and drawer. */
function useAddress<R extends ListRoute>({ route, columns, filters = [], former, drawer, tabs }: ListDeclaration<R>) {
  const navigate = useNavigate();
  const search = inNewWords(useSearch({ from: route as '/_main/site/list' }) as Search, former);
  const rules: ListRules<string> = {
    sorts: columns.flatMap((c) => (c.sort ? [c.key] : [])),
    filters: Object.fromEntries(filters.flatMap((f) => rulesOf({ kind: 'choice', ...f }, f.values))),
  };
  const others = [drawer?.parameter, tabs?.parameter].flatMap((key) => (key === undefined ? [] : [key]));
  return {
    search,
    state: readList(search, rules),
    go: (next: ListState<string>, changed: Record<string, string | undefined> = {}) =>
      void navigate({
        to: '.',
        search: {
          ...writeList(next),
          ...Object.fromEntries(others.map((key) => [key, search[key]])),
          ...changed,
        } as never,
      }),
  };
}

/** Returns the page of the address, and its query without page and order. */
function usePage<R extends ListRoute>(list: ListDeclaration<R>, state: ListState<string>) {
  const requestOf = (state: ListState<string>) =>
    list.request?.(queryOf(state)) ?? (queryOf(state) as unknown as QueryOf<R>);
  const request = requestOf(state);
  // Every list returns a page of records, whose type the declaration knows.
  const ask = (query: unknown, init?: { signal: AbortSignal }) =>
    call(list.list as unknown as typeof listOrganizations, { query: query as never }, init) as unknown as Promise<
      Page<RecordOf<R>>
    >;
  const query = useQuery({
    // Several lists may have one kind, so their equal requests must not share a result.
    queryKey: [list.kind ?? list.name, list.kind === undefined ? 'list' : list.name, request],
    queryFn: ({ signal }) => ask(request, { signal }),
    placeholderData: keepPreviousData,
  });
  return {
    query,
    request,
    count: async (state: ListState<string>) =>
      (await ask({ ...(requestOf(state) as object), page: 1, limit: 1 })).total,
  };
}

const sortOf = ({ sort }: ListState<string>) => (sort === undefined ? {} : { sort });

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

/** Returns the user's actions for a record or a selection. The array is stable, so that rows are not rendered again. */
function useActions<R extends ListRoute>(
  list: ListDeclaration<R>,
  state: ListState<string>,
  onAsk: (dialog?: Dialog<RecordOf<R>>) => void,
  deselect: () => void,
  exported: ((target: Target<unknown>) => void) | undefined,
): readonly GridAction<RecordOf<R>>[] {
  const { t } = useText();
  const access = useAccess();
  const { edit, remove } = list;
  const navigate = useNavigate();
  const close = () => onAsk();
  const own = list.actions ?? [];
  // Destructive actions stay last.
  const end = own.at(-1)?.danger ? own.length - 1 : own.length;
  const allowed = [
    ...(edit
      ? [
          {
            key: 'edit',
            label: 'common.edit' as const,
            icon: IconPencil,
            right: edit.right,
            ...(edit.when ? { when: edit.when } : {}),
            ...('href' in edit
              ? { run: ({ record }: Asked<RecordOf<R>>) => void navigate({ href: edit.href(record!) }) }
              : { dialog: ({ record }: Asked<RecordOf<R>>) => edit.dialog(record!, close) }),
          },
        ]
      : []),
    ...own.slice(0, end),
    ...(exported
      ? [
          {
            key: 'export',
            label: 'grid.export' as const,
            icon: IconDownload,
            many: 'all' as const,
            manyOnly: true as const,
            run: ({ target }: Asked<RecordOf<R>>) => exported(target),
          },
        ]
      : []),
    ...own.slice(end),
    ...(remove
      ? [
          {
            key: 'delete',
            label: 'common.delete' as const,
            icon: IconTrash,
            right: remove.right,
            ...(remove.when ? { when: remove.when } : {}),
            menuOnly: true as const,
            danger: true as const,
            // Whether it can be deleted may change while the dialog is open.
            dialog: ({ record }: Asked<RecordOf<R>>, current: (record: RecordOf<R>) => RecordOf<R>) =>
              remove.dialog(current(record!), close),
          },
        ]
      : []),
  ].filter((a: ListAction<RecordOf<R>>) => a.right === undefined || access.can(a.right)) as ListAction<RecordOf<R>>[];
  const newest = useRef({ allowed, state, deselect });
  newest.current = { allowed, state, deselect };
  const keys = allowed.map((a) => `${a.key} ${a.namedOnly}`).join();
  return useMemo(() => {
    const act = (key: string, target: Target<unknown>, count: number, record?: RecordOf<R>) => {
      const action = newest.current.allowed.find((a) => a.key === key)!;
      const asked: Asked<RecordOf<R>> = {
        record,
        target: target as Target<never>,
        ids: 'ids' in target ? target.ids : [],
        sort: sortOf(newest.current.state),
        count,
        close: () => onAsk(),
        deselect: () => newest.current.deselect(),
      };
      if ('run' in action) action.run(asked);
      else onAsk((current) => action.dialog(asked, current));
    };
    return newest.current.allowed.map(
      ({ key, label, icon: Glyph, menuOnly, manyOnly, danger, when, many, namedOnly }): GridAction<RecordOf<R>> => ({
        key,
        label: word(t, label),
        icon: isValidElement(Glyph) ? Glyph : createElement(Glyph as Icon, icon),
        ...(menuOnly ? { menuOnly } : {}),
        ...(manyOnly ? { manyOnly } : {}),
        ...(danger ? { danger } : {}),
        ...(when ? { when } : {}),
        ...(namedOnly ? { namedOnly: t(namedOnly) } : {}),
        onOne: (record) => act(key, { ids: [record.id] }, 1, record),
        ...(many === 'all' ? { onMany: (target, count) => act(key, target, count) } : {}),
        ...(many === 'named' ? { onPage: (ids) => act(key, { ids }, ids.length) } : {}),
      }),
    );
    // The actions are read on use; `keys` changes when the allowed ones do.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [keys, t, onAsk]);
}

function AddButton({
  add,
  onAsk,
}: {
  add: NonNullable<ListDeclaration<ListRoute>['add']>;
  onAsk: (dialog?: () => ReactNode) => void;
}) {
  const { t } = useText();
  const plus = <IconPlus size={15} stroke={2} />;
  return 'href' in add ? (
    <Button component={Link} to={add.href as '/device/addDevice'} leftSection={plus}>
      {word(t, add.label)}
    </Button>
  ) : (
    <Button leftSection={plus} onClick={() => onAsk(() => add.dialog(() => onAsk()))}>
      {word(t, add.label)}
    </Button>
  );
}

/** Returns the filters with their known values. A hidden one is shown while the address has it. */
function gridFilters<T>(
  filters: readonly ListFilter<T>[] = [],
  shown: readonly T[],
  state: ListState<string>,
  t: ReturnType<typeof useText>['t'],
): Filter<string>[] {
  return filters
    .filter((f) => !f.hidden || askedFor({ kind: 'choice', ...f, options: [] }, state.filters).length > 0)
    .map(({ key, title, kind = 'choice', empties, values = [], word: wordOf, glyph, counts, options }) => ({
      key,
      title: word(t, title),
      kind,
      empties,
      options:
        (typeof options === 'function' ? options(shown) : options) ??
        values.map((value) => ({
          value,
          label: wordOf ? word(t, wordOf(value as never)) : value,
          ...(glyph ? { glyph: glyph(value as never) } : {}),
          ...(counts ? { count: counts[value] ?? 0 } : {}),
        })),
    }));
}
