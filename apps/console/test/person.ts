import {
  activateByPassword,
  addRole,
  addUser,
  deleteRoles,
  deleteUsers,
  editRole,
  type PermissionKey,
} from '@carillon/contracts';
import type { Platform } from '@carillon/testing/platform';
import type { Person } from './page.ts';

export interface Someone extends Person {
  id: string;
  roleId: string;
  /** Gives their role these permissions. */
  may(permissions: readonly string[]): Promise<void>;
  leave(): Promise<void>;
}

/** Creates a user with a role of their own and a chosen password. */
export async function someone(
  platform: Pick<Platform, 'call' | 'plainClient'>,
  username: string,
  permissions: readonly string[],
  more: { accountType?: 'super' | 'ordinary'; timezoneId?: number } = {},
): Promise<Someone> {
  const { call } = platform;
  const [first, password] = ['First-Secret-1', 'Second-Secret-2'];
  const { id: roleId } = await call(addRole, {
    body: { name: `Role of ${username}`, description: '', permissions: [...permissions] as PermissionKey[] },
  });
  const { id } = await call(addUser, {
    body: {
      username,
      nickname: username,
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      roleIds: [roleId],
      allOrgs: true,
      orgIds: [],
      ...more,
    },
  });
  await platform.plainClient()(activateByPassword, {
    body: { username, password: first, newPassword: password, confirmation: password },
  });
  return {
    id,
    roleId,
    username,
    password,
    async may(next) {
      await call(editRole, {
        body: { id: roleId, name: `Role of ${username}`, description: '', permissions: [...next] as PermissionKey[] },
      });
    },
    async leave() {
      await call(deleteUsers, { query: { ids: [id] } });
      await call(deleteRoles, { query: { ids: [roleId] } });
    },
  };
}
