import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { RoleListPage } from '../../../../area/people/role/role-list-page.tsx';

export const Route = createFileRoute('/_main/system/roles')({
  staticData: { title: 'menu.roles', menu: '/system/roles' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  component: RoleListPage,
});
