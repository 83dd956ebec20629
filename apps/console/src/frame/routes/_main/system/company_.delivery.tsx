import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { DeliveryListPage } from '../../../../area/organization/company/delivery-list-page.tsx';

export const Route = createFileRoute('/_main/system/company_/delivery')({
  staticData: { title: 'menu.deliveries', menu: '/system/company/delivery' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never> & { delivery?: string },
  loader: () => pageTexts(),
  component: DeliveryListPage,
});
