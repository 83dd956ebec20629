import { z } from 'zod';
import { route } from '../define/route.ts';

/** Headers of the token call that carry the answer (AUTH-02). */
export const captchaHeaders = { key: 'captcha-key', code: 'captcha-code' } as const;
/** A captcha can be answered once, within this many seconds. */
export const captchaSeconds = 120;

export const showCaptcha = route({
  method: 'GET',
  path: '/api/f/auth/oauth/showCaptcha',
  summary: 'Whether a captcha is needed to log in',
  permission: 'public',
  audit: 'none',
  query: z.object({ username: z.string().max(128).optional() }),
  response: z.boolean(),
  errors: [],
});

export const getCaptcha = route({
  method: 'GET',
  path: '/api/f/auth/oauth/captcha',
  summary: 'A captcha: its key, and its image as a data URL',
  permission: 'public',
  audit: 'none',
  response: z.object({ key: z.string(), image: z.string() }),
  errors: [],
});

/** The other form (AUTH-02): the image itself, under a key that the client generated. */
export const getCaptchaImage = route({
  method: 'GET',
  path: '/api/code',
  summary: "A captcha as an SVG image; `key` (or `randomStr`) is 16 characters or more of the client's choice",
  permission: 'public',
  audit: 'none',
  flat: true,
  file: 'image/svg+xml',
  query: z.object({
    key: z
      .string()
      .regex(/^[\w-]{16,64}$/)
      .optional(),
    randomStr: z
      .string()
      .regex(/^[\w-]{16,64}$/)
      .optional(),
  }),
  response: z.string(),
  errors: [],
});

/**
 * An alternative for users who cannot read an image. For each `i` below `rounds` the client finds a number for which
 * SHA-256 of `challenge:i:number` begins with `bits` zero bits; the code is the numbers, joined by dots.
 */
export const getCaptchaWork = route({
  method: 'GET',
  path: '/api/f/auth/oauth/captcha/work',
  summary: 'A captcha that a machine answers by computing for a moment',
  permission: 'public',
  audit: 'none',
  response: z.object({ key: z.string(), challenge: z.string(), rounds: z.number().int(), bits: z.number().int() }),
  errors: [],
});
