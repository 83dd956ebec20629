import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import type { SettingValues, TemplateKey, TemplateLevel } from '@carillon/contracts/settings';
import { call, remote } from '../../../kit/api/call.ts';

export const listConfigTemplates = remote('listConfigTemplates', 'GET /api/f/provisioning/configTemplate/list');
const get = remote('getConfigTemplate', 'GET /api/f/provisioning/configTemplate/{id}');
export const addConfigTemplate = remote('addConfigTemplate', 'POST /api/f/provisioning/configTemplate');
export const editConfigTemplate = remote('editConfigTemplate', 'PUT /api/f/provisioning/configTemplate');
export const deleteConfigTemplate = remote('deleteConfigTemplate', 'DELETE /api/f/provisioning/configTemplate');
export const restoreConfigTemplates = remote(
  'restoreConfigTemplates',
  'POST /api/f/provisioning/configTemplate/restore',
);
const listVersions = remote('listConfigTemplateVersions', 'GET /api/f/provisioning/configTemplate/version');
const listLocks = remote('listConfigLocks', 'GET /api/f/provisioning/configTemplate/lock');
const keyLayout = remote('getKeyLayout', 'GET /api/f/provisioning/configTemplate/keyLayout');
const keyCopy = remote('previewKeyCopy', 'GET /api/f/provisioning/configTemplate/{id}/keyCopy');
const preview = remote('previewConfigTemplate', 'GET /api/f/provisioning/configTemplate/preview');
export const rollBackConfigTemplate = remote(
  'rollBackConfigTemplate',
  'POST /api/f/provisioning/configTemplate/rollback',
);
export const uploadMacFiles = remote('uploadMacFiles', 'POST /api/f/provisioning/macFile');

export type MacFileResult = RouteOutput<typeof uploadMacFiles>['results'][number];
export type TemplateVersion = RouteOutput<typeof listVersions>['records'][number];
export type ConfigLock = RouteOutput<typeof listLocks>[number];
export type TemplatePreview = RouteOutput<typeof preview>;
export type ConfigTemplate = RouteOutput<typeof listConfigTemplates>['records'][number];

export const configTemplateQuery = (id: string) =>
  queryOptions({
    queryKey: ['configTemplate', 'one', id],
    queryFn: ({ signal }) => call(get, { params: { id } }, { signal }),
    retry: false,
  });

/** What is locked for all devices of the company. */
export const configLocksQuery = () =>
  queryOptions({
    queryKey: ['configTemplate', 'locks'],
    queryFn: ({ signal }) => call(listLocks, {}, { signal }),
  });

/** All versions that are kept. */
export const templateVersionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['configTemplate', 'versions', id],
    queryFn: ({ signal }) => call(listVersions, { query: { id, limit: 200 } }, { signal }),
  });

/** Other values of a template; without values its deletion, without an id a new one. */
export interface TemplateChange {
  id?: string;
  level?: TemplateLevel;
  target?: string;
  values?: SettingValues;
  /** Settings to lock in the template for all devices; without it the template keeps its locks. */
  locked?: readonly TemplateKey[];
}
export const templatePreviewQuery = ({ values, locked, ...target }: TemplateChange) => {
  const query = {
    ...target,
    ...(values ? { values: JSON.stringify(values) } : {}),
    ...(locked ? { locked: locked.join(',') } : {}),
  };
  return queryOptions({
    queryKey: ['configTemplate', 'preview', query],
    queryFn: ({ signal }) => call(preview, { query }, { signal }),
    retry: false,
  });
};

/** The keys of the phones that a template is for, where a model decides them. */
export const keyLayoutQuery = (level: TemplateLevel, target: string) =>
  queryOptions({
    queryKey: ['configTemplate', 'keyLayout', level, target],
    queryFn: ({ signal }) => call(keyLayout, { query: { level, target } }, { signal }),
    retry: false,
  });

/** What the template of another model or series would contain with the keys of this one. */
export const keyCopyQuery = (id: string, level: 'model' | 'series', target: string) =>
  queryOptions({
    queryKey: ['configTemplate', 'keyCopy', id, level, target],
    queryFn: ({ signal }) => call(keyCopy, { params: { id }, query: { level, target } }, { signal }),
    retry: false,
  });
export type KeyCopy = RouteOutput<typeof keyCopy>;
