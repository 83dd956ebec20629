import { z } from 'zod';
import { route } from '../define/route.ts';
import { email } from '../auth/user.schemas.ts';
import { legalTexts, mailServerInput, pictureKeys, sysConfigInput, systemInfo } from './config.schemas.ts';

const saved = z.object({ configKey: z.string(), value: z.unknown() }).meta({ id: 'SystemConfig' });
const refusals = [
  'config.logoWrong',
  'config.imageWrong',
  'config.faviconWrong',
  'config.pixelsMany',
  'config.certificateWrong',
  'config.certificateExpired',
  'config.certificateTwice',
  'config.hostWrong',
  'config.senderWrong',
  'config.fcsServerTwice',
  'config.targetRefused',
] as const;

/** The calls (SYS-06). Settings that only the operator may read require the permission of the screen. */
export const getSysConfig = route({
  method: 'GET',
  path: '/api/f/mc/sysConfig/detail',
  summary: 'One setting of the installation',
  permission: 'session',
  visitors: true,
  audit: 'none',
  query: z.object({ configKey: z.string().max(64) }),
  response: saved,
  errors: [],
});

export const getSystemInfo = route({
  method: 'GET',
  path: '/api/f/mc/sysConfig/sys_info',
  summary: 'Names, copyright and pictures of the installation',
  permission: 'public',
  audit: 'none',
  passive: true,
  response: systemInfo,
  errors: [],
});

export const addSysConfig = route({
  method: 'POST',
  path: '/api/f/mc/sysConfig',
  summary: 'Save a setting of the installation',
  permission: 'editConfig',
  audit: 'config.edit',
  body: sysConfigInput,
  response: saved,
  errors: refusals,
});

export const editSysConfig = route({
  method: 'PUT',
  path: '/api/f/mc/sysConfig',
  summary: 'Save a setting of the installation',
  permission: 'editConfig',
  audit: 'config.edit',
  body: sysConfigInput,
  response: saved,
  errors: refusals,
});

/** Returns the file types that the import dialog offers. */
export const getImportTypes = route({
  method: 'GET',
  path: '/api/f/mc/sysConfig/importTypes',
  summary: 'Types of files that imports read',
  permission: 'session',
  audit: 'none',
  response: z.array(z.string()),
  errors: [],
});

/** Returns a stored picture; its address changes with it. */
export const getSystemPicture = route({
  method: 'GET',
  path: '/api/f/mc/sysConfig/picture/{name}',
  summary: 'Logo, login picture or favicon',
  permission: 'public',
  audit: 'none',
  passive: true,
  flat: true,
  file: 'image/*',
  params: z.object({ name: z.enum(pictureKeys) }),
  query: z.object({ v: z.string().max(32).optional() }),
  response: z.any(),
  errors: [],
});

/** Returns the operator's replacement of the product's own text, in the languages that have one. */
export const getLegalText = route({
  method: 'GET',
  path: '/api/f/mc/sysConfig/legal/{name}',
  summary: 'Terms of service or privacy policy of the operator',
  permission: 'public',
  audit: 'none',
  passive: true,
  params: z.object({ name: z.enum(['terms', 'privacy']) }),
  response: z.object({ texts: legalTexts }),
  errors: [],
});

/** Sends a test mail at once, through the server in the form; without a password it uses the stored one. */
export const testMail = route({
  method: 'POST',
  path: '/api/f/notification/mail/test',
  summary: 'Send a test mail',
  permission: 'editConfig',
  audit: 'config.testMail',
  ownTransaction: true,
  body: z.strictObject({ to: email, server: mailServerInput }),
  response: z.null(),
  errors: ['config.testFailed', 'config.targetRefused', 'config.hostWrong', 'config.senderWrong', 'user.emailInvalid'],
});
