import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { createLogger } from '@carillon/observability';
import { companySession, Database, transaction } from '@carillon/persistence';
import { runAs, systemContext } from '@carillon/tenancy';
import { CONFIG, emitAudit, mailPorts, openMail, Outbound, WorkLoop } from '@carillon/service';
import type { ErrorKey } from '@carillon/contracts/errors';
import type { NotificationConfig } from '../config.ts';
import { claimMails, endMail, holdMail, retryMail, type MailRow } from './mail.queries.ts';
import { settingsFor, type MailSettings } from './settings.ts';
import { renderMail } from './render.ts';

const log = createLogger('mail');
const atOnce = 4;
const leaseSeconds = 120;
const longestPauseMs = 3_600_000;

/**
 * Returns whether a mail server's refusal is permanent: no such mailbox, message refused. A refused login is our own
 * setting and may be corrected.
 */
const isFinal = (error: { code?: string; responseCode?: number }): boolean =>
  error.code !== 'EAUTH' && (error.responseCode ?? 0) >= 500;

/**
 * Returns the mail server's response for the user. Our own connection errors name addresses of the installation and are
 * not shown.
 */
export const wordsOf = (response: string | undefined): string | null =>
  response === undefined ? null : response.replace(/\s+/g, ' ').trim().slice(0, 200);

/** Options of nodemailer for one mail server, over a connection to its resolved address. */
const transportOptions = (settings: MailSettings, address: string, connection: Socket) => ({
  host: address,
  connection,
  port: settings.port,
  secure: settings.security === 'tls',
  requireTLS: settings.security === 'starttls',
  ignoreTLS: settings.security === 'none',
  ...(settings.user ? { auth: { user: settings.user, pass: settings.password ?? '' } } : {}),
  tls: {
    minVersion: 'TLSv1.2' as const,
    ...(isIP(settings.host) ? {} : { servername: settings.host }),
    ...(settings.ca ? { ca: settings.ca } : {}),
  },
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Sends a mail to a server with a total time limit: a server that answers slowly forever costs only its own mail this
 * time, and no connection stays open.
 */
export async function handOver(
  settings: MailSettings,
  address: string,
  withinMs: number,
  mail: SendMailOptions,
): Promise<void> {
  const socket = connect({ host: address, port: settings.port });
  const tooSlow = () => Object.assign(new Error('the mail server was too slow'), { code: 'ETIMEDOUT' });
  const late = Promise.withResolvers<never>();
  const giveUp = (): void => {
    late.reject(tooSlow());
    socket.destroy();
  };
  const connecting = setTimeout(giveUp, Math.min(10_000, withinMs));
  const whole = setTimeout(giveUp, withinMs);
  // The error already rejects the pending connect or response; the socket may emit it again.
  socket.on('error', () => undefined);
  const done = async (): Promise<void> => {
    await once(socket, 'connect');
    clearTimeout(connecting);
    await createTransport(transportOptions(settings, address, socket)).sendMail(mail);
  };
  try {
    await Promise.race([done(), late.promise]);
  } finally {
    clearTimeout(connecting);
    clearTimeout(whole);
    socket.destroy();
  }
}

/**
 * Mails for companies' own servers have a separate queue with one mail per company at a time, so that a slow server of
 * one company does not delay codes and links through the installation's server.
 */
@Injectable()
export class MailSender implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly lines: readonly MailLine[];

  constructor(database: Database, @Inject(CONFIG) config: NotificationConfig) {
    this.lines = [new MailLine(database, config, 'installation'), new MailLine(database, config, 'company')];
  }

  onApplicationBootstrap(): void {
    for (const line of this.lines) line.onApplicationBootstrap();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.lines.map((line) => line.onApplicationShutdown()));
  }

  /** Signals that there may be mails. */
  wake(): void {
    for (const line of this.lines) line.wake();
  }
}

/**
 * Sends due mails, four at a time. A mail is claimed before it is sent and ended after, so that a crash in between
 * sends it again rather than losing it; it keeps its Message-ID, by which mailboxes detect duplicates.
 */
