import { defineEntity, p } from '@mikro-orm/postgresql';
import { tenant, tenantProperties } from '@carillon/persistence';

/** A company's addresses for its channels, copied from `org.channelAddress.v1`. */
const ChannelAddressCopySchema = defineEntity({
  name: 'ChannelAddressCopy',
  tableName: 'channel_address_copy',
  indexes: [
    {
      name: 'channel_address_copy_company',
      expression: 'create index channel_address_copy_company on channel_address_copy (company_id)',
    },
  ],
  ...tenant(),
  properties: { ...tenantProperties, version: p.bigint('number'), era: p.integer() },
});
export class ChannelAddressCopy extends ChannelAddressCopySchema.class {}
ChannelAddressCopySchema.setClass(ChannelAddressCopy);
