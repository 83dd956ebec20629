import { type ComponentType } from 'react';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy } from '../../../kit/part/lazy.tsx';
import { useAccess } from '../../../kit/api/access.ts';
import { systemTexts } from '../../../kit/text/system.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { NamesTab } from './names-tab.tsx';
import { configTabs, type ConfigTab } from './config-tab.ts';
import css from './config-page.module.css';

// The names of icons are texts of other pages.
await Promise.all([systemTexts(), pageTexts()]);

const route = getRouteApi('/_main/system/config');
const shown: Record<ConfigTab, ComponentType> = {
  names: NamesTab,
  mail: lazy(() => import('./mail-tab.tsx')),
  fcs: lazy(() => import('./fcs-tab.tsx')),
  imports: lazy(() => import('./imports-tab.tsx')),
  certificates: lazy(() => import('./certificates-tab.tsx')),
  apps: lazy(() => import('./apps-tab.tsx')),
  legal: lazy(() => import('./legal-tab.tsx')),
};

/** Scrolls the current tab into view, because a phone has no room for all. */
const inSight = (tab: HTMLAnchorElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** Shows the operator's settings of the installation (SYS-01). */
export function ConfigPage() {
  const { t } = useText();
  const { tab = 'names' } = route.useSearch();
  const access = useAccess();
  const Shown = shown[tab];
  return (
    <section className={css.page} aria-label={t('menu.config')}>
      <header className={css.head}>
        <h1>{t('menu.config')}</h1>
      </header>
      <nav className={css.tabs} aria-label={t('menu.config')}>
        {configTabs.map((name) => (
          <Link
            key={name}
            to="/system/config"
            search={name === 'names' ? {} : { tab: name }}
            activeOptions={{ exact: true }}
            aria-current={name === tab ? 'page' : undefined}
            ref={name === tab ? inSight : undefined}
          >
            {t(`config.${name}`)}
          </Link>
        ))}
      </nav>
      <div className={css.body}>
        {/* Waits, because a field that cannot be edited yet would look permanently disabled. */}
        {access.ready && <Shown />}
      </div>
    </section>
  );
}
