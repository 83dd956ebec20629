import { exportCalls, exportOf } from '../define/export.ts';
import { listCompanies } from './company.routes.ts';
import { listOrganizations } from './organization.routes.ts';
import { listSites } from './site.routes.ts';

export const companyExport = exportOf(
  listCompanies,
  { what: 'companies' },
  {
    name: 'text',
    type: 'word',
    status: 'word',
    users: 'number',
    devices: 'number',
    remarks: 'text',
    createdAt: 'moment',
  },
);
export const addCompanyExport = companyExport.add;

export const organizationExport = exportOf(
  listOrganizations,
  { what: 'organizations' },
  { name: 'text', description: 'text', users: 'number', devices: 'number', updatedAt: 'moment' },
);
export const addOrganizationExport = organizationExport.add;

export const siteExport = exportOf(
  listSites,
  { what: 'sites' },
  {
    name: ['text', (s) => s.path.join(' / ')],
    segments: ['names', (s) => s.segments],
    overlaps: ['names', (s) => [...new Set(s.overlaps.map((o) => o.site))]],
    autoAssign: 'word',
    description: 'text',
    updatedAt: 'moment',
  },
);
export const addSiteExport = siteExport.add;

export const orgExports = exportCalls('org');
export const { list: listOrgExports, get: getOrgExport, file: getOrgExportFile, remove: deleteOrgExport } = orgExports;
