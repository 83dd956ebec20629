import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addTask, addUser, mailServerInput, toLanguage, toPage } from '@carillon/contracts';
import * as constants from '@carillon/contracts/constants';
import { missingParts } from '@carillon/contracts/password';
import { renderTime } from '@carillon/contracts/time';
import { authService } from '@carillon/auth/module';
import { notificationService } from '@carillon/notification/module';
import { accessTokenSeconds, cookieNames, idleMs } from '@carillon/tenancy';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const key = Buffer.from('q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8', 'base64');
const auth = authService.config.parse({
  tokenKey: key,
  passwordPepper: key,
  mailKey: key,
  clientId: 'console',
  clientSecret: 'console-secret-1234',
});
const notification = notificationService.config.parse({ mailKey: key });
const c = constants;

/** One sentence of section 9: its settings, the code that uses them, and the tests of their effect. */
interface Held {
  /** Setting names with the values that the sentence states. */
  settings: Partial<Record<keyof typeof constants, unknown>>;
  /** Product files that import the settings. */
  users: readonly string[];
  /** Tests of the effect as `file "part of the title"`, or a check in this file. */
  effect: readonly [file: string, title: string][] | (() => void);
}

const held: Record<string, Held> = {
  'Idle timeout 1,800,000 ms (30 minutes).': {
    settings: { idleTimeoutMs: 1_800_000 },
    users: ['libs/tenancy/src/access-token.ts'],
    effect: [
      ['apps/gateway/src/access/access.it.ts', 'thirty minutes without activity of a person end a session'],
      ['apps/auth/src/session/session.it.ts', 'a session that only refreshes ends after 30 minutes'],
    ],
  },
  'Account lock 30 minutes.': {
    settings: { accountLockSeconds: 1_800 },
    users: ['apps/auth/src/config.ts'],
    effect: [['apps/auth/src/login/refused-login.it.ts', 'comes with the fifth failure in 15 minutes']],
  },
  'Token time 3000, unit not shown.': {
    settings: { tokenSeconds: 3_000 },
    users: ['libs/tenancy/src/access-token.ts'],
    effect: [
      [
        'apps/auth/src/session/session.it.ts',
        'a token pair lasts 3000 s and rotates, and using a token twice ends its family',
      ],
    ],
  },
  'Cookies exist for the access and refresh token.': {
    settings: { tokenCookies: { access: 'carillon-access', refresh: 'carillon-refresh' } },
    users: ['libs/tenancy/src/access-token.ts'],
    effect: [['apps/auth/src/login/login.it.ts', 'sets both cookies for scripts to leave alone']],
  },
  'Activation and reset links valid 3 days.': {
    settings: { linkDays: 3 },
    users: ['apps/auth/src/account-link/account-link.service.ts'],
    effect: [
      [
        'apps/auth/src/account-link/account-link.it.ts',
        'a link is invalid after 3 days, for another kind, after a new email and for a disabled account',
      ],
      ['apps/auth/src/account-link/account-link.it.ts', 'by mail is activated by its link once, within 3 days'],
    ],
  },
  'Password minimum 8 characters.': {
    settings: { passwordMinimum: 8 },
    users: ['libs/contracts/src/auth/password.ts'],
    effect: () => expect([missingParts('Aa1-567'), missingParts('Aa1-5678')]).toEqual([['length'], []]),
  },
  'Notice polling every 60 seconds.': {
    settings: { noticePollMs: 60_000 },
    users: ['apps/console/src/area/system/alarm/message.calls.ts'],
    effect: [['apps/console/src/frame/shell/shell.e2e.ts', 'shows a dot at once']],
  },
  'Keep-alive cache holds 1 view.': {
    // There is no number to set: the cache holds exactly one view.
    settings: {},
    users: [],
    effect: [['apps/console/src/frame/shell/tab.e2e.ts', 'the last keep-alive page returns as it was left']],
  },
  'Notice dropdown width 600 px.': {
    settings: { noticeWidth: 600 },
    users: ['apps/console/src/frame/shell/bell.tsx'],
    effect: [['apps/console/src/frame/shell/shell.e2e.ts', 'the bell is 600 px wide']],
  },
  'Default orgId 1 and timezoneId 1.': {
    settings: { defaultOrgId: '1', defaultTimezoneId: 1 },
    users: ['apps/gateway/src/access/authenticate.ts', 'libs/contracts/src/time/zones.ts'],
    effect: [
      ['apps/gateway/src/access/access.it.ts', 'an organization header narrows to one of the own organizations'],
      ['apps/license/src/time/time.it.ts', 'UTC has no summer'],
    ],
  },
  'Default language en_US.': {
    settings: { defaultLanguage: 'en_US' },
    users: ['libs/contracts/src/define/language.ts', 'apps/auth/src/account-link/account-link.service.ts'],
    effect: () => expect([toLanguage(undefined), toLanguage('tlh')]).toEqual(['en_US', 'en_US']),
  },
  'Default home /wel/home.': {
    settings: { homePath: '/wel/home' },
    users: ['apps/console/src/frame/shell/tab-bar.tsx'],
    effect: [['apps/console/src/frame/shell/tab.e2e.ts', 'each page or object has one tab']],
  },
  'Lock page /lock.': {
    settings: { lockPath: '/lock' },
    users: ['apps/console/src/kit/session/lock.ts'],
    effect: [
      [
        'apps/console/src/area/people/lock/lock.e2e.ts',
        'a lock redirects every path to /lock in every tab until the right password is entered',
      ],
    ],
  },
  'Page size options 5, 10, 20, 30, 50, 100, 150, 200.': {
    settings: { pageSizes: [5, 10, 20, 30, 50, 100, 150, 200] },
    users: ['libs/contracts/src/define/list.ts', 'apps/console/src/kit/grid/pager.tsx'],
    effect: [['apps/console/src/kit/grid/device-list.e2e.ts', 'tables have sorting, filters, columns']],
  },
  'Default 20.': {
    settings: { defaultPageSize: 20 },
    users: ['libs/contracts/src/define/list.ts', 'apps/console/src/kit/grid/search.ts'],
    effect: () => expect(toPage({}).limit).toBe(20),
  },
  'Firmware 1 GB.': {
    settings: { firmwareMaximum: 1_073_741_824 },
    users: ['apps/resource/src/config.ts', 'libs/contracts/src/define/upload.ts'],
    effect: [['apps/resource/src/firmware/firmware.it.ts', 'up to 1 GB']],
  },
  'Differential package 900 MB.': {
    settings: { deltaMaximum: 943_718_400 },
    users: ['apps/resource/src/resource.module.ts'],
    effect: [['apps/resource/src/firmware/firmware-delta.it.ts', 'up to 900 MB']],
  },
  'Logo and images 100 KB.': {
    settings: { pictureMaximum: 102_400 },
    users: ['apps/license/src/sys-config/sys-config.service.ts', 'libs/contracts/src/auth/user.schemas.ts'],
    effect: [
      [
        'apps/license/src/sys-config/sys-config.it.ts',
        "a picture's content must be JPG or PNG under 100 KB, or an icon under 10 KB, and sets its type",
      ],
    ],
  },
  'Favicon 10 KB.': {
    settings: { faviconMaximum: 10_240 },
    users: ['apps/license/src/sys-config/sys-config.service.ts'],
    effect: [
      [
        'apps/license/src/sys-config/sys-config.it.ts',
        "a picture's content must be JPG or PNG under 100 KB, or an icon under 10 KB, and sets its type",
      ],
    ],
  },
  'MAC config files 1000.': {
    settings: { macFiles: 1_000 },
    users: ['libs/contracts/src/provisioning/mac-file.routes.ts'],
    effect: [
      ['apps/provisioning/src/config-template/mac-file.it.ts', 'takes or refuses each of 1,000 MAC files by name'],
    ],
  },
  'Soft DssKey 0 to 100.': {
    settings: { softDssKeysMaximum: 100 },
    users: ['libs/contracts/src/device/model.routes.ts'],
    effect: [['apps/device/src/model/model.it.ts', 'from 0 to 100 soft DSS keys']],
  },
  'SIP lines per device 5.': {
    settings: { linesPerDevice: 5 },
    users: ['apps/device/src/model/chosen-model.ts', 'libs/contracts/src/device/line.routes.ts'],
    effect: [
      [
        'apps/device/src/line/line.it.ts',
        'a device has at most five lines, and an account is replaced only on request',
      ],
    ],
  },
  'Task name 64 characters.': {
    settings: { taskNameLength: 64 },
    users: ['libs/contracts/src/task/task.routes.ts'],
    effect: () => {
      const task = (name: string) => addTask.body.safeParse({ name, action: 'reboot', target: { filter: {} } }).success;
      expect([task('x'.repeat(64)), task('x'.repeat(65))]).toEqual([true, false]);
    },
  },
  'APK name 127 characters.': {
    settings: { apkNameLength: 127 },
    users: ['apps/resource/src/upload/upload.service.ts'],
    effect: [['apps/resource/src/resource-file/resource-file.it.ts', 'name has up to 127 letters']],
  },
  'Resource types: language pack, image, ringtone.': {
    settings: { resourceTypes: ['languagePack', 'image', 'ringtone'] },
    users: ['libs/contracts/src/resource/resource-file.routes.ts'],
    effect: [['apps/resource/src/resource-file/resource-file.it.ts', 'language packs, images and ringtones']],
  },
  'Default SMTP port 465.': {
    settings: { smtpPort: 465 },
    users: ['apps/notification/src/config.ts', 'libs/contracts/src/license/config.schemas.ts'],
    effect: () => {
      const server = { host: 'smtp.example.com', user: null, from: 'a@example.com' };
      expect([notification.smtpPort, mailServerInput.parse(server).port]).toEqual([465, 465]);
    },
  },
  "Date format default YYYY-MM-DD HH:mm:ss, shown at the user's time-zone offset plus a DST adjustment for certain countries.":
    {
      // Code writes the text, and all users see the same: there is nothing to set.
      settings: {},
      users: [],
      effect: () => {
        const shown = (month: number) =>
          renderTime(Date.UTC(2026, month, 4, 7, 8, 9), { offset: 60, rule: '1;3/5/0/2;10/5/0/3' });
        expect([shown(6), shown(0)]).toEqual(['2026-07-04 09:08:09', '2026-01-04 08:08:09']);
      },
    },
  'Privacy text sets an age limit of 13 for sub-accounts.': {
    settings: { subAccountAge: 13 },
    users: ['apps/console/src/area/people/user/user-fields.tsx'],
    effect: () => {
      const { issues } = addUser.body.safeParse({ oldEnough: false }).error!;
      expect(issues.find((i) => i.path[0] === 'oldEnough')!.message).toBe('user.tooYoung');
    },
  },
  'Client id for the web app exists (secret not printed).': {
    settings: { webClientId: 'console' },
    users: ['apps/standalone/src/cli/data-folder.ts'],
    effect: [
      [
        'apps/auth/src/login/login.it.ts',
        'refuses an unidentified client, an unknown grant and a wider scope, each with its own message',
      ],
    ],
  },
};

