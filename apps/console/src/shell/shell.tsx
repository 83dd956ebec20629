import { lazy, Suspense, useEffect, useState } from 'react';
import { Button, Drawer, Modal } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { useHotkeys } from '@mantine/hooks';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation, useMatches, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Route } from '../routes/_main.tsx';
import { call, isCallError, onCallError, remote } from '../session/call.ts';
import { endSession } from '../session/session.ts';
import { leaves, routePath, useMenu, useUser } from '../session/access.ts';
import { keep, recall } from '../session/storage.ts';
import { startLive } from '../live/live.ts';
import { LiveSummary } from '../live/live-mark.tsx';
import { useTitle } from '../part/use-title.ts';
import { Sidebar } from './sidebar.tsx';
import { homePath, TabBar } from './tab-bar.tsx';
import { visit } from './tabs.ts';
import { TopBar } from './top-bar.tsx';
import css from './shell.module.css';

const Palette = lazy(() => import('./palette.tsx'));
const TaskDrawer = lazy(() => import('../task/task-drawer.tsx'));
const logout = remote('logout', 'GET /api/f/auth/oauth/logout');

const client = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: (failures, e) => failures < 2 && !(isCallError(e) && e.code < 500), refetchOnWindowFocus: false } } });

/** The frame around every page of the main layout. */
export function Shell() {
  return <QueryClientProvider client={client}><Frame /></QueryClientProvider>;
}

function Frame() {
  const { t } = useTranslation();
  const [collapsed, setCollapsed] = useState(recall<boolean>('sidebar') ?? false);
  const [menuOpen, setMenuOpen] = useState(false);
  const [search, setSearch] = useState<'never' | 'open' | 'closed'>('never');
  const [leaving, setLeaving] = useState(false);
  const { task } = Route.useSearch();
  const navigate = useNavigate();
  const active = useActivePage();

  useEffect(() => startLive(client), []);
  useEffect(() => onCallError((e) => notifications.show({ id: `${e.error}-${e.message}`, color: 'danger', autoClose: false, title: e.message || t('common.unknownError'), message: e.requestId && t('common.request', { id: e.requestId }), withCloseButton: true, closeButtonProps: { 'aria-label': t('common.close') } })), [t]);
  useHotkeys([['mod+K', () => setSearch('open')]], []);

  const collapse = () => { setCollapsed(!collapsed); keep('sidebar', !collapsed); };
  if (active.refused) return <Navigate to="/404" replace />;
  return (
    <div className={css.shell} data-collapsed={collapsed || undefined}>
      <a href="#main" className={css.skip} onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus(); }}>{t('shell.skip')}</a>
      <TopBar onMenu={() => setMenuOpen(true)} onSearch={() => setSearch('open')} onLogout={() => setLeaving(true)} />
      <div className={css.side}><Sidebar collapsed={collapsed} onCollapse={collapse} /></div>
      <div className={css.tabs}><TabBar active={active.key} /></div>
      <main id="main" tabIndex={-1} className={css.panel} key={active.key}><Outlet /></main>
      <Drawer opened={menuOpen} onClose={() => setMenuOpen(false)} position="left" size={300} title={t('shell.menu')} closeButtonProps={{ 'aria-label': t('common.close') }}>
        <Sidebar collapsed={false} onPick={() => setMenuOpen(false)} />
      </Drawer>
      <Modal opened={leaving} onClose={() => setLeaving(false)} title={t('shell.logoutTitle')} withCloseButton={false}>
        <p className={css.text}>{t('shell.logoutText')}</p>
        <div className={css.buttons}>
          <Button variant="default" onClick={() => setLeaving(false)}>{t('common.cancel')}</Button>
          <Button data-autofocus onClick={() => void call(logout).catch(() => {}).then(endSession)}>{t('shell.logout')}</Button>
        </div>
      </Modal>
      <Suspense>{search !== 'never' && <Palette opened={search === 'open'} onClose={() => setSearch('closed')} />}</Suspense>
      <Suspense>{task !== undefined && <TaskDrawer id={task} onClose={() => void navigate({ to: '.', search: (s: Record<string, unknown>) => ({ ...s, task: undefined, taskState: undefined }) as never })} />}</Suspense>
      <Notifications position="bottom-right" limit={3} autoClose={5000} containerWidth={380} />
      <LiveSummary />
    </div>
  );
}

/** Keeps the tab bar and the title with the page shown, and refuses a page that the menu does not grant (SHELL-03). */
function useActivePage(): { key: string; refused: boolean } {
  const { t } = useTranslation();
  const location = useLocation();
  const page = useMatches().at(-1);
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  const search = location.search as Record<string, unknown>;
  const title = page?.staticData.title === undefined ? '' : t(page.staticData.title as 'menu.home');
  const parameters = (page?.staticData.tabBy ?? []).map((p) => `${p}=${String(search[p])}`).join('&');
  const key = parameters === '' ? location.pathname : `${location.pathname}?${parameters}`;
  const path = page?.staticData.menu;
  const refused = path !== undefined && menu !== undefined && user !== undefined && !leaves(menu, user.roles).some((m) => routePath(m.path!) === path);
  useTitle(title);
  useEffect(() => { if (title !== '' && key !== homePath && !refused) visit({ key, href: location.href, title }, parameters !== ''); }, [key, location.href, title, refused, parameters]);
  return { key, refused };
}
