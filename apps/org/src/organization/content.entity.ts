import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** The organizations of a user, copied from `auth.access.v1`. */
const UserCopySchema = defineEntity({
  name: 'UserCopy',
  tableName: 'user_copy',
  indexes: [{ name: 'user_copy_company', expression: 'create index user_copy_company on user_copy (company_id)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    username: p.string().length(128),
    nickname: p.string().length(128),
    allOrgs: p.boolean(),
    orgIds: p.array().columnType('uuid[]'),
    defaultOrgId: p.uuid(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});
export class UserCopy extends UserCopySchema.class {}
UserCopySchema.setClass(UserCopy);

/** The organization of a device, copied from `device.state.v1`. */
const DeviceCopySchema = defineEntity({
  name: 'DeviceCopy',
  tableName: 'device_copy',
  indexes: [
    { name: 'device_copy_org', expression: 'create index device_copy_org on device_copy (company_id, org_id)' },
  ],
  ...tenant(),
  properties: { ...tenantProperties, orgId: p.uuid(), version: p.bigint('number'), era: p.integer() },
});
export class DeviceCopy extends DeviceCopySchema.class {}
DeviceCopySchema.setClass(DeviceCopy);
