import { Module } from '@nestjs/common';
import {
  ldapAccountExport,
  ldapServerExport,
  provisioningExports,
  sipAccountExport,
  sipAccountImportRoutes,
  sipServerExport,
  sipServerImportRoutes,
} from '@carillon/contracts';
import {
  CompanySecrets,
  CONFIG,
  DataKey,
  defineService,
  DeletedRetention,
  deletedEntity,
  exportEntities,
  ExportModule,
  importBodyLimit,
  importController,
  importEntities,
  importProviders,
} from '@carillon/service';
import { provisioningConfig, type ProvisioningConfig } from './config.ts';
import { LdapAccountController } from './ldap-account/ldap-account.controller.ts';
import { LdapAccount } from './ldap-account/ldap-account.entity.ts';
import { LdapServerController } from './ldap-server/ldap-server.controller.ts';
import { LdapServer, LdapSync } from './ldap-server/ldap-server.entity.ts';
import { LdapServerService } from './ldap-server/ldap-server.service.ts';
import { LdapSyncLoop } from './ldap-server/ldap-sync.service.ts';
import { Migration20261124Provisioning } from './migrations/20261124-provisioning.ts';
import { Migration20261124cProvisioningListExport } from './migrations/20261124c-list-export.ts';
import { Migration20261125Import } from './migrations/20261125-import.ts';
import { Migration20261126Ldap } from './migrations/20261126-ldap.ts';
import { OrganizationCopy, OrganizationProjection } from './organization/organization.projection.ts';
import { PhonebookController } from './phonebook/phonebook.controller.ts';
import { PhonebookLink } from './phonebook/phonebook.entity.ts';
import { PhonebookService } from './phonebook/phonebook.service.ts';
import { AccountLineConsumer } from './sip-account/account-line.consumer.ts';
import { SipAccountController } from './sip-account/sip-account.controller.ts';
import { AccountLine, DeviceCopy, SipAccount } from './sip-account/sip-account.entity.ts';
import { SipAccountImport } from './sip-account/sip-account.import.ts';
import { SipAccountService } from './sip-account/sip-account.service.ts';
import { SipServerController } from './sip-server/sip-server.controller.ts';
import { SipServer } from './sip-server/sip-server.entity.ts';
import { SipServerImport } from './sip-server/sip-server.import.ts';
import { SipServerService } from './sip-server/sip-server.service.ts';
import { SiteCopy, SiteProjection } from './site/site.projection.ts';

@Module({
  imports: [
    ExportModule.of(provisioningExports, [
      { of: sipServerExport },
      { of: sipAccountExport },
      { of: ldapServerExport },
      { of: ldapAccountExport },
    ]),
  ],
  controllers: [
    SipServerController,
    SipAccountController,
    LdapServerController,
    LdapAccountController,
    PhonebookController,
    importController('sipServer', sipServerImportRoutes),
    importController('sipAccount', sipAccountImportRoutes),
    AccountLineConsumer,
    OrganizationProjection,
    SiteProjection,
  ],
  providers: [
    SipServerService,
    SipAccountService,
    LdapSyncLoop,
    LdapServerService,
    PhonebookService,
    DeletedRetention,
    ...importProviders([SipServerImport, SipAccountImport]),
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
  server: () => ({ bodyLimit: importBodyLimit }),
  database: {
    entities: [
      SipServer,
      SipAccount,
      LdapServer,
      LdapSync,
      LdapAccount,
      PhonebookLink,
      AccountLine,
      DeviceCopy,
      OrganizationCopy,
      SiteCopy,
      DataKey,
      deletedEntity(),
      ...exportEntities,
      ...importEntities(),
    ],
    migrations: [
      Migration20261124Provisioning,
      Migration20261124cProvisioningListExport,
      Migration20261125Import,
      Migration20261126Ldap,
    ],
    untenanted: {},
  },
});

export { republishAccounts } from './sip-account/sip-account.view.ts';
