import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listRoles = remote('listRoles', 'GET /api/f/auth/role/list');
const one = remote('getRole', 'GET /api/f/auth/role/{id}');
const tree = remote('menuTreeOf', 'GET /api/f/mc/menu/tree');
const preview = remote('previewMenu', 'GET /api/f/mc/menu/preview');
export const addRole = remote('addRole', 'POST /api/f/auth/role');
export const editRole = remote('editRole', 'PUT /api/f/auth/role');
export const deleteRoles = remote('deleteRoles', 'DELETE /api/f/auth/role');
export const restoreRoles = remote('restoreRoles', 'POST /api/f/auth/role/restore');

export type RoleRecord = RouteOutput<typeof listRoles>['records'][number];

export const roleQuery = (id: string) =>
  queryOptions({ queryKey: ['role', 'one', id], queryFn: ({ signal }) => call(one, { params: { id } }, { signal }) });
export const rightsQuery = queryOptions({
  queryKey: ['role', 'tree'],
  queryFn: ({ signal }) => call(tree, {}, { signal }),
});
export const previewQuery = (permissions: readonly string[], roleId: string | undefined) =>
  queryOptions({
    queryKey: ['role', 'preview', permissions, roleId],
    queryFn: ({ signal }) =>
      call(
        preview,
        { query: { permissions: [...permissions], ...(roleId === undefined ? {} : { roleId }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
