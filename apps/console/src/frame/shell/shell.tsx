import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { getRouteApi, useLocation, useMatches, useNavigate } from '@tanstack/react-router';
import { keepFocusInDialogs } from '../../kit/part/kept-focus.ts';
import { lazy } from '../../kit/part/lazy.tsx';
import { pageTexts } from '../../kit/text/text.ts';
import { useText } from '../../kit/text/use-text.ts';
import { readAddress } from '../../kit/browser/address.ts';
import type { MenuItem } from '@carillon/contracts';
import { isCallError, onCallError } from '../../kit/api/call.ts';
import { hrefOf, pages, useMenu, useUser } from '../../kit/api/access.ts';
import { session } from '../../kit/session/session.ts';
import { forget, keep, recall } from '../../kit/browser/storage.ts';
import { startLive } from '../../kit/live/live.ts';
import { LiveSummary } from '../../kit/live/live-mark.tsx';
import { useTitle } from '../../kit/part/use-title.ts';
import { Sidebar } from './sidebar.tsx';
import { homePath, TabBar } from './tab-bar.tsx';
import { KeptView, reloadView } from './kept-view.tsx';
import { visit } from '../../kit/session/tabs.ts';
import { TopBar } from './top-bar.tsx';
import type { Trouble, Word } from '../../kit/part/toast.ts';
import css from './shell.module.css';

const route = getRouteApi('/_main');

const Palette = lazy(() => pageTexts().then(() => import('./palette.tsx')));
const TaskDrawer = lazy(() => pageTexts().then(() => import('../../area/task/task/task-drawer.tsx')));
const MenuDrawer = lazy(() => import('./menu-drawer.tsx'));
const LogoutDialog = lazy(() => import('./logout-dialog.tsx'));
const ErrorLogDrawer = lazy(() => pageTexts().then(() => import('./error-log-drawer.tsx')));
const LockDialog = lazy(() => import('../../area/people/lock/lock-dialog.tsx'));
const VisitBanner = lazy(() => pageTexts().then(() => import('./visit-banner.tsx')));
const Toasts = lazy(() => import('./toasts.tsx'));

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, e) => failures < 2 && !(isCallError(e) && e.code < 500),
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
  },
});

