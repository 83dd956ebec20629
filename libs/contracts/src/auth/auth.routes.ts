import { z } from 'zod';
import { route } from '../define/route.ts';
import { tokenAnswer, tokenCall, userInfo } from './auth.schemas.ts';

export const token = route({
  method: 'POST', path: '/api/f/auth/oauth/token', summary: 'Log in, or refresh a session', permission: 'public', audit: 'session', flat: true, form: true,
  query: tokenCall, body: tokenCall.optional(), response: tokenAnswer,
  errors: ['auth.accountLocked', 'auth.notActivated', 'auth.disabled', 'auth.wrongCredentials', 'auth.logonFailure', 'auth.clientInvalid', 'auth.grantUnsupported',
    'auth.captchaRequired', 'auth.captchaWrong', 'auth.channelNotActive', 'auth.channelLocked', 'auth.channelDeactivated'],
});

export const showCaptcha = route({
  method: 'GET', path: '/api/f/auth/oauth/showCaptcha', summary: 'Whether a captcha is needed to log in', permission: 'public', audit: 'none',
  query: z.object({ username: z.string().max(128).optional() }), response: z.boolean(), errors: [],
});

export const logout = route({
  method: 'GET', path: '/api/f/auth/oauth/logout', summary: 'Log out', permission: 'session', audit: 'session.logout', response: z.null(), errors: [],
});

/** The browser's local error log travels with it (spec, section 7). */
export const logoutWithLogs = route({
  method: 'POST', path: '/api/blade-auth/oauth/logout', summary: 'Log out and hand in the local error log', permission: 'session', audit: 'session',
  body: z.object({ logs: z.array(z.object({ url: z.string().max(512), time: z.string().max(64), type: z.string().max(64), message: z.string().max(2048), stack: z.string().max(8192).optional(), info: z.string().max(2048).optional() })).max(100).optional() }).optional(),
  response: z.null(), errors: [],
});

export const bladeUserInfo = route({
  method: 'GET', path: '/api/blade-auth/oauth/user-info', summary: 'Who is logged in', permission: 'session', audit: 'none', response: userInfo, errors: [],
});

export const getUserInfo = route({
  method: 'GET', path: '/api/f/mc/user/info', summary: 'Who is logged in', permission: 'session', audit: 'none', response: userInfo, errors: [],
});
