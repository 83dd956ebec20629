import { z } from 'zod';
import { route } from '../define/route.ts';
import { filters, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';

export const organizationRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    users: z.number(),
    devices: z.number(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Organization' });
const fields = { name: z.string().trim().min(1).max(64), description: z.string().trim().max(256) };
const contents = z.object({ hasDevice: z.boolean(), devices: z.number(), users: z.number() });

/** The calls (SYS-06), besides the selectable list (ORG-01). */
export const listOrganizations = route({
  method: 'GET',
  path: '/api/f/mc/org/list',
  summary: 'Organizations, a page at a time',
  permission: 'organization',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      description: orEmpty(text(256)),
      users: number,
      devices: number,
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'description', 'users', 'devices', 'updatedAt']),
  }),
  response: listOf(organizationRecord),
  errors: [],
});

export const listOrganizationUsers = route({
  method: 'GET',
  path: '/api/f/mc/org/users',
  summary: 'Users and the organizations that each is in',
  permission: 'organization',
  audit: 'none',
  query: z.object({ orgId: id.optional() }),
  response: z.array(
    z.object({ id, username: z.string(), nickname: z.string(), allOrgs: z.boolean(), orgIds: z.array(id) }),
  ),
  errors: [],
});

export const getOrganization = route({
  method: 'GET',
  path: '/api/f/mc/org/{id}',
  summary: 'One organization',
  permission: 'organization',
  audit: 'none',
  params: z.object({ id }),
  response: organizationRecord,
  errors: [],
});

export const addOrganization = route({
  method: 'POST',
  path: '/api/f/mc/org/insert',
  summary: 'Add an organization',
  permission: 'addOrganization',
  audit: 'organization.add',
  status: 201,
  body: z.strictObject(fields),
  response: organizationRecord,
  errors: ['org.nameTaken', 'org.narrowed'],
});

export const editOrganization = route({
  method: 'PUT',
  path: '/api/f/mc/org/edit',
  summary: 'Edit an organization',
  permission: 'editOrganization',
  audit: 'organization.edit',
  body: z.strictObject({ id, ...fields }),
  response: organizationRecord,
  errors: ['org.nameTaken'],
});

/** Returns what must be transferred before the organization can be deleted. */
export const organizationHasDevice = route({
  method: 'POST',
  path: '/api/f/mc/org/hasDevice',
  summary: 'Whether devices or users are in an organization',
  permission: 'organization',
  audit: 'session',
  body: z.strictObject({ id }),
  response: contents,
  errors: [],
});

export const deleteOrganization = route({
  method: 'POST',
  path: '/api/f/mc/org/delete',
  summary: 'Delete an organization without users and devices',
  permission: 'deleteOrganization',
  audit: 'organization.delete',
  body: z.strictObject({ id }),
  response: z.null(),
  errors: ['org.notEmpty', 'org.last'],
});

/** Restores organizations with their ids. */
export const restoreOrganizations = route({
  method: 'POST',
  path: '/api/f/mc/org/restore',
  summary: 'Take back a deletion of organizations',
  permission: 'deleteOrganization',
  audit: 'organization.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'org.nameTaken', 'org.narrowed'],
});

/** Starts a transfer: users and devices move shortly after the response. */
export const transferOrganization = route({
  method: 'POST',
  path: '/api/f/mc/org/transferOrg',
  summary: 'Move the users and devices of an organization to another',
  permission: 'transferOrganization',
  audit: 'organization.transfer',
  status: 202,
  body: z.strictObject({ id, to: id }).refine((b) => b.id !== b.to, { message: 'org.sameTarget', path: ['to'] }),
  response: contents,
  errors: ['org.sameTarget', 'user.otherOrganizations'],
});
