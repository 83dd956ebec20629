import { z } from 'zod';
import { route } from '../define/route.ts';
import { missingParts, passwordMaximum } from './password.ts';

/**
 * A password that is set or changed: in clear over the encrypted connection, so that the server checks the rule
 * (AUTH-03, AUTH-13).
 */
export const newPassword = z
  .string()
  .max(passwordMaximum)
  .refine((text) => missingParts(text).length === 0, 'auth.passwordRule');

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
    'auth.passwordRule',
    'auth.passwordsDiffer',
    'auth.passwordSame',
    'auth.oldPasswordWrong',
    'auth.accountLocked',
  ],
});
