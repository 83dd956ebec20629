import type { RouteOutput } from '@carillon/contracts';
import { remote } from '../../../kit/api/call.ts';

export const listConfigFiles = remote('listConfigFiles', 'GET /api/f/resource/configFile/list');
export const addConfigFile = remote('addConfigFile', 'POST /api/f/resource/configFile');
export const editConfigFile = remote('editConfigFile', 'PUT /api/f/resource/configFile');
export const deleteConfigFile = remote('deleteConfigFile', 'DELETE /api/f/resource/configFile');
export const restoreConfigFiles = remote('restoreConfigFiles', 'POST /api/f/resource/configFile/restore');
const content = remote('getConfigFileContent', 'GET /api/f/resource/configFile/{id}/file');

export const contentPath = (id: string): string => content.path.replace('{id}', id);

export type ConfigFile = RouteOutput<typeof listConfigFiles>['records'][number];
