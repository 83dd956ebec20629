import { defineEntity, p } from '@mikro-orm/postgresql';
import type { DeviceRule } from '@carillon/contracts';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/** A named set of devices of one organization (DEV-12). */
const DeviceGroupSchema = defineEntity({
  name: 'DeviceGroup',
  tableName: 'device_group',
  indexes: [
    {
      name: 'device_group_name',
      expression: 'create unique index device_group_name on device_group (company_id, org_id, lower((name)::text))',
    },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    name: p.string().length(64),
    description: p.text(),
    rule: p.json<DeviceRule>().strictNullable(),
    /** Version of the published group. */
    version: p.integer().default(0),
    updatedAt: changedInstant(3),
  },
});
export class DeviceGroup extends DeviceGroupSchema.class {}
DeviceGroupSchema.setClass(DeviceGroup);

/** The progress of applying a group's new rule: devices of its organization up to `after` have been tested. */
export const DeviceGroupPass = defineEntity({
  name: 'DeviceGroupPass',
  tableName: 'device_group_pass',
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    after: p.uuid().strictNullable(),
    leaseUntil: instant(3),
  },
});
