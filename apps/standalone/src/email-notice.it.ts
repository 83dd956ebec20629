import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  activateByPassword,
  addEmailNotice,
  addRole,
  addUser,
  deleteMailServer,
  editMailServer,
  getMailServer,
  listEmailNotices,
  listOperationLog,
  mailServerInput,
  message,
  testMailServer,
  type RouteInput,
} from '@carillon/contracts';
import { authService, seedInstallation } from '@carillon/auth/module';
import { notificationService } from '@carillon/notification/module';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { currentSql, platform } from '@carillon/persistence';
import { readConfig, requestMail, type ServiceDefinition } from '@carillon/service';
import {
  eventually,
  newActor,
  startMailServer,
  testBus,
  testService,
  type Actor,
  type MailServer,
  type TestedService,
} from '@carillon/testing';

/** Email notices with the real services: notification sends them, auth knows the users of a group. */
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const client = `Basic ${Buffer.from('web:web-secret-of-test').toString('base64')}`;
const [first, later] = ['First-Secret-1', 'Later-Secret-1'];
const own: Actor = newActor();
const stranger: Actor = newActor();
let bus: PostgresBus;
let auth: TestedService;
let notification: TestedService;
/** Mail servers of the installation and of the company. */
let [system, company]: MailServer[] = [];

beforeAll(async () => {
  bus = await testBus('email_notice_bus');
  system = await startMailServer();
  company = await startMailServer({ security: 'starttls' });
  notification = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey: key,
    ...system.settings,
    // Both servers have self-signed certificates, and the operator trusts both.
    smtpCa: `${system.settings.smtpCa}\n${company.settings.smtpCa}`,
    outboundAllowed: `localhost:${company.port}`,
    mailRetryMs: 20,
    mailTickMs: 20,
    emailNoticeGatherMs: 20,
    emailNoticePauseMs: 20,
  });
  auth = await testService(authService as unknown as ServiceDefinition, bus, {
    tokenKey: key,
    passwordPepper: key,
    mailKey: key,
    publicUrl: 'https://carillon.example',
    clientId: 'web',
    clientSecret: 'web-secret-of-test',
  });
  await seedInstallation(auth.database, {
    companyId: own.companyId,
    orgId: own.orgId,
    passwordPepper: Buffer.from(key),
    administrator: { username: 'admin', password: first },
  });
});
afterAll(async () => {
  for (const service of [auth, notification]) await service?.close();
  await bus?.close();
  for (const server of [system, company]) await server?.close();
});

type Notice = RouteInput<typeof addEmailNotice>['body'];
const notice = (title: string, given: Partial<Notice> = {}): Notice => ({
  title,
  emails: [],
  roleIds: [],
  userIds: [],
  sendType: 'immediate',
  time: null,
  zone: null,
  kinds: [],
  level: 'low',
  enabled: true,
  ...given,
});
const call = (as: Actor = own) => notification.as(as);
/** Publishes an alarm of a kind that no other test uses. */
let count = 0;
const happens = ({ companyId }: Actor = own) =>
  bus.publish([
    toRecord(
      message,
      companyId,
      {
        type: 5,
        level: 'high',
        objectId: null,
        objectName: `Task ${++count}`,
        orgId: null,
        expiresAt: null,
        values: { count: 1 },
      },
      envelope('message', { companyId }),
    ),
  ]);
const sql = (text: string, values: readonly unknown[] = []) =>
  platform(notification.database, 'test', () => currentSql().query(text, values));
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
/** Adds a user with an address who has set a password. Returns the id. */
async function user(username: string, roleIds: string[]): Promise<string> {
  const body = {
    username,
    nickname: `Nick of ${username}`,
    email: `${username}@example.com`,
    activation: 'password' as const,
    password: first,
    oldEnough: true,
    roleIds,
    allOrgs: true,
    orgIds: [],
  };
  const { id } = await auth.as(own)(addUser, { body });
  await auth.raw(null, {
    method: activateByPassword.method,
    url: activateByPassword.path,
    headers: { authorization: client, 'content-type': 'application/json' },
    payload: { username, password: first, newPassword: later, confirmation: later },
  });
  return id;
}
const subjects = (server: MailServer, to: string) => server.mails.filter((m) => m.to.includes(to)).length;

