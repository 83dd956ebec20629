import { z } from 'zod';
import { route } from '../define/route.ts';
import { choice, filters, moment, text } from '../define/filter.ts';
import { id, instant, listOf, pageQuery, sortBy } from '../define/list.ts';
import { menuNode } from './menu.schemas.ts';
import { passwordMaximum } from './password.ts';
import { permissionKeys, type PermissionKey } from '../permissions.ts';

/** Prefix of every developer token, so that secret scanners can find a leaked one. */
export const apiTokenPrefix = 'carillon_';
/** Longest lifetime of a token, days. */
export const apiTokenDays = 366;

export const apiTokenStates = ['active', 'expired', 'revoked'] as const;

export const apiTokenRecord = z
  .object({
    id,
    name: z.string(),
    scopes: z.array(z.string()),
    createdBy: z.string(),
    createdAt: z.string(),
    expiresAt: z.string(),
    state: z.enum(apiTokenStates),
  })
  .meta({ id: 'ApiToken' });

export const getApiAccess = route({
  method: 'GET',
  path: '/api/f/auth/api',
  summary: 'Whether the company lets programs in, and the rights that the caller may give to a token',
  permission: 'apiToken',
  audit: 'none',
  response: z.object({
    open: z.boolean(),
    scopes: z.array(z.string()),
    /** False for users who log in through an identity provider and have no password. */
    passwordNeeded: z.boolean(),
  }),
  errors: [],
});

export const getApiRights = route({
  method: 'GET',
  path: '/api/f/auth/api/right',
  summary: 'The rights that the caller may give to a token, as the tree of the menu',
  permission: 'apiToken',
  audit: 'none',
  response: z.array(menuNode),
  errors: [],
});

export const openApiAccess = route({
  method: 'POST',
  path: '/api/f/auth/api/open',
  summary: 'Let programs in',
  permission: 'editApi',
  audit: 'api.open',
  response: z.null(),
  errors: [],
});

export const closeApiAccess = route({
  method: 'POST',
  path: '/api/f/auth/api/close',
  summary: 'Let no program in any more: every token is revoked',
  permission: 'editApi',
  audit: 'api.close',
  response: z.null(),
  errors: ['user.otherOrganizations'],
});

/**
 * Lists the tokens whose creators the caller may edit. A caller who sees only some of a creator's organizations sees
 * none of their tokens.
 */
export const listApiTokens = route({
  method: 'GET',
  path: '/api/f/auth/api/token/list',
  summary: "The company's tokens, a page at a time, the newest first",
  permission: 'apiToken',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      state: choice(z.enum(apiTokenStates)),
      createdBy: text(),
      createdAt: moment,
      expiresAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'state', 'createdBy', 'createdAt', 'expiresAt']),
  }),
  response: listOf(apiTokenRecord),
  errors: [],
});

/**
 * A token has the permissions named here for as long as its creator has them too. Requires the user's own password,
 * because a token outlives the session: an open session alone must not make one. Users without a password send an empty
 * one ({@link getApiAccess}).
 */
export const addApiToken = route({
  method: 'POST',
  path: '/api/f/auth/api/token/add',
  summary: 'Make a token with the own password; its text is told in this answer only',
  permission: 'addApiToken',
  audit: 'apiToken.add',
  ownTransaction: true,
  status: 201,
  body: z.strictObject({
    name: z.string().trim().min(1).max(64),
    scopes: z
      .array(z.enum(permissionKeys as unknown as [PermissionKey, ...PermissionKey[]]))
      .min(1)
      .max(200),
    expiresAt: instant,
    password: z.string().max(passwordMaximum),
  }),
  response: z.object({ id, token: z.string() }),
  errors: ['auth.apiClosed', 'auth.apiExpiry', 'auth.oldPasswordWrong', 'auth.accountLocked', 'common.forbidden'],
});

export const revokeApiToken = route({
  method: 'POST',
  path: '/api/f/auth/api/token/{id}/revoke',
  summary: 'Revoke a token',
  permission: 'revokeApiToken',
  audit: 'apiToken.revoke',
  params: z.object({ id }),
  response: z.null(),
  errors: [],
});
