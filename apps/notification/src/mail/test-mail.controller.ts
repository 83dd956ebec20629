import { Controller, Inject } from '@nestjs/common';
import { sameServer, testMail, type RouteInput } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { CONFIG, emitAudit, failAt, Failure, Handle, mailPorts, Outbound } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { storeCheck } from './mail-check.ts';
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
      await this.note({ ...server, password }, false, 'config.targetRefused', { port: server.port });
      failAt('server.host', 'config.targetRefused');
    }
    const failed = await sendTestMail({ ...server, password, ca: kept?.ca }, address, to);
    if (failed) {
      const { code, responseCode, message } = failed;
      await this.note({ ...server, password }, false, 'config.testFailed', { code, responseCode });
      throw new Failure('config.testFailed', { reason: message });
    }
    await this.note({ ...server, password }, true, 'success');
    return null;
  }

  /** Stores how the test ended, also in the operation log: it has no transaction of its own. */
  private note(
    server: Parameters<typeof storeCheck>[0],
    passed: boolean,
    outcome: Parameters<typeof emitAudit>[1],
    detail?: Record<string, unknown>,
  ): Promise<void> {
    return transaction(this.database, companySession(context().companyId), async () => {
      await storeCheck(server, this.config.mailKey, passed);
      await emitAudit('config.testMail', outcome, { objectName: server.host, ...(detail ? { detail } : {}) });
    });
  }
}
