import { z } from 'zod';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** One provider, as the operator configures it. */
export const oidcProvider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/),
  /** Shown on the button of the login page. */
  name: z.string().min(1).max(64),
  issuer: z.url().refine((text) => {
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname));
  }, 'must be https'),
  clientId: z.string().min(1).max(256),
  clientSecret: z.string().min(1).max(512),
  scope: z.string().max(256).default('openid profile email'),
  /**
   * Claim with the user's groups, and the role for each group. With roles here, each login sets the user's roles to
   * those of their groups; a user without any is refused.
   */
  groupsClaim: z.string().max(64).default('groups'),
  roles: z.record(z.string(), z.string()).default({}),
  /**
   * Creates unknown users here when their groups give them a role. Without it only known emails and linked users get
   * in.
   */
  create: z.strictObject({ companyId: z.uuid(), orgId: z.uuid() }).optional(),
});
export type OidcProvider = z.output<typeof oidcProvider>;

/** Parses the setting: a JSON list of providers. */
export const oidcProviders = z
  .preprocess(
    (given, issue) => {
      if (typeof given !== 'string') return given;
      try {
        return JSON.parse(given) as unknown;
      } catch {
        issue.addIssue('is not JSON');
        return z.NEVER;
      }
    },
    z
      .array(oidcProvider)
      .max(10)
      .refine((all) => new Set(all.map((p) => p.id)).size === all.length, 'names a provider twice'),
  )
  .default([]);
