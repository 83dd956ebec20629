import { queryOptions } from '@tanstack/react-query';
import { call, remote } from '../../../kit/api/call.ts';

const get = remote('getMailServer', 'GET /api/f/notification/mailServer');
export const editMailServer = remote('editMailServer', 'PUT /api/f/notification/mailServer');
export const deleteMailServer = remote('deleteMailServer', 'DELETE /api/f/notification/mailServer');
export const testMailServer = remote('testMailServer', 'POST /api/f/notification/mailServer/test');

export const mailServerQuery = () =>
  queryOptions({ queryKey: ['mailServer'], queryFn: ({ signal }) => call(get, {}, { signal }) });
