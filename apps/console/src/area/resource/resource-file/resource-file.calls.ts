import type { RouteOutput } from '@carillon/contracts';
import { remote } from '../../../kit/api/call.ts';

export const listResourceFiles = remote('listResourceFiles', 'GET /api/f/resource/resourceFile/list');
export const addResourceFile = remote('addResourceFile', 'POST /api/f/resource/resourceFile');
export const editResourceFile = remote('editResourceFile', 'PUT /api/f/resource/resourceFile');
export const deleteResourceFile = remote('deleteResourceFile', 'DELETE /api/f/resource/resourceFile');
export const restoreResourceFiles = remote('restoreResourceFiles', 'POST /api/f/resource/resourceFile/restore');

export type ResourceFile = RouteOutput<typeof listResourceFiles>['records'][number];
