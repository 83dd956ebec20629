import { z } from 'zod';
import { id, listOf, pageQuery } from '../define/list.ts';
import { route } from '../define/route.ts';
import { listedTarget } from './device.schemas.ts';

/** State of each device in a bulk change. */
export const deviceChangeStates = ['waiting', 'done', 'unchanged', 'failed'] as const;
export type DeviceChangeState = (typeof deviceChangeStates)[number];

/** Values that a bulk change sets; absent ones stay unchanged. */
const wanted = z
  .strictObject({
    /** The name of a model of the list. */
    model: z.string('device.modelMissing').trim().min(1, 'device.modelMissing').max(64).optional(),
    orgId: id.optional(),
    /** Null removes devices from their site. */
    siteId: z.uuid('device.siteMissing').nullable().optional(),
    serverId: z.uuid('device.serverMissing').optional(),
  })
  .refine((set) => Object.values(set).some((value) => value !== undefined), 'device.changeEmpty');

/** A bulk change of devices: the server processes it in the background, for any number of devices (DEV-05). */
export const deviceChangeRecord = z
  .object({
    id,
    kind: z.enum(['edit', 'delete']),
    /** By the name at the time of the order; null is none. */
    set: z.object({
      model: z.string().optional(),
      organization: z.string().optional(),
      site: z.string().nullable().optional(),
      server: z.string().optional(),
    }),
    status: z.enum(['process', 'done']),
    total: z.number().int(),
    done: z.number().int(),
    /** Devices that had the values already. */
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
  body: z.strictObject({ target: listedTarget, set: wanted }),
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
  body: z.strictObject({ target: listedTarget }),
  response: deviceChangeRecord,
  errors: [],
});

/** Lists the caller's bulk changes, newest first, until they are dismissed or a day has passed. */
export const listDeviceChanges = route({
  method: 'GET',
  path: '/api/f/device/change',
  summary: 'Changes of many devices that the caller has ordered',
  permission: 'device',
  audit: 'none',
  response: z.array(deviceChangeRecord),
  errors: [],
});

/** Lists the result of each device; a failed one has its reason in the caller's language. */
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

/** Retries the failed devices. Finished devices stay finished and counted. */
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