it('an email notice goes to emails and groups, at its time, by the right server, with retries [NOTE-03]', async () => {
  const night = await auth.as(own)(addRole, {
    body: { name: 'Night watch', description: '', permissions: ['home', 'alarm'] },
  });
  const day = await auth.as(own)(addRole, { body: { name: 'Day watch', description: '', permissions: ['home'] } });
  const [, ben] = [await user('anna', [night.id]), await user('ben', [night.id]), await user('carla', [day.id])];
  const { id: noticeId } = await call()(addEmailNotice, {
    body: notice('Night watch', { emails: ['desk@example.com'], roleIds: [night.id] }),
  });
  expect((await call()(listEmailNotices, { query: {} })).records).toMatchObject([
    { id: noticeId, title: 'Night watch', emails: ['desk@example.com'], roleIds: [night.id], sendType: 'immediate' },
  ]);

  // The system's server sends while the company has none.
  expect(await call()(getMailServer, {})).toEqual({ server: null, installation: true });
  await happens();
  for (const to of ['desk@example.com', 'anna@example.com', 'ben@example.com']) {
    const mail = await system!.next(to);
    expect(mail).toMatchObject({ from: 'carillon@example.com', secure: true });
    expect(mail.subject + mail.text).toContain('Night watch');
    expect(mail.text).toContain('Task 1');
  }
  expect(subjects(system!, 'carla@example.com')).toBe(0);

  // The company's server; port 465 is the default for both.
  const given = {
    host: 'localhost',
    security: 'starttls',
    user: 'carillon',
    from: 'Bells <bells@example.com>',
  } as const;
  expect(mailServerInput.parse({ ...given, password: null }).port).toBe(465);
  expect(readConfig(notificationService.config, { mailKey: key } as never, {})).toMatchObject({ smtpPort: 465 });
  const at465 = { ...given, host: 'mail.example.com', enabled: false, password: 'mail-secret' };
  expect(await call()(editMailServer, { body: at465 })).toEqual({
    ...given,
    host: 'mail.example.com',
    port: 465,
    passwordSet: true,
    enabled: false,
  });
  const server = { ...given, port: company!.port };
  // The stored password is sent to no other server: another address requires it again.
  expect(await refusal(call()(testMailServer, { body: { to: 'me@example.com', server } }))).toBe('config.testFailed');
  await call()(testMailServer, { body: { to: 'me@example.com', server: { ...server, password: 'mail-secret' } } });
  expect(await company!.next('me@example.com')).toMatchObject({ from: 'bells@example.com', user: 'carillon' });
  await call()(editMailServer, { body: { ...server, password: 'mail-secret', enabled: true } });
  await happens();
  for (const to of ['desk@example.com', 'anna@example.com', 'ben@example.com']) {
    const mail = await company!.next(to);
    expect(mail).toMatchObject({ from: 'bells@example.com', secure: true, user: 'carillon' });
    expect(mail.text).toContain('Task 2');
  }

  // A timed notice waits for its time, then sends what has come by the same server.
  const timed = await call()(addEmailNotice, {
    body: notice('Every morning', { userIds: [ben], sendType: 'timed', time: '08:00', zone: 'Asia/Seoul' }),
  });
  await happens();
  await company!.next('desk@example.com');
  await company!.next('ben@example.com');
  await happens();
  await company!.next('desk@example.com');
  await company!.next('ben@example.com');
  await sql('update email_notice set next_at = now() where id = $1', [timed.id]);
  const morning = await company!.next('ben@example.com');
  expect(morning.subject + morning.text).toContain('Every morning');
  for (const answer of ['Task 3', 'Task 4']) expect(morning.text).toContain(answer);

  // A mail that is refused temporarily is retried at the same server.
  const [tries, others] = [company!.tries(), system!.mails.length];
  company!.refuse(451);
  await happens();
  await eventually(() => expect(company!.tries()).toBeGreaterThan(tries + 6));
  company!.refuse(undefined);
  expect((await company!.next('desk@example.com')).text).toContain('Task 5');
  // A permanent refusal is reported.
  company!.refuse(550);
  await happens();
  await eventually(async () => {
    const { records } = await call()(listOperationLog, { query: { result: ['mail.sendFailure'] } });
    expect(records.map((r) => [r.action, r.objectName])).toContainEqual(['mail.send', 'desk@example.com']);
  });
  // So is a temporary refusal that outlasts the mail's lifetime.
  company!.refuse(451);
  await happens();
  await eventually(async () => {
    await sql(`update mail set expires_at = now() where status = 'waiting' and tries > 1`);
    const { records } = await call()(listOperationLog, { query: { result: ['mail.expired'] } });
    expect(records.map((r) => [r.action, r.objectName])).toContainEqual(['mail.send', 'desk@example.com']);
  });
  company!.refuse(undefined);
  expect(system!.mails).toHaveLength(others);

  // While the company's server is disabled or removed, the system's server sends its mails.
  await call()(editMailServer, { body: { ...server, enabled: false } });
  await happens();
  expect((await system!.next('desk@example.com')).text).toContain('Task 8');
  await call()(editMailServer, { body: { ...server, enabled: true } });
  await happens();
  expect((await company!.next('desk@example.com')).text).toContain('Task 9');
  await call()(deleteMailServer, {});
  await happens();
  expect((await system!.next('desk@example.com')).text).toContain('Task 10');
}, 240_000);

