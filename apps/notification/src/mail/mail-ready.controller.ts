import { Controller, Inject } from '@nestjs/common';
import { getMailReady } from '@carillon/contracts';
import { companySession, Database, transaction } from '@carillon/persistence';
import { CONFIG, Handle } from '@carillon/service';
import type { NotificationConfig } from '../config.ts';
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
}
