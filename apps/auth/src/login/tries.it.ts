import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  activateByPassword,
  addRole,
  addUser,
  authSession,
  beginTotp,
  changePassword,
  confirmTotp,
  editUser,
  forgotPassword,
  mailRequest,
  permissionKeys,
  requestEmailChange,
  resetPassword,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { openMail } from '@carillon/service';
import { eventually, type Actor } from '@carillon/testing';
import { Secret, TOTP } from 'otpauth';
import { password, startAuth, type AuthUnderTest, type TokenReply } from '../auth-test.ts';

const other = 'Other-Secret-2';
let auth: AuthUnderTest;
let admin: Actor;
let viewer: Actor;
const ended = new Set<string>();
const mails: { to: string; template: string; link: string }[] = [];

const error = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const count = (answers: readonly (string | undefined)[], wanted: string): number =>
  answers.filter((a) => a === wanted).length;
const many = <T>(n: number, make: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => make(i)));
const change = (by: Actor, oldPassword: string, newPassword: string) =>
  auth.service.as(by)(changePassword, { body: { oldPassword, newPassword, confirmation: newPassword } });
const sessions = (userId: string) =>
  auth.sql<{ id: string }>('select id from session where user_id = $1 and ended_at is null', [userId]);
const second = (first: TokenReply, code: string): Promise<TokenReply> =>
  auth.token({ grant_type: 'captcha', scope: 'all', key: first.body['key'], code }, { as: 'form' });

beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [authSession.name, mailRequest.name],
    from: 'start',
    handle: ({ topic, records }) => {
      for (const record of records)
        if (topic === authSession.name) ended.add(record.key);
        else {
          const { template, sealed } = fromRecord(mailRequest, record)!.data!;
          const mail = openMail(auth.mailKey, template, sealed)!;
          mails.push({ to: mail.to, template, link: String(mail.data['link'] ?? '') });
        }
    },
  });
  const rows = await auth.sql<{ id: string; username: string }>('select id, username from user_account');
  const actor = (name: string): Actor => ({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: rows.find((r) => r.username === name)!.id,
    permissions: permissionKeys,
  });
  [admin, viewer] = [actor('admin'), actor('viewer')];
});
beforeEach(async () => {
  await auth.sql('delete from login_failure');
  await auth.sql('update user_account set locked_until = null');
});
afterAll(() => auth.close());

test('of 100 wrong passwords at once five are looked at, and then the right one is refused', async () => {
  const answers = (await many(100, () => auth.login('viewer', 'Wrong-Secret-9'))).map((a) => a.body['error']);
  expect(count(answers, 'auth.wrongCredentials')).toBeLessThan(5);
  expect(count(answers, 'auth.wrongCredentials') + count(answers, 'auth.accountLocked')).toBe(100);
  expect((await auth.login('viewer')).body['error']).toBe('auth.accountLocked');
});

test('many parallel logins with the right password all succeed, even above the limit', async () => {
  const answers = await many(12, () => auth.login('viewer'));
  expect(answers.map((a) => a.status)).toEqual(Array.from({ length: 12 }, () => 200));
  await auth.sql('update session set ended_at = now() where user_id = $1', [viewer.userId]);
});

test('five of 60 wrong passwords during a password change are checked and lock the account', async () => {
  const answers = await many(60, () => error(change(viewer, 'Wrong-Secret-9', other)));
  expect(count(answers, 'auth.oldPasswordWrong')).toBe(5);
  expect(count(answers, 'auth.accountLocked')).toBe(55);
  expect(await error(change(viewer, password, other))).toBe('auth.accountLocked');
  expect(
    await error(auth.service.as(viewer)(requestEmailChange, { body: { email: 'new@example.com', password } })),
  ).toBe('auth.accountLocked');
});

test('of 128 codes of a second step, in tickets side by side, five are looked at, and they lock', async () => {
  const own = auth.service.as(admin);
  const { secret } = await own(beginTotp, { body: { password } });
  const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' });
  await own(confirmTotp, { body: { code: totp.generate() } });
  const tickets: TokenReply[] = [];
  for (let i = 0; i < 32; i++) tickets.push(await auth.login('admin'));
  expect(tickets.map((t) => t.body['error'])).toEqual(tickets.map(() => 'auth.twoStepRequired'));
  // The right code comes last, so it is only found when more than five are checked.
  const right = totp.generate({ timestamp: Date.now() + 30_000 });
  const codes = Array.from({ length: 128 }, (_, i) => (i === 127 ? right : '000000'));
  const answers = (await many(128, (i) => second(tickets[i % 32]!, codes[i]!))).map((a) => a.body['error']);
  expect(count(answers, 'auth.codeWrong')).toBeLessThanOrEqual(5);
  expect(count(answers, 'auth.codeWrong') + count(answers, 'auth.accountLocked')).toBe(128);
  expect((await second(tickets[30]!, right)).body['error']).toBe('auth.accountLocked');
  await auth.sql('delete from totp');
});

