import { z } from 'zod';
import { route } from '../define/route.ts';
import { id, listOf } from '../define/list.ts';
import {
  claimCode,
  connectAddress,
  deviceFilter,
  deviceLines,
  deviceListQuery,
  lookFilter,
  deviceRecord,
  ownMac,
} from './device.schemas.ts';

export const listDevices = route({
  method: 'GET',
  path: '/api/f/device/device/list',
  summary: 'Devices, filtered, sorted, a page at a time',
  permission: 'device',
  audit: 'none',
  query: deviceListQuery,
  response: listOf(deviceRecord),
  errors: [],
});

export const countDevices = route({
  method: 'GET',
  path: '/api/f/device/device/count',
  summary: 'Devices by state and model, filtered',
  permission: 'device',
  audit: 'none',
  /** Lines are counted only on request, because that reads every device. */
  query: z.object({ ...deviceFilter, ...lookFilter, withLines: z.enum(['true', 'false']).optional() }),
  response: z.object({
    total: z.number(),
    lines: z.record(z.string(), z.number()).optional(),
    state: z.record(z.string(), z.number()),
    models: z.array(z.object({ model: z.string(), count: z.number() })),
    firmwares: z.array(z.object({ firmware: z.string(), count: z.number() })),
    /** Null: devices without a site. */
    sites: z.array(z.object({ id: id.nullable(), name: z.string(), count: z.number() })).optional(),
  }),
  errors: [],
});

const stateCount = z.number().int();

/** Returns a point per quarter of an hour, two hours or eight hours: the last count in that time. */
export const deviceHistory = route({
  method: 'GET',
  path: '/api/f/device/device/history',
  summary: 'How many devices and lines were in which state, over time',
  permission: 'device',
  audit: 'none',
  query: z.object({ range: z.enum(['24h', '7d', '30d']), site: deviceFilter.site }),
  response: z.object({
    /** Minutes between two points. */
    minutes: z.number().int(),
    points: z.array(
      z.object({
        at: z.string(),
        online: stateCount,
        offline: stateCount,
        abnormal: stateCount,
        notConfigured: stateCount,
        registered: stateCount,
        failed: stateCount,
      }),
    ),
  }),
  errors: [],
});

/** Returns a device. `id` is its id or its MAC in any spelling. */
export const getDevice = route({
  method: 'GET',
  path: '/api/f/device/device/{id}',
  summary: 'One device',
  permission: 'device',
  audit: 'none',
  params: z.object({ id: z.string().max(64) }),
  response: deviceRecord,
  errors: ['device.macNotFound'],
});

const name = z.string().trim().min(1).max(64);
/** Properties of a device that are set when it is added or edited (DEV-02): model, place and lines. */
const facts = {
  name,
  /** The name of a model of the list, or `Auto`. */
  model: z.string('device.modelMissing').trim().min(1, 'device.modelMissing').max(64),
  /** Series of a device whose model is `Auto`. */
  series: z.string().trim().max(64).optional(),
  sn: z.string('device.snMissing').trim().min(1, 'device.snMissing').max(64),
  siteId: z.uuid('device.siteMissing'),
  /** The SIP server that its lines register with. */
  serverId: z.uuid('device.serverMissing'),
  orgId: id.optional(),
  /** Replaces the accounts of all lines. Requires the permission to assign SIP accounts. */
  lines: deviceLines.optional(),
};
const factErrors = [
  'device.modelMissing',
  'device.modelUnknown',
  'device.seriesMissing',
  'device.autoRefused',
  'device.snMissing',
  'device.siteMissing',
  'device.serverMissing',
  'device.linesMany',
  'device.lineTwice',
  'device.accountMissing',
  'device.accountServer',
  'common.forbidden',
] as const;

/** How a device connects and authenticates, also as a QR code for an installer. */
const connect = z.object({
  address: connectAddress,
  /** JSON of `address`, `username` and `secret` as a QR code: the data URL of an SVG. */
  qr: z.string(),
});
/** Lines of other devices with the same account: a call rings on one of them or on both. */
const also = z.array(z.object({ id, name: z.string(), line: z.number().int() }));

/**
 * Adds a device. Only this response contains its secret. With the claim code of its label, the company gets the MAC
 * even when another one has typed it, unless that one has an order or had the device online.
 */
