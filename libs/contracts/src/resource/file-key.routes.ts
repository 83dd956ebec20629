import { companyKeyRoutes } from '../secret/company-key.ts';

/** The key of the own company that the keys of its configuration files are encrypted with. */
export const fileKeyRoutes = companyKeyRoutes({
  name: 'fileKey',
  service: 'resource',
  title: 'configuration files',
});
export const { get: getFileKey, renew: renewFileKey } = fileKeyRoutes;
