import { z } from 'zod';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, instant, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { uploadRoutes } from '../define/upload.ts';
import { deltaFormats } from '../link/link.schemas.ts';

/** Owner of the firmware (STORE-01). */
export const firmwarePaths = ['official', 'mine'] as const;
export type FirmwarePath = (typeof firmwarePaths)[number];
/** Who is notified of a version: nobody, the users of its company, or those of every company. */
export const noticeAudiences = ['nobody', 'company', 'everybody'] as const;
export type NoticeAudience = (typeof noticeAudiences)[number];

/** State of a differential package that the platform makes; a finished one is listed with the others. */
export const deltaOrderStates = ['waiting', 'making', 'failed'] as const;
export type DeltaOrderState = (typeof deltaOrderStates)[number];

/** The version of a firmware as its maker writes it. */
export const firmwareVersion = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,31}$/);
/** Numbers separated by dots, so that versions can be compared. */
const comparableVersion = z
  .string()
  .trim()
  .regex(/^\d{1,9}(\.\d{1,9}){0,7}$/, 'common.fieldFormat');

export const firmwareRecord = z
  .object({
    id,
    path: z.enum(firmwarePaths),
    name: z.string(),
    version: z.string(),
    /** Lowest version that can upgrade to it; null: any. */
    least: z.string().nullable(),
    /** Models that it is for. */
    models: z.array(z.string()),
    /** Release notes. */
    description: z.string(),
    fileName: z.string(),
    size: z.number().int(),
    sha256: z.string(),
    /** The stored bytes or signatures are not those that were uploaded: tasks do not give it to devices. */
    damaged: z.boolean(),
    /** Differential packages: each turns another version into this one (STORE-02). */
    deltas: z.array(
      z.object({
        from: z.string(),
        /** `maker`: uploaded. The others were made here, for devices that report that they can apply them. */
        format: z.enum(deltaFormats),
        fileName: z.string(),
        size: z.number().int(),
        sha256: z.string(),
      }),
    ),
    /** Differential packages that are waiting, being made or failed. */
    deltaOrders: z.array(
      z.object({
        from: z.string(),
        state: z.enum(deltaOrderStates),
        /** Progress in percent. */
        progress: z.number().int(),
        /** Reason of a failure, in the reader's language. */
        msg: z.string().nullable(),
      }),
    ),
    /** Download address; requires a session or a developer token. */
    url: z.string(),
    notice: z.object({
      whom: z.enum(noticeAudiences),
      /** Null when nobody is notified. */
      at: z.string().nullable(),
      sentAt: z.string().nullable(),
    }),
    updatedAt: z.string(),
  })
  .meta({ id: 'Firmware' });

const fields = {
  name: z.string().trim().min(1).max(64),
  version: firmwareVersion,
  least: comparableVersion.nullable().default(null),
  models: z
    .array(z.string().trim().min(1).max(64))
    .min(1)
    .max(100)
    .refine((all) => new Set(all).size === all.length, 'common.fieldValue'),
  description: z.string().trim().max(2_000),
};
/** A null or past `at` means at once. */
const notice = <const W extends readonly [NoticeAudience, ...NoticeAudience[]]>(whom: W) =>
  z.strictObject({ whom: z.enum(whom), at: instant.nullable() });
const own = { ...fields, notice: notice(['nobody', 'company']) };
/** A new official version is always announced. */
const official = { ...fields, notice: notice(['company', 'everybody']) };
/** The checksum that the file must have, in hexadecimal digits. */
const sha256 = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'common.fieldFormat')
  .optional();
const errors = ['firmware.versionTaken', 'upload.incomplete', 'firmware.narrowed'] as const;

export const listFirmware = route({
  method: 'GET',
  path: '/api/f/resource/firmware/list',
  summary: 'Firmware of the company and official firmware, a page at a time',
  permission: 'firmware',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    /** Only firmware from which a differential package to this one can still be made. */
    deltaFor: id.optional(),
    ...filters({
      path: choice(z.enum(firmwarePaths)),
      name: text(64),
      version: text(32),
      description: orEmpty(text(2_000)),
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'version', 'path', 'size', 'updatedAt']),
  }),
  response: listOf(firmwareRecord),
  errors: [],
});