/** Sentences of areas that are not built yet, by area. */
const waiting: Record<string, readonly string[]> = {
  doors: ['Card batch 10,000.', 'EGS password length 3 to 16.'],
  diagnosis: ['Packet capture default maximum 5 minutes.', 'Diagnosis uploads need about 2 minutes.'],
  tasks: ['Sync after an operation takes a few minutes.', 'A task sync value of 0 means unlimited.'],
  backup: ['Database backups go to a fixed directory on the server.'],
};

/** Section 9 as the specification prints it. */
const section9 = [
  'Idle timeout 1,800,000 ms (30 minutes). Account lock 30 minutes.',
  'Token time 3000, unit not shown. Cookies exist for the access and refresh token.',
  'Activation and reset links valid 3 days.',
  'Password minimum 8 characters.',
  'Notice polling every 60 seconds. Keep-alive cache holds 1 view. Notice dropdown width 600 px.',
  'Default orgId 1 and timezoneId 1. Default language en_US. Default home /wel/home. Lock page /lock.',
  'Page size options 5, 10, 20, 30, 50, 100, 150, 200. Default 20.',
  'Firmware 1 GB. Differential package 900 MB. Logo and images 100 KB. Favicon 10 KB.',
  'MAC config files 1000. Card batch 10,000. EGS password length 3 to 16.',
  'Soft DssKey 0 to 100. SIP lines per device 5. Task name 64 characters. APK name 127 characters.',
  'Packet capture default maximum 5 minutes. Diagnosis uploads need about 2 minutes. Sync after an operation takes a few minutes. A task sync value of 0 means unlimited.',
  'Default SMTP port 465.',
  'Database backups go to a fixed directory on the server.',
  "Date format default YYYY-MM-DD HH:mm:ss, shown at the user's time-zone offset plus a DST adjustment for certain countries.",
  'Resource types: language pack, image, ringtone.',
  'Privacy text sets an age limit of 13 for sub-accounts.',
  'Client id for the web app exists (secret not printed).',
];
const sentences = section9.flatMap((line) => line.split(/(?<=\.) (?=[A-Z])/));
/** Settings of this project that section 9 does not have. */
const own = [
  'usersAtOnce',
  'mostOrders',
  'longestStageWaitMinutes',
  'longestWatchMinutes',
  'deviceLogDays',
  'deviceResetDays',
  'templateVersions',
  'macFileLength',
  'macFileBodyLimit',
  'configPeriods',
  'configPeriodDays',
  'firstAccessDays',
  'knownNetworkDays',
  'waitingPhoneDays',
  'unclaimedPhoneDays',
  'claimTries',
  'claimLockMinutes',
  'sheetDevices',
  'sheetPart',
  'filterSpans',
  'importRowMaximum',
  'importColumnMaximum',
  'importFileMaximum',
  'importPiece',
  'importClearMark',
  'importBodyLimit',
  'importDays',
  'restoreMinutes',
  'bytesType',
  'tusVersion',
  'resourceFilesMaximum',
  'configFileMaximum',
  'siteMbitMaximum',
  'webhooksMaximum',
  'webhookLogDays',
  'webhookOverlapHours',
  'webhookFailingDays',
];
/** The constants' source, with the comments that quote section 9. */
const written = read('libs/contracts/src/define/constant.ts').replaceAll(/\n(\/\/ )?/g, ' ');

