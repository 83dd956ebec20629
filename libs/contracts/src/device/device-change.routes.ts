import { z } from 'zod';
import { id, listOf, pageQuery } from '../define/list.ts';
import { route } from '../define/route.ts';
import { deviceTarget } from './device.schemas.ts';

/** What a change of many devices makes of each. */
export const deviceChangeStates = ['waiting', 'done', 'unchanged', 'failed'] as const;
export type DeviceChangeState = (typeof deviceChangeStates)[number];

/** What many devices are given at once; absent stays as it is. */
const wanted = z
  .strictObject({
    /** The name of a model of the list. */
    model: z.string('device.modelMissing').trim().min(1, 'device.modelMissing').max(64).optional(),
    orgId: id.optional(),
    /** Null takes devices out of their site. */
    siteId: z.uuid('device.siteMissing').nullable().optional(),
    serverId: z.uuid('device.serverMissing').optional(),
  })
  .refine((set) => Object.values(set).some((value) => value !== undefined), 'device.changeEmpty');

/** A change of many devices that somebody ordered: the server works it off, however many they are (DEV-05). */
export const deviceChangeRecord = z
  .object({
    id,
    kind: z.enum(['edit', 'delete']),
    /** By name, as they were called when it was ordered; null is none. */
    set: z.object({
      model: z.string().optional(),
      organization: z.string().optional(),
      site: z.string().nullable().optional(),
      server: z.string().optional(),
    }),
    status: z.enum(['process', 'done']),
    total: z.number().int(),
    done: z.number().int(),
    /** They were so already. */
    unchanged: z.number().int(),
    failed: z.number().int(),
    createdAt: z.string(),
  })
  .meta({ id: 'DeviceChange' });

const params = z.object({ id });

export const addDeviceChange = route({
  method: 'POST',
  path: '/api/f/device/change',
  summary: 'Change devices, however many; it is worked off by the server',
  permission: 'editDevice',
  audit: 'device.edit',
  status: 202,
  bodyLimit: 1_048_576,
  body: z.strictObject({ target: deviceTarget, set: wanted }),
  response: deviceChangeRecord,
  errors: [
    'device.changeEmpty',
    'device.modelMissing',
    'device.modelUnknown',
    'device.seriesMissing',
    'device.autoRefused',
    'device.siteMissing',
    'device.serverMissing',
  ],
});

export const addDeviceDeletion = route({
  method: 'POST',
  path: '/api/f/device/change/deletion',
  summary: 'Delete devices, however many; it is worked off by the server',
  permission: 'deleteDevice',
  audit: 'device.delete',
  status: 202,
  bodyLimit: 1_048_576,
  body: z.strictObject({ target: deviceTarget }),
  response: deviceChangeRecord,
  errors: [],
});

/** Those of the caller, newest first, until they are put away or a day is over. */
export const listDeviceChanges = route({
  method: 'GET',
  path: '/api/f/device/change',
  summary: 'Changes of many devices that the caller has ordered',
  permission: 'device',
  audit: 'none',
  response: z.array(deviceChangeRecord),
  errors: [],
});

/** What became of each device; of one that failed also why, in the caller's language. */
export const listDeviceChangeRows = route({
  method: 'GET',
  path: '/api/f/device/change/{id}/row',
  summary: 'Devices of a change, a page at a time',
  permission: 'device',
  audit: 'none',
  params,
  query: z.object({ state: z.enum(deviceChangeStates).optional(), ...pageQuery }),
  response: listOf(
    z.object({
      deviceId: id,
      name: z.string(),
      mac: z.string(),
      state: z.enum(deviceChangeStates),
      msg: z.string().nullable(),
    }),
  ),
  errors: [],
});

/** What has been done stays and stays counted. */
export const retryDeviceChange = route({
  method: 'POST',
  path: '/api/f/device/change/{id}/retry',
  summary: 'Try the devices again that a change has failed at',
  permission: 'device',
  audit: 'device.changeRetry',
  params,
  response: deviceChangeRecord,
  errors: ['common.forbidden', 'device.changeRuns'],
});

export const deleteDeviceChange = route({
  method: 'DELETE',
  path: '/api/f/device/change/{id}',
  summary: 'Put away a change that is over',
  permission: 'device',
  audit: 'device.changeEnd',
  params,
  response: z.null(),
  errors: ['device.changeRuns'],
});
