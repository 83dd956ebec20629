import { z } from 'zod';
import { usersAtOnce } from '../define/constant.ts';
import { route } from '../define/route.ts';
import { id, listOf } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { languages } from '../define/language.ts';
import { newPassword, passwordErrors } from './password.routes.ts';
import {
  activationTypes,
  avatarMaximum,
  countryId,
  enterprise,
  loginName,
  oldEnough,
  storedLoginName,
  timezoneId,
  userFields,
  userFilterSchema,
  userListQuery,
  userRecord,
} from './user.schemas.ts';

const ids = z.preprocess((v) => (Array.isArray(v) ? v : [v]), z.array(id).min(1).max(200));
const some = z.strictObject({ ids: z.array(id).min(1).max(200) });
const done = z.object({ changed: z.number() });
/** Errors of a login name. */
export const nameErrors = ['user.nameFormat', 'user.nameHidden', 'user.nameMixed'] as const;
/** Errors of a change of other users. */
const touchErrors = ['user.missing', 'user.notYourself', 'user.beyondOwnRights', 'user.otherOrganizations'] as const;

export const listUsers = route({
  method: 'GET',
  path: '/api/f/auth/user/list',
  summary: 'Users, filtered, sorted, a page at a time',
  permission: 'user',
  audit: 'none',
  query: userListQuery,
  response: listOf(userRecord),
  errors: [],
});

export const countUsers = route({
  method: 'GET',
  path: '/api/f/auth/user/count',
  summary: 'Users by status and by account type, filtered',
  permission: 'user',
  audit: 'none',
  query: userFilterSchema,
  response: z.object({
    total: z.number(),
    status: z.record(z.string(), z.number()),
    accountType: z.record(z.string(), z.number()),
  }),
  errors: [],
});

export const getUser = route({
  method: 'GET',
  path: '/api/f/auth/user/{id}',
  summary: 'One user',
  permission: 'user',
  audit: 'none',
  params: z.object({ id }),
  response: userRecord,
  errors: ['user.missing'],
});

const addErrors = [
  'user.tooYoung',
  'user.nameTaken',
  'user.emailTaken',
  'common.tooMany',
  'user.emailInvalid',
  'user.emailMissing',
  ...nameErrors,
  'user.passwordMissing',
  ...passwordErrors,
  'user.beyondOwnRights',
  'user.beyondOwnOrganizations',
  'user.organizationMissing',
] as const;

/**
 * Adds a user. With `email` a link is sent; with `password` the user activates the account with the initial password
 * given here.
 */
export const addUser = route({
  method: 'POST',
  path: '/api/f/auth/user',
  summary: 'Add a user',
  permission: 'addUser',
  audit: 'user.add',
  status: 201,
  body: z.strictObject({
    username: loginName,
    activation: z.enum(activationTypes),
    password: newPassword.optional(),
    oldEnough,
    ...userFields,
  }),
  response: userRecord,
  errors: addErrors,
});

const { nickname: _nickname, email: _email, erpId: _erpId, ...alike } = userFields;

/**
 * Adds several users who differ only in their names. Each row is added or refused on its own, by the rules of {@link
 * addUser}; a refused row does not affect the others. The response keeps the order of the rows.
 */
export const addUsers = route({
  method: 'POST',
  path: '/api/f/auth/user/many',
  summary: 'Add several users; each row is added or refused by itself',
  permission: 'addUser',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({
    activation: z.enum(activationTypes),
    oldEnough,
    ...alike,
    users: z
      .array(
        z.strictObject({
          username: z.string().max(254),
          nickname: z.string().max(254),
          email: z.string().max(320).nullable(),
          password: z.string().max(128).optional(),
        }),
      )
      .min(1)
      .max(usersAtOnce),
  }),
  response: z.object({
    rows: z.array(
      z.object({
        user: z.object({ id, username: z.string(), email: z.string().nullable() }).nullable(),
        /** Why the row was refused: error key, text, and the field that it concerns. */
        error: z.string().nullable(),
        msg: z.string().nullable(),
        path: z.string().nullable(),
      }),
    ),
  }),
  errors: ['user.tooYoung'],
});

export const editUser = route({
  method: 'PUT',
  path: '/api/f/auth/user',
  summary: 'Edit a user',
  permission: 'editUser',
  audit: 'user.edit',
  body: z.strictObject({ id, username: storedLoginName, ...userFields }),
  response: userRecord,
  errors: [
    'user.missing',
    'user.nameTaken',
    'user.emailTaken',
    'common.tooMany',
    'user.emailInvalid',
    ...nameErrors,
    'user.beyondOwnRights',
    'user.beyondOwnOrganizations',
    'user.otherOrganizations',
    'user.organizationMissing',
    'user.notYourself',
    'user.emailByLink',
    'user.lastAdministrator',
  ],
});