describe.each(Object.entries(held))('section 9: %s', (_, { settings, users, effect }) => {
  it('matches its settings, which the code imports from one place and which have an effect [SYS-08/line]', () => {
    for (const [name, value] of Object.entries(settings))
      expect([name, c[name as keyof typeof c]]).toEqual([name, value]);
    for (const path of users) {
      const taken = [
        ...read(path).matchAll(
          /(?:import|export) \{([^}]*)\} from '(?:@carillon\/contracts(?:\/\w+)?|\.[./a-z]*\/constant\.ts)'/g,
        ),
      ].flatMap(([, names]) => names!.split(',').map((name) => name.trim().split(' ')[0]));
      expect(
        Object.keys(settings).some((name) => taken.includes(name)),
        `${path} takes one of ${Object.keys(settings).join(', ')}`,
      ).toBe(true);
    }
    if (typeof effect === 'function') effect();
    else for (const [file, title] of effect) expect(read(file), file).toContain(title);
  });
});

it('the default settings of a process match section 9', () => {
  expect([idleMs, auth.idleSeconds, auth.lockSeconds, accessTokenSeconds, auth.tokenSeconds]).toEqual([
    1_800_000, 1_800, 1_800, 3_000, 3_000,
  ]);
  expect(Object.values(cookieNames(key, false)).map((name) => name.replace(/-[0-9a-f]{8}$/, ''))).toEqual(
    Object.values(c.tokenCookies),
  );
});

it('each sentence of section 9 is in exactly one list: implemented or waiting [SYS-08/sentences]', () => {
  expect([...Object.keys(held), ...Object.values(waiting).flat()].toSorted()).toEqual(sentences.toSorted());
  expect(new Set(sentences).size).toBe(sentences.length);
});

it('every setting follows the quotation of its sentence in the section’s order [SYS-08/settings]', () => {
  const named = Object.values(held).flatMap(({ settings }) => Object.keys(settings));
  expect([...named, ...own].toSorted()).toEqual(Object.keys(constants).toSorted());
  const lines = section9.filter((line) =>
    line.split(/(?<=\.) (?=[A-Z])/).some((sentence) => Object.keys(held[sentence]?.settings ?? {}).length > 0),
  );
  const places = lines.map((line) => written.indexOf(`"${line}"`));
  expect(lines.filter((_, i) => places[i]! < 0)).toEqual([]);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  for (const [i, line] of lines.entries()) {
    const below = written.slice(places[i], places[i + 1]);
    for (const sentence of line.split(/(?<=\.) (?=[A-Z])/))
      for (const name of Object.keys(held[sentence]?.settings ?? {}))
        expect(below, `${name} below "${line}"`).toContain(`export const ${name} =`);
  }
});
