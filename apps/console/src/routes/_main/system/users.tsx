import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../grid/search.ts';
import { pageTexts } from '../../../text/text.ts';
import { UserListPage } from '../../../user/user-list-page.tsx';

export const Route = createFileRoute('/_main/system/users')({
  staticData: { title: 'menu.users', menu: '/system/users' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'status' | 'accountType' | 'roleId' | 'orgId'>,
  loader: () => pageTexts(),
  component: UserListPage,
});
