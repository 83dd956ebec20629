import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  closeTwoStep,
  confirmTotp,
  getSecondSteps,
  getTwoStep,
  mailRequest,
  mailTwoStepCode,
  openTwoStep,
  permissionKeys,
  removeTotp,
  renewRecoveryCodes,
} from '@carillon/contracts';
import { fromRecord } from '@carillon/messaging';
import { openMail } from '@carillon/service';
import { eventually } from '@carillon/testing';
import { md5, password, startAuth, type AuthUnderTest, type TokenReply } from '../auth-test.ts';

let auth: AuthUnderTest;
let admin: ReturnType<AuthUnderTest['service']['as']>;
const mails: { to: string; code: string; purpose: string; raw: string }[] = [];
beforeAll(async () => {
  auth = await startAuth();
  await auth.bus.fanout({
    topics: [mailRequest.name],
    from: 'start',
    handle: ({ records }) => {
      for (const record of records) {
        const message = fromRecord(mailRequest, record);
        const mail = message?.data ? openMail(auth.mailKey, message.data.template, message.data.sealed) : undefined;
        if (mail) mails.push({ to: mail.to, raw: record.value!, ...(mail.data as { code: string; purpose: string }) });
      }
    },
  });
  const { body } = await auth.login('admin');
  admin = auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: body['userId'],
    permissions: permissionKeys,
  });
});
afterAll(() => auth.close());

const second = (first: TokenReply, code: string): Promise<TokenReply> =>
  auth.token({ grant_type: 'captcha', scope: 'all', key: first.body['key'], code }, { as: 'form' });
const nextMail = (count: number): Promise<(typeof mails)[number]> =>
  eventually(() => {
    expect(mails).toHaveLength(count);
    return mails.at(-1)!;
  });
const asked = (reply: TokenReply) => [reply.status, reply.body['error'], reply.body['methods']];
const totp = (secret: string, at = Date.now()): string =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate({ timestamp: at });

test('a company enables two-step login by a mailed code, and sees whom it shuts out [AUTH-14/server]', async () => {
  await expect(admin(mailTwoStepCode)).rejects.toMatchObject({ error: 'auth.emailMissing' });
  await auth.sql(`update user_account set email = 'admin@example.com' where username = 'admin'`);
  expect(await admin(getTwoStep)).toEqual({ open: false, shutOut: 1, names: ['viewer'], email: 'admin@example.com' });
  await expect(admin(openTwoStep, { body: { code: '000000' } })).rejects.toMatchObject({ error: 'auth.codeExpired' });
  await admin(mailTwoStepCode);
  const opening = await nextMail(1);
  expect(opening).toMatchObject({ to: 'admin@example.com', purpose: 'open', code: expect.stringMatching(/^\d{6}$/) });
  expect(opening.raw).not.toContain(opening.code);
  await expect(admin(openTwoStep, { body: { code: 'x' } })).rejects.toMatchObject({ error: 'auth.codeWrong' });
  await admin(openTwoStep, { body: { code: opening.code } });
  expect((await admin(getTwoStep)).open).toBe(true);
  await expect(admin(closeTwoStep, { body: { code: opening.code } })).rejects.toMatchObject({
    error: 'auth.codeExpired',
  });

  expect(asked(await auth.login('viewer'))).toEqual([400, 'auth.twoStepImpossible', undefined]);
  const first = await auth.login('admin');
  expect(asked(first)).toEqual([400, 'auth.twoStepRequired', ['email']]);
  expect(first.body).not.toHaveProperty('access_token');
  expect(first.cookies).toEqual([]);
  expect((await second(first, '')).body['error']).toBe('auth.codeRequired');
  const { code } = await nextMail(2);
  expect((await second(first, String((Number(code) + 1) % 1_000_000).padStart(6, '0'))).body['error']).toBe(
    'auth.codeWrong',
  );
  const done = await second(first, code);
  expect([done.status, done.body['username']]).toEqual([200, 'admin']);
  expect(done.cookies).toHaveLength(2);
  expect((await second(first, code)).body['error']).toBe('auth.codeExpired');
  await admin(mailTwoStepCode);
  const closing = await nextMail(3);
  expect(closing.purpose).toBe('close');
  await admin(closeTwoStep, { body: { code: closing.code } });
  expect((await auth.login('viewer')).status).toBe(200);
});

