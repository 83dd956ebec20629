import { defineEntity, p } from '@mikro-orm/postgresql';
import type { listChannels, RouteReturn } from '@carillon/contracts';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

type ChannelRecord = RouteReturn<typeof listChannels>['records'][number];

/**
 * A company as its parent company sees it. The row's id is the company's, its tenant the parent, so that a parent reads
 * its own rows without a wider policy. `mirrorChannels` keeps it equal to the company's row.
 */
const ChannelSchema = defineEntity({
  name: 'Channel',
  tableName: 'channel',
  indexes: [
    {
      name: 'channel_company',
      expression: 'create index channel_company on channel (company_id, lower((name)::text))',
    },
    { name: 'channel_address_id', expression: 'create index channel_address_id on channel (address_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(128),
    type: p.string().$type<ChannelRecord['type']>().length(32),
    status: p.string().$type<ChannelRecord['status']>().length(32),
    remarks: p.text(),
    createSubLimit: p.integer(),
    /** The number of companies below it at any depth, without their names. */
    subs: p.integer(),
    fcsLimit: p.integer(),
    licenseGranting: p.boolean(),
    fcsEnabled: p.boolean(),
    localSync: p.boolean(),
    fcsUrl: p.string().length(256),
    fcsDomain: p.string().length(253),
    addressId: p.uuid().strictNullable(),
    /** Its channel account, as auth published it last; empty when there is none. */
    username: p.string().length(128),
    nickname: p.string().length(128),
    email: p.string().length(254).strictNullable(),
    accountStatus: p.string().$type<ChannelRecord['accountStatus']>().length(32),
    language: p.string().$type<ChannelRecord['language']>().length(8).strictNullable(),
    timezoneId: p.integer().strictNullable(),
    countryId: p.integer(),
    createdAt: instant(3),
    updatedAt: instant(3),
  },
});
export class Channel extends ChannelSchema.class {}
ChannelSchema.setClass(Channel);

/**
 * A code with which a company lets another one bind it as a sub-channel. One at a time, valid for a day, used once;
 * only its hash is stored.
 */
const ChannelCodeSchema = defineEntity({
  name: 'ChannelCode',
  tableName: 'channel_code',
  indexes: [
    {
      name: 'channel_code_company',
      expression: 'create unique index channel_code_company on channel_code (company_id)',
    },
    { name: 'channel_code_hash', expression: 'create unique index channel_code_hash on channel_code (hash)' },
  ],
  ...tenant(),
  properties: { ...tenantProperties, hash: p.blob().$type<Buffer>(), expiresAt: instant(3) },
});
export class ChannelCode extends ChannelCodeSchema.class {}
ChannelCodeSchema.setClass(ChannelCode);
