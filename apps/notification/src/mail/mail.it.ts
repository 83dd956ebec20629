import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  languages,
  getCompanyMail,
  getMailStatus,
  getOwnMail,
  getUserMail,
  mailRequest,
  mailTemplates,
  type MailTemplate,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, transaction } from '@carillon/persistence';
import { requestMail } from '@carillon/service';
import { eventually, newActor } from '@carillon/testing';
import { mailKey, link, samples, startMails } from './mail-test.ts';

const { bus, tested, services, own, start, ask, rows } = await startMails();

test(
  'every mail arrives in four languages over TLS, as text and HTML with the same content',
  { tags: 'slow' },
  async () => {
    const service = await start(tested.server.settings);
    for (const template of Object.keys(mailTemplates) as MailTemplate[]) {
      const subjects = new Set<string>();
      for (const language of languages) {
        const to = `${template}.${language}@example.com`.toLowerCase();
        await ask(service, to, template, language);
        const mail = await tested.server.next(to);
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
  const service = await start(tested.server.settings);
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
  await tested.server.next('once@example.com');
  await eventually(() => expect(seen).toHaveLength(1));
  const id = randomUUID();
  for (let i = 0; i < 2; i++)
    await bus.publish([
      toRecord(mailRequest, 'k', JSON.parse(seen[0]!), envelope('request', { companyId: own.companyId, id })),
    ]);
  await tested.server.next('once@example.com');
  await ask(service, 'last@example.com');
  await tested.server.next('last@example.com');
  await feed.close();
  expect(tested.server.mails.filter((m) => m.to.includes('once@example.com'))).toHaveLength(2);
  expect(tested.server.mails.some((m) => m.to.includes('never@example.com'))).toBe(false);
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

test('a name is text in a mail, whatever it looks like', async () => {
  const service = await start(tested.server.settings);
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
  const mail = await tested.server.next('text@example.com');
  expect(mail.to).toEqual(['text@example.com']);
  expect(mail.html).not.toContain('<img');
  expect(mail.text).toContain('{link} ${7*7} Bcc: evil@example.com');
  expect(mail.headers.some((h) => h.key === 'bcc')).toBe(false);
});

test('shows whether a mail waits, was accepted or refused, only to users who see its recipient', async () => {
  const service = await start(tested.server.settings);
  const user = newActor({ companyId: own.companyId, permissions: [] });
  const branch = randomUUID();
  const about = { userId: user.userId, orgIds: [branch] };
  const all = service.as(own);
  const mail = () => all(getUserMail, { params: { id: user.userId } });
  expect(await mail()).toBeNull();
  tested.server.refuse(451);
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
  tested.server.refuse(undefined);
  await eventually(async () => expect(await mail()).toMatchObject({ status: 'sent', error: null, reason: null }));
  tested.server.refuse(550);
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
  const away = await start({ ...tested.server.settings, smtpPort: 1 });
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
  const service = await start(tested.server.settings);
  const status = (id: string) => service.as(newActor({ permissions: [] }))(getMailStatus, { params: { id } });
  expect(await status(randomUUID())).toBeNull();
  tested.server.refuse(451);
  const later = await ask(service, 'status@example.com', 'code');
  await eventually(async () => expect(await status(later)).toEqual({ status: 'waiting', retrying: true }));
  tested.server.refuse(undefined);
  await eventually(async () => expect(await status(later)).toEqual({ status: 'sent', retrying: false }));
  tested.server.refuse(550);
  const never = await ask(service, 'status@example.com', 'code');
  await eventually(async () => expect(await status(never)).toEqual({ status: 'failed', retrying: false }));
});
