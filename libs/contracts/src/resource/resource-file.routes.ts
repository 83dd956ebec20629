import { z } from 'zod';
import { resourceFilesMaximum, resourceTypes } from '../define/constant.ts';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { uploadRoutes } from '../define/upload.ts';

export type ResourceType = (typeof resourceTypes)[number];

export const resourceFileRecord = z
  .object({
    id,
    name: z.string(),
    type: z.enum(resourceTypes),
    description: z.string(),
    /** Names of its files, separated by semicolons (STORE-03). */
    fileNames: z.string(),
    files: z.array(
      z.object({
        name: z.string(),
        size: z.number().int(),
        sha256: z.string(),
        /** Download address; requires a session or a developer token. */
        url: z.string(),
      }),
    ),
    /** Address of the first file. */
    url: z.string(),
    /** Total size in bytes. */
    size: z.number().int(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ResourceFile' });

const fields = {
  name: z.string().trim().min(1).max(64),
  type: z.enum(resourceTypes),
  description: z.string().trim().max(256),
};
const uploads = z
  .array(id)
  .max(resourceFilesMaximum)
  .refine((ids) => new Set(ids).size === ids.length, 'common.fieldValue');

export const listResourceFiles = route({
  method: 'GET',
  path: '/api/f/resource/resourceFile/list',
  summary: 'Resource files, a page at a time',
  permission: 'resourceFile',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      type: choice(z.enum(resourceTypes)),
      name: text(64),
      fileNames: text(255),
      description: orEmpty(text(256)),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'type', 'fileNames', 'size', 'updatedAt']),
  }),
  response: listOf(resourceFileRecord),
  errors: [],
});

export const getResourceFile = route({
  method: 'GET',
  path: '/api/f/resource/resourceFile/{id}',
  summary: 'One resource file',
  permission: 'resourceFile',
  audit: 'none',
  params: z.object({ id }),
  response: resourceFileRecord,
  errors: [],
});

export const addResourceFile = route({
  method: 'POST',
  path: '/api/f/resource/resourceFile',
  summary: 'Add a resource file of files that the caller has uploaded',
  permission: 'addResourceFile',
  audit: 'resourceFile.add',
  status: 201,
  body: z.strictObject({ ...fields, uploads: uploads.min(1) }),
  response: resourceFileRecord,
  errors: ['file.taken', 'upload.incomplete', 'resourceFile.narrowed'],
});

/** Edits the resource. Without uploads its files stay; otherwise the uploads replace them. */
export const editResourceFile = route({
  method: 'PUT',
  path: '/api/f/resource/resourceFile',
  summary: 'Edit a resource file, or put other files in the place of its own',
  permission: 'editResourceFile',
  audit: 'resourceFile.edit',
  body: z.strictObject({ id, ...fields, uploads: uploads.optional() }),
  response: resourceFileRecord,
  errors: ['file.taken', 'upload.incomplete', 'resourceFile.narrowed', 'resourceFile.inUse'],
});

export const deleteResourceFile = route({
  method: 'DELETE',
  path: '/api/f/resource/resourceFile',
  summary: 'Delete a resource file',
  permission: 'deleteResourceFile',
  audit: 'resourceFile.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['resourceFile.narrowed', 'resourceFile.inUse'],
});

export const restoreResourceFiles = route({
  method: 'POST',
  path: '/api/f/resource/resourceFile/restore',
  summary: 'Take back a deletion of resource files',
  permission: 'deleteResourceFile',
  audit: 'resourceFile.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'file.taken', 'resourceFile.narrowed'],
});

export const getResourceFileContent = route({
  method: 'GET',
  path: '/api/f/resource/resourceFile/{id}/file/{number}',
  summary: 'A file of a resource file, counted from 1; `Range` asks for a part of it',
  permission: 'resourceFile',
  audit: 'none',
  params: z.object({ id, number: z.coerce.number().int().min(1).max(resourceFilesMaximum) }),
  flat: true,
  file: 'application/octet-stream',
  response: z.unknown(),
  errors: [],
});

export const resourceFileUpload = uploadRoutes({
  name: 'resourceFile',
  place: 'resource/resourceFile/upload',
  permission: 'addResourceFile',
  title: 'resource files',
});
export const {
  rules: getResourceFileUploadRules,
  add: addResourceFileUpload,
  offset: getResourceFileUploadOffset,
  part: addResourceFileUploadPart,
  remove: deleteResourceFileUpload,
} = resourceFileUpload;