/** The frame around every page of the main layout. */
export function Shell() {
  return (
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const { t } = useText();
  const { collapsed, collapse } = useSidebar();
  const [menuOpen, setMenuOpen] = useState(false);
  const [search, setSearch] = useState<'never' | 'open' | 'closed'>('never');
  const [leaving, setLeaving] = useState(false);
  const [errors, setErrors] = useState(false);
  const [locking, setLocking] = useState(false);
  const [troubles, setTroubles] = useState<readonly Trouble[]>([]);
  const [words, setWords] = useState<readonly Word[]>([]);
  const { task } = route.useSearch();
  const visited = session()?.visit;
  const navigate = useNavigate();
  const active = useActivePage();

  useEffect(() => startLive(client), []);
  useEffect(keepFocusInDialogs, []);
  useEffect(
    () =>
      onCallError({
        failed: (error, name) => setTroubles((all) => [...all, { error, of: name }].slice(-20)),
        settled: (what) =>
          setTroubles((all) =>
            all.some((one) => one.error === what || one.of === what)
              ? all.filter((one) => one.error !== what && one.of !== what)
              : all,
          ),
      }),
    [],
  );
  // A later success or another page clears earlier errors.
  useEffect(() => setTroubles((all) => (all.length === 0 ? all : [])), [active.key, words]);
  useEffect(() => {
    const hear = (e: Event) => setWords((all) => [...all, (e as CustomEvent<Word>).detail]);
    addEventListener('carillon-toast', hear);
    return () => removeEventListener('carillon-toast', hear);
  }, []);
  const renew = useCallback(() => void client.invalidateQueries({ refetchType: 'active' }), []);
  /** Clears fetched data and layouts of lists, but not the login and the user's own settings. */
  const clearCache = () => {
    forget((key) => key.startsWith('grid-'));
    client.removeQueries({ predicate: (q) => q.queryKey[0] !== 'session' && !q.isActive() });
    reloadView();
    setWords((all) => [...all, { title: t('shell.cacheCleared') }]);
  };
  useWindowEvent('keydown', (e) => {
    if (!(e.ctrlKey || e.metaKey) || e.altKey || e.shiftKey || e.key.toLowerCase() !== 'k') return;
    e.preventDefault();
    setSearch('open');
  });

  // Navigate once: rendered again meanwhile, the router's own element would navigate repeatedly.
  useEffect(() => {
    if (active.refused) void navigate({ to: active.refused as '/404', replace: true });
  }, [active.refused, navigate]);
  if (active.refused) return null;
  return (
    <div className={css.shell} data-collapsed={collapsed || undefined} data-visit={visited !== undefined || undefined}>
      <a
        href="#main"
        className={css.skip}
        onClick={(e) => {
          e.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      {visited && <VisitBanner visit={visited} />}
      <TopBar
        onMenu={() => setMenuOpen(true)}
        onSearch={() => setSearch('open')}
        onLogout={() => setLeaving(true)}
        onErrors={() => setErrors(true)}
        onLock={() => setLocking(true)}
      />
      <div className={css.side}>
        <Sidebar collapsed={collapsed} onCollapse={collapse} />
      </div>
      <div className={css.tabs}>
        <TabBar active={active.key} onClearCache={clearCache} />
      </div>
      <main id="main" tabIndex={-1} className={css.panel}>
        <KeptView keepAlive={active.keepAlive} onReload={renew} />
      </main>
      {menuOpen && <MenuDrawer onClose={() => setMenuOpen(false)} />}
      {leaving && <LogoutDialog onClose={() => setLeaving(false)} />}
      {locking && <LockDialog onClose={() => setLocking(false)} />}
      {errors && <ErrorLogDrawer onClose={() => setErrors(false)} />}
      {(troubles.length > 0 || words.length > 0) && <Toasts troubles={troubles} words={words} />}
      {search !== 'never' && (
        <Palette
          opened={search === 'open'}
          onClose={() => setSearch('closed')}
          onLogout={() => setLeaving(true)}
          onLock={() => setLocking(true)}
        />
      )}
      {task !== undefined && (
        <TaskDrawer
          id={task}
          onClose={() =>
            void navigate({
              to: '.',
              search: (s: Record<string, unknown>) =>
                ({
                  ...s,
                  task: undefined,
                  taskState: undefined,
                  taskCode: undefined,
                  'taskCode.empty': undefined,
                }) as never,
            })
          }
        />
      )}
      <LiveSummary />
    </div>
  );
}

/** Up to this width the content needs the space more than the menu's texts. */
const narrow = '(max-width: 1100px)';

/** Returns whether the sidebar is folded: by the user's choice, and automatically in a narrow window. */
function useSidebar(): { collapsed: boolean; collapse: () => void } {
  const isNarrow = useMediaQuery(narrow, matchMedia(narrow).matches);
  const [chosen, setChosen] = useState(recall<boolean>('sidebar') ?? false);
  const [here, setHere] = useState(true);
  const collapse = () => {
    if (isNarrow) setHere(!here);
    else {
      setChosen(!chosen);
      keep('sidebar', !chosen);
    }
  };
  return { collapsed: isNarrow ? here : chosen, collapse };
}

/** Returns what replaces a page that is not granted: /404, or for a missing home the first granted page. */
function insteadOf(pathname: string, granted: readonly MenuItem[]): string {
  const first = granted.find((m) => m.meta.hidden !== true);
  return pathname === homePath && first ? hrefOf(first) : '/404';
}

/** Updates tab bar and title for the visible page, and refuses a page that the menu does not grant (SHELL-03). */
function useActivePage(): { key: string; refused: string | undefined; keepAlive: boolean | undefined } {
  const { t } = useText();
  const location = useLocation();
  const page = useMatches().at(-1);
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  // The visible page, not the address that is about to be opened.
  const pathname = page?.pathname ?? location.pathname;
  const search = (page?.search ?? {}) as Record<string, unknown>;
  const titleKey = page?.staticData.title ?? '';
  const title = titleKey === '' ? '' : t(titleKey as 'menu.home');
  const parameters = (page?.staticData.tabBy ?? []).map((p) => `${p}=${String(search[p])}`).join('&');
  const key = parameters === '' ? pathname : `${pathname}?${parameters}`;
  const path = page?.staticData.menu;
  const granted = menu === undefined || user === undefined ? undefined : pages(menu, user.roles);
  const entry = granted?.find((m) => hrefOf(m) === path);
  const refused =
    path !== undefined && granted !== undefined && entry === undefined ? insteadOf(pathname, granted) : undefined;
  // Pages of single objects are never kept, only those of the menu itself.
  const keepAlive = granted === undefined ? undefined : entry?.meta.keepAlive === true && hrefOf(entry) === pathname;
  useTitle(title);
  const openTab = useEffectEvent(() => {
    if (titleKey === '' || key === homePath || refused || location.pathname !== pathname) return;
    const params = (page?.params ?? {}) as Record<string, string>;
    visit(
      {
        label: titleKey,
        value: key,
        href: location.href,
        params,
        query: readAddress(location.searchStr),
        meta: { i18n: titleKey, ...(keepAlive ? { keepAlive } : {}) },
        group: path ?? '',
      },
      parameters !== '',
    );
  });
  useEffect(() => openTab(), [key, location.href, titleKey, refused, parameters, keepAlive]);
  return { key, refused, keepAlive };
}
