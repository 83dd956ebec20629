import { createFileRoute } from '@tanstack/react-router';
import { ConfigPage } from '../../../config/config-page.tsx';
import { one } from '../../../session/address.ts';

const tabs = ['names', 'mail', 'fcs', 'certificates', 'apps', 'legal'] as const;
type Tab = (typeof tabs)[number];

export const Route = createFileRoute('/_main/system/config')({
  staticData: { title: 'menu.config', menu: '/system/config' },
  validateSearch: (s: Record<string, unknown>): { tab?: Tab } => { const tab = one(s['tab']) as Tab | undefined; return tab !== undefined && tabs.includes(tab) ? { tab } : {}; },
  component: ConfigPage,
});
