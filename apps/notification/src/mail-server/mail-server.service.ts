import { Inject, Injectable } from '@nestjs/common';
import {
  sameServer,
  type editMailServer,
  type getMailServer,
  type RouteInput,
  type RouteReturn,
  type testMailServer,
} from '@carillon/contracts';
import {
  afterCommit,
  companySession,
  currentEntities,
  currentSql,
  Database,
  sessionOf,
  transaction,
} from '@carillon/persistence';
import {
  auditNote,
  CONFIG,
  emitAudit,
  fail,
  failAt,
  Failure,
  found,
  mailPorts,
  Outbound,
  seal,
} from '@carillon/service';
import { context, seesAll } from '@carillon/tenancy';
import type { NotificationConfig } from '../config.ts';
import { mailsMayGo } from '../mail/mail.queries.ts';
import { MailSender } from '../mail/mail.service.ts';
import { companySettings, mailSettings, passwordPurpose, storedServer } from '../mail/settings.ts';
import { sendTestMail } from '../mail/test-mail.ts';
import { CompanyMailServer } from './company-mail-server.entity.ts';

type Record = RouteReturn<typeof editMailServer>;

const shown = ({ host, port, security, userName, sender, sealed, enabled }: CompanyMailServer): Record => ({
  host,
  port,
  security,
  user: userName,
  from: sender,
  passwordSet: sealed !== null,
  enabled,
});

/** Fails for a user who does not see all organizations, because all of their mails use the server. */
function refuseNarrowed(): void {
  if (!seesAll()) fail('mail.serverNarrowed');
}

/** The mail server of a company, which replaces the installation's (NOTE-03). */
@Injectable()
export class MailServerService {
  private readonly outbound: Outbound;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
    private readonly sender: MailSender,
  ) {
    this.outbound = new Outbound(config, mailPorts);
  }

  async get(): Promise<RouteReturn<typeof getMailServer>> {
    const own = await this.own();
    return {
      server: own ? shown(own) : null,
      installation: mailSettings(this.config, await storedServer()) !== undefined,
    };
  }

  async edit({ password, ...given }: RouteInput<typeof editMailServer>['body']): Promise<Record> {
    refuseNarrowed();
    const { companyId } = context();
    if (!this.outbound.couldBe(given)) failAt('host', 'config.targetRefused');
    const stored = await this.own();
    const before = stored ? shown(stored) : null;
    const kept = stored && sameServer(stored, given) ? stored.sealed : null;
    const sealed =
      password === undefined
        ? kept
        : password === null
          ? null
          : seal(this.config.mailKey, passwordPurpose(companyId), password);
    const { user, from, ...same } = given;
    const values = { ...same, userName: user, sender: from, sealed };
    const server = stored ?? currentEntities().create(CompanyMailServer, { id: companyId, companyId, ...values });
    currentEntities().assign(server, values);
    await currentEntities().flush();
    auditNote({
      objectId: companyId,
      objectName: given.host,
      detail: { before, after: shown(server) },
    });
    await this.goOn();
    return shown(server);
  }

  async delete(): Promise<null> {
    refuseNarrowed();
    const server = found(await this.own());
    auditNote({ objectId: server.id, objectName: server.host, detail: { before: shown(server), after: null } });
    await currentEntities().remove(server).flush();
    await this.goOn();
    return null;
  }

  async test({ to, server }: RouteInput<typeof testMailServer>['body']): Promise<null> {
    refuseNarrowed();
    const who = context();
    const [stored, installation] = await transaction(
      this.database,
      sessionOf(who),
      async () => [await this.own(), mailSettings(this.config, await storedServer())] as const,
      { readOnly: true },
    );
    const logTest = (result: Parameters<typeof emitAudit>[1], detail: object) =>
      transaction(this.database, companySession(who.companyId), () =>
        emitAudit('mailServer.test', result, { objectName: server.host, detail: { port: server.port, ...detail } }),
      );
    const address = await this.outbound.address(server);
    if (address === undefined) {
      await logTest('config.targetRefused', {});
      failAt('server.host', 'config.targetRefused');
    }
    // The stored password is sent to the stored server only, never to a newly typed one.
    const kept = stored && sameServer(stored, server) ? companySettings(this.config, stored, installation) : undefined;
    const password = server.password === undefined ? kept?.password : (server.password ?? undefined);
    const failed = await sendTestMail({ ...server, password, ca: installation?.ca }, address, to);
    if (failed) {
      await logTest('config.testFailed', { code: failed.code, responseCode: failed.responseCode });
      throw new Failure('config.testFailed', { reason: failed.words });
    }
    await logTest('success', {});
    return null;
  }

  private own(): Promise<CompanyMailServer | null> {
    return currentEntities().findOne(CompanyMailServer, { id: context().companyId });
  }

  /** Retries mails that waited for a server. */
  private async goOn(): Promise<void> {
    // They include mails to users of every organization.
    await currentSql().query(`select set_config('app.org_ids', '*', true)`);
    await mailsMayGo();
    afterCommit(() => this.sender.wake());
  }
}
