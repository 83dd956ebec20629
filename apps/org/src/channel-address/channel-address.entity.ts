import { defineEntity, p } from '@mikro-orm/postgresql';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** A node in the company's tree of addresses, at which its channels are placed (CHN-05). */
const ChannelAddressSchema = defineEntity({
  name: 'ChannelAddress',
  tableName: 'channel_address',
  indexes: [
    {
      name: 'channel_address_parent',
      expression: 'create index channel_address_parent on channel_address (parent_id)',
    },
    {
      name: 'channel_address_name',
      expression:
        'create unique index channel_address_name on channel_address (company_id, coalesce(parent_id, company_id), lower((name)::text))',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().strictNullable(),
    name: p.string().length(64),
    description: p.text(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class ChannelAddress extends ChannelAddressSchema.class {}
ChannelAddressSchema.setClass(ChannelAddress);
