import { Module } from '@nestjs/common';
import { defineService } from '@carillon/service';
import { notificationConfig } from './config.ts';
import { MailConsumer } from './mail/mail.consumer.ts';
import { Mail } from './mail/mail.entity.ts';
import { MailSender } from './mail/mail.service.ts';
import { Migration20261121Notification } from './migrations/20261121-notification.ts';
import { Migration20261121bMail } from './migrations/20261121b-mail.ts';
import { OperationLogConsumer } from './operation-log/operation-log.consumer.ts';
import { OperationLogController } from './operation-log/operation-log.controller.ts';
import { OperationLog } from './operation-log/operation-log.entity.ts';

@Module({ controllers: [OperationLogController, OperationLogConsumer, MailConsumer], providers: [MailSender] })
export class NotificationModule {}

export const notificationService = defineService({
  name: 'notification', module: NotificationModule, config: notificationConfig,
  database: { entities: [OperationLog, Mail], migrations: [Migration20261121Notification, Migration20261121bMail], untenanted: {} },
});
