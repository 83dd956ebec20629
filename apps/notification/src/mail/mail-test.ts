import { randomBytes } from 'node:crypto';
import { afterAll, afterEach } from 'vitest';
import type { Language, MailTemplate } from '@carillon/contracts';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { requestMail, type ServiceDefinition } from '@carillon/service';
import {
  newActor,
  startMailServer,
  testBus,
  testService,
  type MailServer,
  type TestedService,
} from '@carillon/testing';
import { notificationService } from '../notification.module.ts';

export const mailKey = randomBytes(32);
export const link = 'https://carillon.example/resetPassword#secret-of-the-link';
export const samples: { [K in MailTemplate]: Record<string, unknown> } = {
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

/** Starts a bus and a mail server. Closes the started services after each test. */
export async function startMails() {
  const own = newActor();
  const services: TestedService[] = [];
  /** The mail server of the current test. */
  const tested = {} as { server: MailServer };
  const bus = await testBus('mail_bus');
  tested.server = await startMailServer();
  afterEach(async () => {
    tested.server.refuse(undefined);
    for (const service of services.splice(0)) await service.close();
  });
  afterAll(async () => {
    await tested.server.close();
    await bus.close();
  });

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
  return { bus, tested, services, own, start, ask, rows };
}
