import { z } from 'zod';
import { filters, flag, moment, text } from '../define/filter.ts';
import { id, listOf, many, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { mac } from '../device/device.schemas.ts';

/**
 * State of a device under its baseline. `stuck`: the version failed three times, its task was stopped, or approval was
 * not given; nothing happens until a user retries. `unable`: the device has an older version and cannot get this one.
 */
export const baselineStates = ['onVersion', 'behind', 'stuck', 'unable', 'newer', 'unknown'] as const;
export type BaselineState = (typeof baselineStates)[number];
/** Why a device that is behind gets nothing now, is stuck, or is unable. */
export const baselineReasons = [
  'offline',
  'busy',
  'approval',
  'pause',
  'failed',
  'stopped',
  'refused',
  'disabled',
  'unsupported',
  'tooOld',
] as const;
export type BaselineReason = (typeof baselineReasons)[number];

/**
 * State of a baseline's approval. `asked`: its task waits for a second person. The others hold until a user retries,
 * the version changes, or the number of devices that fall behind exceeds the requested one by more than a tenth.
 * `expired`: it was approved, and its time passed unused.
 */
export const baselineApprovalStates = ['asked', 'refused', 'canceled', 'expired'] as const;
export type BaselineApprovalState = (typeof baselineApprovalStates)[number];

const minuteOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'common.fieldFormat');
const fields = {
  name: z.string().trim().min(1).max(64),
  firmwareId: id,
  /** Exactly one of the four is set. A site includes the sites below it, and a MAC is one device. */
  mac: mac.nullable().default(null),
  model: z.string().min(1).max(128).nullable(),
  siteId: id.nullable(),
  groupId: id.nullable(),
  active: z.boolean(),
  /** When devices may be upgraded, 'HH:mm' in the time zone; may pass midnight. All three null: at any time. */
  from: minuteOfDay.nullable(),
  to: minuteOfDay.nullable(),
  timeZone: z.string().min(1).max(64).nullable(),
};
interface Fields {
  mac: string | null;
  model: string | null;
  siteId: string | null;
  groupId: string | null;
  from: string | null;
  to: string | null;
  timeZone: string | null;
}
const hasScope = ({ mac: one, model, siteId, groupId }: Fields) =>
  [one, model, siteId, groupId].filter((scope) => scope !== null).length === 1;
const hasWindow = ({ from, to, timeZone }: Fields) =>
  [from, to, timeZone].every((one) => one === null) ||
  ([from, to, timeZone].every((one) => one !== null) && from !== to);
const scoped = { error: 'baseline.scope', path: ['model'] };
const windowed = { error: 'baseline.window', path: ['to'] };

const states = z.object({
  onVersion: z.int(),
  behind: z.int(),
  stuck: z.int(),
  unable: z.int(),
  newer: z.int(),
  unknown: z.int(),
});

export const baselineRecord = z
  .object({
    id,
    ...fields,
    /** Null when it no longer exists. */
    firmware: z.object({ id, name: z.string(), version: z.string() }).nullable(),
    /** The device of the MAC; null for another scope, and when no such device exists. */
    device: z.object({ id, name: z.string() }).nullable(),
    /** Null for another scope, and when the site no longer exists. */
    site: z.object({ id, name: z.string() }).nullable(),
    creatorId: id,
    /** Who saved it last: it upgrades with their permissions. */
    creatorName: z.string(),
    /** It is suspended: the user who saved it last may no longer upgrade all devices. */
    held: z.boolean(),
    /** Null when no approval is needed, or when it was given. */
    approval: z
      .object({
        state: z.enum(baselineApprovalStates),
        taskId: id,
        taskNumber: z.int(),
        /** Since when it has this state. */
        at: z.string(),
        /** Who refused it, and why. */
        by: z.string().nullable(),
        reason: z.string().nullable(),
      })
      .nullable(),
    /** Number of devices that follow it; none follow an inactive one. */
    inScope: z.int(),
    counts: states,
    retriedAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Baseline' });

export const baselineDevice = z
  .object({
    id,
    name: z.string(),
    mac: z.string(),
    model: z.string(),
    firmware: z.string().nullable(),
    online: z.boolean(),
    state: z.enum(baselineStates),
    reason: z.enum(baselineReasons).nullable(),
  })
  .meta({ id: 'BaselineDevice' });

const errors = [
  'baseline.nameTaken',
  'baseline.scope',
  'baseline.modelOther',
  'baseline.macUnknown',
  'baseline.siteUnknown',
  'baseline.window',
  'baseline.zoneUnknown',
  'baseline.tooMany',
  'baseline.narrowed',
  'task.fileMissing',
] as const;

export const listBaselines = route({
  method: 'GET',
  path: '/api/f/task/baseline/list',
  summary: 'Baselines, a page at a time',
  permission: 'baseline',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({ name: text(64), active: flag, updatedAt: moment }),
    ...pageQuery,
    sort: sortBy(['name', 'updatedAt']),
  }),
  response: listOf(baselineRecord),
  errors: [],
});

