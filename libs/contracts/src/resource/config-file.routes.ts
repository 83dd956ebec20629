import { z } from 'zod';
import { filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { uploadRoutes } from '../define/upload.ts';

export const configFileRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    /** Models that it is for; empty: any. */
    models: z.array(z.string()),
    fileName: z.string(),
    size: z.number().int(),
    /** Number of contents so far: devices that loaded an earlier one have a lower version. */
    version: z.number().int(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ConfigFile' });

const fields = {
  name: z.string().trim().min(1).max(64),
  description: z.string().trim().max(256),
  models: z
    .array(z.string().trim().min(1).max(64))
    .max(100)
    .refine((names) => new Set(names).size === names.length, 'common.fieldValue'),
};

export const listConfigFiles = route({
  method: 'GET',
  path: '/api/f/resource/configFile/list',
  summary: 'Configuration files, a page at a time; no list tells their content',
  permission: 'configFile',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      models: orEmpty(text(64)),
      fileName: text(255),
      description: orEmpty(text(256)),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'fileName', 'size', 'version', 'updatedAt']),
  }),
  response: listOf(configFileRecord),
  errors: [],
});

export const getConfigFile = route({
  method: 'GET',
  path: '/api/f/resource/configFile/{id}',
  summary: 'One configuration file, without its content',
  permission: 'configFile',
  audit: 'none',
  params: z.object({ id }),
  response: configFileRecord,
  errors: [],
});

export const addConfigFile = route({
  method: 'POST',
  path: '/api/f/resource/configFile',
  summary: 'Add a configuration file, of a file that the caller has uploaded',
  permission: 'addConfigFile',
  audit: 'configFile.add',
  status: 201,
  body: z.strictObject({ ...fields, upload: id }),
  response: configFileRecord,
  errors: ['file.taken', 'upload.incomplete', 'configFile.narrowed'],
});

/** Edits the file. Without an upload its content stays; with one it becomes the next version. */
export const editConfigFile = route({
  method: 'PUT',
  path: '/api/f/resource/configFile',
  summary: 'Edit a configuration file, or put another file in the place of its own',
  permission: 'editConfigFile',
  audit: 'configFile.edit',
  body: z.strictObject({ id, ...fields, upload: id.optional() }),
  response: configFileRecord,
  errors: ['file.taken', 'upload.incomplete', 'configFile.narrowed', 'configFile.inUse'],
});

export const deleteConfigFile = route({
  method: 'DELETE',
  path: '/api/f/resource/configFile',
  summary: 'Delete a configuration file',
  permission: 'deleteConfigFile',
  audit: 'configFile.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['configFile.narrowed', 'configFile.inUse'],
});

export const restoreConfigFiles = route({
  method: 'POST',
  path: '/api/f/resource/configFile/restore',
  summary: 'Take back a deletion of configuration files',
  permission: 'deleteConfigFile',
  audit: 'configFile.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'file.taken', 'configFile.narrowed'],
});

/** Returns the content. It may contain passwords of SIP accounts, so the operation log records the reader. */
export const getConfigFileContent = route({
  method: 'GET',
  path: '/api/f/resource/configFile/{id}/file',
  summary: 'The content of a configuration file; it may hold passwords',
  permission: 'downloadConfigFile',
  showsSecret: true,
  audit: 'configFile.download',
  params: z.object({ id }),
  flat: true,
  file: 'application/octet-stream',
  response: z.unknown(),
  errors: ['configFile.narrowed'],
});

export const configFileUpload = uploadRoutes({
  name: 'configFile',
  place: 'resource/configFile/upload',
  permission: 'addConfigFile',
  title: 'configuration files',
});
export const {
  rules: getConfigFileUploadRules,
  add: addConfigFileUpload,
  offset: getConfigFileUploadOffset,
  part: addConfigFileUploadPart,
  remove: deleteConfigFileUpload,
} = configFileUpload;
