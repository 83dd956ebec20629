import { afterAll, beforeAll, expect, test } from 'vitest';
import { addRole, addUser, editUser, permissionKeys } from '@carillon/contracts';
import type { Actor } from '@carillon/testing';
import { password, startAuth, type AuthUnderTest } from '../auth-test.ts';

let auth: AuthUnderTest;
let admin: Actor;
let roleId: string;
const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields: { error?: string }[] }) => e.error,
  );
const rest = () => ({ nickname: 'n', email: null, roleIds: [roleId], allOrgs: true, orgIds: [] });
const add = (username: string) =>
  auth.service.as(admin)(addUser, { body: { ...rest(), username, activation: 'password', oldEnough: true, password } });

beforeAll(async () => {
  auth = await startAuth();
  const [own] = await auth.sql<{ id: string }>(`select id from user_account where username = 'admin'`);
  admin = { companyId: auth.companyId, orgId: auth.orgId, userId: own!.id, permissions: permissionKeys };
  roleId = (
    await auth.service.as(admin)(addRole, { body: { name: 'Helpers', description: '', permissions: ['home'] } })
  ).id;
});
afterAll(() => auth.close());

test('a login name that looks like another is that one, or is refused', async () => {
  expect((await add('Ｚｏe\u0308.b')).username).toBe('Zoë.b');
  for (const same of ['Zoë.b', 'ZOË.B', 'zoe\u0308.b', 'ｚoë.b'])
    expect(await error(add(same)), same).toBe('user.nameTaken');
  for (const [name, wanted] of [
    ['zo\u200bë.b', 'user.nameHidden'],
    ['аdmin', 'user.nameMixed'],
    ['\u{1d41a}dmin', 'user.nameFormat'],
  ] as const)
    expect(await error(add(name)), name).toBe(wanted);
});

test('a user with a login name from before the rule keeps it and can get no other such name', async () => {
  const old = await add('before');
  await auth.sql(
    `update user_account set username = 'be\u200bfore', status = 'normal', activated_at = now() where id = $1`,
    [old.id],
  );
  expect((await auth.login('be\u200bfore')).status).toBe(200);
  const edit = (username: string) => auth.service.as(admin)(editUser, { body: { ...rest(), id: old.id, username } });
  expect((await edit('be\u200bfore')).nickname).toBe('n');
  expect(await error(edit('bef\u200bore'))).toBe('user.nameHidden');
  expect((await edit('Ｂefore')).username).toBe('Before');
  for (const typed of ['before', 'BEFORE', 'Ｂｅｆｏｒｅ']) expect((await auth.login(typed)).status, typed).toBe(200);
});

test('who tries which login names and emails are taken, in any company, is told of twenty in an hour', async () => {
  const actor = await add('prober');
  const as = auth.service.as({ ...admin, userId: actor.id });
  await auth.sql(`update user_account set account_type = 'super' where id = $1`, [actor.id]);
  const probe = (username: string) =>
    error(as(addUser, { body: { ...rest(), username, activation: 'password', oldEnough: true, password } }));
  const answers: string[] = [];
  for (let i = 0; i < 24; i++) answers.push(await probe('admin'));
  expect(answers).toEqual([
    ...Array.from({ length: 20 }, () => 'user.nameTaken'),
    ...Array.from({ length: 4 }, () => 'common.tooMany'),
  ]);
  expect(await probe('nobody-has-this')).toBe('common.tooMany');
  expect(await error(add('nobody-has-this'))).toBe('none');
});
