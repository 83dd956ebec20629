import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EditRolePage } from '../../../../area/people/role/role-page.tsx';

export const Route = createFileRoute('/_main/system/users_/editRole')({
  staticData: {
    title: 'role.editTitle',
    menu: '/system/users/editRole',
    tabBy: ['id'],
    example: { id: '/system/roles' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  loader: () => pageTexts(),
  component: EditRolePage,
});
