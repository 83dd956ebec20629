import { route } from '../define/route.ts';
import { tokenAnswer, tokenCall, userInfo } from './auth.schemas.ts';

export const token = route({
  method: 'POST',
  path: '/api/f/auth/oauth/token',
  summary: 'Log in, or refresh a session',
  permission: 'public',
  audit: 'session',
  flat: true,
  form: true,
  query: tokenCall,
  body: tokenCall.optional(),
  response: tokenAnswer,
  errors: [
    'auth.accountLocked',
    'auth.notActivated',
    'auth.disabled',
    'auth.wrongCredentials',
    'auth.logonFailure',
    'auth.clientInvalid',
    'auth.grantUnsupported',
    'auth.captchaRequired',
    'auth.captchaWrong',
    'auth.channelNotActive',
    'auth.channelLocked',
    'auth.channelDeactivated',
    'auth.twoStepRequired',
    'auth.twoStepImpossible',
    'auth.codeRequired',
    'auth.codeWrong',
    'auth.codeExpired',
  ],
});

export const bladeUserInfo = route({
  method: 'GET',
  path: '/api/blade-auth/oauth/user-info',
  summary: 'Who is logged in',
  permission: 'session',
  visitors: true,
  audit: 'none',
  beforePasswordChange: true,
  response: userInfo,
  errors: [],
});

export const getUserInfo = route({
  method: 'GET',
  path: '/api/f/mc/user/info',
  summary: 'Who is logged in',
  permission: 'session',
  visitors: true,
  audit: 'none',
  beforePasswordChange: true,
  response: userInfo,
  errors: [],
});
