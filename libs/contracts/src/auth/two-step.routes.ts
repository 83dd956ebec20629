import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';
import { passwordMaximum } from './password.ts';

export const twoStepMethods = ['email', 'totp', 'passkey'] as const;
export type TwoStepMethod = (typeof twoStepMethods)[number];
/** How long a second step may take, and how long a mailed code is valid. */
export const twoStepSeconds = 600;

const ticket = z.strictObject({ key: z.string().min(1).max(128) });
/** Opaque here: these are the browser's own WebAuthn structures (WebAuthn, section 5). */
const webauthn = z.record(z.string(), z.unknown());
const codeErrors = ['auth.codeRequired', 'auth.codeWrong', 'auth.codeExpired', 'auth.accountLocked'] as const;
const code = z.string({ error: 'auth.codeRequired' }).trim().min(1, 'auth.codeRequired').max(128);
const password = z.string().min(1).max(passwordMaximum);

/*
 * The second step of a login: `auth.twoStepRequired` carries `key`, `methods` and the id of a mailed code as `mail`; the
 * token call completes the login with `key` and `code`.
 */

export const mailLoginCode = route({
  method: 'POST',
  path: '/api/f/auth/twoStep/login/mail',
  summary: 'Send the code of a login that waits for its second step',
  permission: 'public',
  audit: 'session',
  body: ticket,
  response: z.object({ mail: id }),
  errors: ['auth.codeExpired'],
});

export const beginLoginPasskey = route({
  method: 'POST',
  path: '/api/f/auth/twoStep/login/passkey',
  summary: 'What to ask a passkey for, in a login that waits for its second step',
  permission: 'public',
  audit: 'session',
  body: ticket,
  response: webauthn,
  errors: ['auth.codeExpired'],
});

export const answerLoginPasskey = route({
  method: 'POST',
  path: '/api/f/auth/twoStep/login/passkeyAnswer',
  summary: "The passkey's answer; gives the code that ends the login",
  permission: 'public',
  audit: 'session',
  body: z.strictObject({ key: z.string().min(1).max(128), response: webauthn }),
  response: z.object({ code: z.string() }),
  errors: ['auth.codeExpired', 'auth.passkeyWrong', 'auth.accountLocked'],
});

/* Settings of a whole company (AUTH-14). */

export const getTwoStep = route({
  method: 'GET',
  path: '/api/f/auth/twoStep',
  summary: 'Whether the company has two-step login, and who could not log in with it',
  permission: 'twoStep',
  audit: 'none',
  response: z.object({
    open: z.boolean(),
    shutOut: z.number().int(),
    names: z.array(z.string()),
    email: z.string().nullable(),
  }),
  errors: [],
});

export const mailTwoStepCode = route({
  method: 'POST',
  path: '/api/f/auth/twoStep/code',
  summary: 'Send the caller a code for opening or closing two-step login',
  permission: 'editTwoStep',
  audit: 'twoStep.code',
  response: z.null(),
  errors: ['auth.emailMissing', 'common.tooMany'],
});

export const openTwoStep = route({
  method: 'POST',
  path: '/api/f/auth/twoStep/open',
  summary: 'Open two-step login for the company',
  permission: 'editTwoStep',
  audit: 'twoStep.open',
  body: z.strictObject({ code }),
  response: z.null(),
  errors: codeErrors,
});

export const closeTwoStep = route({
  method: 'POST',
  path: '/api/f/auth/twoStep/close',
  summary: 'Close two-step login for the company',
  permission: 'editTwoStep',
  audit: 'twoStep.close',
  body: z.strictObject({ code }),
  response: z.null(),
  errors: codeErrors,
});

/* A user's own second steps (AUTH-18). A change requires the user's password again. */

export const getSecondSteps = route({
  method: 'GET',
  path: '/api/f/auth/secondStep',
  summary: 'The own second steps of a login',
  permission: 'session',
  audit: 'none',
  response: z.object({
    company: z.boolean(),
    totp: z.boolean(),
    recoveryCodes: z.number().int(),
    passkeys: z.array(z.object({ id, name: z.string(), createdAt: z.string(), lastUsedAt: z.string().nullable() })),
  }),
  errors: [],
});

const again = ['auth.oldPasswordWrong', 'auth.accountLocked'] as const;
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

export const beginTotp = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/totp/begin',
  summary: 'A new secret for an authenticator app; it counts once a code of it was given',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ password }),
  response: z.object({ secret: z.string(), uri: z.string(), image: z.string() }),
  errors: again,
});

export const confirmTotp = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/totp/confirm',
  summary: 'Use the authenticator app from now on; gives recovery codes, once',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ code }),
  response: recoveryCodes,
  errors: codeErrors,
});

export const removeTotp = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/totp/remove',
  summary: 'Use no authenticator app any more',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ password }),
  response: z.null(),
  errors: again,
});

export const renewRecoveryCodes = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/recoveryCodes',
  summary: 'New recovery codes instead of all old ones',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ password }),
  response: recoveryCodes,
  errors: again,
});

export const beginPasskey = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/passkey/begin',
  summary: 'What to ask the browser for, to make a passkey',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ password }),
  response: webauthn,
  errors: again,
});

/** Recovery codes are returned with the first second step only. */
export const addPasskey = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/passkey/add',
  summary: 'Use a passkey from now on',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ name: z.string().trim().min(1).max(64), response: webauthn }),
  response: recoveryCodes,
  errors: ['auth.passkeyWrong'],
});

export const removePasskey = route({
  method: 'POST',
  path: '/api/f/auth/secondStep/passkey/remove',
  summary: 'Use this passkey no more',
  permission: 'session',
  audit: 'session',
  ownTransaction: true,
  body: z.strictObject({ id, password }),
  response: z.null(),
  errors: again,
});
