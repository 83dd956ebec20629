import type { RouteDefinition } from './define/route.ts';

/**
 * Calls of the published interface (SYS-06). Its clients may send parameters that it does not list, which are
 * ignored; every other call refuses unknown parameters, because a misspelt filter would list everything.
 */
export const printedCalls: ReadonlySet<string> = new Set([
  'POST /api/f/auth/oauth/token',
  'GET /api/f/auth/oauth/captcha',
  'GET /api/f/auth/oauth/showCaptcha',
  'GET /api/f/auth/oauth/logout',
  'GET /api/blade-auth/oauth/user-info',
  'POST /api/blade-auth/oauth/logout',
  'GET /api/blade-auth/oauth/clear-cache',
  'GET /api/f/mc/menu/route',
  'GET /api/f/mc/menu/buttons',
  'GET /api/f/mc/menu/tree',
  'GET /api/f/mc/menu/list',
  'GET /api/f/mc/menu/parent',
  'GET /api/f/mc/menu/{id}',
  'POST /api/f/mc/menu/',
  'PUT /api/f/mc/menu',
  'DELETE /api/f/mc/menu/',
  'GET /api/f/stun/cache',
  'GET /api/f/mc/sysConfig/detail',
  'GET /api/f/mc/sysConfig/sys_info',
  'POST /api/f/mc/sysConfig',
  'PUT /api/f/mc/sysConfig',
  'GET /api/f/mc/user/info',
  'POST /api/f/mc/user/modify',
  'POST /api/f/mc/user/enterprise',
  'POST /api/f/mc/user/erpID',
  'GET /api/f/mc/message/list',
  'DELETE /api/f/mc/message',
  'GET /api/f/mc/message/clear/{type}',
  'GET /api/f/mc/message/notice',
  'POST /api/f/mc/message/read',
  'GET /api/f/mc/org/list',
  'GET /api/f/mc/org/{id}',
  'GET /api/f/mc/org/users',
  'POST /api/f/mc/org/insert',
  'PUT /api/f/mc/org/edit',
  'POST /api/f/mc/org/hasDevice',
  'POST /api/f/mc/org/delete',
  'POST /api/f/mc/org/transferOrg',
  'GET /api/f/mc/org',
  'GET /api/code',
]);

export const isPrinted = ({ method, path }: RouteDefinition): boolean => printedCalls.has(`${method} ${path}`);
