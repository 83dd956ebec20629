import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listEmailNotices = remote('listEmailNotices', 'GET /api/f/notification/emailNotice/list');
const get = remote('getEmailNotice', 'GET /api/f/notification/emailNotice/{id}');
export const addEmailNotice = remote('addEmailNotice', 'POST /api/f/notification/emailNotice');
export const editEmailNotice = remote('editEmailNotice', 'PUT /api/f/notification/emailNotice');
export const deleteEmailNotice = remote('deleteEmailNotice', 'DELETE /api/f/notification/emailNotice');
export const restoreEmailNotices = remote('restoreEmailNotices', 'POST /api/f/notification/emailNotice/restore');

export type EmailNotice = RouteOutput<typeof listEmailNotices>['records'][number];

export const emailNoticeQuery = (id: string) =>
  queryOptions({
    queryKey: ['emailNotice', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });
