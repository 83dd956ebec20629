import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { RoleListPage } from '../../../../area/people/role/role-list-page.tsx';

export const Route = createFileRoute('/_main/system/roles')({
  staticData: { title: 'menu.roles', menu: '/system/roles' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: RoleListPage,
});
