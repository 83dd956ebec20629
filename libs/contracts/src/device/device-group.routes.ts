import { z } from 'zod';
import { exportOf } from '../define/export.ts';
import { route } from '../define/route.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { filters, flag, moment, number, orEmpty, text } from '../define/filter.ts';
import { deviceRule, listedTarget, storedRule } from './device.schemas.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';

export const deviceGroupRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    /** Null until the device service has received the organization. */
    organization: z.object({ id, name: z.string() }).nullable(),
    devices: z.number().int(),
    /** The rule that selects devices of its organization; null when devices are added by hand. */
    rule: storedRule.nullable(),
    /** True while devices are being matched against a new rule. */
    applying: z.boolean(),
    updatedAt: z.string(),
  })
  .meta({ id: 'DeviceGroup' });
const fields = {
  name: z.string().trim().min(1).max(64),
  description: z.string().trim().max(256),
  /** Absent or null: devices are added by hand, and current members stay. */
  rule: deviceRule.nullable().optional(),
};

export const listDeviceGroups = route({
  method: 'GET',
  path: '/api/f/device/group/list',
  summary: 'Device groups, a page at a time',
  permission: 'deviceGroup',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      description: orEmpty(text(256)),
      devices: number,
      byRule: flag,
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'description', 'organization', 'devices', 'updatedAt']),
  }),
  response: listOf(deviceGroupRecord),
  errors: [],
});

/** Columns of the exported list. */
export const deviceGroupExport = exportOf(
  listDeviceGroups,
  { what: 'device groups' },
  {
    name: 'text',
    description: 'text',
    organization: ['text', (g) => g.organization?.name],
    devices: 'number',
    byRule: ['word', (g) => g.rule !== null],
    updatedAt: 'moment',
  },
);
export const addDeviceGroupExport = deviceGroupExport.add;

/** Lists the groups that a device can be added to and filtered by, for users who see devices. */
export const listDeviceGroupNames = route({
  method: 'GET',
  path: '/api/f/device/group',
  summary: 'Device groups to choose from',
  permission: 'device',
  audit: 'none',
  response: z.array(
    deviceGroupRecord.pick({ id: true, name: true, organization: true }).extend({ byRule: z.boolean() }),
  ),
  errors: [],
});

export const getDeviceGroup = route({
  method: 'GET',
  path: '/api/f/device/group/{id}',
  summary: 'One device group',
  permission: 'deviceGroup',
  audit: 'none',
  params: z.object({ id }),
  response: deviceGroupRecord,
  errors: [],
});

/** Adds a group. Without `orgId` it belongs to the caller's organization. */
export const addDeviceGroup = route({
  method: 'POST',
  path: '/api/f/device/group',
  summary: 'Add a device group',
  permission: 'addDeviceGroup',
  audit: 'deviceGroup.add',
  status: 201,
  body: z.strictObject({ ...fields, orgId: id.optional() }),
  response: deviceGroupRecord,
  errors: ['deviceGroup.nameTaken', 'deviceGroup.tooManyPatterns', 'deviceGroup.tooManyRules'],
});

/** Edits a group. A new rule is applied in the background: `applying` is true meanwhile. */
export const editDeviceGroup = route({
  method: 'PUT',
  path: '/api/f/device/group',
  summary: 'Edit a device group',
  permission: 'editDeviceGroup',
  audit: 'deviceGroup.edit',
  body: z.strictObject({ id, ...fields }),
  response: deviceGroupRecord,
  errors: ['deviceGroup.nameTaken', 'deviceGroup.tooManyPatterns', 'deviceGroup.tooManyRules'],
});

export const deleteDeviceGroup = route({
  method: 'DELETE',
  path: '/api/f/device/group',
  summary: 'Delete a device group without devices',
  permission: 'deleteDeviceGroup',
  audit: 'deviceGroup.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: ['deviceGroup.notEmpty'],
});

/** Restores deleted groups with their ids. */
export const restoreDeviceGroups = route({
  method: 'POST',
  path: '/api/f/device/group/restore',
  summary: 'Take back a deletion of device groups',
  permission: 'deleteDeviceGroup',
  audit: 'deviceGroup.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'deviceGroup.nameTaken', 'deviceGroup.tooManyPatterns', 'deviceGroup.tooManyRules'],
});

/** Adds devices, all or none: it refuses when one belongs to another organization. Current members stay. */
export const addToDeviceGroup = route({
  method: 'POST',
  path: '/api/f/device/group/{id}/add',
  summary: 'Add devices to a device group',
  permission: 'editDevice',
  audit: 'device.addToGroup',
  bodyLimit: 1_048_576,
  params: z.object({ id }),
  body: listedTarget,
  response: z.object({ added: z.number().int() }),
  errors: ['deviceGroup.otherOrganization', 'deviceGroup.byRule'],
});

export const removeFromDeviceGroup = route({
  method: 'POST',
  path: '/api/f/device/group/{id}/remove',
  summary: 'Remove devices from a device group',
  permission: 'editDevice',
  audit: 'device.removeFromGroup',
  bodyLimit: 1_048_576,
  params: z.object({ id }),
  body: listedTarget,
  response: z.object({ removed: z.number().int() }),
  errors: ['deviceGroup.byRule'],
});
