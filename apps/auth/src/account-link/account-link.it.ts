import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  activateByLink,
  activateByPassword,
  addApiToken,
  checkLink,
  confirmEmail,
  disableUsers,
  editUser,
  forgotPassword,
  openApiAccess,
  requestEmailChange,
  resendEmailChange,
  resendForgotPassword,
  resetPassword,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { password } from '../auth-test.ts';
import { other, days, tokenOf, chosen, startAccountLinks } from './account-link-test.ts';

const { auth, raws, ended, mails, roleId, ask, mailTo, age, person, asUser, admin } = await startAccountLinks();

describe('a forgotten password', () => {
  test('is set by a link that works once, ends every session and is reported to its owner [AUTH-10/link]', async () => {
    const user = await person();
    const session = await auth.login(user.username);
    expect(session.status).toBe(200);
    for (const name of [user.username, user.email.toUpperCase()])
      expect((await ask(forgotPassword, { name })).status).toBe(200);
    const { link } = await mailTo(user.email, 'passwordReset');
    await eventually(() => expect(mails.filter((m) => m.to === user.email)).toHaveLength(2));
    expect(link).toMatch(/^https:\/\/carillon\.example\/forgetPasswordResult#[\w-]{43}$/);
    const token = tokenOf(mails.findLast((m) => m.to === user.email)!.link);
    expect((await ask(checkLink, { kind: 'passwordReset', token })).data).toEqual({
      username: user.username,
      email: user.email,
    });
    expect(await ask(resetPassword, { token, ...chosen(other, 'Different-1') })).toMatchObject({
      status: 400,
      error: 'auth.passwordsDiffer',
      fields: ['confirmation'],
    });
    expect(await ask(resetPassword, { token, ...chosen('weak') })).toMatchObject({
      status: 400,
      error: 'auth.passwordRule',
      fields: ['newPassword'],
    });
    expect(await ask(resetPassword, { token, ...chosen(password) })).toMatchObject({
      status: 400,
      error: 'auth.passwordSame',
      fields: ['newPassword'],
    });
    const tries = await Promise.all([
      ask(resetPassword, { token, ...chosen(other) }),
      ask(resetPassword, { token, ...chosen(other) }),
    ]);
    expect(tries.map((t) => t.status).toSorted()).toEqual([200, 400]);
    expect(await ask(resetPassword, { token, ...chosen('Third-Secret-3') })).toMatchObject({
      error: 'link.resetInvalid',
    });
    await eventually(() => expect(ended.length).toBeGreaterThan(0));
    expect(
      (await auth.token({ grant_type: 'refresh_token', refresh_token: session.body['refresh_token'] as string }))
        .status,
    ).toBe(400);
    expect((await auth.login(user.username)).body['error']).toBe('auth.wrongCredentials');
    expect((await auth.login(user.username, other)).status).toBe(200);
    await mailTo(user.email, 'passwordChanged');
  });

  test('ends the API tokens that were made with it, like the disabling of the account [AUTH-17/ends]', async () => {
    const { id, username, email } = await person();
    await auth.service.as(admin)(openApiAccess);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const make = (secret: string) =>
      asUser(id)(addApiToken, { body: { name: 'Own', scopes: ['device'], expiresAt, password: secret } });
    const live = async () =>
      (await auth.sql('select 1 from api_token where user_id = $1 and revoked_at is null', [id])).length;
    await make(password);
    await ask(forgotPassword, { name: username });
    const { link } = await mailTo(email, 'passwordReset');
    expect(await live()).toBe(1);
    expect((await ask(resetPassword, { token: tokenOf(link), ...chosen(other) })).status).toBe(200);
    expect(await live()).toBe(0);
    await make(other);
    await auth.service.as(admin)(disableUsers, { body: { ids: [id] } });
    expect(await live()).toBe(0);
  });

  test('answers alike and equally fast for an unknown name; disabled users get no mail [AUTH-10/unknown]', async () => {
    const user = await person();
    const gone = await person();
    await auth.sql(`update user_account set status = 'disabled' where id = $1`, [gone.id]);
    const before = mails.length;
    const time = async (name: string) => {
      const began = performance.now();
      const answer = await ask(forgotPassword, { name });
      return { ms: performance.now() - began, answer };
    };
    const [known, unknown, disabled] = [
      await time(user.username),
      await time(`nobody-${randomUUID()}`),
      await time(gone.username),
    ];
    const plain = (text: string) => text.replace(/"ticket":"[^"]*"/, '');
    for (const one of [unknown, disabled]) {
      expect(plain(one.answer.text)).toBe(plain(known.answer.text));
      expect(Math.abs(one.ms - known.ms)).toBeLessThan(200);
    }
    await mailTo(user.email, 'passwordReset', before);
    expect(mails.slice(before).some((m) => m.to === gone.email)).toBe(false);
  });

  test('a link can be requested three times an hour, and a newer one ends the older [AUTH-10/resend]', async () => {
    const user = await person();
    const before = mails.length;
    const own = () => mails.slice(before).filter((m) => m.to === user.email);
    const { data } = await ask(forgotPassword, { name: user.username });
    const first = tokenOf((await mailTo(user.email, 'passwordReset', before)).link);
    for (let i = 0; i < 4; i++) expect((await ask(resendForgotPassword, { ticket: data!.ticket })).status).toBe(200);
    await eventually(() => expect(own()).toHaveLength(3));
    expect(await ask(checkLink, { kind: 'passwordReset', token: first })).toMatchObject({
      status: 400,
      error: 'link.resetInvalid',
    });
    expect((await ask(checkLink, { kind: 'passwordReset', token: tokenOf(own().at(-1)!.link) })).status).toBe(200);
    expect(await ask(resendForgotPassword, { ticket: 'x' })).toMatchObject({ status: 400, error: 'link.pageExpired' });
    expect(data!.ticket).not.toContain(user.username);
    expect(own()).toHaveLength(3);
  });

  test('a link is invalid after 3 days, for another kind, after a new email and for a disabled account', async () => {
    const link = async (user: { username: string; email: string }) => {
      const from = mails.length;
      await ask(forgotPassword, { name: user.username });
      return tokenOf((await mailTo(user.email, 'passwordReset', from)).link);
    };
    const [old, young, moved, stopped] = [await person(), await person(), await person(), await person()];
    const tokens = [await link(old), await link(young), await link(moved), await link(stopped)];
    await age(old.id, days + 1);
    await age(young.id, days - 60);
    await auth.service.as(admin)(editUser, {
      body: {
        id: moved.id,
        username: moved.username,
        nickname: moved.nickname,
        email: `new-${moved.email}`,
        roleIds: [roleId],
        allOrgs: true,
        orgIds: [],
      },
    });
    await auth.sql(`update user_account set status = 'disabled' where id = $1`, [stopped.id]);
    for (const i of [0, 2, 3])
      expect(await ask(resetPassword, { token: tokens[i], ...chosen(other) }), String(i)).toMatchObject({
        status: 400,
        error: 'link.resetInvalid',
      });
    expect(await ask(activateByLink, { token: tokens[1], ...chosen(other) })).toMatchObject({
      error: 'link.activationInvalid',
    });
    expect(await ask(confirmEmail, { token: tokens[1] })).toMatchObject({ error: 'link.emailInvalid' });
    expect((await ask(resetPassword, { token: tokens[1], ...chosen(other) })).status).toBe(200);
  });
});

describe('a new account', () => {
  test('by mail is activated by its link once, within 3 days, with a password of its own [AUTH-12/email]', async () => {
    const user = await person('email', false);
    expect((await auth.login(user.username, '')).body['error']).toBe('auth.wrongCredentials');
    const { link } = await mailTo(user.email, 'activation');
    expect(link).toMatch(/^https:\/\/carillon\.example\/system\/activeUser#/);
    expect((await ask(checkLink, { kind: 'activation', token: tokenOf(link) })).data).toEqual({
      username: user.username,
      email: user.email,
    });
    expect(await ask(activateByLink, { token: tokenOf(link), ...chosen(other), roleIds: [roleId] })).toMatchObject({
      status: 400,
      error: 'common.invalid',
    });
    expect((await ask(activateByLink, { token: tokenOf(link), ...chosen(other) })).status).toBe(200);
    expect(await ask(activateByLink, { token: tokenOf(link), ...chosen(password) })).toMatchObject({
      status: 400,
      error: 'link.activationInvalid',
    });
    expect((await auth.login(user.username, other)).status).toBe(200);
    const late = await person('email', false);
    const token = tokenOf((await mailTo(late.email, 'activation')).link);
    await age(late.id, days + 1);
    expect(await ask(activateByLink, { token, ...chosen(other) })).toMatchObject({ error: 'link.activationInvalid' });
    await ask(forgotPassword, { name: late.username });
    const again = await mailTo(late.email, 'activation');
    expect((await ask(activateByLink, { token: tokenOf(again.link), ...chosen(other) })).status).toBe(200);
  });

  test('the first password activates an account once; wrong ones lock it like a login [AUTH-12/password]', async () => {
    const user = await person('password', false);
    expect((await auth.login(user.username)).body['error']).toBe('auth.notActivated');
    const by = (given: string, wanted = other) =>
      ask(activateByPassword, { username: user.username, password: given, ...chosen(wanted) });
    expect(await by('wrong')).toMatchObject({ error: 'auth.wrongCredentials' });
    expect(
      await ask(activateByPassword, { username: `nobody-${randomUUID()}`, password, ...chosen(other) }),
    ).toMatchObject({ status: 400, error: 'auth.wrongCredentials' });
    expect(await by(password, password)).toMatchObject({ error: 'auth.passwordSame', fields: ['newPassword'] });
    expect((await by(password)).status).toBe(200);
    expect((await auth.login(user.username)).body['error']).toBe('auth.wrongCredentials');
    expect((await auth.login(user.username, other)).status).toBe(200);
    expect(await by(other, 'Third-Secret-3')).toMatchObject({ error: 'user.notInactive' });
    const locked = await person('password', false);
    for (let i = 0; i < 5; i++)
      await ask(activateByPassword, { username: locked.username, password: 'wrong', ...chosen(other) });
    expect(await ask(activateByPassword, { username: locked.username, password, ...chosen(other) })).toMatchObject({
      error: 'auth.accountLocked',
    });
  });
});

describe('a new email', () => {
  test('needs the password and a link to the new address, and ends all sessions [AUTH-11/link]', async () => {
    const user = await person();
    const taken = await person();
    const wanted = `changed-${user.email}`;
    const call = asUser(user.id);
    const error = (email: string, secret = password) =>
      call(requestEmailChange, { body: { email, password: secret } }).then(
        () => 'none',
        (e: { error: string }) => e.error,
      );
    expect(await error(user.email.toUpperCase())).toBe('user.emailSame');
    expect(await error(taken.email)).toBe('user.emailTaken');
    expect(await error('not an address')).toBe('user.emailInvalid');
    expect(await error(wanted, 'wrong')).toBe('auth.oldPasswordWrong');
    expect(await error(wanted)).toBe('none');
    const { link } = await mailTo(wanted, 'emailChange');
    expect(link).toMatch(/^https:\/\/carillon\.example\/resetEmailResult#/);
    expect(await call(resendEmailChange)).toMatchObject({ email: wanted });
    await eventually(() => expect(mails.filter((m) => m.to === wanted)).toHaveLength(2));
    expect(await ask(confirmEmail, { token: tokenOf(link) })).toMatchObject({ error: 'link.emailInvalid' });
    const token = tokenOf(mails.findLast((m) => m.to === wanted)!.link);
    expect((await ask(checkLink, { kind: 'emailChange', token })).data).toMatchObject({ email: wanted });
    const session = await auth.login(user.username);
    const from = ended.length;
    expect((await ask(confirmEmail, { token })).data).toEqual({ email: wanted });
    await eventually(() => expect(ended.length).toBeGreaterThan(from));
    expect(
      (await auth.token({ grant_type: 'refresh_token', refresh_token: session.body['refresh_token'] as string }))
        .status,
    ).toBe(400);
    expect((await auth.login(wanted)).status).toBe(200);
    expect((await auth.login(user.email)).body['error']).toBe('auth.wrongCredentials');
    await mailTo(user.email, 'emailChanged');
    expect(await ask(confirmEmail, { token })).toMatchObject({ error: 'link.emailInvalid' });
    expect(
      await call(resendEmailChange).then(
        () => 'none',
        (e: { error: string }) => e.error,
      ),
    ).toBe('link.pageExpired');
  });

  test('changes nothing when the address was taken since, or when its link is older than 3 days', async () => {
    const [one, two] = [await person(), await person()];
    const wanted = `both-${randomUUID()}@example.com`;
    for (const user of [one, two]) await asUser(user.id)(requestEmailChange, { body: { email: wanted, password } });
    await eventually(() => expect(mails.filter((m) => m.to === wanted)).toHaveLength(2));
    const [first, second] = mails.filter((m) => m.to === wanted).map((m) => tokenOf(m.link));
    expect((await ask(confirmEmail, { token: first })).status).toBe(200);
    expect(await ask(confirmEmail, { token: second })).toMatchObject({ error: 'user.emailTaken' });
    const late = `late-${randomUUID()}@example.com`;
    await asUser(two.id)(requestEmailChange, { body: { email: late, password } });
    const { link } = await mailTo(late, 'emailChange');
    await age(two.id, days + 1);
    expect(await ask(confirmEmail, { token: tokenOf(link) })).toMatchObject({ error: 'link.emailInvalid' });
  });
});

test('one address that asks for many accounts is slowed down, and no link is stored or told in clear', async () => {
  const codes: number[] = [];
  for (let i = 0; i < 33; i++)
    codes.push((await ask(checkLink, { kind: 'activation', token: 'x' }, '10.9.9.9')).status);
  expect(codes.filter((c) => c === 429)).toHaveLength(3);
  // A /64 of IPv6 counts as one address.
  const six = [];
  for (let i = 0; i < 33; i++)
    six.push((await ask(checkLink, { kind: 'activation', token: 'x' }, `2001:db8:9:9::${i.toString(16)}`)).status);
  expect(six.filter((c) => c === 429)).toHaveLength(3);
  const secrets = mails.flatMap((m) => (m.link ? [tokenOf(m.link)] : []));
  expect(secrets.length).toBeGreaterThan(10);
  const stored = JSON.stringify([
    await auth.sql("select id, kind, encode(hash, 'base64') as hash, email from account_link"),
    await auth.sql('select password_hash from user_account'),
    raws,
  ]);
  for (const secret of secrets) expect(stored).not.toContain(secret);
});
