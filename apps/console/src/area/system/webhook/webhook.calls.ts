import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listWebhooks = remote('listWebhooks', 'GET /api/f/notification/webhook/list');
export const addWebhook = remote('addWebhook', 'POST /api/f/notification/webhook');
export const editWebhook = remote('editWebhook', 'PUT /api/f/notification/webhook');
export const renewWebhookSecret = remote('renewWebhookSecret', 'POST /api/f/notification/webhook/{id}/secret');
export const testWebhook = remote('testWebhook', 'POST /api/f/notification/webhook/{id}/test');
export const deleteWebhook = remote('deleteWebhook', 'DELETE /api/f/notification/webhook');
export const restoreWebhooks = remote('restoreWebhooks', 'POST /api/f/notification/webhook/restore');
export const listWebhookDeliveries = remote('listWebhookDeliveries', 'GET /api/f/notification/webhook/delivery/list');
const getDelivery = remote('getWebhookDelivery', 'GET /api/f/notification/webhook/delivery/{id}');
export const sendWebhookAgain = remote('sendWebhookAgain', 'POST /api/f/notification/webhook/delivery/{id}/again');

export type Webhook = RouteOutput<typeof listWebhooks>['records'][number];
export type Delivery = RouteOutput<typeof listWebhookDeliveries>['records'][number];
export type Attempt = RouteOutput<typeof testWebhook>;

/** The latest deliveries of a webhook. */
export const latestQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', 'latest', id],
    queryFn: ({ signal }) =>
      call(listWebhookDeliveries, { query: { webhook: id, limit: 5, sort: '-createdAt' } }, { signal }),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook', 'delivery', id],
    queryFn: ({ signal }) => call(getDelivery, { params: { id } }, { signal }),
    retry: false,
  });

/** All webhooks, for the filter of the log. */
export const webhookNamesQuery = queryOptions({
  queryKey: ['webhook', 'names'],
  queryFn: ({ signal }) => call(listWebhooks, { query: { limit: 100, sort: 'name' } }, { signal }),
});
