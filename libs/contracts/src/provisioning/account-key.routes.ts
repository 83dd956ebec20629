import { companyKeyRoutes } from '../secret/company-key.ts';

/** The key of the own company that passwords of SIP accounts, FCS accounts and LDAP servers are encrypted with. */
export const accountKeyRoutes = companyKeyRoutes({
  name: 'accountKey',
  service: 'provisioning',
  title: 'passwords of accounts',
});
export const { get: getAccountKey, renew: renewAccountKey } = accountKeyRoutes;
