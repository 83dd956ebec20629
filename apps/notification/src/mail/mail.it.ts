import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  editMailServer,
  getMailCheck,
  languages,
  getCompanyMail,
  getMailStatus,
  getOwnMail,
  getUserMail,
  listOperationLog,
  mailRequest,
  mailTemplates,
  permissionKeys,
  testMail,
  type Language,
  type MailTemplate,
} from '@carillon/contracts';
import { envelope, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, platform, transaction } from '@carillon/persistence';
import { requestMail, type ServiceDefinition } from '@carillon/service';
import {
  eventually,
  newActor,
  startMailServer,
  testBus,
  testService,
  type MailServer,
  type TestedService,
} from '@carillon/testing';
import { notificationService } from '../notification.module.ts';
import { claimMails } from './mail.queries.ts';

const mailKey = randomBytes(32);
const own = newActor();
const services: TestedService[] = [];
let bus: PostgresBus;
let server: MailServer;

/** Starts notification with these settings. It takes over the consumer group from the previous one. */
async function start(settings: Record<string, unknown>): Promise<TestedService> {
  const service = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey,
    mailRetryMs: 20,
    mailTickMs: 20,
    ...settings,
  });
  services.push(service);
  return service;
}
const link = 'https://carillon.example/resetPassword#secret-of-the-link';
const samples: { [K in MailTemplate]: Record<string, unknown> } = {
  activation: { name: 'Anna', link, days: 3, company: 'Glocke & Söhne' },
  passwordReset: { name: 'Anna', link, days: 3 },
  emailChange: { name: 'Anna', link, days: 3 },
  emailChanged: { name: 'Anna', email: 'new@example.com' },
  passwordChanged: { name: 'Anna' },
  test: { name: 'Anna', host: 'mail.example.com' },
  code: { name: 'Anna', code: '493817', minutes: 10, purpose: 'login' },
  alarms: {
    name: 'Anna',
    title: 'Night watch',
    alarms: [
      {
        type: 6,
        level: 'medium',
        devices: 2,
        object: '',
        cause: 'site',
        causeName: 'Hamburg',
        values: { count: 2, account: null, version: null },
      },
      { type: 3, level: 'high', devices: 1, object: 'Desk', cause: 'none', causeName: null, values: {} },
    ],
    more: 3,
  },
};
const ask = (
  service: TestedService,
  to: string,
  template: MailTemplate = 'passwordReset',
  language: Language = 'en_US',
  more: object = {},
): Promise<string> =>
  transaction(service.database, companySession(own.companyId), () =>
    requestMail(mailKey, {
      template,
      to,
      language,
      data: samples[template] as never,
      companyId: own.companyId,
      about: null,
      ...more,
    }),
  );
const rows = (
  service: TestedService,
): Promise<{ status: string; tries: number; error: string | null; sealed: string }[]> =>
  transaction(
    service.database,
    companySession(own.companyId),
    async () =>
      (
        await currentSql().query<{ status: string; tries: number; error: string | null; sealed: string }>(
          'select status, tries, error, sealed from mail order by created_at desc, id desc',
        )
      ).rows,
  );
const told = async (service: TestedService, result: string) =>
  (await service.as(own)(listOperationLog, { query: { result: [result] } })).records;

beforeAll(async () => {
  bus = await testBus('mail_bus');
  server = await startMailServer();
});
afterEach(async () => {
  server.refuse(undefined);
  for (const service of services.splice(0)) await service.close();
});
afterAll(async () => {
  await server?.close();
  await bus?.close();
});

test(
  'every mail arrives in four languages over TLS, as text and HTML with the same content',
  { tags: 'slow' },
  async () => {
    const service = await start(server.settings);
    for (const template of Object.keys(mailTemplates) as MailTemplate[]) {
      const subjects = new Set<string>();
      for (const language of languages) {
        const to = `${template}.${language}@example.com`.toLowerCase();
        await ask(service, to, template, language);
        const mail = await server.next(to);
        expect(mail).toMatchObject({ from: 'carillon@example.com', to: [to], secure: true, user: 'carillon' });
        subjects.add(mail.subject);
        for (const text of [mail.subject, mail.text, mail.html]) expect(text).not.toMatch(/\{\w+\}|undefined/);
        const { link: inMail, code } = samples[template] as { link?: string; code?: string };
        for (const secret of [inMail, code])
          if (secret) {
            expect(mail.text).toContain(secret);
            expect(mail.html).toContain(secret);
            expect(mail.subject).not.toContain(secret);
          }
      }
      expect(subjects.size).toBe(languages.length);
    }
    await eventually(async () =>
      expect(new Set((await rows(service)).map((m) => `${m.status}${m.sealed}`))).toEqual(new Set(['sent'])),
    );
  },
);

