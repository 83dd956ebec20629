import { z } from 'zod';
import { id } from '../define/list.ts';
import { languages } from '../define/language.ts';

export const accountTypes = ['super', 'channel', 'ordinary'] as const;
export const userStatuses = ['normal', 'inactive', 'disabled', 'locked'] as const;

/** `view` allows seeing what the grantor sees; `manage` also allows changing it. */
export const supportAccessLevels = ['view', 'manage'] as const;

/**
 * Permissions of a user. The API gateways read them as a compacted copy, so that a change takes effect within a second
 * (ROLE-01).
 */
export const accessView = z.object({
  userId: id,
  companyId: id,
  username: z.string(),
  nickname: z.string(),
  accountType: z.enum(accountTypes),
  status: z.enum(userStatuses),
  roleIds: z.array(id),
  permissions: z.array(z.string()),
  orgIds: z.array(id),
  defaultOrgId: id,
  /** Sees every organization of the company, including future ones; `orgIds` then lists all current ones. */
  allOrgs: z.boolean().optional(),
  language: z.enum(languages).nullable(),
  timezoneId: z.number().int(),
  countryId: z.number().int().optional(),
  /** Tokens issued before this instant are invalid (Unix time in milliseconds). */
  tokensValidAfter: z.number(),
  /** The user still has a one-time password and may only change it. */
  mustChangePassword: z.boolean().optional(),
  /**
   * Failed logins locked the account until this instant (Unix time in milliseconds); its API tokens are locked too
   * (AUTH-05).
   */
  lockedUntil: z.number().optional(),
});
/** The account that a company was created with. The company's other users are visible to the company only (USER-02). */
export const channelAccount = z.object({
  userId: id,
  username: z.string(),
  nickname: z.string(),
  email: z.string().nullable(),
  status: z.enum(userStatuses),
  language: z.enum(languages).nullable(),
  /** Null: the time zone of the user's browser. */
  timezoneId: z.number().int().nullable(),
  countryId: z.number().int(),
});
export type AccessView = z.output<typeof accessView>;

/** The flat response of the token call (AUTH-03). */
export const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number(),
  scope: z.string(),
  companyId: id,
  orgId: id,
  createSubLimit: z.number(),
  fcsLimit: z.number(),
  countryId: z.number(),
  timezoneId: z.number(),
  /** Whether a time zone was chosen; otherwise times use the browser's zone. */
  zoneChosen: z.boolean(),
  avatar: z.string(),
  userId: id,
  username: z.string(),
  nickname: z.string(),
  /** The user logged in with a one-time password: every call but the password change is refused. */
  mustChangePassword: z.boolean(),
  /** Set while the session is in a customer's company; `companyId` is then the customer's. */
  visit: z.object({ customer: z.string(), allowedBy: z.string(), until: z.string() }).optional(),
});

/** Parameters of the token call, in the query (as printed) or in a form or JSON body (AUTH-03). */
export const tokenCall = z.object({
  grant_type: z.string().max(32).optional(),
  scope: z.string().max(32).optional(),
  type: z.string().max(32).optional(),
  username: z.string().max(128).optional(),
  password: z.string().max(128).optional(),
  refresh_token: z.string().max(512).optional(),
  key: z.string().max(128).optional(),
  code: z.string().max(128).optional(),
});

export const userInfo = z.object({
  userId: id,
  username: z.string(),
  nickname: z.string(),
  email: z.string().nullable(),
  accountType: z.enum(accountTypes),
  companyId: id,
  companyName: z.string(),
  orgId: id,
  roles: z.array(z.string()),
  language: z.enum(languages).nullable(),
  timezoneId: z.number(),
  /** Whether a time zone was chosen; otherwise times use the browser's zone. */
  zoneChosen: z.boolean(),
  lastLoginAt: z.string().nullable(),
  countryId: z.number(),
  avatar: z.string().nullable(),
  erpId: z.string().nullable(),
  createdBy: z.string().nullable(),
  editor: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
  allOrgs: z.boolean(),
  /** Address that is not confirmed yet. */
  pendingEmail: z.string().nullable(),
  /** Hints of the console that the user dismissed. */
  dismissed: z.array(z.string()),
  enterprise: z.object({ contact: z.string(), phone: z.string(), address: z.string(), website: z.string() }),
});
