/** How a directory is reached and read. No import, so that the browser takes nothing else. */
export const ldapSecurities = ['none', 'starttls', 'ldaps'] as const;
export type LdapSecurity = (typeof ldapSecurities)[number];
/** What is read of an entry (spec, section 3). */
export const ldapFields = ['name', 'number', 'mailbox', 'department', 'supervisor', 'adAccount'] as const;
export type LdapField = (typeof ldapFields)[number];
export const ldapCycles = ['off', 'hour', 'day', 'week'] as const;
export type LdapCycle = (typeof ldapCycles)[number];
export const ldapSyncStatuses = ['wait', 'process', 'success', 'fail'] as const;
export type LdapSyncStatus = (typeof ldapSyncStatuses)[number];
/** A file for each maker of phones; Grandstream's own name is fixed by the phone. */
export const phonebookFiles = ['fanvil.xml', 'yealink.xml', 'phonebook.xml'] as const;
export type PhonebookFile = (typeof phonebookFiles)[number];

/**
 * Whether a stored password may go there: to another host, at another port, less sealed or past a certificate it is
 * asked for again (docs/attack-cases.md, E7).
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
