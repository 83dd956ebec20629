import { z } from 'zod';
import { route } from '../define/route.ts';
import { passwordMaximum } from './password.ts';
import { newPassword, passwordErrors } from './password.routes.ts';
import { email } from './user.schemas.ts';

/** Lifetime of a link (AUTH-10), and limits of the button that resends it. */
export { linkDays } from '../define/constant.ts';
export const resendSeconds = 60;
export const resendMinutes = 30;

const token = z.string().min(1).max(128);
const chosen = { newPassword, confirmation: z.string().max(passwordMaximum) };
const alike = (b: { newPassword: string; confirmation: string }): boolean => b.newPassword === b.confirmation;
const differ = { message: 'auth.passwordsDiffer', path: ['confirmation'] };
/** What the page needs to resend the mail. It does not reveal whether the account exists. */
const sent = z.object({ ticket: z.string(), resendSeconds: z.number(), resendMinutes: z.number() });

export const linkKinds = ['activation', 'passwordReset', 'emailChange'] as const;

/** Gives the same answer in the same time whether or not the account exists (AUTH-06, AUTH-10). */
export const forgotPassword = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/forgotPassword',
  summary: 'Ask for a link to set a new password',
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ name: z.string().trim().min(1).max(254) }),
  response: sent,
  errors: ['common.tooMany'],
});

export const resendForgotPassword = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/resend',
  summary: 'Send the link again',
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ ticket: z.string().max(1024) }),
  response: sent,
  errors: ['link.resendExpired', 'link.pageExpired', 'common.tooMany'],
});

/** Checks whether a link is still valid before the user fills in a form. Does not consume the link. */
export const checkLink = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/check',
  summary: 'Whether a link can be used',
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ kind: z.enum(linkKinds), token }),
  response: z.object({ username: z.string(), email: z.string().nullable() }),
  errors: ['link.activationInvalid', 'link.resetInvalid', 'link.emailInvalid', 'common.tooMany'],
});

export const resetPassword = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/resetPassword',
  summary: 'Set a new password by a link',
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ token, ...chosen }).refine(alike, differ),
  response: z.null(),
  errors: ['link.resetInvalid', ...passwordErrors, 'auth.passwordsDiffer', 'auth.passwordSame', 'common.tooMany'],
});

export const activateByLink = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/activate',
  summary: 'Activate an account by a link and choose its password',
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ token, ...chosen }).refine(alike, differ),
  response: z.null(),
  errors: ['link.activationInvalid', ...passwordErrors, 'auth.passwordsDiffer', 'common.tooMany'],
});

export const activateByPassword = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/activateByPassword',
  summary: 'Activate an account by its first password and choose an own one',
  permission: 'public',
  audit: 'session',
  body: z
    .strictObject({
      username: z.string().trim().min(1).max(254),
      password: z.string().min(1).max(passwordMaximum),
      ...chosen,
    })
    .refine(alike, differ),
  response: z.null(),
  errors: [
    'auth.wrongCredentials',
    'auth.accountLocked',
    'auth.disabled',
    'user.notInactive',
    ...passwordErrors,
    'auth.passwordsDiffer',
    'auth.passwordSame',
    'common.tooMany',
  ],
});

/** Requires the user's own password: an open session alone must not move an account to another mailbox. */
export const requestEmailChange = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/emailChange',
  summary: 'Ask for a link to the new email address',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ email, password: z.string().min(1).max(passwordMaximum) }),
  response: z.object({ email: z.string(), resendSeconds: z.number() }),
  errors: [
    'user.emailInvalid',
    'user.emailSame',
    'user.emailTaken',
    'auth.oldPasswordWrong',
    'auth.accountLocked',
    'common.tooMany',
  ],
});

export const resendEmailChange = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/resendEmailChange',
  summary: 'Send the link to the new email address again',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  response: z.object({ email: z.string(), resendSeconds: z.number() }),
  errors: ['link.pageExpired', 'common.tooMany'],
});

export const confirmEmail = route({
  method: 'POST',
  path: '/api/f/auth/accountLink/confirmEmail',
  summary: 'Confirm the new email address by a link',
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ token }),
  response: z.object({ email: z.string() }),
  errors: ['link.emailInvalid', 'user.emailTaken', 'common.tooMany'],
});
