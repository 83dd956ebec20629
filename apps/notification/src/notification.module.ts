import { Module } from '@nestjs/common';
import { defineService } from '@carillon/service';
import { notificationConfig } from './config.ts';
import { Migration20261121Notification } from './migrations/20261121-notification.ts';
import { OperationLogConsumer } from './operation-log/operation-log.consumer.ts';
import { OperationLogController } from './operation-log/operation-log.controller.ts';
import { OperationLog } from './operation-log/operation-log.entity.ts';

@Module({ controllers: [OperationLogController, OperationLogConsumer] })
export class NotificationModule {}

export const notificationService = defineService({
  name: 'notification', module: NotificationModule, config: notificationConfig,
  database: { entities: [OperationLog], migrations: [Migration20261121Notification], untenanted: {} },
});
