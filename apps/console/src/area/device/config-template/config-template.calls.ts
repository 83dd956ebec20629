import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/session/call.ts';

export const listConfigTemplates = remote('listConfigTemplates', 'GET /api/f/provisioning/configTemplate/list');
const get = remote('getConfigTemplate', 'GET /api/f/provisioning/configTemplate/{id}');
export const addConfigTemplate = remote('addConfigTemplate', 'POST /api/f/provisioning/configTemplate');
export const editConfigTemplate = remote('editConfigTemplate', 'PUT /api/f/provisioning/configTemplate');
export const deleteConfigTemplate = remote('deleteConfigTemplate', 'DELETE /api/f/provisioning/configTemplate');
export const restoreConfigTemplates = remote(
  'restoreConfigTemplates',
  'POST /api/f/provisioning/configTemplate/restore',
);

export type ConfigTemplate = RouteOutput<typeof listConfigTemplates>['records'][number];

export const configTemplateQuery = (id: string) =>
  queryOptions({
    queryKey: ['configTemplate', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });
