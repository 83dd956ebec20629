import { z } from 'zod';
import { route } from '../define/route.ts';
import { passwordFault, passwordMaximum } from './password.ts';

/**
 * A password to set. It travels in clear over the encrypted connection, so that the server checks the rule (AUTH-03,
 * AUTH-13).
 */
export const newPassword = z
  .string()
  .max(passwordMaximum)
  .superRefine((text, check) => {
    const message = passwordFault(text);
    if (message) check.addIssue({ code: 'custom', message });
  });
/** Errors of a password to set. Only code that knows the names can answer `auth.passwordUnlike`. */
export const passwordErrors = ['auth.passwordRule', 'auth.passwordCommon', 'auth.passwordUnlike'] as const;

export const changePassword = route({
  method: 'POST',
  path: '/api/f/auth/password/change',
  summary: 'Change the own password; every other session of the user ends',
  permission: 'session',
  audit: 'session',
  beforePasswordChange: true,
  ownTransaction: true,
  body: z
    .strictObject({
      oldPassword: z.string().min(1).max(passwordMaximum),
      newPassword,
      confirmation: z.string().max(passwordMaximum),
    })
    .refine((b) => b.newPassword === b.confirmation, { message: 'auth.passwordsDiffer', path: ['confirmation'] }),
  response: z.null(),
  errors: [
    ...passwordErrors,
    'auth.passwordsDiffer',
    'auth.passwordSame',
    'auth.oldPasswordWrong',
    'auth.accountLocked',
  ],
});
