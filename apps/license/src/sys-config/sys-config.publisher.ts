import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { companySession, Database, transaction } from '@carillon/persistence';
import { SysConfigService } from './sys-config.service.ts';

/** At start: FCS as it was stored by a version that told nobody of it. One that is known already changes nothing. */
@Injectable()
export class SysConfigPublisher implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly configs: SysConfigService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await transaction(this.database, companySession(null), () => this.configs.tellFcs());
  }
}
