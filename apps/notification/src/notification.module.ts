import { Module } from '@nestjs/common';
import {
  notificationExports,
  operationLogExport,
  errorExport,
  messageExport,
  alarmExport,
  emailNoticeExport,
  webhookDeliveryExport,
  webhookExport,
} from '@carillon/contracts';
import {
  DeletedRetention,
  deletedEntity,
  defineService,
  exportEntities,
  ExportModule,
  LinkGateway,
} from '@carillon/service';
import { AlarmConsumer } from './alarm/alarm.consumer.ts';
import { AlarmController } from './alarm/alarm.controller.ts';
import { Alarm, AlarmGroup, AlarmOrder, AlarmRead, AlarmSignal, AlarmSum, LinkSession } from './alarm/alarm.entity.ts';
import { AlarmRule, AlarmSilence } from './alarm/alarm-rule.entity.ts';
import { AlarmRetention } from './alarm/alarm.retention.ts';
import { AlarmService } from './alarm/alarm.service.ts';
import { notificationConfig } from './config.ts';
import { EmailNoticeController } from './email-notice/email-notice.controller.ts';
import { EmailNotice, EmailNoticeTold } from './email-notice/email-notice.entity.ts';
import { EmailNotices } from './email-notice/email-notice.service.ts';
import { NoticeBudget } from './email-notice/notice-budget.ts';
import { ErrorLogController } from './error-log/error-log.controller.ts';
import { ErrorLog } from './error-log/error-log.entity.ts';
import { MailConsumer } from './mail/mail.consumer.ts';
import { Mail } from './mail/mail.entity.ts';
import { CompanyMailServer } from './mail-server/company-mail-server.entity.ts';
import { MailServerController } from './mail-server/mail-server.controller.ts';
import { MailServerService } from './mail-server/mail-server.service.ts';
import { MailServerConsumer } from './mail/mail-server.consumer.ts';
import { MailCheck } from './mail/mail-check.entity.ts';
import { MailServer } from './mail/mail-server.entity.ts';
import { MailRetention } from './mail/mail.retention.ts';
import { MailSender } from './mail/mail.service.ts';
import { MailReadyController } from './mail/mail-ready.controller.ts';
import { MailStateController } from './mail/mail-state.controller.ts';
import { TestMailController } from './mail/test-mail.controller.ts';
import { MessageConsumer } from './message/message.consumer.ts';
import { MessageController } from './message/message.controller.ts';
import { Message, MessageRead } from './message/message.entity.ts';
import { Migration20261121Notification } from './migrations/20261121-notification.ts';
import { Migration20261121bMail } from './migrations/20261121b-mail.ts';
import { Migration20261121cMessage } from './migrations/20261121c-message.ts';
import { Migration20261121dMailServer } from './migrations/20261121d-mail-server.ts';
import { Migration20261122Organization } from './migrations/20261122-organization.ts';
import { Migration20261123MailState } from './migrations/20261123-mail-state.ts';
import { Migration20261124cNotificationListExport } from './migrations/20261124c-list-export.ts';
import { Migration20261125Alarm } from './migrations/20261125-alarm.ts';
import { Migration20261125bEmailNotice } from './migrations/20261125b-email-notice.ts';
import { Migration20261125cAlarmRule } from './migrations/20261125c-alarm-rule.ts';
import { Migration20261127CompanyMailServer } from './migrations/20261127-company-mail-server.ts';
import { Migration20261127bWebhook } from './migrations/20261127b-webhook.ts';
import { Migration20261208MailTurn } from './migrations/20261208-mail-turn.ts';
import { Migration20261210MailCheck } from './migrations/20261210-mail-check.ts';
import { Migration20261217MessageEnd } from './migrations/20261217-message-end.ts';
import { OrganizationCopy, OrganizationProjection } from './projections/organization.projection.ts';
import { DeviceCopy } from './projections/device-copy.entity.ts';
import { SiteCopy, SiteProjection } from './projections/site.projection.ts';
import { OperationLogConsumer } from './operation-log/operation-log.consumer.ts';
import { OperationLogController } from './operation-log/operation-log.controller.ts';
import { OperationLog, OperationLogHead } from './operation-log/operation-log.entity.ts';
import { WebhookController } from './webhook/webhook.controller.ts';
import { Webhook, WebhookDelivery } from './webhook/webhook.entity.ts';
import { WebhookEvents } from './webhook/webhook.events.ts';
import { WebhookRetention } from './webhook/webhook.retention.ts';
import { WebhookSender } from './webhook/webhook.sender.ts';
import { Webhooks } from './webhook/webhook.service.ts';

@Module({
  imports: [
    ExportModule.register(notificationExports, [
      { of: operationLogExport },
      { of: errorExport },
      { of: messageExport },
      { of: alarmExport },
      { of: emailNoticeExport },
      { of: webhookExport },
      { of: webhookDeliveryExport },
    ]),
  ],
  controllers: [
    OperationLogController,
    OperationLogConsumer,
    MailConsumer,
    MailServerConsumer,
    TestMailController,
    MailServerController,
    MailReadyController,
    MailStateController,
    MessageController,
    MessageConsumer,
    ErrorLogController,
    AlarmController,
    AlarmConsumer,
    SiteProjection,
    EmailNoticeController,
    OrganizationProjection,
    WebhookController,
  ],
  providers: [
    MailSender,
    MailServerService,
    MailRetention,
    AlarmService,
    AlarmRetention,
    EmailNotices,
    NoticeBudget,
    WebhookSender,
    WebhookEvents,
    Webhooks,
    WebhookRetention,
    DeletedRetention,
  ],
})
export class NotificationModule {}

export const notificationService = defineService({
  name: 'notification',
  module: NotificationModule,
  config: notificationConfig,
  database: {
    entities: [
      OperationLog,
      OperationLogHead,
      Mail,
      Message,
      MessageRead,
      ErrorLog,
      MailCheck,
      MailServer,
      CompanyMailServer,
      Alarm,
      AlarmGroup,
      AlarmSum,
      AlarmSignal,
      AlarmOrder,
      AlarmRead,
      AlarmRule,
      AlarmSilence,
      LinkSession,
      LinkGateway,
      DeviceCopy,
      SiteCopy,
      EmailNotice,
      EmailNoticeTold,
      OrganizationCopy,
      Webhook,
      WebhookDelivery,
      deletedEntity(),
      ...exportEntities,
    ],
    migrations: [
      Migration20261121Notification,
      Migration20261121bMail,
      Migration20261121cMessage,
      Migration20261121dMailServer,
      Migration20261122Organization,
      Migration20261123MailState,
      Migration20261124cNotificationListExport,
      Migration20261125Alarm,
      Migration20261125bEmailNotice,
      Migration20261125cAlarmRule,
      Migration20261127CompanyMailServer,
      Migration20261127bWebhook,
      Migration20261208MailTurn,
      Migration20261210MailCheck,
      Migration20261217MessageEnd,
    ],
    untenanted: {
      mail_server: 'mails of the whole installation go by it',
      mail_check: 'tests of the mail server of the whole installation',
      link_gateway: 'gateways serve all companies',
    },
  },
});

export { chainKey, verifyChains, type ChainFault, type ChainReport } from './operation-log/chain.ts';
