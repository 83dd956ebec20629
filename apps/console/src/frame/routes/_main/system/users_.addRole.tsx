import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddRolePage } from '../../../../area/people/role/role-page.tsx';

export const Route = createFileRoute('/_main/system/users_/addRole')({
  staticData: { title: 'role.add', menu: '/system/users/addRole' },
  loader: () => pageTexts(),
  component: AddRolePage,
});
