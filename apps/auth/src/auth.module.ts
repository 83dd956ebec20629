import { Module } from '@nestjs/common';
import { apiTokenExport, authExports, roleExport, supportAccessExport, userExport } from '@carillon/contracts';
import { defineService, DeletedRetention, deletedEntity, exportEntities, ExportModule } from '@carillon/service';
import { ApiTokenController } from './api-token/api-token.controller.ts';
import { ApiToken } from './api-token/api-token.entity.ts';
import { ApiTokens } from './api-token/api-token.service.ts';
import { CaptchaController } from './captcha/captcha.controller.ts';
import { CaptchaService } from './captcha/captcha.service.ts';
import { AccountLinkController } from './account-link/account-link.controller.ts';
import { AccountLink } from './account-link/account-link.entity.ts';
import { AccountLinkService } from './account-link/account-link.service.ts';
import { MailBudget } from './account-link/mail-budget.ts';
import { AccountService } from './account-link/account.service.ts';
import { CompanyController } from './company/company.controller.ts';
import { CompanyAccountService } from './company/company-account.service.ts';
import { CompanyService } from './company/company.service.ts';
import { CompanyConsumer } from './company/company.consumer.ts';
import { ChannelAddressCopy } from './company/channel-address-copy.entity.ts';
import { CompanyCopy } from './company/company.entity.ts';
import { authConfig } from './config.ts';
import { AddressThrottle } from './login/address.service.ts';
import { LoginController } from './login/login.controller.ts';
import { LoginFailure } from './login/login-failure.entity.ts';
import { LoginService } from './login/login.service.ts';
import { PasswordService } from './login/password.service.ts';
import { Tries } from './login/tries.service.ts';
import { FrameHostConsumer } from './menu/frame-host.consumer.ts';
import { FrameHost } from './menu/frame-host.entity.ts';
import { MenuController } from './menu/menu.controller.ts';
import { MenuItemRow } from './menu/menu-item.entity.ts';
import { MenuService } from './menu/menu.service.ts';
import { ExternalAppConsumer } from './external-app/external-app.consumer.ts';
import { ExternalAppCopy } from './external-app/external-app.entity.ts';
import { Migration20261121Auth } from './migrations/20261121-auth.ts';
import { Migration20261121cLogin } from './migrations/20261121c-login.ts';
import { OidcController } from './oidc/oidc.controller.ts';
import { OidcLink } from './oidc/oidc.entity.ts';
import { OidcService } from './oidc/oidc.service.ts';
import { PasswordChangeController } from './password-change/password-change.controller.ts';
import { PasswordChangeService } from './password-change/password-change.service.ts';
import { Migration20261121dTwoStep } from './migrations/20261121d-two-step.ts';
import { Migration20261121eOidc } from './migrations/20261121e-oidc.ts';
import { Migration20261121fBuiltInRole } from './migrations/20261121f-built-in-role.ts';
import { Migration20261121dAccount } from './migrations/20261121d-account.ts';
import { Migration20261121fExternalApp } from './migrations/20261121f-external-app.ts';
import { Migration20261122Lock } from './migrations/20261122-lock.ts';
import { Migration20261122bFrameHost } from './migrations/20261122b-frame-host.ts';
import { Migration20261123Dismissed } from './migrations/20261123-dismissed.ts';
import { Migration20261124ZoneChosen } from './migrations/20261124-zone-chosen.ts';
import { Migration20261122AuthDeleted } from './migrations/20261122-deleted.ts';
import { Migration20261124cAuthListExport } from './migrations/20261124c-list-export.ts';
import { Migration20261125AuthChannel } from './migrations/20261125-channel.ts';
import { Migration20261126AuthSupportAccess } from './migrations/20261126-support-access.ts';
import { Migration20261128AuthFcsUse } from './migrations/20261128-fcs-use.ts';
import { Migration20261129AuthPushFirmware } from './migrations/20261129-push-firmware.ts';
import { Migration20261208SessionLimit } from './migrations/20261208-session-limit.ts';
import { Migration20261209LinkMail } from './migrations/20261209-link-mail.ts';
import { OrganizationConsumer } from './organization/organization.consumer.ts';
import { OrganizationCopy } from './organization/organization-copy.entity.ts';
import { BuiltInRoles } from './role/built-in-role.service.ts';
import { RoleController } from './role/role.controller.ts';
import { Role } from './role/role.entity.ts';
import { RoleService } from './role/role.service.ts';
import { CleanUp } from './session/clean-up.service.ts';
import { SessionConsumer } from './session/session.consumer.ts';
import { SessionController } from './session/session.controller.ts';
import { RefreshToken, Session } from './session/session.entity.ts';
import { GroupMailConsumer } from './group-mail/group-mail.consumer.ts';
import { LockService } from './session/lock.service.ts';
import { SessionService } from './session/session.service.ts';
import { SupportAccessController } from './support-access/support-access.controller.ts';
import { CustomerAccess, SupportAccess, Visit } from './support-access/support-access.entity.ts';
import { SupportAccesses } from './support-access/support-access.service.ts';
import { VisitRetention } from './support-access/visit.retention.ts';
import { Visits } from './support-access/visit.service.ts';
import { CompanySteps } from './two-step/company-steps.service.ts';
import { OwnSteps } from './two-step/own-steps.service.ts';
import { Passkeys } from './two-step/passkey.service.ts';
import { Tickets } from './two-step/ticket.service.ts';
import { TwoStepController } from './two-step/two-step.controller.ts';
import { CompanyLogin, Passkey, RecoveryCode, Totp } from './two-step/two-step.entity.ts';
import { AccessPublisher } from './user/access.service.ts';
import { Enterprise } from './user/enterprise.entity.ts';
import { UserLocks } from './user/lock.service.ts';
import { ProfileService } from './user/profile.service.ts';
import { UserController } from './user/user.controller.ts';
import { User, UserRole } from './user/user.entity.ts';
import { UserService } from './user/user.service.ts';
import { SeveralUsers } from './user/several-users.service.ts';

