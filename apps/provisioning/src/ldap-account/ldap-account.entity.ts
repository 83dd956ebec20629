import { defineEntity, p } from '@mikro-orm/postgresql';
import { instant, tenant, tenantProperties } from '@carillon/persistence';

/** The fields that were read from a directory entry (ACC-04). Accounts belong to the whole company. */
const LdapAccountSchema = defineEntity({
  name: 'LdapAccount',
  tableName: 'ldap_account',
  indexes: [
    {
      name: 'ldap_account_entry',
      expression: 'create unique index ldap_account_entry on ldap_account (server_id, entry)',
    },
    {
      name: 'ldap_account_name',
      expression: 'create index ldap_account_name on ldap_account (company_id, name collate "und-x-icu", id)',
    },
  ],
  ...tenant(),
  properties: {
    ...tenantProperties,
    serverId: p.uuid(),
    /**
     * The directory's own id of the entry, so that a renamed entry stays the same account; its DN when it has no id.
     */
    entry: p.string().length(1_024),
    name: p.string().length(128),
    number: p.string().length(64),
    mailbox: p.string().length(254),
    department: p.string().length(128),
    supervisor: p.string().length(128),
    adAccount: p.string().length(128),
    missing: p.boolean(),
    updatedAt: instant(3),
  },
});
export class LdapAccount extends LdapAccountSchema.class {}
LdapAccountSchema.setClass(LdapAccount);