it("a company's mail server is its own, keeps its password secret and sends no login codes", async () => {
  const server = {
    host: 'localhost',
    port: company!.port,
    security: 'starttls' as const,
    user: 'carillon',
    from: 'bells@example.com',
    password: 'mail-secret',
  };
  const said: unknown[] = [await call()(editMailServer, { body: { ...server, enabled: true } })];
  said.push(await call()(getMailServer, {}));
  expect(await call(stranger)(getMailServer, {})).toEqual({ server: null, installation: true });
  expect(await refusal(call(stranger)(deleteMailServer, {}))).toBe('common.notFound');
  await call(stranger)(addEmailNotice, { body: notice('Theirs', { emails: ['theirs@example.com'] }) });
  await happens(stranger);
  expect(await system!.next('theirs@example.com')).toMatchObject({ from: 'carillon@example.com' });

  for (const [host, port] of [
    ['127.0.0.1', 465],
    ['10.0.0.8', 465],
    ['169.254.169.254', 465],
    ['localhost', system!.port],
    ['mail.example.com', 22],
  ] as const) {
    const body = { ...server, host, port };
    expect(await refusal(call()(editMailServer, { body: { ...body, enabled: true } }))).toBe('config.targetRefused');
    expect(await refusal(call()(testMailServer, { body: { to: 'a@example.com', server: body } }))).toBe(
      'config.targetRefused',
    );
  }
  // A user who sees only some organizations cannot change the company's server.
  const narrow = { ...own, orgIds: [own.orgId] };
  expect([
    await refusal(call(narrow)(editMailServer, { body: { ...server, enabled: true } })),
    await refusal(call(narrow)(deleteMailServer, {})),
    await refusal(call(narrow)(testMailServer, { body: { to: 'a@example.com', server } })),
  ]).toEqual(Array.from({ length: 3 }, () => 'mail.serverNarrowed'));

  for (const template of ['code', 'passwordReset'] as const)
    await platform(notification.database, 'test', () =>
      requestMail(Buffer.from(key, 'base64url'), {
        template,
        to: `${template}@example.com`,
        language: 'en_US',
        data: (template === 'code'
          ? { name: 'Anna', code: '493817', minutes: 10, purpose: 'login' }
          : { name: 'Anna', link: 'https://carillon.example/reset#1', days: 3 }) as never,
        companyId: own.companyId,
        about: null,
      }),
    );
  for (const to of ['code@example.com', 'passwordReset@example.com']) await system!.next(to);
  said.push((await call()(listOperationLog, { query: { limit: 200 } })).records);
  const stored = await sql('select to_jsonb(s) as row from company_mail_server s');
  expect(stored.rowCount).toBe(1);
  for (const text of [...said, stored.rows]) expect(JSON.stringify(text)).not.toContain('mail-secret');
});
