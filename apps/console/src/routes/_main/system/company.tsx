import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../grid/search.ts';
import { CompanyListPage } from '../../../company/company-list-page.tsx';

export const Route = createFileRoute('/_main/system/company')({
  staticData: { title: 'menu.companies', menu: '/system/company' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  component: CompanyListPage,
});
