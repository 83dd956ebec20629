import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { SupportAccessListPage } from '../../../../area/channel/support-access/support-access-list-page.tsx';

export const Route = createFileRoute('/_main/system/supportAccess')({
  staticData: { title: 'menu.supportAccess', menu: '/system/supportAccess' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: SupportAccessListPage,
});
