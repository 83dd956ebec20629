import { Controller, Inject } from '@nestjs/common';
import { createTransport } from 'nodemailer';
import { sameServer, testMail, type RouteInput } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { CONFIG, emitAudit, failAt, Failure, Handle, mailPorts, Outbound } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { transportOptions } from './mail.service.ts';
import { renderMail } from './render.ts';
import { mailSettings, storedServer } from './settings.ts';

/** A mail to whoever asks, by the server in the form, so that it is known to work before it is saved (SYS-01). */
@Controller()
export class TestMailController {
  private readonly outbound: Outbound;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
  ) {
    this.outbound = new Outbound(config, mailPorts);
  }

  @Handle(testMail)
  async send({ body: { to, server } }: RouteInput<typeof testMail>): Promise<null> {
    const who = context();
    const stored = await transaction(this.database, companySession(null), storedServer, { readOnly: true });
    const kept = mailSettings(this.config, stored);
    // The stored password goes to the stored server and to no other that somebody typed.
    const password =
      server.password === undefined
        ? kept && sameServer(kept, server)
          ? kept.password
          : undefined
        : (server.password ?? undefined);
    const address = await this.outbound.address(server);
    if (address === undefined) {
      await transaction(this.database, companySession(who.companyId), () =>
        emitAudit('config.testMail', 'config.targetRefused', {
          objectName: server.host,
          detail: { port: server.port },
        }),
      );
      failAt('server.host', 'config.targetRefused');
    }
    const settings = {
      stored: true,
      host: server.host,
      port: server.port,
      security: server.security,
      user: server.user ?? undefined,
      from: server.from,
      password,
      ca: kept?.ca,
    };
    try {
      await createTransport(transportOptions(settings, address)).sendMail({
        from: server.from,
        to: { name: '', address: to },
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...renderMail('test', who.language, { name: who.username, host: server.host }),
      });
    } catch (error) {
      const { code, responseCode, message } = error as Error & { code?: string; responseCode?: number };
      await transaction(this.database, companySession(who.companyId), () =>
        emitAudit('config.testMail', 'config.testFailed', { objectName: server.host, detail: { code, responseCode } }),
      );
      throw new Failure('config.testFailed', { reason: message.replace(/\s+/g, ' ').slice(0, 200) });
    }
    await transaction(this.database, companySession(who.companyId), () =>
      emitAudit('config.testMail', 'success', { objectName: server.host }),
    );
    return null;
  }
}