export const getFirmware = route({
  method: 'GET',
  path: '/api/f/resource/firmware/{id}',
  summary: 'One firmware',
  permission: 'firmware',
  audit: 'none',
  params: z.object({ id }),
  response: firmwareRecord,
  errors: [],
});

export const addFirmware = route({
  method: 'POST',
  path: '/api/f/resource/firmware',
  summary: 'Add firmware of the company, of a file that the caller has uploaded',
  permission: 'addFirmware',
  audit: 'firmware.add',
  status: 201,
  body: z.strictObject({ ...own, upload: id, sha256 }),
  response: firmwareRecord,
  errors,
});

export const editFirmware = route({
  method: 'PUT',
  path: '/api/f/resource/firmware',
  summary: 'Edit firmware of the company; its file stays, and a notice that was sent, too',
  permission: 'editFirmware',
  audit: 'firmware.edit',
  body: z.strictObject({ id, ...own }),
  response: firmwareRecord,
  errors: ['firmware.versionTaken', 'firmware.deltaSame', 'firmware.narrowed'],
});

export const deleteFirmware = route({
  method: 'DELETE',
  path: '/api/f/resource/firmware',
  summary: 'Delete firmware of the company',
  permission: 'deleteFirmware',
  audit: 'firmware.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['firmware.narrowed', 'firmware.inUse'],
});

export const restoreFirmware = route({
  method: 'POST',
  path: '/api/f/resource/firmware/restore',
  summary: 'Take back a deletion of firmware of the company',
  permission: 'deleteFirmware',
  audit: 'firmware.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'firmware.versionTaken', 'firmware.narrowed'],
});

export const addOfficialFirmware = route({
  method: 'POST',
  path: '/api/f/resource/officialFirmware',
  summary: 'Add official firmware, which every company sees',
  permission: 'officialFirmware',
  audit: 'officialFirmware.add',
  status: 201,
  body: z.strictObject({ ...official, upload: id, sha256 }),
  response: firmwareRecord,
  errors,
});

export const editOfficialFirmware = route({
  method: 'PUT',
  path: '/api/f/resource/officialFirmware',
  summary: 'Edit official firmware; its file stays, and a notice that was sent, too',
  permission: 'officialFirmware',
  audit: 'officialFirmware.edit',
  body: z.strictObject({ id, ...official }),
  response: firmwareRecord,
  errors: ['firmware.versionTaken', 'firmware.deltaSame', 'firmware.narrowed'],
});

export const deleteOfficialFirmware = route({
  method: 'DELETE',
  path: '/api/f/resource/officialFirmware',
  summary: 'Delete official firmware',
  permission: 'officialFirmware',
  audit: 'officialFirmware.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['firmware.narrowed', 'firmware.inUse'],
});

export const restoreOfficialFirmware = route({
  method: 'POST',
  path: '/api/f/resource/officialFirmware/restore',
  summary: 'Take back a deletion of official firmware',
  permission: 'officialFirmware',
  audit: 'officialFirmware.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'firmware.versionTaken', 'firmware.narrowed'],
});

export const getFirmwareContent = route({
  method: 'GET',
  path: '/api/f/resource/firmware/{id}/file',
  summary: 'The file of a firmware; `Range` asks for a part of it',
  permission: 'firmware',
  audit: 'none',
  params: z.object({ id }),
  flat: true,
  file: 'application/octet-stream',
  response: z.unknown(),
  errors: [],
});

export const firmwareUpload = uploadRoutes({
  name: 'firmware',
  place: 'resource/firmware/upload',
  permission: 'addFirmware',
  title: 'firmware',
});
export const {
  rules: getFirmwareUploadRules,
  add: addFirmwareUpload,
  offset: getFirmwareUploadOffset,
  part: addFirmwareUploadPart,
  remove: deleteFirmwareUpload,
} = firmwareUpload;
