import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { provisioningDeviceConfig, type ConfigState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** The version of the configuration that a device is to have; the id is the device's. */
export const DeviceConfigCopy = defineEntity({
  name: 'DeviceConfigCopy',
  tableName: 'device_config_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    wanted: p.string().length(32),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

@Controller()
export class DeviceConfigProjection {
  @On(provisioningDeviceConfig, ['config'])
  async config(messages: Message<typeof provisioningDeviceConfig>[]): Promise<void> {
    await project(DeviceConfigCopy, messages, ({ companyId, version }) => ({ companyId, wanted: version }));
  }
}

const copySql = (condition: string): string =>
  `exists (select 1 from device_config_copy w where w.id = d.id and ${condition})`;
/** SQL: whether the configuration of a device `d` is in a state. */
export const configStateSql: Readonly<Record<ConfigState, string>> = {
  none: `not ${copySql('true')}`,
  current: copySql('w.wanted = d.config_version'),
  behind: copySql('w.wanted is distinct from d.config_version'),
};
