import { useState, type ReactNode } from 'react';
import { IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useMatches, useRouter } from '@tanstack/react-router';
import type { MenuItem } from '@carillon/contracts';
import { useText } from '../../kit/text/use-text.ts';
import { hrefOf, leaves, menuTree, useMenu, useUser } from '../../kit/api/access.ts';
import { deviceCountQuery } from '../../area/device/record/device.calls.ts';
import { openAlarmsQuery } from '../../area/system/alarm/message.calls.ts';
import { taskListQuery } from '../../area/task/task/task.calls.ts';
import { count } from '../../kit/text/text.ts';
import { menuIcon, useMenuName } from '../../area/people/menu/menu-entry.ts';
import { reloadView } from './kept-view.tsx';
import { keep, recall } from '../../kit/browser/storage.ts';
import { leftAt } from '../../kit/session/tabs.ts';
import css from './sidebar.module.css';

/** The menu that the server grants (SHELL-03), with counts only for devices, running tasks and open alarms. */
export function Sidebar({
  collapsed,
  onCollapse,
  onPick,
}: {
  collapsed: boolean;
  onCollapse?: () => void;
  onPick?: () => void;
}) {
  const { t } = useText();
  const name = useMenuName();
  const { data: menu } = useMenu();
  const { data: user } = useUser();
  const { pathname } = useLocation();
  const router = useRouter();
  const roles = user?.roles ?? [];
  const shown = leaves(menu ?? [], roles);
  // Groups that the user folded or unfolded; others are open while a page of them is visible.
  const [unfoldedGroups, setUnfoldedGroups] = useState(recall<Record<string, boolean>>('menuGroups') ?? {});
  const has = (path: string) => shown.some((m) => m.path === path);
  const devices = useQuery({ ...deviceCountQuery({}), enabled: has('/device/list') }).data?.total;
  const running = useQuery({ ...taskListQuery({ status: ['process', 'wait'], limit: 5 }), enabled: has('/task/list') })
    .data?.total;
  const alarms = useQuery({ ...openAlarmsQuery, enabled: has('/alarm') }).data?.total;
  const counts: Record<string, number | undefined> = {
    '/device/list': devices,
    '/task/list': running,
    '/alarm': alarms,
  };
  // The menu entry of the page: the page itself, otherwise the entry that it names, otherwise its list, otherwise the
  // first of its area.
  const own = useMatches().at(-1)?.staticData.menu;
  const fit = (p: string) => (p === pathname ? 3 : p === own ? 2 : pathname.startsWith(`${p}/`) ? 1 : 0);
  const above = shown.find((m) => m.children.some((c) => c.path === pathname));
  const current = above
    ? hrefOf(above)
    : shown
        .map(hrefOf)
        .filter(
          (p) =>
            pathname === p ||
            p === own ||
            (p.lastIndexOf('/') > 0 && pathname.startsWith(`${p.slice(0, p.lastIndexOf('/'))}/`)),
        )
        .sort((a, b) => fit(b) - fit(a))[0];
  const open = (item: MenuItem) => {
    const path = hrefOf(item);
    onPick?.();
    // Opening the same page again renders it again (SHELL-11); a kept page is shown as it was left (SHELL-04).
    if (path === pathname) {
      router.history.push(path);
      reloadView();
    } else router.history.push(item.meta.keepAlive ? (leftAt(path)?.href ?? path) : path);
  };
  const entries = (items: readonly MenuItem[]): ReactNode[] =>
    items.flatMap((item) => [
      ...(item.path === null ? [] : [entry(item)]),
      ...(item.children.length === 0 ? [] : item.path === null ? [group(item)] : entries(item.children)),
    ]);
  const entry = (item: MenuItem): ReactNode => {
    const Icon = menuIcon(item);
    const path = hrefOf(item);
    const total = counts[path];
    const label = name(item);
    return (
      <li key={item.id}>
        <a
          href={path}
          className={css.item}
          aria-current={path === current ? 'page' : undefined}
          title={collapsed ? label : undefined}
          aria-label={collapsed ? label : undefined}
          onPointerEnter={() => void router.preloadRoute({ to: path } as never).catch(() => {})}
          onClick={(e) => {
            if (e.ctrlKey || e.metaKey || e.shiftKey) return;
            e.preventDefault();
            open(item);
          }}
        >
          <Icon size={16} stroke={1.75} aria-hidden className={css.icon} />
          {!collapsed && (
            <>
              <span className={css.label}>{label}</span>
              {total !== undefined && total > 0 && <span className={css.count}>{count(total)}</span>}
            </>
          )}
        </a>
      </li>
    );
  };
  const group = (item: MenuItem): ReactNode => {
    const Icon = menuIcon(item);
    const label = name(item);
    const unfolded = unfoldedGroups[item.id] ?? leaves([item], roles).some((m) => hrefOf(m) === current);
    const toggle = () => {
      const next = { ...unfoldedGroups, [item.id]: !unfolded };
      setUnfoldedGroups(next);
      keep('menuGroups', next);
    };
    return (
      <li key={item.id} className={css.group}>
        <button
          type="button"
          className={css.item}
          aria-expanded={unfolded}
          title={collapsed ? label : undefined}
          aria-label={collapsed ? label : undefined}
          onClick={toggle}
        >
          <Icon size={16} stroke={1.75} aria-hidden className={css.icon} />
          {!collapsed && (
            <>
              <span className={css.label}>{label}</span>
              <IconChevronRight size={14} stroke={1.75} aria-hidden className={css.fold} />
            </>
          )}
        </button>
        {unfolded && <ul className={css.items}>{entries(item.children)}</ul>}
      </li>
    );
  };
  return (
    <nav className={css.side} data-collapsed={collapsed || undefined} aria-label={t('shell.menu')}>
      <ul className={css.items}>{entries(menuTree(menu ?? [], roles))}</ul>
      {onCollapse && (
        <button
          type="button"
          className={css.collapse}
          onClick={onCollapse}
          title={collapsed ? t('shell.expand') : undefined}
          aria-label={collapsed ? t('shell.expand') : undefined}
        >
          {collapsed ? (
            <IconChevronsRight size={16} stroke={1.75} aria-hidden />
          ) : (
            <>
              <IconChevronsLeft size={16} stroke={1.75} aria-hidden />
              {t('shell.collapse')}
            </>
          )}
        </button>
      )}
    </nav>
  );
}
