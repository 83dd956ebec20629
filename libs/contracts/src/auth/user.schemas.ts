import { z } from 'zod';
import { pictureMaximum } from '../define/constant.ts';
import { choice, filters, moment, orEmpty, text } from '../define/filter.ts';
import { id, pageQuery, sortBy } from '../define/list.ts';
import { languages } from '../define/language.ts';
import { isEmpty, isPhone } from '../check/check.ts';
import { accountTypes, userStatuses } from './auth.schemas.ts';
import { loginNameFault, loginNamePattern, toLoginName } from './login-name.ts';

/** How a user activates a new account: by a link in a mail, or by an initial password that they are told (AUTH-12). */
export const activationTypes = ['email', 'password'] as const;

/** An existing login name: names from before the current rule stay valid. */
export const storedLoginName = z.string().trim().min(1).max(64).regex(loginNamePattern, 'user.nameFormat');
export const loginName = storedLoginName.overwrite(toLoginName).superRefine((name, check) => {
  const message = loginNameFault(name);
  if (message && loginNamePattern.test(name)) check.addIssue({ code: 'custom', message });
});
export const email = z.string().trim().max(254).pipe(z.email('user.emailInvalid'));
/** Ids in the time-zone and country tables (USER-01). */
export const timezoneId = z.coerce.number().int().min(1).max(99);
export const countryId = z.number().int().min(1).max(999);

const named = z.object({ id, name: z.string() });
export const userRecord = z
  .object({
    id,
    username: z.string(),
    nickname: z.string(),
    email: z.string().nullable(),
    accountType: z.enum(accountTypes),
    status: z.enum(userStatuses),
    activation: z.enum(activationTypes),
    roles: z.array(named),
    allOrgs: z.boolean(),
    orgs: z.array(named),
    defaultOrgId: id,
    companyId: id,
    companyName: z.string(),
    language: z.enum(languages).nullable(),
    timezoneId: z.number(),
    zoneChosen: z.boolean(),
    countryId: z.number(),
    erpId: z.string().nullable(),
    createdBy: z.string().nullable(),
    editor: z.string().nullable(),
    lastLoginAt: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'User' });
export type UserRecord = z.output<typeof userRecord>;

export const userFilter = {
  search: z.string().trim().max(128).optional(),
  ...filters({
    status: choice(z.enum(userStatuses)),
    accountType: choice(z.enum(accountTypes)),
    roleId: choice(id),
    orgId: choice(id),
    username: text(64),
    nickname: text(64),
    email: orEmpty(text(254)),
    erpId: orEmpty(text(64)),
    activation: choice(z.enum(activationTypes)),
    timezoneId: choice(z.coerce.number().int().min(1).max(99)),
    countryId: choice(z.coerce.number().int().min(1).max(999)),
    createdBy: orEmpty(text(64)),
    editor: orEmpty(text(64)),
    lastLoginAt: orEmpty(moment),
    createdAt: moment,
    updatedAt: moment,
  }),
};
export const userFilterSchema = z.object(userFilter);
export const userSorts = [
  'status',
  'username',
  'nickname',
  'email',
  'type',
  'lastLoginAt',
  'activation',
  'erpId',
  'createdBy',
  'editor',
  'createdAt',
  'updatedAt',
] as const;
export const userListQuery = z.object({ ...userFilter, ...pageQuery, sort: sortBy(userSorts) });

/** Fields of a user that an administrator may set. `allOrgs` and a list of organizations exclude each other. */
export const userFields = {
  nickname: z.string().trim().min(1).max(64),
  email: email.nullable(),
  accountType: z.enum(accountTypes).optional(),
  roleIds: z.array(id).min(1).max(20),
  allOrgs: z.boolean(),
  orgIds: z.array(id).max(500),
  language: z.enum(languages).nullable().optional(),
  /** Null: the time zone of the user's browser. */
  timezoneId: timezoneId.nullable().optional(),
  countryId: countryId.optional(),
  erpId: z.string().trim().max(64).nullable().optional(),
};

/**
 * The caller confirms that the new user is of the age that the privacy text requires (SYS-08). A missing
 * answer counts as no, and no is refused.
 */
export const oldEnough = z
  .boolean({ error: ({ input }) => (input === undefined ? 'user.tooYoung' : undefined) })
  .refine((yes) => yes, 'user.tooYoung');

/** Contact details of the user's company (the enterprise setting). */
export const enterprise = z.object({
  contact: z.string().trim().max(64),
  phone: z
    .string()
    .trim()
    .max(32)
    .refine((text) => isEmpty(text) || isPhone(text), 'common.fieldFormat'),
  address: z.string().trim().max(256),
  website: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(256)]),
});

/** Largest avatar in bytes (SYS-08). */
export const avatarMaximum = pictureMaximum;
