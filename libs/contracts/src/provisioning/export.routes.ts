import { exportCalls, exportOf } from '../define/export.ts';
import { listConfigTemplates } from './config-template.routes.ts';
import { listLdapAccounts } from './ldap-account.routes.ts';
import { listLdapServers } from './ldap-server.routes.ts';
import { listSipAccounts } from './sip-account.routes.ts';
import { listSipServers } from './sip-server.routes.ts';

const place = (address: string | null, port: number | null): string | null =>
  address === null || port === null ? address : `${address}:${port}`;

export const sipServerExport = exportOf(
  listSipServers,
  { what: 'SIP servers' },
  {
    name: 'text',
    address: 'text',
    port: 'number',
    transport: 'word',
    domain: 'text',
    proxy: ['text', (s) => place(s.proxyAddress, s.proxyPort)],
    backup: ['text', (s) => place(s.backupAddress, s.backupPort)],
    accounts: 'number',
    assigned: 'number',
    unassigned: 'number',
    updatedAt: 'moment',
  },
);
export const addSipServerExport = sipServerExport.add;

/** Contains no password, only whether there is one. */
export const sipAccountExport = exportOf(
  listSipAccounts,
  { what: 'SIP accounts' },
  {
    name: 'text',
    status: 'word',
    number: 'text',
    displayName: 'text',
    server: ['text', (a) => a.server.name],
    site: ['text', (a) => a.site?.name],
    devices: ['names', (a) => a.devices.map((d) => `${d.device} (${d.line})`)],
    lines: ['number', (a) => a.devices.length],
    authUser: 'text',
    authPassword: ['word', (a) => a.authPasswordSet],
    proxyUser: 'text',
    voicemailNumber: 'text',
    updatedAt: 'moment',
  },
);
export const addSipAccountExport = sipAccountExport.add;

export const ldapServerExport = exportOf(
  listLdapServers,
  { what: 'LDAP servers' },
  {
    name: 'text',
    enabled: ['word', (s) => s.enabled],
    host: ['text', (s) => place(s.host, s.port)],
    security: 'word',
    base: 'text',
    cycle: 'word',
    accounts: 'number',
    missing: 'number',
    sync: ['word', (s) => s.sync?.status ?? 'none'],
    syncedAt: ['moment', (s) => s.sync?.endedAt ?? null],
    nextSyncAt: 'moment',
    updatedAt: 'moment',
  },
);
export const addLdapServerExport = ldapServerExport.add;

export const ldapAccountExport = exportOf(
  listLdapAccounts,
  { what: 'LDAP accounts' },
  {
    name: 'text',
    number: 'text',
    mailbox: 'text',
    department: 'text',
    supervisor: 'text',
    adAccount: 'text',
    server: ['text', (a) => a.server.name],
    missing: ['word', (a) => a.missing],
    updatedAt: 'moment',
  },
);
export const addLdapAccountExport = ldapAccountExport.add;

export const configTemplateExport = exportOf(
  listConfigTemplates,
  { what: 'configuration templates' },
  {
    name: 'text',
    level: 'word',
    target: ['text', (t) => t.targetName ?? t.target],
    settings: 'number',
    values: [
      'text',
      (t) =>
        Object.entries(t.values)
          .map(([key, value]) => `${key} = ${value}`)
          .join('; '),
    ],
    devices: 'number',
    version: 'number',
    description: 'text',
    updatedAt: 'moment',
  },
);
export const addConfigTemplateExport = configTemplateExport.add;

export const provisioningExports = exportCalls('provisioning');
export const {
  list: listProvisioningExports,
  get: getProvisioningExport,
  file: getProvisioningExportFile,
  remove: deleteProvisioningExport,
} = provisioningExports;
