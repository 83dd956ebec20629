import { z } from 'zod';
import { route } from '../define/route.ts';

/* Login through an external provider (OpenID Connect) that the operator has set up (AUTH-01). */

export const listOidcProviders = route({
  method: 'GET',
  path: '/api/f/auth/oidc/list',
  summary: 'Other ways to log in',
  permission: 'public',
  audit: 'none',
  response: z.array(z.object({ id: z.string(), name: z.string() })),
  errors: [],
});

/** A page for the browser, not an API call: answers 302. */
export const startOidc = route({
  method: 'GET',
  path: '/api/f/auth/oidc/start',
  summary: 'Go to a provider to log in there',
  permission: 'public',
  audit: 'none',
  query: z.object({ provider: z.string().min(1).max(64), to: z.string().max(1024).optional() }),
  redirect: true,
  response: z.null(),
  errors: ['common.notFound'],
});

/** The provider's callback: answers 302 to the console, logged in or with the reason for the refusal. */
export const finishOidc = route({
  method: 'GET',
  path: '/api/f/auth/oidc/callback',
  summary: 'Come back from a provider',
  permission: 'public',
  audit: 'none',
  query: z.looseObject({ state: z.string().max(256).optional() }),
  redirect: true,
  response: z.null(),
  errors: [],
});

/** Why a login through a provider was refused, as the console's login page receives it. */
export const oidcRefusals = ['failed', 'noAccount', 'noRole', 'closed'] as const;
export type OidcRefusal = (typeof oidcRefusals)[number];
