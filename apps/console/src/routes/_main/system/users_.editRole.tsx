import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../session/address.ts';
import { pageTexts } from '../../../text/text.ts';
import { EditRolePage } from '../../../role/role-page.tsx';

export const Route = createFileRoute('/_main/system/users_/editRole')({
  staticData: { title: 'role.editTitle', menu: '/system/users/editRole', tabBy: ['id'] },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  loader: () => pageTexts(),
  component: EditRolePage,
});
