import { exportCalls, exportOf, factsText } from '../define/export.ts';
import { listAlarms } from './alarm.routes.ts';
import { listEmailNotices } from './email-notice.routes.ts';
import { listErrors, listMessages } from './message.routes.ts';
import { listOperationLog } from './notification.routes.ts';
import { listWebhookDeliveries, listWebhooks } from './webhook.routes.ts';

export const operationLogExport = exportOf(
  listOperationLog,
  { what: 'the operation log' },
  {
    at: 'moment',
    username: 'text',
    action: 'word',
    objectName: 'text',
    related: 'number',
    result: 'word',
    address: 'text',
    request: ['text', (e) => e.requestId],
    change: ['text', (e) => factsText(e.detail)],
  },
);
export const addOperationLogExport = operationLogExport.add;

export const errorExport = exportOf(
  listErrors,
  { what: 'errors of browsers' },
  { time: 'moment', message: 'text', username: 'text', url: 'text', type: 'text', at: 'moment' },
);
export const addErrorExport = errorExport.add;

export const messageExport = exportOf(
  listMessages,
  { what: 'messages and alarms' },
  { createTime: 'moment', title: 'text', level: 'word', content: 'text', objectName: 'text', date: 'number' },
);
export const addMessageExport = messageExport.add;

export const alarmExport = exportOf(
  listAlarms,
  { what: 'alarms' },
  {
    lastAt: 'moment',
    title: 'text',
    level: 'word',
    state: 'word',
    objectName: 'text',
    devices: 'number',
    count: 'number',
    causeName: 'text',
    content: 'text',
    createTime: 'moment',
    endedAt: 'moment',
  },
);
export const addAlarmExport = alarmExport.add;

export const emailNoticeExport = exportOf(
  listEmailNotices,
  { what: 'email notices' },
  {
    title: 'text',
    emails: ['names', (n) => n.emails],
    group: ['number', (n) => n.roleIds.length + n.userIds.length],
    sendType: 'word',
    time: 'text',
    level: 'word',
    organization: ['text', (n) => n.organization?.name ?? ''],
    enabled: ['word', (n) => String(n.enabled)],
    sentAt: 'moment',
    updatedAt: 'moment',
  },
);
export const addEmailNoticeExport = emailNoticeExport.add;

export const webhookExport = exportOf(
  listWebhooks,
  { what: 'webhooks' },
  {
    name: 'text',
    state: 'word',
    url: 'text',
    events: ['names', (w) => w.events],
    level: 'word',
    organization: ['text', (w) => w.organization?.name ?? ''],
    deliveredAt: 'moment',
    failingSince: 'moment',
    updatedAt: 'moment',
  },
);
export const addWebhookExport = webhookExport.add;

export const webhookDeliveryExport = exportOf(
  listWebhookDeliveries,
  { what: 'deliveries of webhooks' },
  {
    createdAt: 'moment',
    event: 'word',
    about: 'text',
    webhookName: 'text',
    state: 'word',
    status: 'number',
    fault: 'word',
    tries: 'number',
    ms: 'number',
    answer: 'text',
    triedAt: 'moment',
    nextAt: 'moment',
    id: ['text', (d) => d.id],
  },
);
export const addWebhookDeliveryExport = webhookDeliveryExport.add;

export const notificationExports = exportCalls('notification');
export const {
  list: listNotificationExports,
  get: getNotificationExport,
  file: getNotificationExportFile,
  remove: deleteNotificationExport,
} = notificationExports;