class MailLine extends WorkLoop<MailRow> {
  private readonly outbound: Outbound;
  private readonly config: NotificationConfig;
  private readonly by: 'installation' | 'company';

  constructor(database: Database, config: NotificationConfig, by: 'installation' | 'company') {
    super(database, { reason: 'mails that are due, of all companies', tickMs: config.mailTickMs, atOnce });
    this.config = config;
    this.by = by;
    this.outbound = new Outbound(config, mailPorts);
  }

  protected override claim(): Promise<MailRow[]> {
    return claimMails(this.by, atOnce, leaseSeconds);
  }

  protected override async perform(mail: MailRow): Promise<void> {
    await this.send(mail);
    // One per company was taken, so there may be more.
    if (this.by === 'company') this.wake();
  }

  private async send(mail: MailRow): Promise<void> {
    const settings = await transaction(
      this.database,
      companySession(mail.companyId),
      () => settingsFor(this.config, mail.template),
      { readOnly: true },
    );
    if (mail.expired) return this.giveUp(mail, 'mail.expired');
    if (!settings) {
      await this.settle(mail, async () => {
        if (await holdMail(mail.id, 10 * this.config.mailTickMs)) await this.logFailure(mail, 'mail.notConfigured');
      });
      return;
    }
    const body = openMail(this.config.mailKey, mail.template, mail.sealed);
    if (!body) {
      log.error({ id: mail.id, template: mail.template }, 'a mail was sealed with another key');
      return this.giveUp(mail, 'mail.sendFailure');
    }
    try {
      const address = settings.stored ? await this.outbound.address(settings) : settings.host;
      if (address === undefined)
        throw Object.assign(new Error('the mail server may not be reached'), { code: 'config.targetRefused' });
      await handOver(settings, address, this.config.mailDeadlineMs, {
        from: settings.from,
        to: { name: '', address: body.to },
        messageId: `<${mail.id}@carillon>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...renderMail(mail.template, mail.language, body.data),
      });
    } catch (error) {
      const reason = error as Error & { code?: string; responseCode?: number; response?: string };
      // The address is personal and is not logged; the server's words may repeat it.
      log.warn(
        {
          id: mail.id,
          template: mail.template,
          tries: mail.tries,
          code: reason.code,
          responseCode: reason.responseCode,
        },
        'a mail was not taken',
      );
      if (isFinal(reason)) return this.giveUp(mail, 'mail.sendFailure', body.to, wordsOf(reason.response));
      await this.settle(mail, () =>
        retryMail(
          mail.id,
          Math.min(this.config.mailRetryMs * 3 ** (mail.tries - 1), longestPauseMs),
          'mail.sendFailure',
          wordsOf(reason.response),
        ),
      );
      return;
    }
    await this.settle(mail, () => endMail(mail.id, 'sent', null));
  }

  private async giveUp(mail: MailRow, error: ErrorKey, to?: string, words: string | null = null): Promise<void> {
    await this.settle(mail, async () => {
      await endMail(mail.id, 'failed', error, words);
      await this.logFailure(mail, error, to ?? openMail(this.config.mailKey, mail.template, mail.sealed)?.to);
    });
  }

  /** Logs the failure in the operation log, so that no mail is lost silently. */
  private async logFailure(
    mail: MailRow,
    error: ErrorKey,
    to = openMail(this.config.mailKey, mail.template, mail.sealed)?.to,
  ): Promise<void> {
    await emitAudit('mail.send', error, {
      objectId: mail.id,
      ...(to ? { objectName: to } : {}),
      detail: { template: mail.template, tries: mail.tries },
    });
  }

  private async settle(mail: MailRow, fn: () => Promise<unknown>): Promise<void> {
    await runAs(systemContext(mail.companyId), () =>
      transaction(this.database, companySession(mail.companyId), async () => {
        await fn();
      }),
    );
  }
}