test("five of many parallel tries at a code count and lock, and another login's code does not fit", async () => {
  await auth.sql(`update user_account set email = 'viewer@example.com' where username = 'viewer'`);
  const from = mails.length;
  await admin(mailTwoStepCode);
  await admin(openTwoStep, { body: { code: (await nextMail(from + 1)).code } });
  const mine = await auth.login('admin');
  const own = await nextMail(from + 2);
  const other = await auth.login('viewer');
  await nextMail(from + 3);
  expect((await second(other, own.code)).body['error']).toBe('auth.codeWrong');
  const wrong = await Promise.all(Array.from({ length: 20 }, (_, i) => second(other, `00000${i}`.slice(-6))));
  expect(wrong.filter((w) => w.body['error'] === 'auth.codeWrong').length).toBeLessThanOrEqual(4);
  expect(wrong.every((w) => w.status === 400)).toBe(true);
  expect((await auth.login('viewer')).body['error']).toBe('auth.accountLocked');
  expect((await second(mine, own.code)).status).toBe(200);
  await auth.sql('delete from login_failure');
  const back = mails.length;
  await admin(mailTwoStepCode);
  await admin(closeTwoStep, { body: { code: (await nextMail(back + 1)).code } });
});

test('an app is added with password and code, used at logins, and removed [AUTH-18/app]', async () => {
  const viewer = auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: (await auth.login('viewer')).body['userId'],
  });
  await expect(viewer(beginTotp, { body: { password: 'not it' } })).rejects.toMatchObject({
    error: 'auth.oldPasswordWrong',
  });
  const { secret, uri, image } = await viewer(beginTotp, { body: { password } });
  expect(uri).toContain(`secret=${secret}`);
  expect(image).toMatch(/^data:image\/svg\+xml;base64,/);
  expect((await auth.login('viewer')).status).toBe(200);
  await expect(viewer(confirmTotp, { body: { code: '12' } })).rejects.toMatchObject({ error: 'auth.codeWrong' });
  const now = Date.now();
  const { recoveryCodes } = await viewer(confirmTotp, { body: { code: totp(secret, now) } });
  expect(recoveryCodes).toHaveLength(10);
  expect(await viewer(getSecondSteps)).toEqual({ company: false, totp: true, recoveryCodes: 10, passkeys: [] });
  const stored = JSON.stringify(await auth.sql('select t, r from totp t, recovery_code r'));
  for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);

  const first = await auth.login('viewer');
  expect(asked(first)).toEqual([400, 'auth.twoStepRequired', ['totp']]);
  expect((await second(first, totp(secret, now))).body['error'], 'the code of the confirmation has been used').toBe(
    'auth.codeWrong',
  );
  vi.useFakeTimers({ toFake: ['Date'], now: now + 60_000 });
  try {
    const right = totp(secret, now + 60_000);
    const [one, two] = [await auth.login('viewer'), await auth.login('viewer')];
    const answers = await Promise.all([second(one, right), second(two, right)]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 400]);
    expect((await second(await auth.login('viewer'), recoveryCodes[0]!.toUpperCase())).status).toBe(200);
    expect((await second(await auth.login('viewer'), recoveryCodes[0]!)).body['error']).toBe('auth.codeWrong');
    expect((await viewer(getSecondSteps)).recoveryCodes).toBe(9);
    const renewed = (await viewer(renewRecoveryCodes, { body: { password } })).recoveryCodes;
    expect((await second(await auth.login('viewer'), recoveryCodes[1]!)).body['error']).toBe('auth.codeWrong');
    expect((await second(await auth.login('viewer'), renewed[1]!)).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
  await viewer(removeTotp, { body: { password } });
  expect(await viewer(getSecondSteps)).toEqual({ company: false, totp: false, recoveryCodes: 0, passkeys: [] });
  expect((await auth.login('viewer')).status).toBe(200);
});

test('refuses a passkey that was made for another challenge', async () => {
  const viewer = auth.service.as({
    companyId: auth.companyId,
    orgId: auth.orgId,
    userId: (await auth.login('viewer')).body['userId'],
  });
  const options = await viewer(beginPasskey, { body: { password } });
  expect(options).toMatchObject({ rp: { id: 'carillon.example' }, challenge: expect.any(String) });
  for (const response of [
    {},
    {
      id: 'x',
      rawId: 'x',
      type: 'public-key',
      response: { clientDataJSON: 'e30', attestationObject: 'oA' },
      clientExtensionResults: {},
    },
  ]) {
    await expect(viewer(addPasskey, { body: { name: 'Key', response } })).rejects.toMatchObject({
      error: 'auth.passkeyWrong',
    });
  }
});

test('a ticket that was never issued opens nothing', async () => {
  expect(md5(password)).toHaveLength(32);
  for (const key of ['two-step.', 'two-step.unknown', `two-step.${'x'.repeat(100)}`])
    expect((await auth.token({ grant_type: 'captcha', key, code: '123456' })).body['error'], key).toBe(
      'auth.codeExpired',
    );
});
