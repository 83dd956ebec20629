import { exportCalls, exportOf } from '../define/export.ts';
import { listApiTokens } from './api-token.routes.ts';
import { listRoles } from './role.routes.ts';
import { listSupportAccess } from './support-access.routes.ts';
import { listUsers } from './user.routes.ts';

const names = (all: readonly { name: string }[]): string[] => all.map(({ name }) => name);

export const userExport = exportOf(
  listUsers,
  { what: 'users' },
  {
    status: 'word',
    username: 'text',
    nickname: 'text',
    email: 'text',
    type: ['word', (u) => u.accountType],
    roles: ['names', (u) => names(u.roles)],
    /** The word for `*` means all organizations. */
    orgs: ['names', (u) => (u.allOrgs ? ['*'] : names(u.orgs))],
    lastLoginAt: 'moment',
    /** The word for the empty text means the browser's time zone. */
    timezone: ['word', (u) => (u.zoneChosen ? u.timezoneId : '')],
    country: ['word', (u) => u.countryId],
    activation: 'word',
    erpId: 'text',
    company: ['text', (u) => u.companyName],
    id: 'text',
    createdBy: 'text',
    editor: 'text',
    createdAt: 'moment',
    updatedAt: 'moment',
  },
);
export const addUserExport = userExport.add;

export const roleExport = exportOf(
  listRoles,
  { what: 'roles' },
  {
    name: 'text',
    description: 'text',
    users: 'number',
    rights: ['number', (r) => r.permissions.length],
    updatedAt: 'moment',
  },
);
export const addRoleExport = roleExport.add;

/** Exports the permissions of a token, never the token itself. */
export const apiTokenExport = exportOf(
  listApiTokens,
  { what: 'API tokens' },
  {
    name: 'text',
    state: 'word',
    scopes: 'names',
    createdBy: 'text',
    createdAt: 'moment',
    expiresAt: 'moment',
  },
);
export const addApiTokenExport = apiTokenExport.add;

export const supportAccessExport = exportOf(
  listSupportAccess,
  { what: 'support access' },
  {
    createdAt: 'moment',
    state: 'word',
    until: 'moment',
    level: 'word',
    company: 'text',
    createdBy: 'text',
    reason: 'text',
    visits: 'number',
    visitedAt: 'moment',
    endedBy: 'text',
    endedAt: 'moment',
  },
);
export const addSupportAccessExport = supportAccessExport.add;

export const authExports = exportCalls('auth');
export const {
  list: listAuthExports,
  get: getAuthExport,
  file: getAuthExportFile,
  remove: deleteAuthExport,
} = authExports;
