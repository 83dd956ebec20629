import { z } from 'zod';
import { route } from '../define/route.ts';
import { filters, moment, number, orEmpty, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { permissionKeys } from '../permissions.ts';

export const roleRecord = z
  .object({
    id,
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
    users: z.number(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Role' });
const fields = {
  name: z.string().trim().min(1).max(64),
  description: z.string().trim().max(256),
  permissions: z
    .array(z.enum(permissionKeys as [string, ...string[]]))
    .min(1)
    .max(500),
};
const refusals = ['role.nameTaken', 'user.beyondOwnRights'] as const;

export const listRoles = route({
  method: 'GET',
  path: '/api/f/auth/role/list',
  summary: 'Roles, a page at a time',
  permission: 'role',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({ name: text(64), description: orEmpty(text(256)), users: number, updatedAt: moment }),
    ...pageQuery,
    sort: sortBy(['name', 'description', 'users', 'rights', 'updatedAt']),
  }),
  response: listOf(roleRecord),
  errors: [],
});

/** `givable`: the role has no permission that the caller lacks. */
export const listRoleNames = route({
  method: 'GET',
  path: '/api/f/auth/role',
  summary: 'Roles to choose from',
  permission: 'user',
  audit: 'none',
  response: z.array(z.object({ id, name: z.string(), givable: z.boolean() })),
  errors: [],
});

export const getRole = route({
  method: 'GET',
  path: '/api/f/auth/role/{id}',
  summary: 'One role',
  permission: 'role',
  audit: 'none',
  params: z.object({ id }),
  response: roleRecord,
  errors: [],
});

export const addRole = route({
  method: 'POST',
  path: '/api/f/auth/role',
  summary: 'Add a role',
  permission: 'addRole',
  audit: 'role.add',
  status: 201,
  body: z.strictObject(fields),
  response: roleRecord,
  errors: refusals,
});

export const editRole = route({
  method: 'PUT',
  path: '/api/f/auth/role',
  summary: 'Edit a role; who has it has the new rights within a second',
  permission: 'editRole',
  audit: 'role.edit',
  body: z.strictObject({ id, ...fields }),
  response: roleRecord,
  errors: [...refusals, 'user.notYourself', 'user.otherOrganizations', 'user.lastAdministrator'],
});

export const deleteRoles = route({
  method: 'DELETE',
  path: '/api/f/auth/role',
  summary: 'Delete roles that nobody has',
  permission: 'deleteRole',
  audit: 'role.delete',
  query: z.object({ ids: z.preprocess((v) => (Array.isArray(v) ? v : [v]), z.array(id).min(1).max(200)) }),
  response: z.object({ deleted: z.number() }),
  errors: ['role.inUse', 'user.beyondOwnRights'],
});

/** Restores deleted roles with their permissions and their place in the menu entries that were for them. */
export const restoreRoles = route({
  method: 'POST',
  path: '/api/f/auth/role/restore',
  summary: 'Take back a deletion of roles',
  permission: 'deleteRole',
  audit: 'role.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'role.nameTaken', 'user.beyondOwnRights'],
});