export const addDevice = route({
  method: 'POST',
  path: '/api/f/device/device',
  summary: 'Add a device',
  permission: 'addDevice',
  audit: 'device.add',
  status: 201,
  ownTransaction: true,
  body: z.strictObject({ mac: ownMac, ...facts, claimCode: claimCode.optional() }),
  response: z.object({ device: deviceRecord, secret: z.string(), connect, also }),
  errors: [
    'device.macFormat',
    'device.macNotOwn',
    'device.macTaken',
    'device.claimRefused',
    'device.claimLocked',
    'common.tooMany',
    ...factErrors,
  ],
});

/**
 * Replaces a broken device by one with another MAC and ends the old one. The new one takes over name, model,
 * organization, site, server, accounts, groups, tags and configuration version, and each log names the other device.
 * The new one is not configured until it accepts its configuration.
 */
export const replaceDevice = route({
  method: 'POST',
  path: '/api/f/device/device/{id}/replace',
  summary: 'Replace a broken device by another one',
  permission: 'replaceDevice',
  audit: 'device.replace',
  status: 201,
  ownTransaction: true,
  params: z.object({ id }),
  body: z.strictObject({ mac: ownMac, sn: facts.sn, claimCode: claimCode.optional() }),
  response: z.object({ device: deviceRecord, secret: z.string(), connect }),
  errors: [
    'device.macFormat',
    'device.macNotOwn',
    'device.macTaken',
    'device.claimCodeFormat',
    'device.claimRefused',
    'device.claimLocked',
    'device.snMissing',
    'common.tooMany',
  ],
});

export const renewDeviceSecret = route({
  method: 'POST',
  path: '/api/f/device/device/{id}/secret',
  summary: 'Give a device a new secret',
  permission: 'renewDeviceSecret',
  audit: 'device.renewSecret',
  params: z.object({ id }),
  response: z.object({ secret: z.string(), connect }),
  errors: [],
});

/**
 * Invalidates the old secret at once. A renewal keeps it valid until the device uses the new one, which is too late for
 * a stolen one.
 */
export const endOldDeviceSecret = route({
  method: 'DELETE',
  path: '/api/f/device/device/{id}/secret/old',
  summary: 'End the old secret of a device; a connection that was made with it is closed',
  permission: 'renewDeviceSecret',
  audit: 'device.endOldSecret',
  params: z.object({ id }),
  response: z.object({ ended: z.boolean() }),
  errors: [],
});

const someDevices = z.strictObject({ ids: z.array(id).min(1).max(1000) });

export const disableDevices = route({
  method: 'POST',
  path: '/api/f/device/device/disable',
  summary: 'Disable devices; their connections are closed, and they are not let in',
  permission: 'disableDevice',
  audit: 'device.disable',
  body: someDevices,
  response: z.object({ disabled: z.number() }),
  errors: [],
});

export const enableDevices = route({
  method: 'POST',
  path: '/api/f/device/device/enable',
  summary: 'Enable devices that were disabled',
  permission: 'disableDevice',
  audit: 'device.enable',
  body: someDevices,
  response: z.object({ enabled: z.number() }),
  errors: [],
});

export const editDevice = route({
  method: 'PUT',
  path: '/api/f/device/device',
  summary: 'Edit a device: what is given, in one step',
  permission: 'editDevice',
  audit: 'device.edit',
  body: z
    .strictObject({ id, ...facts })
    .partial()
    .required({ id: true }),
  response: deviceRecord.extend({ also: also.optional() }),
  errors: factErrors,
});

export const deleteDevices = route({
  method: 'DELETE',
  path: '/api/f/device/device',
  summary: 'Delete devices',
  permission: 'deleteDevice',
  audit: 'device.delete',
  query: z.object({ ids: z.preprocess((v) => (Array.isArray(v) ? v : [v]), z.array(id).min(1).max(1000)) }),
  response: z.object({ deleted: z.number() }),
  errors: [],
});

/**
 * Restores devices with their secrets, offline until they connect. Their MACs stay reserved while they can be restored.
 * A device whose MAC was added again, or whose organization is gone, is not restored.
 */
export const restoreDevices = route({
  method: 'POST',
  path: '/api/f/device/device/restore',
  summary: 'Take back a deletion of devices',
  permission: 'deleteDevice',
  audit: 'device.restore',
  body: z.strictObject({ ids: z.array(id).min(1).max(1000) }),
  response: z.object({ restored: z.number() }),
  errors: ['device.restoreOver'],
});
