import { IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useText } from '../../kit/text/use-text.ts';
import { hrefOf, leaves, useMenu, useUser } from '../../kit/session/access.ts';
import { deviceCountQuery } from '../../area/device/record/device.calls.ts';
import { taskListQuery } from '../../area/task/task/task.calls.ts';
import { count } from '../../kit/text/text.ts';
import { menuIcon, useMenuName } from '../../area/people/menu/menu-entry.ts';
import { reloadView } from './kept-view.tsx';
import { leftAt } from '../../kit/session/tabs.ts';
import css from './sidebar.module.css';

/** The menu that the server grants (SHELL-03), with counts for devices and running tasks only. */
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
  const shown = leaves(menu ?? [], user?.roles ?? []);
  const has = (path: string) => shown.some((m) => m.path === path);
  const devices = useQuery({ ...deviceCountQuery({}), enabled: has('/device/list') }).data?.total;
  const running = useQuery({ ...taskListQuery({ status: ['process', 'wait'], limit: 5 }), enabled: has('/task/list') })
    .data?.total;
  const counts: Record<string, number | undefined> = { '/device/list': devices, '/task/list': running };
  // The entry under which the menu has this page; else the page itself, else the list that it belongs to, else the
  // first of its area.
  const fit = (p: string) => (p === pathname ? 2 : pathname.startsWith(`${p}/`) ? 1 : 0);
  const above = shown.find((m) => m.children.some((c) => c.path === pathname));
  const current = above
    ? hrefOf(above)
    : shown
        .map(hrefOf)
        .filter(
          (p) =>
            pathname === p || (p.lastIndexOf('/') > 0 && pathname.startsWith(`${p.slice(0, p.lastIndexOf('/'))}/`)),
        )
        .sort((a, b) => fit(b) - fit(a))[0];
  return (
    <nav className={css.side} data-collapsed={collapsed || undefined} aria-label={t('shell.menu')}>
      <ul className={css.items}>
        {shown.map((item) => {
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
                  onPick?.();
                  // The same page again is drawn anew (SHELL-11); one that is kept is come back to as it was left
                  // (SHELL-04).
                  if (path === pathname) {
                    router.history.push(path);
                    reloadView();
                  } else router.history.push(item.meta.keepAlive ? (leftAt(path)?.href ?? path) : path);
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
        })}
      </ul>
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
