import { z } from 'zod';
import { route } from '../define/route.ts';
import { id } from '../define/list.ts';

export const logout = route({
  method: 'GET',
  path: '/api/f/auth/oauth/logout',
  summary: 'Log out',
  permission: 'session',
  visitors: true,
  audit: 'session.logout',
  whileLocked: true,
  beforePasswordChange: true,
  response: z.null(),
  errors: [],
});

/** Ends the session. The request carries the browser's local error log (SYS-06). */
export const logoutWithLogs = route({
  method: 'POST',
  path: '/api/blade-auth/oauth/logout',
  summary: 'Log out and hand in the local error log',
  permission: 'session',
  visitors: true,
  audit: 'session',
  whileLocked: true,
  beforePasswordChange: true,
  bodyLimit: 65_536,
  body: z
    .object({
      logs: z
        .array(
          z.object({
            url: z.string().max(512),
            time: z.string().max(64),
            type: z.string().max(64),
            message: z.string().max(2048),
            stack: z.string().max(8192).optional(),
            info: z.string().max(2048).optional(),
          }),
        )
        .max(50)
        .optional(),
    })
    .optional(),
  response: z.null(),
  errors: [],
});

/** Makes every process drop what it cached about the user before this call (SYS-06). */
export const clearCache = route({
  method: 'GET',
  path: '/api/blade-auth/oauth/clear-cache',
  summary: 'Read everything that is cached for the user again',
  permission: 'session',
  audit: 'session.clearCache',
  response: z.null(),
  errors: [],
});

/**
 * Returns the version of the user's data that other processes cache, which each of them has within a second, and since
 * when it is current (SYS-06).
 */
export const getCache = route({
  method: 'GET',
  path: '/api/f/stun/cache',
  summary: 'What is kept of the user in every process: its version and since when',
  permission: 'session',
  audit: 'none',
  response: z.object({ version: z.number().int(), since: z.string() }),
  errors: [],
});

/** Any text but an empty one: it guards only this session, and ends with it. */
const lockPassword = z.string({ error: 'auth.lockPasswordEmpty' }).min(1, 'auth.lockPasswordEmpty').max(128);

export const lockSession = route({
  method: 'POST',
  path: '/api/f/auth/session/lock',
  summary: 'Lock the session: every call but unlock and logout answers 423 until it is unlocked',
  permission: 'session',
  audit: 'session.lock',
  beforePasswordChange: true,
  body: z.strictObject({ password: lockPassword }),
  response: z.null(),
  errors: ['auth.lockPasswordEmpty'],
});

/** The fifth wrong password ends the session: 401. */
export const unlockSession = route({
  method: 'POST',
  path: '/api/f/auth/session/unlock',
  summary: 'Unlock the session',
  permission: 'session',
  audit: 'session',
  whileLocked: true,
  beforePasswordChange: true,
  ownTransaction: true,
  body: z.strictObject({ password: lockPassword }),
  response: z.null(),
  errors: ['auth.lockPasswordEmpty', 'auth.lockPasswordWrong'],
});

export const sessionRecord = z
  .object({
    id,
    current: z.boolean(),
    browser: z.string().nullable(),
    system: z.string().nullable(),
    address: z.string().nullable(),
    startedAt: z.string(),
    lastSeenAt: z.string(),
  })
  .meta({ id: 'Session' });

export const listSessions = route({
  method: 'GET',
  path: '/api/f/auth/session/list',
  summary: 'Where the user is logged in, the newest first',
  permission: 'session',
  audit: 'none',
  response: z.array(sessionRecord),
  errors: [],
});

export const endSessions = route({
  method: 'POST',
  path: '/api/f/auth/session/end',
  summary: "End some of the user's sessions, or all but this one",
  permission: 'session',
  audit: 'session.end',
  body: z.union([z.strictObject({ ids: z.array(id).min(1).max(200) }), z.strictObject({ others: z.literal(true) })]),
  response: z.object({ ended: z.number().int() }),
  errors: [],
});
