import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddRolePage } from '../../../../area/people/role/role-page.tsx';

export const Route = createFileRoute('/_main/system/users_/addRole')({
  staticData: { title: 'role.add', menu: '/system/users/addRole' },
  validateSearch: (s: Record<string, unknown>): { from?: string } => {
    const from = one(s['from']);
    return from === undefined ? {} : { from };
  },
  loader: () => pageTexts(),
  component: AddRolePage,
});
