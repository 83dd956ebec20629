import { Module } from '@nestjs/common';
import { provisioningExports, sipServerExport, sipAccountExport } from '@carillon/contracts';
import {
  CompanySecrets,
  CONFIG,
  DataKey,
  defineService,
  DeletedRetention,
  deletedEntity,
  exportEntities,
  ExportModule,
} from '@carillon/service';
import { provisioningConfig, type ProvisioningConfig } from './config.ts';
import { Migration20261124Provisioning } from './migrations/20261124-provisioning.ts';
import { Migration20261124cProvisioningListExport } from './migrations/20261124c-list-export.ts';
import { OrganizationCopy, OrganizationProjection } from './organization/organization.projection.ts';
import { AccountLineConsumer } from './sip-account/account-line.consumer.ts';
import { SipAccountController } from './sip-account/sip-account.controller.ts';
import { AccountLine, DeviceCopy, SipAccount } from './sip-account/sip-account.entity.ts';
import { SipAccountService } from './sip-account/sip-account.service.ts';
import { SipServerController } from './sip-server/sip-server.controller.ts';
import { SipServer } from './sip-server/sip-server.entity.ts';
import { SipServerService } from './sip-server/sip-server.service.ts';
import { SiteCopy, SiteProjection } from './site/site.projection.ts';

@Module({
  imports: [ExportModule.of(provisioningExports, [{ of: sipServerExport }, { of: sipAccountExport }])],
  controllers: [SipServerController, SipAccountController, AccountLineConsumer, OrganizationProjection, SiteProjection],
  providers: [
    SipServerService,
    SipAccountService,
    DeletedRetention,
    {
      provide: CompanySecrets,
      inject: [CONFIG],
      useFactory: ({ dataKey }: ProvisioningConfig) => new CompanySecrets(dataKey),
    },
  ],
})
export class ProvisioningModule {}

export const provisioningService = defineService({
  name: 'provisioning',
  module: ProvisioningModule,
  config: provisioningConfig,
  database: {
    entities: [
      SipServer,
      SipAccount,
      AccountLine,
      DeviceCopy,
      OrganizationCopy,
      SiteCopy,
      DataKey,
      deletedEntity(),
      ...exportEntities,
    ],
    migrations: [Migration20261124Provisioning, Migration20261124cProvisioningListExport],
    untenanted: {},
  },
});

export { republishAccounts } from './sip-account/sip-account.view.ts';
