import { expect, test } from 'vitest';
import { allRoutes } from './routes.ts';
import { permissionKeys, superKeys, type PermissionKey } from './permissions.ts';
import type { RouteDefinition } from './define/route.ts';

/**
 * Who may make a call follows from its contract: anyone, any session, a user with the permission, and so on (the matrix
 * of apps/gateway and apps/standalone). Normally a call has its own permission. Each call without one is listed here
 * with what protects it instead; an unlisted one fails the test.
 */
const open: Record<string, string> = {
  token: 'the login itself',
  showCaptcha: 'before a login',
  getCaptcha: 'before a login',
  getCaptchaImage: 'before a login',
  getCaptchaWork: 'before a login',
  listOidcProviders: 'names of buttons of the login',
  startOidc: 'leads to a provider',
  finishOidc: 'state and a cookie of the browser that began',
  beginLoginPasskey: "a login's ticket",
  answerLoginPasskey: "a login's ticket",
  mailLoginCode: "a login's ticket",
  forgotPassword: 'says the same of every name',
  resendForgotPassword: 'a sealed ticket',
  checkLink: 'the secret of a link',
  resetPassword: 'the secret of a link',
  activateByLink: 'the secret of a link',
  confirmEmail: 'the secret of a link',
  activateByPassword: 'the first password, counted like a login',
  getSystemInfo: 'the first page shows it',
  getSystemPicture: 'the first page shows it',
  getLegalText: 'the login links to it',
  getPhonebook: "a device's token",
  loadDeviceConfig: "a device's token, or a command's",
  getMailReady: 'a user who waits for a link learns that none comes',
  getMailStatus: 'the random id of a mail',
};
const ofOneself: Record<string, string> = {
  bladeUserInfo: 'oneself',
  getUserInfo: 'oneself',
  editOwnUser: 'oneself',
  dismissHint: 'oneself',
  editErpId: 'oneself',
  modifyUser: 'oneself',
  setAvatar: 'oneself',
  changePassword: 'the old password',
  requestEmailChange: 'the password',
  resendEmailChange: 'an own request',
  getSecondSteps: 'oneself',
  beginTotp: 'the password',
  confirmTotp: 'an own secret',
  removeTotp: 'the password',
  renewRecoveryCodes: 'the password',
  beginPasskey: 'the password',
  addPasskey: 'an own challenge',
  removePasskey: 'the password',
  listSessions: 'own sessions',
  endSessions: 'own sessions',
  lockSession: 'the own session',
  unlockSession: 'its lock password',
  getOwnMail: 'oneself',
  leaveChannel: 'the visit that the own session is on',
  logout: 'the own session',
  logoutWithLogs: 'the own session',
  clearCache: 'reads their own permissions again',
  getCache: 'own rights',
  menuRoute: 'the own menu',
  menuButtons: 'the own keys',
  listNotices: 'of kinds that one may see',
  streamLive: 'of kinds that one may see',
  reportErrors: "in one's own name",
  listViews: 'own and shared',
  addView: 'own',
  editView: 'own',
  deleteView: 'own',
  listOrganizationNames: 'organizations that one sees',
  listZones: 'the same for everyone',
  getClock: 'the same for everyone',
  getImportTypes: 'the same for everyone',
  getStorage: 'a sum of the own company',
  getSysConfig: "public keys; others ask for the screen's right",
};
for (const service of ['Auth', 'Device', 'License', 'Notification', 'Org', 'Provisioning', 'Resource', 'Task'])
  for (const call of [
    `list${service}Exports`,
    `get${service}Export`,
    `get${service}ExportFile`,
    `delete${service}Export`,
  ])
    ofOneself[call] = 'own files, of lists that one may take out';
const whileLocked = ['logout', 'logoutWithLogs', 'unlockSession'];
/** Calls for visitors, besides those of permissions that a visitor may have and their own files (CHN-07). */
const visitors = [
  'bladeUserInfo',
  'getClock',
  'getStorage',
  'getSysConfig',
  'getUserInfo',
  'leaveChannel',
  'listNotices',
  'listOrganizationNames',
  'listViews',
  'listZones',
  'logout',
  'logoutWithLogs',
  'menuButtons',
  'menuRoute',
  'reportErrors',
  'streamLive',
];
const beforePasswordChange = [
  'bladeUserInfo',
  'changePassword',
  'getUserInfo',
  'lockSession',
  'logout',
  'logoutWithLogs',
  'unlockSession',
];
/** Calls about the whole installation: their permissions have no effect for an administrator of a company. */
const operator = [
  'addCompany',
  'addCompanyExport',
  'addCountryExport',
  'addDeliveryExport',
  'addDeliveryImport',
  'addExternalApp',
  'addOfficialFirmware',
  'addOfficialFirmwareDelta',
  'addSysConfig',
  'addTimeZoneExport',
  'commitDeliveryImport',
  'deleteDeliveries',
  'deleteDeliveryImport',
  'deleteExternalApp',
  'deleteOfficialFirmware',
  'deleteOfficialFirmwareDelta',
  'editCompany',
  'editCountryTime',
  'editExternalApp',
  'editOfficialFirmware',
  'editSysConfig',
  'editZone',
  'getCompanyAdministrator',
  'getCompanyMail',
  'getDeliveryImport',
  'getDeliveryImportFile',
  'getDeliveryImportTemplate',
  'getMailCheck',
  'listCompanies',
  'listCountries',
  'listCountryTimes',
  'listDeliveries',
  'listDeliveryImportRows',
  'listDeliveryImports',
  'listExternalApps',
  'listMacDisputes',
  'listTimeZones',
  'listUnclaimedPhones',
  'makeOfficialFirmwareDelta',
  'mendDeliveryImportRow',
  'resendCompanyActivation',
  'resetCountryTime',
  'restoreOfficialFirmware',
  'restoreOfficialFirmwareDelta',
  'setCompanyStatus',
  'settleMac',
  'testMail',
  'undoDeliveryImport',
];

const named = (which: (route: RouteDefinition) => boolean): string[] =>
  allRoutes
    .filter(({ route }) => which(route))
    .map((r) => r.name)
    .toSorted();

test('every call has its own permission or an entry that says what protects it instead [ROLE-03/calls]', () => {
  expect(named((r) => r.permission === 'public')).toEqual(Object.keys(open).toSorted());
  expect(named((r) => r.permission === 'session')).toEqual(Object.keys(ofOneself).toSorted());
  for (const { name, route } of allRoutes)
    if (route.permission !== 'public' && route.permission !== 'session')
      expect(permissionKeys, name).toContain(route.permission);
});

test('calls that work locked, without a password change, as a visitor or operator are as listed', () => {
  expect(named((r) => r.whileLocked === true)).toEqual(whileLocked);
  expect(named((r) => r.beforePasswordChange === true)).toEqual(beforePasswordChange);
  expect(named((r) => r.visitors === true)).toEqual(visitors);
  expect(named((r) => superKeys.includes(r.permission as PermissionKey))).toEqual(operator);
});
