import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EditUserPage } from '../../../../area/people/user/user-page.tsx';

export const Route = createFileRoute('/_main/system/users_/editUser')({
  staticData: { title: 'user.editTitle', menu: '/system/users', tabBy: ['id'] },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  loader: () => pageTexts(),
  component: EditUserPage,
});
