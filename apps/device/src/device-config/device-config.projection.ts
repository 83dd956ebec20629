import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { provisioningDeviceConfig, type ConfigState, type Message } from '@carillon/contracts';
import { configStateSql, statesOfFilter } from '@carillon/contracts/device-filter';
import { On, project } from '@carillon/messaging';
import { filterBy, instant, tenant, tenantProperties } from '@carillon/persistence';
import { judgeDrift } from './config-drift.ts';

/** The version of the configuration that a device is to have; the id is the device's. */
export const DeviceConfigCopy = defineEntity({
  name: 'DeviceConfigCopy',
  tableName: 'device_config_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    wanted: p.string().length(32),
    /** When it became that. */
    since: instant(3),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

@Controller()
export class DeviceConfigProjection {
  @On(provisioningDeviceConfig, ['config'])
  async config(messages: Message<typeof provisioningDeviceConfig>[]): Promise<void> {
    await project(DeviceConfigCopy, messages, ({ companyId, version }, { at }) => ({
      companyId,
      wanted: version,
      since: new Date(at).toISOString(),
    }));
    await judgeDrift(messages.map(({ key }) => key));
  }
}

const noConfig: ConfigState = 'none';
const copySql = (condition: string): string =>
  `exists (select 1 from device_config_copy w where w.id = d.id and ${condition})`;
const stateOf = configStateSql('w.wanted', 'd.config_version', 'd.config_drifted_at is not null');
/** The filter by the state of the configuration of a device `d`, as conditions that PostgreSQL can join. */
export const configFilter = filterBy.text('d.id', {
  any: (values, add) => {
    const made = statesOfFilter(values).filter((state) => state !== noConfig);
    const found = copySql(`${stateOf} = any(${add(made)}::text[])`);
    return values.includes(noConfig) ? `(${found} or not ${copySql('true')})` : found;
  },
});
