/**
 * Constants and limits (SYS-08): each is one named setting with its printed default, and all code imports
 * it from here. This file imports nothing, so that the browser bundles only the settings that it uses.
 */

// "Idle timeout 1,800,000 ms (30 minutes). Account lock 30 minutes."
export const idleTimeoutMs = 1_800_000;
export const accountLockSeconds = 1_800;
// "Token time 3000, unit not shown. Cookies exist for the access and refresh token." The unit is the second (AUTH-07).
export const tokenSeconds = 3_000;
export const tokenCookies = { access: 'carillon-access', refresh: 'carillon-refresh' } as const;
// "Activation and reset links valid 3 days."
export const linkDays = 3;
// "Password minimum 8 characters."
export const passwordMinimum = 8;
// "Notice polling every 60 seconds. Keep-alive cache holds 1 view. Notice dropdown width 600 px."
export const noticePollMs = 60_000;
export const noticeWidth = 600;
// "Default orgId 1 and timezoneId 1. Default language en_US. Default home /wel/home. Lock page /lock."
export const defaultOrgId = '1';
export const defaultTimezoneId = 1;
export const defaultLanguage = 'en_US';
export const homePath = '/wel/home';
export const lockPath = '/lock';
// "Page size options 5, 10, 20, 30, 50, 100, 150, 200. Default 20."
export const pageSizes = [5, 10, 20, 30, 50, 100, 150, 200] as const;
export const defaultPageSize = 20;
// "Firmware 1 GB. Differential package 900 MB. Logo and images 100 KB. Favicon 10 KB."
export const firmwareMaximum = 1_073_741_824;
export const deltaMaximum = 943_718_400;
export const pictureMaximum = 102_400;
export const faviconMaximum = 10_240;
// "MAC config files 1000. Card batch 10,000. EGS password length 3 to 16."
export const macFiles = 1_000;
// "Soft DssKey 0 to 100. SIP lines per device 5. Task name 64 characters. APK name 127 characters."
export const softDssKeysMaximum = 100;
export const taskNameLength = 64;
export const apkNameLength = 127;
export const linesPerDevice = 5;
// "Default SMTP port 465."
export const smtpPort = 465;
// "Resource types: language pack, image, ringtone."
export const resourceTypes = ['languagePack', 'image', 'ringtone'] as const;
// "Privacy text sets an age limit of 13 for sub-accounts."
export const subAccountAge = 13;
// Not in the description: number of channel order lines that change hands in one step, all or nothing.
export const mostOrders = 10_000;
// Not in the description: number of users that one call may add.
export const usersAtOnce = 50;
// Not in the description: retention of device log entries, days.
export const deviceLogDays = 30;
// Not in the description: most devices whose lines are edited together, and most devices or texts of a reading call.
export const sheetDevices = 500;
export const sheetPart = 100;
// Not in the description: how long a device that changed hands may come back to be reset, days.
export const deviceResetDays = 365;
// Not in the description: number of versions of a configuration template that are kept.
export const templateVersions = 200;
// Not in the description: most characters of a MAC file, and bytes of a whole upload with its names: a character
// has at most three.
export const macFileLength = 4_096;
export const macFileBodyLimit = macFiles * (macFileLength * 3 + 512);
// Not in the description: former configurations of a device that are kept: their number, and days after the end.
export const configPeriods = 50;
export const configPeriodDays = 400;
// Not in the description: days for which the first access of a device is open, and for which a network, a waiting
// phone and one that nobody has are remembered.
export const firstAccessDays = 7;
export const knownNetworkDays = 30;
export const waitingPhoneDays = 7;
export const unclaimedPhoneDays = 30;
// Not in the description: wrong claim codes that a MAC, a user and a company may try until they are locked out, and
// for how long, minutes.
export const claimTries = { mac: 5, user: 10, company: 30 } as const;
export const claimLockMinutes = 60;
// "Client id for the web app exists (secret not printed)."
export const webClientId = 'console';
// Not in the description: how far back a time filter reaches, in seconds.
export const filterSpans = { '1h': 3_600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000 } as const;
// Not in the description: limits of an imported file. The row limit is that of requirement DEV-04.
export const importRowMaximum = 50_000;
export const importColumnMaximum = 64;
export const importFileMaximum = 16_777_216;
export const importPiece = 65_536;
/** Cell of an imported file that clears a value. */
export const importClearMark = '-';
/** Limit of the whole request body: base64 adds a third, and JSON separates its pieces. */
export const importBodyLimit = Math.ceil((importFileMaximum * 4) / 3) + 1_048_576;
// Not in the description: the upload protocol (tus 1.0.0): content type of the bytes, and version.
export const bytesType = 'application/offset+octet-stream';
export const tusVersion = '1.0.0';
// Not in the description: number of files in one resource file.
export const resourceFilesMaximum = 20;
// Not in the description: size of a configuration file in bytes. A device holds a few thousand lines of text.
export const configFileMaximum = 4_194_304;
// Not in the description: highest download limit of a site, Mbit/s.
export const siteMbitMaximum = 100_000;
// Not in the description: longest time that a rollout stage is watched before the next one begins.
export const longestWatchMinutes = 1_440;
// Not in the description: longest wait between two stages of a rollout, a week.
export const longestStageWaitMinutes = 10_080;
// Not in the description: how long a deletion can be undone.
export const restoreMinutes = 5;
// Not in the description: how long the rows of an import are kept and it can be undone.
export const importDays = 7;
// Not in the description: webhooks per company, and retention of their delivery log.
export const webhooksMaximum = 20;
export const webhookLogDays = 30;
// Not in the description: how long messages are also signed with the previous secret of a webhook.
export const webhookOverlapHours = 24;
// Not in the description: a webhook is switched off after this many days of failures only.
export const webhookFailingDays = 3;
