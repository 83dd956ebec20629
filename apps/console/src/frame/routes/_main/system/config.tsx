import { createFileRoute } from '@tanstack/react-router';
import { ConfigPage } from '../../../../area/system/config/config-page.tsx';
import { configTabs, type ConfigTab } from '../../../../area/system/config/config-tab.ts';
import { one } from '../../../../kit/browser/address.ts';

export const Route = createFileRoute('/_main/system/config')({
  staticData: { title: 'menu.config', menu: '/system/config' },
  validateSearch: (s: Record<string, unknown>): { tab?: ConfigTab } => {
    const tab = one(s['tab']) as ConfigTab | undefined;
    return tab !== undefined && configTabs.includes(tab) ? { tab } : {};
  },
  component: ConfigPage,
});
