import { exportCalls, exportOf } from '../define/export.ts';
import { listChannelAddresses } from './channel-address.routes.ts';
import { listChannels } from './channel.routes.ts';
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
    superior: 'text',
    createSubLimit: 'number',
    fcsLimit: 'number',
    licenseGranting: 'word',
    fcsEnabled: 'word',
    localSync: 'word',
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
    downloadMbit: 'number',
    timeZone: 'text',
    description: 'text',
    updatedAt: 'moment',
  },
);
export const addSiteExport = siteExport.add;

export const channelAddressExport = exportOf(
  listChannelAddresses,
  { what: 'channel-addresses' },
  {
    name: ['text', (a) => a.path.join(' / ')],
    channels: 'number',
    description: 'text',
    updatedAt: 'moment',
  },
);
export const addChannelAddressExport = channelAddressExport.add;

export const channelExport = exportOf(
  listChannels,
  { what: 'channels' },
  {
    name: 'text',
    type: 'word',
    status: 'word',
    username: 'text',
    nickname: 'text',
    email: 'text',
    accountStatus: 'word',
    address: ['text', (c) => c.address.join(' / ')],
    subs: 'number',
    createSubLimit: 'number',
    fcsLimit: 'number',
    licenseGranting: 'word',
    fcsEnabled: 'word',
    localSync: 'word',
    fcsUrl: 'text',
    fcsDomain: 'text',
    remarks: 'text',
    createdAt: 'moment',
    updatedAt: 'moment',
  },
);
export const addChannelExport = channelExport.add;

export const orgExports = exportCalls('org');
export const { list: listOrgExports, get: getOrgExport, file: getOrgExportFile, remove: deleteOrgExport } = orgExports;
