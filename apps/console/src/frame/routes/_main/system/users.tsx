import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { UserListPage } from '../../../../area/people/user/user-list-page.tsx';

export const Route = createFileRoute('/_main/system/users')({
  staticData: { title: 'menu.users', menu: '/system/users' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'status' | 'accountType' | 'roleId' | 'orgId'>,
  loader: () => pageTexts(),
  component: UserListPage,
});
