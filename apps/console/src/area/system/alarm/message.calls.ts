import { queryOptions } from '@tanstack/react-query';
import type { RouteCall, RouteOutput } from '@carillon/contracts';
import { noticePollMs } from '@carillon/contracts/constants';
import { call, remote } from '../../../kit/api/call.ts';

export const listMessages = remote('listMessages', 'GET /api/f/mc/message/list');
const notices = remote('listNotices', 'GET /api/f/mc/message/notice');
export const readMessages = remote('readMessages', 'POST /api/f/mc/message/read');
export const clearMessages = remote('clearMessages', 'GET /api/f/mc/message/clear/{type}');
export const deleteMessages = remote('deleteMessages', 'DELETE /api/f/mc/message');

export type MessageQuery = NonNullable<RouteCall<typeof listMessages>['query']>;
export type MessageRecord = RouteOutput<typeof listMessages>['records'][number];

/** Polled every minute (SYS-08), and refetched by the stream: the key begins with the live kind. */
export const noticeQuery = queryOptions({
  queryKey: ['message', 'notice'],
  queryFn: ({ signal }) => call(notices, {}, { signal }),
  refetchInterval: noticePollMs,
});

const listAlarms = remote('listAlarms', 'GET /api/f/notification/alarm/list');
/** Counts the open alarms for the menu, in this file because the bell loads it with the first page anyway. */
export const openAlarmsQuery = queryOptions({
  queryKey: ['message', 'openAlarms'],
  queryFn: ({ signal }) => call(listAlarms, { query: { state: ['open'], limit: 1 } }, { signal, quiet: true }),
});
