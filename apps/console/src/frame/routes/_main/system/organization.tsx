import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { OrganizationListPage } from '../../../../area/organization/organization/organization-list-page.tsx';

export const Route = createFileRoute('/_main/system/organization')({
  staticData: { title: 'menu.organizations', menu: '/system/organization' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: OrganizationListPage,
});
