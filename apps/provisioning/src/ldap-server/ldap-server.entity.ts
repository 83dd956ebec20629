import { defineEntity, p } from '@mikro-orm/postgresql';
import type { LdapCycle, LdapField, LdapSecurity, LdapSyncStatus } from '@carillon/contracts';
import type { ErrorKey } from '@carillon/contracts/errors';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

/** A directory that accounts are read from (ACC-04). `CompanySecrets` encrypts its password. */
const LdapServerSchema = defineEntity({
  name: 'LdapServer',
  tableName: 'ldap_server',
  indexes: [
    {
      name: 'ldap_server_name',
      expression: 'create unique index ldap_server_name on ldap_server (company_id, lower((name)::text))',
    },
    {
      name: 'ldap_server_due',
      expression: 'create index ldap_server_due on ldap_server (next_sync_at) where (next_sync_at is not null)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    name: p.string().length(64),
    enabled: p.boolean(),
    host: p.string().length(253),
    port: p.integer(),
    security: p.string().$type<LdapSecurity>().length(16),
    checkCertificate: p.boolean(),
    ca: p.text().strictNullable(),
    userName: p.string().length(255),
    password: p.text().strictNullable(),
    base: p.string().length(1_024),
    filter: p.string().length(1_024),
    attributes: p.json<Record<LdapField, string>>(),
    cycle: p.string().$type<LdapCycle>().length(8),
    time: p.string().length(5),
    weekday: p.integer(),
    /** Zone of the tz database in which `time` is meant. */
    timeZone: p.string().length(64).default('Etc/UTC'),
    /** Replaced by `timeZone`; only processes of an earlier release use it, during an upgrade. */
    timezoneId: p.integer().default(1),
    nextSyncAt: instant(3).strictNullable(),
    version: p.integer(),
    updatedAt: changedInstant(3),
  },
});
export class LdapServer extends LdapServerSchema.class {}
LdapServerSchema.setClass(LdapServer);

/** The last or running sync of a server, of which there is one at a time. */
const LdapSyncSchema = defineEntity({
  name: 'LdapSync',
  tableName: 'ldap_sync',
  indexes: [
    { name: 'ldap_sync_server', expression: 'create unique index ldap_sync_server on ldap_sync (server_id)' },
    {
      name: 'ldap_sync_waiting',
      expression: 'create index ldap_sync_waiting on ldap_sync (lease_until) where (ended_at is null)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    serverId: p.uuid(),
    status: p.string().$type<LdapSyncStatus>().length(16),
    byHand: p.boolean(),
    attempts: p.integer(),
    /** The process that runs it. A process whose lease has expired may not write any more. */
    runner: p.uuid().strictNullable(),
    leaseUntil: instant(3),
    startedAt: instant(3),
    endedAt: instant(3).strictNullable(),
    read: p.integer(),
    added: p.integer(),
    changed: p.integer(),
    removed: p.integer(),
    error: p.string().$type<ErrorKey>().length(64).strictNullable(),
    errorValues: p.json<Record<string, unknown>>(),
  },
});
export class LdapSync extends LdapSyncSchema.class {}
LdapSyncSchema.setClass(LdapSync);

/** Returns the place of the password, which its ciphertext is bound to. */
export const passwordPlace = (id: string): string => `ldap_server.password ${id}`;
