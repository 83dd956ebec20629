import { Module } from '@nestjs/common';
import {
  accountKeyRoutes,
  configTemplateExport,
  ldapAccountExport,
  ldapServerExport,
  provisioningExports,
  sipAccountExport,
  sipAccountImportRoutes,
  sipServerExport,
  sipServerImportRoutes,
} from '@carillon/contracts';
import {
  companyKeyController,
  companyKeyProviders,
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
  KeyRenewal,
} from '@carillon/service';
import { sealedTables } from './company-key/sealed-tables.ts';
import { ConfigLock } from './config-lock/config-lock.entity.ts';
import { ConfigPeriodController } from './config-period/config-period.controller.ts';
import { ConfigPeriod } from './config-period/config-period.entity.ts';
import { ConfigPeriodRetention } from './config-period/config-period.retention.ts';
import { ConfigPeriodService } from './config-period/config-period.service.ts';
import { ConfigRequest } from './config-request/config-request.entity.ts';
import { ConfigRequestLog } from './config-request/config-request.log.ts';
import { ConfigRequestRetention } from './config-request/config-request.retention.ts';
import { ConfigTemplateController } from './config-template/config-template.controller.ts';
import { ConfigTemplate } from './config-template/config-template.entity.ts';
import { ConfigPassword } from './config-template/config-password.entity.ts';
import { ConfigPasswordRetention } from './config-template/config-password.retention.ts';
import { ConfigPasswords } from './config-template/config-password.service.ts';
import { ConfigTemplateVersion } from './config-template/config-template-version.entity.ts';
import { ConfigTemplateVersionRetention } from './config-template/config-template-version.retention.ts';
import { ConfigTemplateService } from './config-template/config-template.service.ts';
import { MacFileService } from './config-template/mac-file.service.ts';
import { provisioningConfig } from './config.ts';
import { ConfigContents } from './device-config/config-content.ts';
import { ConfigFiles } from './device-config/config-file.ts';
import { ConfigContentRetention } from './device-config/config-content.retention.ts';
import { ConfigLoads } from './device-config/config-loads.service.ts';
import { LoadNotes } from './device-config/load-notes.ts';
import { LoadingDevices } from './device-config/loading-devices.ts';
import { DeviceConfigController } from './device-config/device-config.controller.ts';
import { ConfigChange, ConfigContent, ConfigDue, DeviceConfig } from './device-config/device-config.entity.ts';
import { DeviceConfigLoop } from './device-config/device-config.loop.ts';
import { DeviceConfigService } from './device-config/device-config.service.ts';
import { ImportSettingConsumer } from './import/import-setting.consumer.ts';
import { FcsConsumer } from './fcs/fcs.consumer.ts';
import { FcsController } from './fcs/fcs.controller.ts';
import { CompanyCopy, FcsSetting } from './fcs/fcs.entity.ts';
import { FcsService } from './fcs/fcs.service.ts';
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
import { Migration20261127Fcs } from './migrations/20261127-fcs.ts';
import { Migration20261127ServerTold } from './migrations/20261127-server-told.ts';
import { Migration20261128FcsUse } from './migrations/20261128-fcs-use.ts';
import { Migration20261205KeyRenewal } from './migrations/20261205-key-renewal.ts';
import { Migration20261206ImportSheet } from './migrations/20261206-import-sheet.ts';
import { Migration20261207LdapZone } from './migrations/20261207-ldap-zone.ts';
import { Migration20261208PhonebookEnd } from './migrations/20261208-phonebook-end.ts';
import { Migration20261209ProvisioningNameOrder } from './migrations/20261209-name-order.ts';
import { Migration20261210ReportedAccount } from './migrations/20261210-reported-account.ts';
import { Migration20261211ConfigTemplate } from './migrations/20261211-config-template.ts';
import { Migration20261214ConfigRequest } from './migrations/20261214-config-request.ts';
import { Migration20261214TemplateVersion } from './migrations/20261214-template-version.ts';
import { Migration20261214ConfigEnd } from './migrations/20261214-config-end.ts';
import { Migration20261215PhoneState } from './migrations/20261215-phone-state.ts';
import { Migration20261216FirstAccess } from './migrations/20261216-first-access.ts';
import { Migration20261214ProvisioningGroup } from './migrations/20261214-group.ts';
import { Migration20261215ConfigPeriod } from './migrations/20261215-config-period.ts';
import { FirstAccess, FirstAsk, KnownNetwork } from './first-access/first-access.entity.ts';
import { FirstAccessController } from './first-access/first-access.controller.ts';
import { FirstAccessRetention } from './first-access/first-access.retention.ts';
import { FirstAccessService } from './first-access/first-access.service.ts';
import { FirstLoads } from './first-access/first-loads.service.ts';
import { UnclaimedPhone } from './first-access/unclaimed-phone.entity.ts';
import { UnclaimedPhones } from './first-access/unclaimed-phone.service.ts';
import { Migration20261217Redirect } from './migrations/20261217-redirect.ts';
import { Migration20261216ConfigLock } from './migrations/20261216-config-lock.ts';
import { Migration20261216ProvisioningModel } from './migrations/20261216-model.ts';
import { Migration20261218RawSetting } from './migrations/20261218-raw-setting.ts';
import { Migration20261219ConfigPassword } from './migrations/20261219-config-password.ts';
import { Migration20261220SiteZone } from './migrations/20261220-site-zone.ts';
import { Migration20261221DeviceServer } from './migrations/20261221-device-server.ts';
import { Migration20261221PhoneIdle } from './migrations/20261221-phone-idle.ts';
import { Migration20261217ModelKeys } from './migrations/20261217-model-keys.ts';
import { GroupCopy, GroupProjection } from './device-group/group.projection.ts';
import { ModelCopy, ModelProjection } from './device-model/model.projection.ts';
import { OrganizationCopy, OrganizationProjection } from './organization/organization.projection.ts';
import { PhonebookController } from './phonebook/phonebook.controller.ts';
import { PhonebookLink } from './phonebook/phonebook.entity.ts';
import { PhonebookService } from './phonebook/phonebook.service.ts';
import { EndedTask } from './phone-command/ended-task.entity.ts';
import { PhoneCommandConsumer } from './phone-command/phone-command.consumer.ts';
import { PhoneCommand } from './phone-command/phone-command.entity.ts';
import { PhoneCommandLoop } from './phone-command/phone-command.loop.ts';
import { PhoneFileConsumer } from './phone-command/phone-file.consumer.ts';
import { PhoneFileLoop } from './phone-command/phone-file.loop.ts';
import { PhoneCommandRetention } from './phone-command/phone-command.retention.ts';
import { PhoneSession } from './phone-session/phone-session.entity.ts';
import { PhoneSessionLoop } from './phone-session/phone-session.loop.ts';
import { PhoneNotifier } from './sip-notify/phone-notifier.ts';
import { Migration20261218PhoneFile } from './migrations/20261218-phone-file.ts';
import { Migration20261217PhoneSession } from './migrations/20261217-phone-session.ts';
import { Migration20261218PhoneCall } from './migrations/20261218-phone-call.ts';
import { PhoneGuard } from './phone-port/phone-guard.ts';
import { PhoneCallLoop } from './phone-event/phone-call.loop.ts';
import { PhoneEvents } from './phone-event/phone-events.service.ts';
import { PhoneState } from './phone-event/phone-state.entity.ts';
import { PhoneOrigin } from './phone-port/phone-origin.ts';
import { PhonePort } from './phone-port/phone-port.ts';
import { AccountLineConsumer } from './sip-account/account-line.consumer.ts';
import { PasswordService } from './sip-account/password.service.ts';
import { RedirectClient } from './redirect-service/redirect-client.ts';
import { RedirectLoop } from './redirect-service/redirect.loop.ts';
import { RedirectServiceController } from './redirect-service/redirect-service.controller.ts';
import { RedirectDevice, RedirectService } from './redirect-service/redirect-service.entity.ts';
import { RedirectServices } from './redirect-service/redirect-service.service.ts';
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
    ExportModule.register(provisioningExports, [
      { of: sipServerExport },
      { of: sipAccountExport },
      { of: ldapServerExport },
      { of: ldapAccountExport },
      { of: configTemplateExport },
    ]),
  ],
  controllers: [
    SipServerController,
    SipAccountController,
    FcsController,
    LdapServerController,
    LdapAccountController,
    PhonebookController,
    ConfigTemplateController,
    DeviceConfigController,
    ConfigPeriodController,
    FirstAccessController,
    RedirectServiceController,
    companyKeyController(accountKeyRoutes),
    ImportSettingConsumer,
    importController('sipServer', sipServerImportRoutes),
    importController('sipAccount', sipAccountImportRoutes),
    AccountLineConsumer,
    FcsConsumer,
    PhoneCommandConsumer,
    PhoneFileConsumer,
    OrganizationProjection,
    SiteProjection,
    GroupProjection,
    ModelProjection,
  ],
  providers: [
    SipServerService,
    SipAccountService,
    PasswordService,
    FcsService,
    LdapSyncLoop,
    LdapServerService,
    PhonebookService,
    ConfigTemplateService,
    MacFileService,
    ConfigTemplateVersionRetention,
    ConfigPasswordRetention,
    ConfigPasswords,
    ConfigRequestLog,
    ConfigRequestRetention,
    ConfigContents,
    ConfigContentRetention,
    DeviceConfigLoop,
    DeviceConfigService,
    ConfigLoads,
    ConfigFiles,
    FirstLoads,
    FirstAccessService,
    FirstAccessRetention,
    UnclaimedPhones,
    RedirectClient,
    RedirectLoop,
    RedirectServices,
    LoadNotes,
    LoadingDevices,
    PhoneGuard,
    PhoneOrigin,
    PhoneEvents,
    PhonePort,
    PhoneSessionLoop,
    PhoneCallLoop,
    PhoneCommandLoop,
    PhoneFileLoop,
    PhoneCommandRetention,
    PhoneNotifier,
    ConfigPeriodService,
    ConfigPeriodRetention,
    DeletedRetention,
    ...importProviders([SipServerImport, SipAccountImport]),
    ...companyKeyProviders('accountKey', sealedTables),
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
      GroupCopy,
      ModelCopy,
      SiteCopy,
      CompanyCopy,
      ConfigTemplate,
      ConfigLock,
      ConfigTemplateVersion,
      ConfigPassword,
      ConfigRequest,
      ConfigChange,
      ConfigDue,
      ConfigContent,
      ConfigPeriod,
      DeviceConfig,
      PhoneState,
      PhoneSession,
      PhoneCommand,
      EndedTask,
      FirstAccess,
      FirstAsk,
      KnownNetwork,
      UnclaimedPhone,
      RedirectService,
      RedirectDevice,
      FcsSetting,
      DataKey,
      KeyRenewal,
      deletedEntity(),
      ...exportEntities,
      ...importEntities(),
    ],
    migrations: [
      Migration20261124Provisioning,
      Migration20261124cProvisioningListExport,
      Migration20261125Import,
      Migration20261126Ldap,
      Migration20261127Fcs,
      Migration20261127ServerTold,
      Migration20261128FcsUse,
      Migration20261205KeyRenewal,
      Migration20261206ImportSheet,
      Migration20261207LdapZone,
      Migration20261208PhonebookEnd,
      Migration20261209ProvisioningNameOrder,
      Migration20261210ReportedAccount,
      Migration20261211ConfigTemplate,
      Migration20261214TemplateVersion,
      Migration20261214ConfigRequest,
      Migration20261214ConfigEnd,
      Migration20261214ProvisioningGroup,
      Migration20261215ConfigPeriod,
      Migration20261215PhoneState,
      Migration20261216FirstAccess,
      Migration20261216ProvisioningModel,
      Migration20261216ConfigLock,
      Migration20261217PhoneSession,
      Migration20261217Redirect,
      Migration20261217ModelKeys,
      Migration20261218RawSetting,
      Migration20261219ConfigPassword,
      Migration20261218PhoneFile,
      Migration20261218PhoneCall,
      Migration20261220SiteZone,
      Migration20261221PhoneIdle,
      Migration20261221DeviceServer,
    ],
    untenanted: {
      fcs_setting: 'FCS in the installation, which its operator says',
      unclaimed_phone: 'phones that no company has; only the super administrator sees them',
    },
  },
});

export { republishServers } from './sip-server/sip-server.publisher.ts';
export { republishAccounts } from './sip-account/sip-account.publisher.ts';
export { seedFirstAccess, seedGroupTemplate } from './first-access/seed-phones.ts';
