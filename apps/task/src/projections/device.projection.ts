import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { deviceState, type Message } from '@carillon/contracts';
import { tenant, tenantProperties } from '@carillon/persistence';
import { On, project } from '@carillon/messaging';

/** Copy of what a task must know of a device to find it, to judge it and to name it later. */
export const DeviceCopy = defineEntity({
  name: 'DeviceCopy', tableName: 'device_copy',
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    mac: p.string().length(12),
    name: p.string().length(64),
    model: p.string().length(128),
    sn: p.string().length(128),
    firmware: p.string().length(128).nullable(),
    internalIp: p.string().length(64).nullable(),
    capabilities: p.json<string[]>(),
    configured: p.boolean(),
    configFailed: p.boolean(),
    failedLines: p.integer(),
    ownerEpoch: p.integer(),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant({ organization: true }),
});

const copy = {
  table: 'device_copy', id: 'id',
  columns: {
    company_id: 'uuid', org_id: 'uuid', mac: 'text', name: 'text', model: 'text', sn: 'text', firmware: 'text', internal_ip: 'text', capabilities: 'jsonb', configured: 'boolean', config_failed: 'boolean', failed_lines: 'int', owner_epoch: 'int',
  },
};

@Controller()
export class DeviceProjection {
  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    await project(copy, messages, ({ id: _, orgId, internalIp, configFailed, failedLines, ownerEpoch, ...same }, { companyId }) => ({
      ...same, company_id: companyId, org_id: orgId, internal_ip: internalIp, config_failed: configFailed, failed_lines: failedLines, owner_epoch: ownerEpoch,
    }));
  }
}
