/** Connection and fields of a directory. This file imports nothing, so that the browser bundles nothing else. */
export const ldapSecurities = ['none', 'starttls', 'ldaps'] as const;
export type LdapSecurity = (typeof ldapSecurities)[number];
/** Fields of an entry (ACC-04). */
export const ldapFields = ['name', 'number', 'mailbox', 'department', 'supervisor', 'adAccount'] as const;
export type LdapField = (typeof ldapFields)[number];
export const ldapCycles = ['off', 'hour', 'day', 'week'] as const;
export type LdapCycle = (typeof ldapCycles)[number];
export const ldapSyncStatuses = ['wait', 'process', 'success', 'fail'] as const;
export type LdapSyncStatus = (typeof ldapSyncStatuses)[number];
/** One file per phone manufacturer; Grandstream phones expect this fixed name. */
export const phonebookFiles = ['fanvil.xml', 'yealink.xml', 'phonebook.xml'] as const;
export type PhonebookFile = (typeof phonebookFiles)[number];

/**
 * Returns whether a stored password may be sent to this server: another host, port, weaker encryption or another
 * certificate check requires it again (docs/attack-cases.md, E7).
 */
export const sameDirectory = (
  a: { host: string; port: number; security: string; checkCertificate: boolean; ca: string | null },
  b: typeof a,
): boolean =>
  a.host === b.host &&
  a.port === b.port &&
  a.security === b.security &&
  a.checkCertificate === b.checkCertificate &&
  a.ca === b.ca;
