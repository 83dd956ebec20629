import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { CompanyListPage } from '../../../../area/organization/company/company-list-page.tsx';

export const Route = createFileRoute('/_main/system/company')({
  staticData: { title: 'menu.companies', menu: '/system/company' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: CompanyListPage,
});
