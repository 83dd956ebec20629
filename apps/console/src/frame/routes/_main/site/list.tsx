import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { SiteListPage } from '../../../../area/device/site/site-list-page.tsx';

export const Route = createFileRoute('/_main/site/list')({
  staticData: { title: 'menu.sites', menu: '/site/list' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: SiteListPage,
});
