import { z } from 'zod';
import { route } from '../define/route.ts';
import { id, sortBy } from '../define/list.ts';
import { deviceFilterSchema, deviceSorts, lookFilter } from './device.schemas.ts';

/** What a file of devices can have as columns. */
export const exportColumns = [
  'state',
  'name',
  'model',
  'mac',
  'sn',
  'site',
  'groups',
  'lines',
  'firmware',
  'hardware',
  'internalIp',
  'publicIp',
  'lte',
  'lastOnlineAt',
  'onlineSince',
  'lastConfigAt',
  'createdAt',
] as const;
export type ExportColumn = (typeof exportColumns)[number];

const number = z.number().int().min(-10_000).max(10_000);
/**
 * Of the times in the file: the zone's minutes east of Greenwich and the country's rule, as the person's console has
 * them.
 */
const clock = z.strictObject({
  offset: number,
  rule: z.union([
    z.null(),
    z.string().max(128),
    z.strictObject({
      enabled: z.boolean(),
      startMonth: number,
      startWeek: number,
      startDay: number,
      startHour: number,
      endMonth: number,
      endWeek: number,
      endDay: number,
      endHour: number,
      offset: number,
    }),
  ]),
});

/** A file on its way. It is kept for a day. */
export const deviceExportRecord = z
  .object({
    id,
    status: z.enum(['process', 'success', 'fail']),
    done: z.number().int(),
    total: z.number().int(),
    createdAt: z.string(),
  })
  .meta({ id: 'DeviceExport' });

const order = {
  /** As they stand in the file, with the words over them. */
  columns: z
    .array(z.strictObject({ key: z.enum(exportColumns), title: z.string().max(64) }))
    .min(1)
    .max(exportColumns.length),
  sort: sortBy(deviceSorts),
  /** What states are called in the file; one without a word stands there as it is. */
  words: z.record(z.string().max(32), z.string().max(64)).optional(),
  clock: clock.optional(),
  /** The caller's own name of the order: given twice, because no answer came, it is one file. */
  key: z.string().min(16).max(64).optional(),
};

/** Answers at once; the file is written behind, whoever goes on looking (SHELL-17). */
export const addDeviceExport = route({
  method: 'POST',
  path: '/api/f/device/export',
  summary: 'Write devices into an .xlsx file',
  permission: 'exportDevice',
  audit: 'device.export',
  status: 202,
  body: z.union([
    z.strictObject({ ids: z.array(id).min(1).max(5000), ...order }),
    z.strictObject({
      filter: deviceFilterSchema.extend(lookFilter).strict(),
      exclude: z.array(id).max(5000).optional(),
      ...order,
    }),
  ]),
  response: deviceExportRecord,
  errors: ['device.exportsBusy'],
});

/** Newest first, as long as they are kept. */
export const listDeviceExports = route({
  method: 'GET',
  path: '/api/f/device/export/list',
  summary: 'Files of devices that the caller ordered',
  permission: 'exportDevice',
  audit: 'none',
  response: z.array(deviceExportRecord),
  errors: [],
});

export const getDeviceExport = route({
  method: 'GET',
  path: '/api/f/device/export/{id}',
  summary: 'How far a file of devices is',
  permission: 'exportDevice',
  audit: 'none',
  params: z.object({ id }),
  response: deviceExportRecord,
  errors: [],
});

export const getDeviceExportFile = route({
  method: 'GET',
  path: '/api/f/device/export/{id}/file',
  summary: 'The file of devices, once it is written',
  permission: 'exportDevice',
  audit: 'none',
  params: z.object({ id }),
  flat: true,
  file: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  response: z.unknown(),
  errors: [],
});

/** Ends one that is being written, too. */
export const deleteDeviceExport = route({
  method: 'DELETE',
  path: '/api/f/device/export/{id}',
  summary: 'Give up a file of devices',
  permission: 'exportDevice',
  audit: 'device.exportEnd',
  params: z.object({ id }),
  response: z.null(),
  errors: [],
});
