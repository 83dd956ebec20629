import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { FreezePeriodListPage } from '../../../../area/task/freeze-period/freeze-period-list-page.tsx';

export const Route = createFileRoute('/_main/task/freezePeriod')({
  staticData: { title: 'menu.freezePeriods', menu: '/task/freezePeriod' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: FreezePeriodListPage,
});
