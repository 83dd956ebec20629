import { Controller, Inject } from '@nestjs/common';
import { sameServer, testMail, type RouteInput } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { CONFIG, emitAudit, failAt, Failure, Handle, mailPorts, Outbound } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { mailSettings, storedServer } from './settings.ts';
import { sendTestMail } from './test-mail.ts';

/** Sends a mail to the caller through the server in the form, to test it before it is saved (SYS-01). */
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
    // The stored password is sent to the stored server only, never to a newly typed one.
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
    const failed = await sendTestMail({ ...server, password, ca: kept?.ca }, address, to);
    if (failed) {
      const { code, responseCode, message } = failed;
      await transaction(this.database, companySession(who.companyId), () =>
        emitAudit('config.testMail', 'config.testFailed', { objectName: server.host, detail: { code, responseCode } }),
      );
      throw new Failure('config.testFailed', { reason: message });
    }
    await transaction(this.database, companySession(who.companyId), () =>
      emitAudit('config.testMail', 'success', { objectName: server.host }),
    );
    return null;
  }
}
