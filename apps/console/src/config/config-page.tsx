import { lazy } from 'react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Late } from '../part/late.tsx';
import { systemTexts } from '../text/system.ts';
import { pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { NamesTab } from './names-tab.tsx';
import css from './config-page.module.css';

// The names of icons are among those of other pages.
await Promise.all([systemTexts(), pageTexts()]);

const route = getRouteApi('/_main/system/config');
const tabs = {
  names: NamesTab, mail: lazy(() => import('./mail-tab.tsx')), fcs: lazy(() => import('./fcs-tab.tsx')), certificates: lazy(() => import('./certificates-tab.tsx')), apps: lazy(() => import('./apps-tab.tsx')), legal: lazy(() => import('./legal-tab.tsx')),
} as const;
export type ConfigTab = keyof typeof tabs;
export const configTabs = Object.keys(tabs) as ConfigTab[];

/** What the operator says of the installation (SYS-01). */
export function ConfigPage() {
  const { t } = useText();
  const { tab = 'names' } = route.useSearch();
  const Shown = tabs[tab];
  return (
    <section className={css.page} aria-label={t('menu.config')}>
      <header className={css.head}><h1>{t('menu.config')}</h1></header>
      <nav className={css.tabs} aria-label={t('menu.config')}>
        {configTabs.map((name) => <Link key={name} to="/system/config" search={name === 'names' ? {} : { tab: name }} aria-current={name === tab ? 'page' : undefined}>{t(`config.${name}`)}</Link>)}
      </nav>
      <div className={css.body}><Late><Shown /></Late></div>
    </section>
  );
}
