import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { languages } from '../define/language.ts';
import { channelGrants, companyTypes } from '../org/org.schemas.ts';
import { newPassword, passwordErrors } from './password.routes.ts';
import { nameErrors } from './user.routes.ts';
import { userStatuses } from './auth.schemas.ts';
import { activationTypes, countryId, email, loginName, oldEnough, timezoneId } from './user.schemas.ts';

/**
 * Creates a company and its first administrator. Takes the fields of a channel account that a company needs (CHN-01).
 */
export const addCompany = route({
  method: 'POST',
  path: '/api/f/auth/company',
  summary: 'Make a company with its first administrator',
  permission: 'addCompany',
  audit: 'session',
  status: 201,
  ownTransaction: true,
  body: z.strictObject({
    name: z.string().trim().min(1).max(128),
    type: z.enum(companyTypes),
    organizationName: z.string().trim().min(1).max(64),
    remarks: z.string().trim().max(512),
    username: loginName,
    nickname: z.string().trim().min(1).max(64),
    email: email.nullable(),
    activation: z.enum(activationTypes),
    password: newPassword.optional(),
    oldEnough,
    language: z.enum(languages),
    timezoneId: timezoneId.nullable(),
    countryId,
  }),
  response: z.object({ id, orgId: id, userId: id }),
  errors: [
    'user.tooYoung',
    'org.companyNameTaken',
    'user.nameTaken',
    'user.emailTaken',
    'user.emailInvalid',
    'user.emailMissing',
    'user.passwordMissing',
    ...nameErrors,
    ...passwordErrors,
  ],
});

/** Returns the first user of a company, for the caller who created it; null when that user is gone. */
export const getCompanyAdministrator = route({
  method: 'GET',
  path: '/api/f/auth/company/{id}/administrator',
  summary: 'The first administrator of a company',
  permission: 'company',
  audit: 'none',
  ownTransaction: true,
  params: z.object({ id }),
  response: z
    .object({
      id,
      username: z.string(),
      nickname: z.string(),
      email: z.string().nullable(),
      status: z.enum(userStatuses),
      activation: z.enum(activationTypes),
    })
    .nullable(),
  errors: [],
});

export const resendCompanyActivation = route({
  method: 'POST',
  path: '/api/f/auth/company/{id}/resendActivation',
  summary: "Send the activation link of a company's first administrator again",
  permission: 'editCompany',
  audit: 'session',
  ownTransaction: true,
  params: z.object({ id }),
  response: z.null(),
  errors: ['user.missing', 'user.notInactive', 'user.emailMissing', 'common.tooMany'],
});

/** Creates a company with its channel account directly below the caller's company (CHN-01, CHN-02). */
export const addChannel = route({
  method: 'POST',
  path: '/api/f/auth/channel',
  summary: 'Make a channel below the own company, with its account',
  permission: 'addChannel',
  audit: 'session',
  status: 201,
  ownTransaction: true,
  body: addCompany.body.extend(channelGrants.shape),
  response: z.object({ id, orgId: id, userId: id }),
  errors: [
    'user.tooYoung',
    'channel.companyRegistered',
    'channel.duplicateAccount',
    'channel.duplicateLogin',
    'user.emailTaken',
    'user.emailInvalid',
    'user.emailMissing',
    'user.passwordMissing',
    'channel.superiorAddressEmpty',
    'channel.subLimit',
    'channel.fcsLimit',
    'channel.flagNotHeld',
    'common.tooMany',
    ...nameErrors,
    ...passwordErrors,
  ],
});

/**
 * Edits the account of a channel directly below the caller's company, and no other user of it. The email address can be
 * corrected until the account is activated; then it belongs to its owner.
 */
export const editChannelAccount = route({
  method: 'PUT',
  path: '/api/f/auth/channel/account',
  summary: 'Edit the account of a channel directly below the own company',
  permission: 'editChannel',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({
    id,
    nickname: z.string().trim().min(1).max(64),
    email: email.nullable(),
    language: z.enum(languages).nullable(),
    timezoneId: timezoneId.nullable(),
    countryId,
  }),
  response: z.null(),
  errors: ['user.missing', 'user.emailTaken', 'user.emailInvalid', 'channel.activated', 'common.tooMany'],
});

export const resendChannelActivation = route({
  method: 'POST',
  path: '/api/f/auth/channel/{id}/resendActivation',
  summary: 'Send the activation link of a channel account again',
  permission: 'editChannel',
  audit: 'session',
  ownTransaction: true,
  params: z.object({ id }),
  response: z.null(),
  errors: ['user.missing', 'user.notInactive', 'user.emailMissing', 'common.tooMany'],
});

/** By this id, `getMailStatus` tells whether the mail was sent. Null when no link was mailed. */
export const getChannelActivation = route({
  method: 'GET',
  path: '/api/f/auth/channel/{id}/activation',
  summary: 'The last mail with the activation link of a channel account',
  permission: 'channel',
  audit: 'none',
  passive: true,
  ownTransaction: true,
  params: z.object({ id }),
  response: z.object({ mail: id.nullable() }),
  errors: [],
});
