import { useEffect, useRef } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconDots, IconHome, IconX } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { useText } from '../text/use-text.ts';
import { closeTab, keepOnly, useTabs } from './tabs.ts';
import css from './tab-bar.module.css';

export const homePath = '/wel/home';

/** One tab a page; home is fixed. */
export function TabBar({ active }: { active: string }) {
  const { t } = useText();
  const router = useRouter();
  const tabs = useTabs();
  const bar = useRef<HTMLUListElement>(null);
  useEffect(() => { bar.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }, [active, tabs.length]);

  function close(key: string) {
    const next = closeTab(key);
    if (key === active) router.history.push(next?.href ?? homePath);
  }
  return (
    <nav className={css.bar} aria-label={t('shell.openPages')}>
      <ul className={css.tabs} ref={bar}>
        <li className={css.tab} data-active={active === homePath || undefined}>
          <Link to={homePath} className={css.link} aria-current={active === homePath ? 'page' : undefined}><IconHome size={15} stroke={1.75} aria-hidden />{t('menu.home')}</Link>
        </li>
        {tabs.map((tab) => (
          <li key={tab.key} className={css.tab} data-active={tab.key === active || undefined} onAuxClick={(e) => { if (e.button === 1) close(tab.key); }}>
            <a href={tab.href} className={css.link} aria-current={tab.key === active ? 'page' : undefined} title={tab.title}
              onClick={(e) => { if (e.ctrlKey || e.metaKey || e.shiftKey) return; e.preventDefault(); router.history.push(tab.href); }}><span className="ellipsis">{tab.title}</span></a>
            <button type="button" className={css.close} aria-label={t('shell.closeTab', { name: tab.title })} onClick={() => close(tab.key)}><IconX size={14} stroke={1.75} /></button>
          </li>
        ))}
      </ul>
      {tabs.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target><ActionIcon variant="subtle" size={26} aria-label={t('shell.tabActions')} title={t('shell.tabActions')}><IconDots size={16} stroke={1.75} /></ActionIcon></Menu.Target>
          <Menu.Dropdown>
            <Menu.Item disabled={active === homePath} onClick={() => close(active)}>{t('shell.closeThis')}</Menu.Item>
            <Menu.Item onClick={() => keepOnly(active)}>{t('shell.closeOthers')}</Menu.Item>
            <Menu.Item onClick={() => { keepOnly(undefined); router.history.push(homePath); }}>{t('shell.closeAll')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  );
}
