import { randomUUID } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  editMailServer,
  getMailCheck,
  listOperationLog,
  permissionKeys,
  testMail,
  type MailTemplate,
} from '@carillon/contracts';
import { companySession, currentSql, platform, transaction } from '@carillon/persistence';
import { requestMail } from '@carillon/service';
import { eventually, newActor, startMailServer, type TestedService } from '@carillon/testing';
import { claimMails } from './mail.queries.ts';
import { mailKey, samples, startMails } from './mail-test.ts';

const { tested, services, own, start, ask, rows } = await startMails();
const seen = async (service: TestedService, result: string) =>
  (await service.as(own)(listOperationLog, { query: { result: [result] } })).records;

test('retries until a refusing or unavailable server accepts the mail', async () => {
  const service = await start(tested.server.settings);
  tested.server.refuse(451);
  const before = tested.server.tries();
  await ask(service, 'later@example.com');
  await eventually(() => expect(tested.server.tries()).toBeGreaterThanOrEqual(before + 3));
  tested.server.refuse(undefined);
  await tested.server.next('later@example.com');
  await service.close();
  services.splice(0);
  await tested.server.close();
  const away = await start(tested.server.settings);
  await ask(away, 'back@example.com');
  await eventually(async () =>
    expect((await rows(away))[0]).toMatchObject({ status: 'waiting', error: 'mail.sendFailure' }),
  );
  tested.server = await startMailServer({ port: tested.server.port });
  // Its new certificate is not trusted: nothing is sent to an unknown server.
  const waited = (await rows(away))[0]!.tries;
  await eventually(async () => expect((await rows(away))[0]!.tries).toBeGreaterThan(waited + 1));
  expect(tested.server.mails).toEqual([]);
});

test('a permanently refused or expired mail is logged in the operation log and deleted', async () => {
  const service = await start(tested.server.settings);
  tested.server.refuse(550);
  await ask(service, 'nobody@example.com');
  const [entry] = await eventually(async () => {
    const found = await seen(service, 'mail.sendFailure');
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
  tested.server.refuse(451);
  await ask(service, 'late@example.com', 'code', 'ko', { validSeconds: 1 });
  await eventually(async () =>
    expect((await seen(service, 'mail.expired')).map((e) => e.objectName)).toEqual(['late@example.com']),
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
  const configured = await start(tested.server.settings);
  await transaction(configured.database, companySession(company.companyId), () =>
    currentSql().query(`insert into mail select * from jsonb_populate_record(null::mail, $1::jsonb)`, [
      JSON.stringify({ ...held[0], next_at: new Date() }),
    ]),
  );
  await tested.server.next('kept@example.com');
  expect(await entries()).toHaveLength(1);
});

test('a mail server that never ends its answer delays only the mails of its own company', async () => {
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
    ...tested.server.settings,
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
  await tested.server.next('anna@example.com');
  await tested.server.next('ben@example.com');
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
  const mailOf = (companyId: string, template: MailTemplate) =>
    claimed.filter((mail) => mail.companyId === companyId && mail.template === template).length;
  expect([mailOf(few, 'code'), mailOf(many, 'alarms'), mailOf(few, 'alarms')]).toEqual([1, 2, 1]);
});

test('the mail server counts as checked by its last test alone, not by a test of other settings', async () => {
  const service = await start({ ...tested.server.settings, outboundAllowed: 'localhost' });
  const operator = newActor({ permissions: permissionKeys });
  const { smtpHost: host, smtpPort: port, smtpSecurity: security, smtpUser: user } = tested.server.settings;
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
  tested.server.refuse(550);
  expect(await ask({})).toBe('config.testFailed');
  expect(await state()).toBe('failed');
  tested.server.refuse(undefined);
  expect(await ask({})).toBe('sent');
  expect(await state()).toBe('passed');
});
