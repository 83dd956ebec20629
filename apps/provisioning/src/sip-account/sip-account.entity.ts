import { defineEntity, p } from '@mikro-orm/postgresql';
import type { LineStatus } from '@carillon/contracts';
import { changedInstant, tenant, tenantProperties } from '@carillon/persistence';

/** The credentials that a line registers with (ACC-02). `CompanySecrets` encrypts its passwords. */
const SipAccountSchema = defineEntity({
  name: 'SipAccount',
  tableName: 'sip_account',
  indexes: [
    {
      name: 'sip_account_number',
      expression:
        'create unique index sip_account_number on sip_account (company_id, server_id, lower((number)::text))',
    },
    {
      name: 'sip_account_name',
      expression:
        'create index sip_account_name on sip_account (company_id, name collate "und-x-icu", id) include (org_id)',
    },
    {
      name: 'sip_account_status',
      expression: 'create index sip_account_status on sip_account (company_id, status) include (org_id)',
    },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    serverId: p.uuid(),
    siteId: p.uuid().strictNullable(),
    name: p.string().length(64),
    number: p.string().length(64),
    displayName: p.string().length(64),
    authUser: p.string().length(128),
    authPassword: p.text().strictNullable(),
    proxyUser: p.string().length(128),
    proxyPassword: p.text().strictNullable(),
    voicemailNumber: p.string().length(64),
    voicemailPassword: p.text().strictNullable(),
    /** The worst status of its lines, maintained by `account-line.consumer.ts`. */
    status: p.string().$type<LineStatus>().length(16),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class SipAccount extends SipAccountSchema.class {}
SipAccountSchema.setClass(SipAccount);

/** The devices, copied from the device service. */
export const DeviceCopy = defineEntity({
  name: 'DeviceCopy',
  tableName: 'device_copy',
  indexes: [
    { name: 'device_copy_model', expression: 'create index device_copy_model on device_copy (company_id, model, id)' },
    { name: 'device_copy_mac', expression: 'create index device_copy_mac on device_copy (mac)' },
    { name: 'device_copy_server', expression: 'create index device_copy_server on device_copy (server_id)' },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    name: p.string().length(64),
    mac: p.string().length(12),
    /** Empty in a copy from the release before, until the device is published again. */
    model: p.string().length(128).default(''),
    ownerEpoch: p.integer().default(0),
    siteId: p.uuid().strictNullable(),
    /** The SIP server that was chosen for it. */
    serverId: p.uuid().strictNullable(),
    groupIds: p.array().columnType('uuid[]').defaultRaw(`'{}'`),
    enabled: p.boolean().default(true),
    /** Differs after the device's secret was renewed. */
    secretMark: p.string().length(12).strictNullable(),
    accounts: p.json<{ line: number; accountId: string; status: LineStatus; reported?: string | undefined }[]>(),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

/** The lines with an account, by account. */
export const AccountLine = defineEntity({
  name: 'AccountLine',
  tableName: 'account_line',
  indexes: [
    { name: 'account_line_account', expression: 'create index account_line_account on account_line (account_id)' },
    { name: 'account_line_device', expression: 'create index account_line_device on account_line (device_id)' },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    accountId: p.uuid(),
    deviceId: p.uuid(),
    line: p.integer(),
    /** The account that the device reports for the line, and its state; null when unknown. */
    reported: p.string().length(128).strictNullable(),
    status: p.string().$type<LineStatus>().length(16),
  },
});
