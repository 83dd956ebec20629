import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  activateByPassword,
  addCompany,
  addRole,
  addUser,
  changePassword,
  permissionKeys,
  resendActivation,
} from '@carillon/contracts';
import type { Actor } from '@carillon/testing';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
let admin: Actor;
const fault = (promise: Promise<unknown>): Promise<{ error: string; at: string | undefined }> =>
  promise.then(
    () => ({ error: 'none', at: undefined }),
    (e: { error: string; fields: { path: string }[] }) => ({ error: e.error, at: e.fields[0]?.path }),
  );

beforeAll(async () => {
  auth = await startAuth();
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  await auth.sql(
    `insert into company_copy (id, company_id, name, status, version) values ($1, $1, 'Bellworks Ltd', 'normal', 0)`,
    [auth.companyId],
  );
});
afterAll(() => auth.close());

test('no call accepts a common password or one that contains the login name, email or company', async () => {
  const as = auth.service.as(admin);
  const role = await as(addRole, { body: { name: 'Helpers', description: '', permissions: ['home'] } });
  const fresh = (name: string, secret: string) => ({
    username: name,
    nickname: name,
    email: `mail.of.${name}@example.com`,
    activation: 'password' as const,
    oldEnough: true,
    password: secret,
    roleIds: [role.id],
    allOrgs: true,
    orgIds: [],
  });
  const carla = await as(addUser, { body: fresh('carla', password) });
  const set: Record<string, (secret: string) => Promise<unknown>> = {
    password: (secret) => as(addUser, { body: fresh('carla', secret) }),
    'password again': (secret) => as(resendActivation, { body: { id: carla.id, password: secret } }),
    newPassword: (secret) =>
      as(activateByPassword, {
        body: { username: 'carla', password, newPassword: secret, confirmation: secret },
      }),
    'newPassword changed': (secret) =>
      auth.service.as({ ...admin, userId: carla.id })(changePassword, {
        body: { oldPassword: password, newPassword: secret, confirmation: secret },
      }),
  };
  for (const [field, attempt] of Object.entries(set))
    for (const [secret, error] of [
      ['P@ssw0rd', 'auth.passwordCommon'],
      ['Admin@123', 'auth.passwordCommon'],
      ['My-C4rl4-#91', 'auth.passwordUnlike'],
      ['Mail-of-CarlaB.7', 'auth.passwordUnlike'],
      ['Ring-BellworksLtd.9', 'auth.passwordUnlike'],
      ['Trees-Carillon.9', 'auth.passwordUnlike'],
    ])
      expect(await fault(attempt(secret!)), `${field} ${secret}`).toEqual({ error, at: field.split(' ')[0] });
  expect(
    await fault(
      as(addCompany, {
        body: {
          name: 'Towers',
          type: 'enterprise',
          organizationName: 'Head',
          remarks: '',
          username: 'toni',
          nickname: 'Toni',
          email: null,
          activation: 'password',
          oldEnough: true,
          password: 'High-Towers-#9',
          language: 'en_US',
          timezoneId: 1,
          countryId: 1,
        },
      }),
    ),
  ).toEqual({ error: 'auth.passwordUnlike', at: 'password' });
  expect(await fault(set['newPassword']!('Ringing-Trees-9'))).toEqual({ error: 'none', at: undefined });
});
