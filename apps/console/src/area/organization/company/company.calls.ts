import type { listCompanies as list, RouteOutput } from '@carillon/contracts';
import { remote } from '../../../kit/api/call.ts';

export const listCompanies = remote('listCompanies', 'GET /api/f/org/company/list');
export const addCompany = remote('addCompany', 'POST /api/f/auth/company');
export const editCompany = remote('editCompany', 'PUT /api/f/org/company');
export const setCompanyStatus = remote('setCompanyStatus', 'POST /api/f/org/company/status');
export const getCompanyAdministrator = remote('getCompanyAdministrator', 'GET /api/f/auth/company/{id}/administrator');
export const resendCompanyActivation = remote(
  'resendCompanyActivation',
  'POST /api/f/auth/company/{id}/resendActivation',
);

export type Company = RouteOutput<typeof list>['records'][number];
/** Whether its users may log in, now or once its account is activated. */
export const isOpen = ({ status }: Pick<Company, 'status'>): boolean => status === 'normal' || status === 'inactive';
export const companyTypes = [
  'distributor',
  'reseller',
  'integrator',
  'itsp',
  'vad',
  'channel',
  'operator',
  'enterprise',
  'vip',
] as const;
