import { createFileRoute } from '@tanstack/react-router';
import { AddRolePage } from '../../../role/role-page.tsx';

export const Route = createFileRoute('/_main/system/users_/addRole')({ staticData: { title: 'role.add', menu: '/system/users/addRole' }, component: AddRolePage });
