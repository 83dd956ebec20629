import { lazy, useEffect, useRef, useState } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconHome, IconX } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { homePath } from '@carillon/contracts/constants';
import { Late } from '../../kit/part/late.tsx';
import { useText } from '../../kit/text/use-text.ts';
import { reloadView } from './kept-view.tsx';
import { closeTab, isSingle, keepOnly, useTabs } from '../../kit/session/tabs.ts';
import css from './tab-bar.module.css';

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'));

export { homePath };

/** One tab a page; home is fixed, and a single one cannot be closed (SHELL-09). */
export function TabBar({ active, onClearCache }: { active: string; onClearCache: () => void }) {
  const { t } = useText();
  const router = useRouter();
  const tabs = useTabs();
  const bar = useRef<HTMLUListElement>(null);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    bar.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active, tabs.length]);

  if (isSingle()) return null;
  function close(value: string) {
    const next = closeTab(value);
    if (value === active) router.history.push(next?.href ?? homePath);
  }
  return (
    <nav className={css.bar} aria-label={t('shell.openPages')}>
      <ul className={css.tabs} ref={bar}>
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
        {tabs.map((tab) => (
          <li
            key={tab.value}
            className={css.tab}
            data-active={tab.value === active || undefined}
            onAuxClick={(e) => {
              if (e.button === 1) close(tab.value);
            }}
          >
            <a
              href={tab.href}
              className={css.link}
              aria-current={tab.value === active ? 'page' : undefined}
              title={tab.label}
              onClick={(e) => {
                if (e.ctrlKey || e.metaKey || e.shiftKey) return;
                e.preventDefault();
                if (tab.value === active) reloadView();
                else router.history.push(tab.href);
              }}
            >
              <span className="ellipsis">{tab.label}</span>
            </a>
            <button
              type="button"
              className={css.close}
              aria-label={t('shell.closeTab', { name: tab.label })}
              onClick={() => close(tab.value)}
            >
              <IconX size={14} stroke={1.75} />
            </button>
          </li>
        ))}
      </ul>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" size={26} aria-label={t('shell.tabActions')} title={t('shell.tabActions')}>
            <IconDots size={16} stroke={1.75} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item disabled={active === homePath} onClick={() => close(active)}>
            {t('shell.closeThis')}
          </Menu.Item>
          <Menu.Item disabled={tabs.every((tab) => tab.value === active)} onClick={() => keepOnly(active)}>
            {t('shell.closeOthers')}
          </Menu.Item>
          <Menu.Item
            disabled={tabs.length === 0}
            onClick={() => {
              keepOnly(undefined);
              router.history.push(homePath);
            }}
          >
            {t('shell.closeAll')}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => setAsking(true)}>{t('shell.clearCache')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Late>
        {asking && (
          <ConfirmDialog
            title={t('shell.clearCacheTitle')}
            text={t('shell.clearCacheText')}
            action={t('shell.clearCache')}
            onClose={() => setAsking(false)}
            onConfirm={onClearCache}
          />
        )}
      </Late>
    </nav>
  );
}
