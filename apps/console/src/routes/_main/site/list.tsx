import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../grid/search.ts';
import { pageTexts } from '../../../text/text.ts';
import { SiteListPage } from '../../../site/site-list-page.tsx';

export const Route = createFileRoute('/_main/site/list')({
  staticData: { title: 'menu.sites', menu: '/site/list' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: SiteListPage,
});
