import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { countUsers as Count, RouteCall } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';
import type { Target } from '../../../kit/grid/selection.ts';

export const listUsers = remote('listUsers', 'GET /api/f/auth/user/list');
const counts = remote('countUsers', 'GET /api/f/auth/user/count');
const one = remote('getUser', 'GET /api/f/auth/user/{id}');
const roleNames = remote('listRoleNames', 'GET /api/f/auth/role');
export const addUser = remote('addUser', 'POST /api/f/auth/user');
export const editUser = remote('editUser', 'PUT /api/f/auth/user');
export const deleteUsers = remote('deleteUsers', 'DELETE /api/f/auth/user');
export const restoreUsers = remote('restoreUsers', 'POST /api/f/auth/user/restore');
export const enableUsers = remote('enableUsers', 'POST /api/f/auth/user/enable');
export const disableUsers = remote('disableUsers', 'POST /api/f/auth/user/disable');
export const unlockUsers = remote('unlockUsers', 'POST /api/f/auth/user/unlock');
export const resendActivation = remote('resendActivation', 'POST /api/f/auth/user/resendActivation');

export type UserQuery = NonNullable<RouteCall<typeof listUsers>['query']>;
export type UserFilter = NonNullable<RouteCall<typeof Count>['query']>;

export const userListQuery = (query: UserQuery) =>
  queryOptions({
    queryKey: ['user', 'list', query],
    queryFn: ({ signal }) => call(listUsers, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const userCountQuery = (query: UserFilter) =>
  queryOptions({
    queryKey: ['user', 'count', query],
    queryFn: ({ signal }) => call(counts, { query }, { signal }),
    placeholderData: keepPreviousData,
  });
export const userQuery = (id: string) =>
  queryOptions({ queryKey: ['user', 'one', id], queryFn: ({ signal }) => call(one, { params: { id } }, { signal }) });
export const roleNamesQuery = queryOptions({
  queryKey: ['role', 'names'],
  queryFn: ({ signal }) => call(roleNames, {}, { signal }),
});

/** Returns the users of a selection, read page by page. */
export async function matchingUsers(target: Target<UserFilter>): Promise<string[]> {
  if ('ids' in target) return target.ids;
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const { records, total } = await call(listUsers, { query: { ...target.filter, page, limit: 200 } });
    ids.push(...records.map((u) => u.id));
    if (records.length === 0 || page * 200 >= total) return ids.filter((id) => !target.exclude?.includes(id));
  }
}
