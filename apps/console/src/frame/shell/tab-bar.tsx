import { useCallback, useEffect, useRef, useState } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconChevronDown, IconDots, IconHome, IconX } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { homePath } from '@carillon/contracts/constants';
import { lazy } from '../../kit/part/lazy.tsx';
import { useText } from '../../kit/text/use-text.ts';
import { reloadView } from './kept-view.tsx';
import { closeTab, isSingle, keepOnly, mayLeave, useTabs, type Tab } from '../../kit/session/tabs.ts';
import css from './tab-bar.module.css';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

export { homePath };

/** One tab per page; home is fixed, and a single tab cannot be closed (SHELL-09). */
export function TabBar({ active, onClearCache }: { active: string; onClearCache: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const tabs = useTabs();
  const bar = useRef<HTMLUListElement>(null);
  const [asking, setAsking] = useState(false);
  const hidden = useHidden(bar, tabs);
  const name = (tab: Tab) => (tab.meta.i18n === undefined ? tab.label : t(tab.meta.i18n as 'menu.home'));
  const showActive = useCallback(() => {
    bar.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  const hasHidden = hidden.length > 0;
  useEffect(showActive, [showActive, active, tabs, hasHidden]);
  // The router restores scroll positions, including that of this bar.
  useEffect(() => router.subscribe('onRendered', showActive), [router, showActive]);

  if (isSingle()) return null;
  const goOn = (href: string) => router.history.push(href, undefined, { ignoreBlocker: true });
  async function close(value: string) {
    // Unsaved input needs the user's consent first.
    if (value === active && !(await mayLeave())) return;
    const next = closeTab(value);
    if (value === active) goOn(next?.href ?? homePath);
  }
  async function closeAll() {
    if (!(await mayLeave())) return;
    keepOnly(undefined);
    goOn(homePath);
  }
  return (
    <nav className={css.bar} aria-label={t('shell.openPages')}>
      <ul className={css.home}>
        <li className={css.tab} data-active={active === homePath || undefined}>
          <Link
            to={homePath}
            className={css.link}
            aria-current={active === homePath ? 'page' : undefined}
            onClick={() => {
              if (active === homePath) reloadView();
            }}
          >
            <IconHome size={15} stroke={1.75} aria-hidden />
            {t('menu.home')}
          </Link>
        </li>
      </ul>
      <ul className={css.tabs} ref={bar}>
        {tabs.map((tab) => (
          <li
            key={tab.value}
            data-tab={tab.value}
            className={css.tab}
            data-active={tab.value === active || undefined}
            onAuxClick={(e) => {
              if (e.button === 1) void close(tab.value);
            }}
          >
            <a
              href={tab.href}
              className={css.link}
              aria-current={tab.value === active ? 'page' : undefined}
              title={name(tab)}
              onClick={(e) => {
                if (e.ctrlKey || e.metaKey || e.shiftKey) return;
                e.preventDefault();
                if (tab.value === active) reloadView();
                else router.history.push(tab.href);
              }}
            >
              <span className="ellipsis">{name(tab)}</span>
            </a>
            <button
              type="button"
              className={css.close}
              aria-label={t('shell.closeTab', { name: name(tab) })}
              onClick={() => void close(tab.value)}
            >
              <IconX size={14} stroke={1.75} />
            </button>
          </li>
        ))}
      </ul>
      {hasHidden && (
        <Menu position="bottom-end">
          <Menu.Target>
            <button type="button" className={css.hidden} aria-label={t('shell.hiddenTabs', { count: hidden.length })}>
              {hidden.length}
              <IconChevronDown size={14} stroke={1.75} aria-hidden />
            </button>
          </Menu.Target>
          <Menu.Dropdown mah={400} style={{ overflowY: 'auto' }}>
            {hidden.map((tab) => (
              <Menu.Item key={tab.value} onClick={() => router.history.push(tab.href)}>
                {name(tab)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" size={26} aria-label={t('shell.tabActions')} title={t('shell.tabActions')}>
            <IconDots size={16} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {active !== homePath && <Menu.Item onClick={() => void close(active)}>{t('shell.closeThis')}</Menu.Item>}
          {tabs.some((tab) => tab.value !== active) && (
            <Menu.Item onClick={() => keepOnly(active)}>{t('shell.closeOthers')}</Menu.Item>
          )}
          {tabs.length > 0 && (
            <>
              <Menu.Item onClick={() => void closeAll()}>{t('shell.closeAll')}</Menu.Item>
              <Menu.Divider />
            </>
          )}
          <Menu.Item onClick={() => setAsking(true)}>{t('shell.clearCache')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asking && (
        <ConfirmDialog
          title={t('shell.clearCacheTitle')}
          text={t('shell.clearCacheText')}
          action={t('shell.clearCache')}
          onClose={() => setAsking(false)}
          onConfirm={onClearCache}
        />
      )}
    </nav>
  );
}

/** Returns the tabs that are not completely visible in the bar. */
function useHidden(bar: React.RefObject<HTMLUListElement | null>, tabs: readonly Tab[]): readonly Tab[] {
  const [hidden, setHidden] = useState('');
  useEffect(() => {
    const el = bar.current;
    if (!el) return;
    const measure = () => {
      const room = el.getBoundingClientRect();
      const out = [...el.children].filter((tab) => {
        const { left, right } = tab.getBoundingClientRect();
        return left < room.left - 1 || right > room.right + 1;
      });
      setHidden(JSON.stringify(out.map((tab) => (tab as HTMLElement).dataset['tab'])));
    };
    const watch = new ResizeObserver(measure);
    watch.observe(el);
    el.addEventListener('scroll', measure, { passive: true });
    measure();
    return () => {
      watch.disconnect();
      el.removeEventListener('scroll', measure);
    };
  }, [bar, tabs]);
  const values = hidden === '' ? [] : (JSON.parse(hidden) as string[]);
  return tabs.filter((tab) => values.includes(tab.value));
}
