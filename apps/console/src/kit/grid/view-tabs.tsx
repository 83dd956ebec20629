import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Popover } from '@mantine/core';
import { IconPlus, IconSettings, IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { done } from '../part/done.ts';
import { lazy } from '../part/lazy.tsx';
import { Panel } from '../part/panel.tsx';
import { session } from '../session/session.ts';
import { count, pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import type { DataGridProps } from './grid.types.ts';
import type { Layout } from './layout.ts';
import { filterOf } from './search.ts';
import { isChanged, openAll, openView, saveView, useViews, type View } from './view.ts';
import css from './view-tabs.module.css';

/** Loaded on demand, with its texts. */
const ViewForm = lazy(() => pageTexts().then(() => import('./view-form.tsx')));
const ViewList = lazy(() => pageTexts().then(() => import('./view-list.tsx')));

/** Number of views that show a count; the others are counted when opened. */
const mostCounts = 12;
const countMs = 60_000;

/**
 * Tabs of saved views above the list, beginning with all records, each with its count; marks the open one, and whether
 * it was changed.
 */
export default function ViewTabs<T extends { id: string }, F extends string>({
  grid,
  layout,
  phone,
}: {
  grid: DataGridProps<T, F>;
  layout: Layout<T>;
  phone: boolean;
}) {
  const { t } = useText();
  const { name, state, onState: go } = grid;
  const views = useViews(name).data ?? [];
  const open = views.find((v) => v.id === state.view);
  const changed = open !== undefined && isChanged(open, state, layout.stored);
  const list = useRef<HTMLUListElement>(null);
  // A visitor of a customer's company cannot save views.
  const visiting = session()?.visit !== undefined;
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open?.id]);
  // A phone has no space for an empty row of tabs.
  if (phone && views.length === 0) return null;
  return (
    <nav className={css.views} aria-label={t('grid.views')}>
      <ul ref={list} className={css.tabs}>
        <li>
          <button
            type="button"
            aria-current={open === undefined ? 'true' : undefined}
            onClick={() => go(openAll(name, state, layout))}
          >
            {t('grid.all')}
            <Count grid={grid} of={{ search: '', filters: {} }} />
          </button>
        </li>
        {views.map((view, i) => (
          <li key={view.id}>
            <button
              type="button"
              aria-current={view.id === open?.id ? 'true' : undefined}
              title={view.own ? view.name : t('grid.viewOf', { view: view.name, name: view.owner || '–' })}
              onClick={() => go(openView(name, view, state, layout))}
            >
              <span className="ellipsis">{view.name}</span>
              {view.shared && (
                <span
                  className={css.shared}
                  role="img"
                  aria-label={view.own ? t('grid.viewShared') : t('grid.viewOthers', { name: view.owner || '–' })}
                >
                  <IconUsers size={14} stroke={1.75} />
                </span>
              )}
              {i < mostCounts && <Count grid={grid} of={view.state} />}
              {changed && view.id === open.id && (
                <span className={css.dot} role="img" aria-label={t('grid.viewChanged')} title={t('grid.viewChanged')} />
              )}
            </button>
          </li>
        ))}
      </ul>
      {changed && (
        <button type="button" className={css.act} onClick={() => go(openView(name, open, state, layout))}>
          {t('grid.resetView')}
        </button>
      )}
      {changed && open.own && <SaveButton name={name} view={open} save={() => saveView(open, state, layout.stored)} />}
      {!visiting && (
        <Opening
          label={t(changed ? 'grid.saveAsNew' : 'grid.saveView')}
          icon={<IconPlus size={14} stroke={1.75} aria-hidden />}
        >
          {(close) => (
            <ViewForm
              list={name}
              state={state}
              layout={layout.stored}
              onSaved={(id) => {
                close();
                go({ ...state, view: id });
              }}
            />
          )}
        </Opening>
      )}
      {!visiting && views.length > 0 && (
        <Opening label={t('grid.manageViews')} icon={<IconSettings size={15} stroke={1.75} aria-hidden />} bare>
          {() => <ViewList list={name} />}
        </Opening>
      )}
    </nav>
  );
}

/** Saves the current list over the open view. */
function SaveButton({ name, view, save }: { name: string; view: View; save: () => Promise<unknown> }) {
  const { t } = useText();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  return (
    <button
      type="button"
      className={css.act}
      disabled={busy}
      onClick={() => {
        setBusy(true);
        // The call reports its own failure.
        void save()
          .then(() => client.invalidateQueries({ queryKey: ['view', name] }))
          .then(() => done('saved', { name: view.name }))
          .catch(() => undefined)
          .finally(() => setBusy(false));
      }}
    >
      {t('common.save')}
    </button>
  );
}

function Opening({
  label,
  icon,
  bare = false,
  children,
}: {
  label: string;
  icon: ReactNode;
  /** Shows only the icon; the label is for screen readers and a tooltip. */
  bare?: boolean;
  children: (close: () => void) => ReactNode;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover position="bottom-end" opened={opened} onChange={setOpened}>
      <Popover.Target>
        <button
          type="button"
          className={css.act}
          aria-label={bare ? label : undefined}
          title={bare ? label : undefined}
          onClick={() => setOpened(!opened)}
        >
          {icon}
          {!bare && label}
        </button>
      </Popover.Target>
      <Panel aria-label={label}>{opened && children(() => setOpened(false))}</Panel>
    </Popover>
  );
}

/** Counts a view's records from time to time; the open one has its live count already. */
function Count<T extends { id: string }, F extends string>({
  grid: { name, state, query, onCount },
  of,
}: {
  grid: DataGridProps<T, F>;
  of: { search: string; filters: Record<string, string[]> };
}) {
  const filter = filterOf(of);
  const isShown = JSON.stringify(filter) === JSON.stringify(filterOf(state));
  const { data } = useQuery({
    queryKey: ['view-count', name, filter],
    queryFn: () => onCount!({ ...state, ...of, sort: undefined, page: 1 } as typeof state),
    enabled: onCount !== undefined && !isShown,
    staleTime: countMs,
    refetchInterval: countMs,
  });
  const total = isShown ? query.data?.total : data;
  return <small>{total !== undefined && count(total)}</small>;
}
