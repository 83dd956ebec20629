import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddUserPage } from '../../../../area/people/user/user-page.tsx';

export const Route = createFileRoute('/_main/system/users_/addUser')({
  staticData: { title: 'user.add', menu: '/system/users' },
  loader: () => pageTexts(),
  component: AddUserPage,
});
