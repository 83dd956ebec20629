import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';
import { waitUntilKnown } from '../../../kit/api/wait-until-known.ts';

const names = remote('listOrganizationNames', 'GET /api/f/mc/org');
export const listOrganizations = remote('listOrganizations', 'GET /api/f/mc/org/list');
export const addOrganization = remote('addOrganization', 'POST /api/f/mc/org/insert');
export const editOrganization = remote('editOrganization', 'PUT /api/f/mc/org/edit');
export const deleteOrganization = remote('deleteOrganization', 'POST /api/f/mc/org/delete');
export const restoreOrganizations = remote('restoreOrganizations', 'POST /api/f/mc/org/restore');
export const transferOrganization = remote('transferOrganization', 'POST /api/f/mc/org/transferOrg');

export type Organization = RouteOutput<typeof listOrganizations>['records'][number];

/** Resolves when the services for users and access know the organization. */
export const organizationKnown = (id: string): Promise<void> => waitUntilKnown(id, () => call(names));
