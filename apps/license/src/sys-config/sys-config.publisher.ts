import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { companySession, Database, transaction } from '@carillon/persistence';
import { SysConfigService } from './sys-config.service.ts';

/**
 * Publishes the FCS setting at the start, in case it was stored by a version that did not publish it. Consumers ignore
 * known versions.
 */
@Injectable()
export class SysConfigPublisher implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly configs: SysConfigService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await transaction(this.database, companySession(null), () => this.configs.publishFcs());
  }
}