test('a login in progress and one before its second step end when the password changes', async () => {
  const [current] = await auth.sql<{ id: string }>(
    `
      insert into session (id, company_id, user_id, created_at, last_active_at)
      values (gen_random_uuid(), $1, $2, now(), now())
      returning id
    `,
    [auth.companyId, viewer.userId],
  );
  const own = { ...viewer, sessionId: current!.id };
  let [from, to] = [password, other];
  for (let round = 0; round < 4; round++) {
    await Promise.all([change(own, from, to), ...[0, 1, 2, 3].map(() => auth.login('viewer', from))]);
    expect((await sessions(viewer.userId)).map((s) => s.id)).toEqual([current!.id]);
    await auth.sql('delete from login_failure');
    [from, to] = [to, from];
  }
  expect(from).toBe(password);
  await auth.sql(
    'insert into company_login (id, company_id, two_step, api_open, updated_at) values ($1, $1, true, false, now())',
    [auth.companyId],
  );
  await auth.sql(`update user_account set email = 'viewer@example.com' where id = $1`, [viewer.userId]);
  const waiting = await auth.login('viewer');
  expect(waiting.body['error']).toBe('auth.twoStepRequired');
  await auth.sql(`update user_account set password_hash = password_hash || 'A' where id = $1`, [viewer.userId]);
  const code = '123456';
  expect((await second(waiting, code)).body['error']).toMatch(/auth\.code/);
  await auth.sql(`update user_account set password_hash = left(password_hash, -1) where id = $1`, [viewer.userId]);
  await auth.sql('delete from company_login');
  await auth.sql('update session set ended_at = now() where id = $1', [current!.id]);
});

test('a reset by link ends every session with its tokens, idle ones and refreshes in progress included', async () => {
  await auth.sql(`update user_account set email = 'viewer@example.com' where id = $1`, [viewer.userId]);
  const logins = await many(4, () => auth.login('viewer'));
  await auth.sql(
    `update session set last_active_at = now() - interval '20 hours' where id = (
      select id from session where user_id = $1 and ended_at is null order by id limit 1
    )`,
    [viewer.userId],
  );
  const open = await sessions(viewer.userId);
  expect(open).toHaveLength(4);
  await auth.service.as(viewer)(forgotPassword, { body: { name: 'viewer' } });
  const link = await eventually(() => {
    const mail = mails.find((m) => m.template === 'passwordReset');
    expect(mail).toBeDefined();
    return mail!.link;
  });
  const refresh = (login: TokenReply) =>
    auth.token({ grant_type: 'refresh_token', scope: 'all', refresh_token: login.body['refresh_token'] });
  await Promise.all([
    auth.service.as(viewer)(resetPassword, {
      body: { token: link.split('#')[1]!, newPassword: other, confirmation: other },
    }),
    refresh(logins[0]!),
    refresh(logins[1]!),
  ]);
  expect(await sessions(viewer.userId)).toEqual([]);
  await eventually(() => expect([...ended]).toEqual(expect.arrayContaining(open.map((s) => s.id))));
  for (const login of logins) expect((await refresh(login)).status).toBe(400);
  const [row] = await auth.sql<{ dead: boolean }>(
    `select tokens_valid_after > now() - interval '1 minute' as dead from user_account where id = $1`,
    [viewer.userId],
  );
  expect(row!.dead).toBe(true);
});

test('only password and link change the own email; a change by another user mails the old address', async () => {
  await auth.sql(`update user_account set email = 'boss@example.com' where id = $1`, [admin.userId]);
  const [role] = await auth.sql<{ id: string }>(`select id from role where name = 'administrator'`);
  const as = auth.service.as(admin);
  const own = {
    id: admin.userId,
    username: 'admin',
    nickname: 'admin',
    roleIds: [role!.id],
    allOrgs: true,
    orgIds: [],
  };
  expect(await error(as(editUser, { body: { ...own, email: 'mine@example.com' } }))).toBe('user.emailByLink');
  expect(await error(as(editUser, { body: { ...own, email: null } }))).toBe('user.emailByLink');
  expect(await error(as(editUser, { body: { ...own, nickname: 'Boss', email: 'Boss@example.com' } }))).toBe('none');
  expect(await auth.sql('select email from user_account where id = $1', [admin.userId])).toEqual([
    { email: 'Boss@example.com' },
  ]);
  const helpers = await as(addRole, { body: { name: 'Helpers', description: '', permissions: ['home'] } });
  const user = await as(addUser, {
    body: {
      username: 'carla',
      nickname: 'carla',
      email: 'carla@example.com',
      activation: 'password',
      oldEnough: true,
      password,
      roleIds: [helpers.id],
      allOrgs: true,
      orgIds: [],
    },
  }).catch((e: { error: string }) => e.error);
  if (typeof user === 'string') throw new Error(user);
  await as(editUser, {
    body: {
      id: user.id,
      username: 'carla',
      nickname: 'carla',
      email: 'carla.new@example.com',
      roleIds: [helpers.id],
      allOrgs: true,
      orgIds: [],
    },
  });
  await eventually(() =>
    expect(mails).toContainEqual(expect.objectContaining({ to: 'carla@example.com', template: 'emailChanged' })),
  );
  expect(
    await error(
      as(activateByPassword, {
        body: { username: 'carla', password, newPassword: other, confirmation: other },
      }),
    ),
  ).toBe('none');
});
