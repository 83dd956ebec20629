import { companyKeyRoutes } from '../secret/company-key.ts';

/** The company key that encrypts the passwords of SIP accounts, FCS accounts and LDAP servers. */
export const accountKeyRoutes = companyKeyRoutes({
  name: 'accountKey',
  service: 'provisioning',
  title: 'passwords of accounts',
});
export const { get: getAccountKey, renew: renewAccountKey } = accountKeyRoutes;
