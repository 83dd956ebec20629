import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { languages } from '../define/language.ts';
import { companyTypes } from '../org/org.schemas.ts';
import { newPassword, passwordErrors } from './password.routes.ts';
import { nameErrors } from './user.routes.ts';
import { userStatuses } from './auth.schemas.ts';
import { activationTypes, countryId, email, loginName, oldEnough, timezoneId } from './user.schemas.ts';

/** The fields of the spec's channel account as far as a company needs them: it, and its first administrator. */
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

/** The first user of a company, whom its maker has to reach; null once there is none. */
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
