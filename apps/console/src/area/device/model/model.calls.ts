import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listModels = remote('listModels', 'GET /api/f/device/model/list');
const get = remote('getModel', 'GET /api/f/device/model/{id}');
const names = remote('listModelNames', 'GET /api/f/device/model');
export const addModel = remote('addModel', 'POST /api/f/device/model');
export const editModel = remote('editModel', 'PUT /api/f/device/model');
export const deleteModel = remote('deleteModel', 'DELETE /api/f/device/model');
export const restoreModels = remote('restoreModels', 'POST /api/f/device/model/restore');

export type ModelName = RouteOutput<typeof names>[number];
export type Model = RouteOutput<typeof listModels>['records'][number];

export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: ['model', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });

/** The models of devices, for users who see devices. */
export const modelNamesQuery = () =>
  queryOptions({ queryKey: ['model', 'names'], queryFn: ({ signal }) => call(names, {}, { signal }), staleTime: 0 });