test('a mail is sent once for a repeated request, and not at all after a rollback', async () => {
  const service = await start(server.settings);
  await expect(
    transaction(service.database, companySession(own.companyId), async () => {
      await requestMail(mailKey, {
        template: 'passwordChanged',
        to: 'never@example.com',
        language: 'en_US',
        data: { name: 'Anna' },
        companyId: own.companyId,
        about: null,
      });
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  const seen: string[] = [];
  const feed = await bus.fanout({
    topics: [mailRequest.name],
    from: 'end',
    handle: ({ records }) => {
      seen.push(...records.map((r) => r.value!));
    },
  });
  await feed.caughtUp;
  await ask(service, 'once@example.com');
  await server.next('once@example.com');
  await eventually(() => expect(seen).toHaveLength(1));
  const id = randomUUID();
  for (let i = 0; i < 2; i++)
    await bus.publish([
      toRecord(mailRequest, 'k', JSON.parse(seen[0]!), envelope('request', { companyId: own.companyId, id })),
    ]);
  await server.next('once@example.com');
  await ask(service, 'last@example.com');
  await server.next('last@example.com');
  await feed.close();
  expect(server.mails.filter((m) => m.to.includes('once@example.com'))).toHaveLength(2);
  expect(server.mails.some((m) => m.to.includes('never@example.com'))).toBe(false);
});

test('no address, link or code is in clear on the bus or in a table', async () => {
  const service = await start({});
  const seen: string[] = [];
  const feed = await bus.fanout({
    topics: [mailRequest.name],
    from: 'start',
    handle: ({ records }) => {
      seen.push(...records.map((r) => `${r.key}${JSON.stringify(r.headers)}${r.value}`));
    },
  });
  await ask(service, 'hidden@example.com');
  await ask(service, 'hidden@example.com', 'code');
  const stored = await eventually(async () => {
    const found = await rows(service);
    expect(found.length).toBeGreaterThanOrEqual(2);
    return found;
  });
  await feed.caughtUp;
  expect(seen.length).toBeGreaterThanOrEqual(2);
  for (const secret of ['hidden@example.com', 'secret-of-the-link', '493817', 'Anna'])
    expect(`${seen.join()}${JSON.stringify(stored)}`).not.toContain(secret);
  await feed.close();
});

test('retries until a refusing or unavailable server accepts the mail', async () => {
  const service = await start(server.settings);
  server.refuse(451);
  const before = server.tries();
  await ask(service, 'later@example.com');
  await eventually(() => expect(server.tries()).toBeGreaterThanOrEqual(before + 3));
  server.refuse(undefined);
  await server.next('later@example.com');
  await service.close();
  services.splice(0);
  await server.close();
  const away = await start(server.settings);
  await ask(away, 'back@example.com');
  await eventually(async () =>
    expect((await rows(away))[0]).toMatchObject({ status: 'waiting', error: 'mail.sendFailure' }),
  );
  server = await startMailServer({ port: server.port });
  // Its new certificate is not trusted: nothing is sent to an unknown server.
  const waited = (await rows(away))[0]!.tries;
  await eventually(async () => expect((await rows(away))[0]!.tries).toBeGreaterThan(waited + 1));
  expect(server.mails).toEqual([]);
});

test('a permanently refused or expired mail is logged in the operation log and deleted', async () => {
  const service = await start(server.settings);
  server.refuse(550);
  await ask(service, 'nobody@example.com');
  const [entry] = await eventually(async () => {
    const found = await told(service, 'mail.sendFailure');
    expect(found).toHaveLength(1);
    return found;
  });
  expect(entry).toMatchObject({
    action: 'mail.send',
    username: 'system',
    objectName: 'nobody@example.com',
    detail: { template: 'passwordReset' },
  });
  expect(JSON.stringify(entry)).not.toContain('secret-of-the-link');
  expect((await rows(service))[0]).toMatchObject({ status: 'failed', sealed: '', error: 'mail.sendFailure', tries: 1 });
  server.refuse(451);
  await ask(service, 'late@example.com', 'code', 'ko', { validSeconds: 1 });
  await eventually(async () =>
    expect((await told(service, 'mail.expired')).map((e) => e.objectName)).toEqual(['late@example.com']),
  );
});

test('without a mail server a mail is kept, reported once, and sent when a server is configured', async () => {
  const company = newActor();
  const service = await start({});
  await transaction(service.database, companySession(company.companyId), () =>
    requestMail(mailKey, {
      template: 'activation',
      to: 'kept@example.com',
      language: 'pt_BR',
      data: samples.activation as never,
      companyId: company.companyId,
      about: null,
    }),
  );
  const entries = async () => (await service.as(company)(listOperationLog, { query: {} })).records;
  await eventually(async () =>
    expect((await entries()).map((e) => [e.result, e.objectName])).toEqual([
      ['mail.notConfigured', 'kept@example.com'],
    ]),
  );
  const held = await transaction(
    service.database,
    companySession(company.companyId),
    async () => (await currentSql().query<Record<string, string>>('select * from mail')).rows,
  );
  // The stored row, in a process with a server.
  const configured = await start(server.settings);
  await transaction(configured.database, companySession(company.companyId), () =>
    currentSql().query(`insert into mail select * from jsonb_populate_record(null::mail, $1::jsonb)`, [
      JSON.stringify({ ...held[0], next_at: new Date() }),
    ]),
  );
  await server.next('kept@example.com');
  expect(await entries()).toHaveLength(1);
});

test('a name is text in a mail, whatever it looks like', async () => {
  const service = await start(server.settings);
  const name = '<img src=x onerror=alert(1)> {link} ${7*7}\r\nBcc: evil@example.com';
  await transaction(service.database, companySession(own.companyId), () =>
    requestMail(mailKey, {
      template: 'activation',
      to: 'text@example.com',
      language: 'en_US',
      data: { name, link, days: 3, company: name },
      companyId: own.companyId,
      about: null,
    }),
  );
  const mail = await server.next('text@example.com');
  expect(mail.to).toEqual(['text@example.com']);
  expect(mail.html).not.toContain('<img');
  expect(mail.text).toContain('{link} ${7*7} Bcc: evil@example.com');
  expect(mail.headers.some((h) => h.key === 'bcc')).toBe(false);
});

test('shows whether a mail waits, was accepted or refused, only to users who see its recipient', async () => {
  const service = await start(server.settings);
  const user = newActor({ companyId: own.companyId, permissions: [] });
  const branch = randomUUID();
  const about = { userId: user.userId, orgIds: [branch] };
  const all = service.as(own);
  const mail = () => all(getUserMail, { params: { id: user.userId } });
  expect(await mail()).toBeNull();
  server.refuse(451);
  await ask(service, 'state@example.com', 'activation', 'en_US', { about });
  expect(
    await eventually(async () => {
      const found = await mail();
      expect(found?.reason).toBeTruthy();
      return found;
    }),
  ).toMatchObject({
    template: 'activation',
    status: 'waiting',
    error: 'mail.sendFailure',
    reason: '451 refused by the test',
    endedAt: null,
  });
  server.refuse(undefined);
  await eventually(async () => expect(await mail()).toMatchObject({ status: 'sent', error: null, reason: null }));
  server.refuse(550);
  await ask(service, 'state@example.com', 'passwordReset', 'en_US', { about });
  await eventually(async () =>
    expect(await mail()).toMatchObject({
      template: 'passwordReset',
      status: 'failed',
      error: 'mail.sendFailure',
      reason: '550 refused by the test',
    }),
  );
  // The user themselves, the creator of the company, and users who see the user's organizations; nobody else.
  const last = await mail();
  expect(await service.as(user)(getOwnMail)).toEqual(last);
  const maker = newActor({ permissions: ['company'] });
  const ofCompany = { params: { id: own.companyId, userId: user.userId } };
  expect(await service.as(maker)(getCompanyMail, ofCompany)).toEqual(last);
  await expect(all(getCompanyMail, ofCompany)).rejects.toMatchObject({ code: 403 });
  const inBranch = newActor({ companyId: own.companyId, orgIds: [branch] });
  expect(await service.as(inBranch)(getUserMail, { params: { id: user.userId } })).toEqual(last);
  for (const other of [newActor({ companyId: own.companyId, orgIds: [randomUUID()] }), newActor()])
    expect(await service.as(other)(getUserMail, { params: { id: user.userId } })).toBeNull();
  // Only the server's words: our own connection errors name addresses of the installation. Two services share the group
  // of the bus and either would take the mail, so the first one stops.
  await services.pop()!.close();
  const away = await start({ ...server.settings, smtpPort: 1 });
  await ask(away, 'away@example.com', 'activation', 'en_US', { about });
  await eventually(async () =>
    expect(await away.as(own)(getUserMail, { params: { id: user.userId } })).toMatchObject({
      status: 'waiting',
      error: 'mail.sendFailure',
      reason: null,
    }),
  );
});

test('the id of a mail is enough to learn whether it was sent', async () => {
  const service = await start(server.settings);
  const status = (id: string) => service.as(newActor({ permissions: [] }))(getMailStatus, { params: { id } });
  expect(await status(randomUUID())).toBeNull();
  server.refuse(451);
  const later = await ask(service, 'status@example.com', 'code');
  await eventually(async () => expect(await status(later)).toEqual({ status: 'waiting', retrying: true }));
  server.refuse(undefined);
  await eventually(async () => expect(await status(later)).toEqual({ status: 'sent', retrying: false }));
  server.refuse(550);
  const never = await ask(service, 'status@example.com', 'code');
  await eventually(async () => expect(await status(never)).toEqual({ status: 'failed', retrying: false }));
});

test('a company’s mail server that answers a word now and then, and never ends, holds its own mails alone: codes and other companies’ mails go, and it is given up in time', async () => {
  const open = new Set<Socket>();
  const dripping = createServer((socket) => {
    open.add(socket.on('error', () => undefined).on('close', () => open.delete(socket)));
    const timer = setInterval(() => socket.write('220-a moment\r\n'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const port = await new Promise<number>((done) =>
    dripping.listen(0, '127.0.0.1', () => done((dripping.address() as AddressInfo).port)),
  );
  const service = await start({
    ...server.settings,
    outboundAllowed: `localhost:${port}`,
    mailDeadlineMs: 1_500,
    mailRetryMs: 1,
  });
  const slow = newActor();
  await service.as(slow)(editMailServer, {
    body: {
      host: 'localhost',
      port,
      security: 'none',
      user: null,
      from: 'a@example.com',
      password: null,
      enabled: true,
    },
  });
  const asks = (to: string, template: MailTemplate, companyId = slow.companyId) =>
    transaction(service.database, companySession(companyId), () =>
      requestMail(mailKey, {
        template,
        to,
        language: 'en_US',
        data: samples[template] as never,
        companyId,
        about: null,
      }),
    );
  for (let n = 0; n < 8; n++) await asks(`slow${n}@example.com`, 'passwordChanged');
  await eventually(() => expect(open.size).toBe(1));
  const began = Date.now();
  await asks('anna@example.com', 'code');
  await ask(service, 'ben@example.com', 'passwordChanged');
  await server.next('anna@example.com');
  await server.next('ben@example.com');
  expect(Date.now() - began).toBeLessThan(1_500);
  // One of many waiting mails is tried at a time, and no connection outlives its mail.
  const [first] = open;
  await eventually(() => expect(first!.destroyed).toBe(true));
  expect(open.size).toBeLessThanOrEqual(1);
  await services.pop()!.close();
  expect(open.size).toBe(0);
  await new Promise((done) => dripping.close(done));
});

test('mails of accounts go before notices, and companies take turns with their notices', async () => {
  const service = await start({ mailTickMs: 3_600_000 });
  const [many, few] = [randomUUID(), randomUUID()];
  const claimed = await platform(service.database, 'test', async () => {
    for (const [companyId, template, count, secondsAgo] of [
      [many, 'alarms', 10, 300],
      [few, 'alarms', 2, 200],
      [few, 'code', 1, 100],
    ] as const)
      await currentSql().query(
        `
          insert into mail (
            id, company_id, template, language, sealed, status, tries, next_at, expires_at, created_at
          )
          select gen_random_uuid(), $1, $2, 'en_US', '', 'waiting', 0, now() - make_interval(secs => $4 - n),
            now() + interval '1 day', now()
          from generate_series(1, $3) n
        `,
        [companyId, template, count, secondsAgo],
      );
    return claimMails('installation', 4, 120);
  });
  const of = (companyId: string, template: MailTemplate) =>
    claimed.filter((mail) => mail.companyId === companyId && mail.template === template).length;
  expect([of(few, 'code'), of(many, 'alarms'), of(few, 'alarms')]).toEqual([1, 2, 1]);
});

test('the mail server counts as checked by its last test alone, not by a test of other settings', async () => {
  const service = await start({ ...server.settings, outboundAllowed: 'localhost' });
  const operator = newActor({ permissions: permissionKeys });
  const { smtpHost: host, smtpPort: port, smtpSecurity: security, smtpUser: user } = server.settings;
  const ask = (change: object) =>
    service
      .as(operator)(testMail, {
        body: { to: 'operator@example.com', server: { host, port, security, user, from: 'a@example.com', ...change } },
      })
      .then(
        () => 'sent',
        (e: { error: string }) => e.error,
      );
  const state = async () => (await service.as(operator)(getMailCheck, {})).state;
  expect(await state()).toBe('untested');
  expect(await ask({ user: 'another', password: 'unknown' })).toBe('config.testFailed');
  expect(await state()).toBe('untested');
  expect(await ask({ password: 'wrong' })).toBe('config.testFailed');
  expect(await state()).toBe('untested');
  server.refuse(550);
  expect(await ask({})).toBe('config.testFailed');
  expect(await state()).toBe('failed');
  server.refuse(undefined);
  expect(await ask({})).toBe('sent');
  expect(await state()).toBe('passed');
});