@Module({
  imports: [
    ExportModule.register(authExports, [
      { of: userExport },
      { of: roleExport },
      { of: apiTokenExport },
      { of: supportAccessExport },
    ]),
  ],
  controllers: [
    LoginController,
    CaptchaController,
    TwoStepController,
    OidcController,
    ApiTokenController,
    SessionController,
    SessionConsumer,
    PasswordChangeController,
    UserController,
    RoleController,
    MenuController,
    AccountLinkController,
    CompanyController,
    CompanyConsumer,
    OrganizationConsumer,
    ExternalAppConsumer,
    FrameHostConsumer,
    GroupMailConsumer,
    SupportAccessController,
  ],
  providers: [
    LoginService,
    PasswordService,
    Tries,
    AddressThrottle,
    CaptchaService,
    Tickets,
    Passkeys,
    OwnSteps,
    CompanySteps,
    OidcService,
    ApiTokens,
    SessionService,
    LockService,
    PasswordChangeService,
    CleanUp,
    AccessPublisher,
    UserService,
    SeveralUsers,
    UserLocks,
    ProfileService,
    RoleService,
    BuiltInRoles,
    MenuService,
    AccountLinkService,
    MailBudget,
    AccountService,
    CompanyService,
    CompanyAccountService,
    SupportAccesses,
    Visits,
    VisitRetention,
    DeletedRetention,
  ],
})
export class AuthModule {}

export const authService = defineService({
  name: 'auth',
  module: AuthModule,
  config: authConfig,
  database: {
    entities: [
      User,
      UserRole,
      Role,
      Session,
      RefreshToken,
      LoginFailure,
      CompanyCopy,
      ChannelAddressCopy,
      OrganizationCopy,
      AccountLink,
      MenuItemRow,
      Enterprise,
      CompanyLogin,
      Passkey,
      RecoveryCode,
      Totp,
      OidcLink,
      ApiToken,
      ExternalAppCopy,
      FrameHost,
      SupportAccess,
      CustomerAccess,
      Visit,
      deletedEntity(),
      ...exportEntities,
    ],
    migrations: [
      Migration20261121Auth,
      Migration20261121cLogin,
      Migration20261121dAccount,
      Migration20261121dTwoStep,
      Migration20261121eOidc,
      Migration20261121fBuiltInRole,
      Migration20261121fExternalApp,
      Migration20261122Lock,
      Migration20261122bFrameHost,
      Migration20261122AuthDeleted,
      Migration20261123Dismissed,
      Migration20261124ZoneChosen,
      Migration20261124cAuthListExport,
      Migration20261125AuthChannel,
      Migration20261126AuthSupportAccess,
      Migration20261128AuthFcsUse,
      Migration20261129AuthPushFirmware,
      Migration20261208SessionLimit,
      Migration20261209LinkMail,
    ],
    untenanted: {
      login_failure: 'names that nobody has are counted and locked like any other (AUTH-05)',
      frame_host: 'what the operator allows, in the whole installation',
    },
  },
});

export { accessChanged } from './user/access.publisher.ts';
export { republishAccess } from './user/access.service.ts';
export { seedInstallation, type Installation } from './seed.ts';
