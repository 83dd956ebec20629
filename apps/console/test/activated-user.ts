import { activateByPassword, addUser, listRoles } from '@carillon/contracts';
import type { Platform } from '@carillon/testing/platform';

export const first = 'First-Secret-1';
export const second = 'Second-Secret-2';
export const chosen = { newPassword: second, confirmation: second };

export const roleNamed = async ({ call }: Platform, name: string): Promise<string> =>
  (await call(listRoles, { query: { search: name } })).records.find((r) => r.name === name)!.id;

/** Adds an account and activates it: its password is `second`. */
export async function activatedUser(platform: Platform, username: string, role = 'viewer') {
  const user = await platform.call(addUser, {
    body: {
      username,
      nickname: username,
      email: `${username}@example.com`,
      activation: 'password',
      oldEnough: true,
      password: first,
      roleIds: [await roleNamed(platform, role)],
      allOrgs: true,
      orgIds: [],
    },
  });
  await platform.plainClient()(activateByPassword, { body: { username, password: first, ...chosen } });
  return user;
}
