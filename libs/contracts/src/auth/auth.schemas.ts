import { z } from 'zod';
import { id } from '../define/list.ts';
import { languages } from '../define/language.ts';

export const accountTypes = ['super', 'channel', 'ordinary'] as const;
export const userStatuses = ['normal', 'inactive', 'disabled', 'locked'] as const;

/** Who may do what: read by the API gateways as a compacted copy, so that a change is seen within a second (ROLE-01). */
export const accessView = z.object({
  userId: id, companyId: id, username: z.string(), nickname: z.string(), accountType: z.enum(accountTypes), status: z.enum(userStatuses),
  roleIds: z.array(id), permissions: z.array(z.string()), orgIds: z.array(id), defaultOrgId: id,
  language: z.enum(languages).nullable(), timezoneId: z.number().int(),
  /** Tokens issued before this instant are dead (epoch ms). */
  tokensValidAfter: z.number(),
  /** Has a one-time password still: may do nothing but choose his own. */
  mustChangePassword: z.boolean().optional(),
});
export type AccessView = z.output<typeof accessView>;

/** The flat answer of the token call (spec, sections 3 and 7). */
export const tokenAnswer = z.object({
  access_token: z.string(), refresh_token: z.string(), token_type: z.literal('bearer'), expires_in: z.number(), scope: z.string(),
  companyId: id, orgId: id, createSubLimit: z.number(), fcsLimit: z.number(), countryId: z.number(), timezoneId: z.number(),
  avatar: z.string(), userId: id, username: z.string(), nickname: z.string(),
  /** Logged in with a one-time password: every call but the change of it is refused until then. */
  mustChangePassword: z.boolean(),
});

/** Parameters of the token call, in the query (as the spec prints) or in a form or JSON body (AUTH-03). */
export const tokenCall = z.object({
  grant_type: z.string().max(32).optional(), scope: z.string().max(32).optional(), type: z.string().max(32).optional(),
  username: z.string().max(128).optional(), password: z.string().max(128).optional(), refresh_token: z.string().max(512).optional(),
  key: z.string().max(128).optional(), code: z.string().max(128).optional(),
});

/** A menu item as the server sends it (spec, section 3). */
export interface MenuItem {
  id: string; name: string; langKey: string; path: string | null; source: string | null; children: MenuItem[];
  meta: { keepAlive?: boolean; i18n?: string; roles?: string[] };
}
export const menuItem: z.ZodType<MenuItem> = z.lazy(() => z.object({
  id: z.string(), name: z.string(), langKey: z.string(), path: z.string().nullable(), source: z.string().nullable(),
  children: z.array(menuItem), meta: z.object({ keepAlive: z.boolean().optional(), i18n: z.string().optional(), roles: z.array(z.string()).optional() }),
})).meta({ id: 'MenuItem' });

export const userInfo = z.object({
  userId: id, username: z.string(), nickname: z.string(), email: z.string().nullable(), accountType: z.enum(accountTypes), companyId: id, companyName: z.string(),
  orgId: id, roles: z.array(z.string()), language: z.enum(languages).nullable(), timezoneId: z.number(), lastLoginAt: z.string().nullable(),
});