export const getBaseline = route({
  method: 'GET',
  path: '/api/f/task/baseline/{id}',
  summary: 'One baseline',
  permission: 'baseline',
  audit: 'none',
  params: z.object({ id }),
  response: baselineRecord,
  errors: [],
});

export const listBaselineDevices = route({
  method: 'GET',
  path: '/api/f/task/baseline/{id}/device/list',
  summary: 'The devices that follow a baseline, a page at a time',
  permission: 'baseline',
  audit: 'none',
  params: z.object({ id }),
  query: z.object({
    search: z.string().trim().max(128).optional(),
    state: many(z.enum(baselineStates)),
    ...pageQuery,
  }),
  response: listOf(baselineDevice),
  errors: [],
});

/** Returns the baseline that a device follows, and its state; null when it follows none. */
export const getDeviceBaseline = route({
  method: 'GET',
  path: '/api/f/task/device/{id}/baseline',
  summary: 'The baseline of one device',
  permission: 'baseline',
  audit: 'none',
  params: z.object({ id }),
  response: z.object({
    baseline: z
      .object({
        id,
        name: z.string(),
        version: z.string(),
        state: z.enum(baselineStates),
        reason: z.enum(baselineReasons).nullable(),
      })
      .nullable(),
  }),
  errors: [],
});

/**
 * Adds a baseline. A device follows exactly one: that of its MAC, otherwise of its group, otherwise of the nearest
 * site, otherwise of its model; of two equal ones the newer. It never gets an older version than it has.
 */
export const addBaseline = route({
  method: 'POST',
  path: '/api/f/task/baseline',
  summary: 'Add a baseline',
  permission: 'addBaseline',
  audit: 'baseline.add',
  status: 201,
  body: z.strictObject(fields).refine(hasScope, scoped).refine(hasWindow, windowed),
  response: baselineRecord,
  errors,
});

export const editBaseline = route({
  method: 'PUT',
  path: '/api/f/task/baseline',
  summary: 'Edit a baseline',
  permission: 'editBaseline',
  audit: 'baseline.edit',
  body: z
    .strictObject({ id, ...fields })
    .refine(hasScope, scoped)
    .refine(hasWindow, windowed),
  response: baselineRecord,
  errors,
});

/** Retries devices that failed three times or whose task was stopped. */
export const retryBaseline = route({
  method: 'POST',
  path: '/api/f/task/baseline/{id}/retry',
  summary: 'Try a baseline again on devices that are stuck',
  permission: 'editBaseline',
  audit: 'baseline.retry',
  params: z.object({ id }),
  response: baselineRecord,
  errors: ['baseline.narrowed'],
});

/** Deletes a baseline. Running upgrades continue. */
export const deleteBaseline = route({
  method: 'DELETE',
  path: '/api/f/task/baseline',
  summary: 'Delete a baseline',
  permission: 'deleteBaseline',
  audit: 'baseline.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['baseline.narrowed'],
});

export const restoreBaselines = route({
  method: 'POST',
  path: '/api/f/task/baseline/restore',
  summary: 'Take back a deletion of baselines',
  permission: 'deleteBaseline',
  audit: 'baseline.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'baseline.nameTaken', 'baseline.tooMany', 'baseline.narrowed', 'task.fileMissing'],
});