export const deleteUsers = route({
  method: 'DELETE',
  path: '/api/f/auth/user',
  summary: 'Delete users; their sessions end',
  permission: 'deleteUser',
  audit: 'user.delete',
  query: z.object({ ids }),
  response: z.object({ deleted: z.number() }),
  errors: [...touchErrors, 'user.lastAdministrator'],
});

/**
 * Restores users with those of their roles and organizations that still exist; their sessions stay ended. `taken` lists
 * users who stay deleted because their login name or email is in use now.
 */
export const restoreUsers = route({
  method: 'POST',
  path: '/api/f/auth/user/restore',
  summary: 'Take back a deletion of users',
  permission: 'deleteUser',
  audit: 'user.restore',
  body: restoreBody,
  response: restoreDone.extend({ taken: z.array(z.string()) }),
  errors: [
    'common.restoreOver',
    'user.restoreTaken',
    'user.missing',
    'user.beyondOwnRights',
    'user.otherOrganizations',
  ],
});

export const enableUsers = route({
  method: 'POST',
  path: '/api/f/auth/user/enable',
  summary: 'Enable users that were disabled',
  permission: 'enableUser',
  audit: 'user.enable',
  body: some,
  response: done,
  errors: touchErrors,
});

export const disableUsers = route({
  method: 'POST',
  path: '/api/f/auth/user/disable',
  summary: 'Disable users; their sessions end',
  permission: 'disableUser',
  audit: 'user.disable',
  body: some,
  response: done,
  errors: [...touchErrors, 'user.lastAdministrator'],
});

export const unlockUsers = route({
  method: 'POST',
  path: '/api/f/auth/user/unlock',
  summary: 'Unlock users whom failed logins locked',
  permission: 'unlockUser',
  audit: 'user.unlock',
  body: some,
  response: done,
  errors: touchErrors,
});

/** Sends a new link by mail, which invalidates the older one, or sets a new initial password. */
export const resendActivation = route({
  method: 'POST',
  path: '/api/f/auth/user/resendActivation',
  summary: 'Send a new activation link, or set a new first password',
  permission: 'resendActivation',
  audit: 'user.resendActivation',
  body: z.strictObject({ id, password: newPassword.optional() }),
  response: z.null(),
  errors: [
    ...touchErrors,
    'user.notInactive',
    'user.passwordMissing',
    'user.emailMissing',
    ...passwordErrors,
    'common.tooMany',
  ],
});

/** Sets the time zone. The form with one field is the printed one (SYS-06). Empty: the zone of the user's browser. */
export const modifyUser = route({
  method: 'POST',
  path: '/api/f/mc/user/modify',
  summary: 'Change the own time zone',
  permission: 'session',
  audit: 'user.timezone',
  form: true,
  body: z.object({ timezoneId: z.union([timezoneId, z.literal('')]) }),
  response: z.null(),
  errors: [],
});

export const editEnterprise = route({
  method: 'POST',
  path: '/api/f/mc/user/enterprise',
  summary: 'Change the contact facts of the own company',
  permission: 'editEnterprise',
  audit: 'company.enterprise',
  body: enterprise,
  response: enterprise,
  errors: [],
});

export const editErpId = route({
  method: 'POST',
  path: '/api/f/mc/user/erpID',
  summary: 'Change the own ERP ID',
  permission: 'session',
  audit: 'user.erpId',
  body: z.strictObject({ erpId: z.string().trim().max(64).nullable() }),
  response: z.null(),
  errors: [],
});

export const editOwnUser = route({
  method: 'PUT',
  path: '/api/f/auth/user/own',
  summary: 'Change the own display name, language and country',
  permission: 'session',
  audit: 'user.editOwn',
  body: z.strictObject({
    nickname: z.string().trim().min(1).max(64),
    language: z.enum(languages).nullable().optional(),
    countryId: countryId.optional(),
  }),
  response: z.null(),
  errors: [],
});

/** Hints that the console shows until the user dismisses them. */
export const hints = ['setup'] as const;

export const dismissHint = route({
  method: 'POST',
  path: '/api/f/auth/user/hint',
  summary: 'Put a hint of the console away, or have it back',
  permission: 'session',
  audit: 'user.dismissHint',
  body: z.strictObject({ hint: z.enum(hints), dismissed: z.boolean() }),
  response: z.null(),
  errors: [],
});

/** Sets the picture, in base64 and checked by its content; null removes it. */
export const setAvatar = route({
  method: 'POST',
  path: '/api/f/auth/user/avatar',
  summary: 'Set the own picture',
  permission: 'session',
  audit: 'user.avatar',
  bodyLimit: 160 * 1024,
  body: z.strictObject({
    image: z
      .string()
      .max(Math.ceil(avatarMaximum / 3) * 4 + 4)
      .nullable(),
  }),
  response: z.object({ avatar: z.string().nullable() }),
  errors: ['user.imageWrong'],
});
