import { Controller, Inject } from '@nestjs/common';
import { getMailCheck, getMailReady, type MailCheckState } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { CONFIG, Handle } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
import { checkOf } from './mail-check.ts';
import { mailSettings, storedServer } from './settings.ts';

@Controller()
export class MailReadyController {
  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: NotificationConfig,
  ) {}

  @Handle(getMailReady)
  async ready(): Promise<{ ready: boolean }> {
    const stored = await transaction(this.database, companySession(null), storedServer, { readOnly: true });
    return { ready: mailSettings(this.config, stored) !== undefined };
  }

  @Handle(getMailCheck)
  async check(): Promise<{ state: MailCheckState | null }> {
    const server = mailSettings(this.config, await storedServer());
    return { state: server === undefined ? null : await checkOf(server, this.config.mailKey) };
  }
}
