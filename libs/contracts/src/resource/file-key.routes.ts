import { companyKeyRoutes } from '../secret/company-key.ts';

/** The company key that encrypts the keys of its configuration files. */
export const fileKeyRoutes = companyKeyRoutes({
  name: 'fileKey',
  service: 'resource',
  title: 'configuration files',
});
export const { get: getFileKey, renew: renewFileKey } = fileKeyRoutes;
