import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../text/text.ts';
import { AddRolePage } from '../../../role/role-page.tsx';

export const Route = createFileRoute('/_main/system/users_/addRole')({
  staticData: { title: 'role.add', menu: '/system/users/addRole' },
  loader: () => pageTexts(),
  component: AddRolePage,
});
