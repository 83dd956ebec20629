import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  addTask,
  addUser,
  avatarMaximum,
  faviconMaximum,
  linkDays,
  pageSizes,
  passwordMinimum,
  pictureMaximum,
  toLanguage,
  toPage,
} from '@carillon/contracts';
import * as constants from '@carillon/contracts/constants';
import { missingParts } from '@carillon/contracts/password';
import { renderTime } from '@carillon/contracts/time';
import { defaultTimezoneId } from '@carillon/contracts/zones';
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
/** Whether a file takes a constant from the one place, and does not write it down anew. */
const uses = (path: string, ...names: string[]) => {
  const text = read(path);
  for (const name of names)
    expect(text, `${path} uses ${name}`).toMatch(
      new RegExp(
        [
          `import \\{[^}]*\\b${name}\\b[^}]*\\} from `,
          `'(@carillon/contracts/constants|\\.\\./define/constant\\.ts|\\./constant\\.ts)'|`,
          `export \\{ ${name} \\} from '\\.\\./define/constant\\.ts'`,
        ].join(''),
      ),
    );
};

/** Section 9 of the product's description, line by line, with what holds each. */
const lines: Record<string, () => void> = {
  'Idle timeout 1,800,000 ms (30 minutes). Account lock 30 minutes.': () =>
    expect([c.idleTimeoutMs, idleMs, auth.idleSeconds, c.accountLockSeconds, auth.lockSeconds]).toEqual([
      1_800_000, 1_800_000, 1_800, 1_800, 1_800,
    ]),
  'Token time 3000, unit not shown. Cookies exist for the access and refresh token.': () => {
    expect([c.tokenSeconds, accessTokenSeconds, auth.tokenSeconds]).toEqual([3_000, 3_000, 3_000]);
    expect(Object.values(cookieNames(key, false)).map((name) => name.replace(/-[0-9a-f]{8}$/, ''))).toEqual(
      Object.values(c.tokenCookies),
    );
  },
  'Activation and reset links valid 3 days.': () => expect([c.linkDays, linkDays]).toEqual([3, 3]),
  'Password minimum 8 characters.': () => {
    expect([c.passwordMinimum, passwordMinimum]).toEqual([8, 8]);
    expect([missingParts('Aa1-567'), missingParts('Aa1-5678')]).toEqual([['length'], []]);
  },
  'Notice polling every 60 seconds. Keep-alive cache holds 1 view. Notice dropdown width 600 px.': () => {
    expect([c.noticePollMs, c.noticeWidth]).toEqual([60_000, 600]);
    uses('apps/console/src/area/system/alarm/message.calls.ts', 'noticePollMs');
    uses('apps/console/src/frame/shell/bell.tsx', 'noticeWidth');
  },
  'Default orgId 1 and timezoneId 1. Default language en_US. Default home /wel/home. Lock page /lock.': () => {
    expect([
      c.defaultOrgId,
      c.defaultTimezoneId,
      defaultTimezoneId,
      c.defaultLanguage,
      toLanguage(undefined),
      c.homePath,
      c.lockPath,
    ]).toEqual(['1', 1, 1, 'en_US', 'en_US', '/wel/home', '/lock']);
    uses('apps/console/src/frame/shell/tab-bar.tsx', 'homePath');
  },
  'Page size options 5, 10, 20, 30, 50, 100, 150, 200. Default 20.': () => {
    expect([c.pageSizes, pageSizes]).toEqual([
      [5, 10, 20, 30, 50, 100, 150, 200],
      [5, 10, 20, 30, 50, 100, 150, 200],
    ]);
    expect([c.defaultPageSize, toPage({}).limit]).toEqual([20, 20]);
  },
  'Firmware 1 GB. Differential package 900 MB. Logo and images 100 KB. Favicon 10 KB.': () =>
    expect([c.pictureMaximum, pictureMaximum, avatarMaximum, c.faviconMaximum, faviconMaximum]).toEqual([
      102_400, 102_400, 102_400, 10_240, 10_240,
    ]),
  'Soft DssKey 0 to 100. SIP lines per device 5. Task name 64 characters. APK name 127 characters.': () => {
    expect(c.taskNameLength).toBe(64);
    const task = (name: string) => addTask.body.safeParse({ name, action: 'reboot', target: { filter: {} } }).success;
    expect([task('x'.repeat(64)), task('x'.repeat(65))]).toEqual([true, false]);
  },
  'Default SMTP port 465.': () => expect([c.smtpPort, notification.smtpPort]).toEqual([465, 465]),
  'Privacy text sets an age limit of 13 for sub-accounts.': () => {
    expect(c.subAccountAge).toBe(13);
    expect(
      addUser.body.safeParse({ oldEnough: false }).error!.issues.find((i) => i.path[0] === 'oldEnough')!.message,
    ).toBe('user.tooYoung');
    uses('apps/console/src/area/people/user/user-fields.tsx', 'subAccountAge');
  },
  'Client id for the web app exists (secret not printed).': () => {
    expect(c.webClientId).toBe('console');
    uses('apps/standalone/src/cli/data-folder.ts', 'webClientId');
  },
};

/** What section 9 sets for areas that are still to come, by area: their settings come with them. */
const waiting: Record<string, readonly string[]> = {
  firmware: ['Firmware 1 GB.', 'Differential package 900 MB.', 'APK name 127 characters.'],
  configuration: ['MAC config files 1000.'],
  models: ['Soft DssKey 0 to 100.'],
  accounts: ['SIP lines per device 5.'],
  doors: ['Card batch 10,000.', 'EGS password length 3 to 16.'],
  diagnosis: ['Packet capture default maximum 5 minutes.', 'Diagnosis uploads need about 2 minutes.'],
  tasks: ['Sync after an operation takes a few minutes.', 'A task sync value of 0 means unlimited.'],
  backup: ['Database backups go to a fixed directory on the server.'],
  resources: ['Resource types: language pack, image, ringtone.'],
};
/** What section 9 says and the code does without a setting; the test that sees it. */
const built: Record<string, string> = {
  'Keep-alive cache holds 1 view.': 'apps/console/src/frame/shell/shell.e2e.ts',
  "Date format default YYYY-MM-DD HH:mm:ss, shown at the user's time-zone offset plus a DST adjustment for certain countries.":
    'apps/standalone/src/constant.spec.ts',
};
/** Section 9 as the product's description prints it. */
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
const sentences = (line: string): string[] => line.split(/(?<=\.) (?=[A-Z])/);

it("times are shown as section 9's default format writes them", () => {
  const shown = renderTime(Date.UTC(2026, 6, 4, 7, 8, 9), { offset: 60, rule: '1;3/5/0/2;10/5/0/3' });
  expect(shown).toBe('2026-07-04 09:08:09');
});

it.each(Object.entries(lines))('section 9: %s [SYS-08/line]', (_, check) => {
  check();
});

it("every line of section 9 that has a setting is named where it is, in the section's order, and each setting stands there once [SYS-08/settings]", () => {
  const text = read('libs/contracts/src/define/constant.ts').replaceAll(/\n(\/\/ )?/g, ' ');
  const places = Object.keys(lines).map((line) => text.indexOf(`"${line}"`));
  expect(places.every((at) => at > 0)).toBe(true);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  const names = [...text.matchAll(/export const (\w+) =/g)].map((m) => m[1]!);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(constants).toSorted()).toEqual(names.toSorted());
  expect(section9.filter((line) => text.includes(`"${line}"`))).toEqual(Object.keys(lines));
  // Each of them holds what its line says.
  for (const check of Object.values(lines)) check();
});

it('each sentence of section 9 has its setting, waits for its area, or is built without one', () => {
  const waits = Object.values(waiting).flat();
  const elsewhere = [...waits, ...Object.keys(built)];
  expect(elsewhere.filter((sentence) => !section9.flatMap(sentences).includes(sentence))).toEqual([]);
  expect(new Set(elsewhere).size).toBe(elsewhere.length);
  for (const path of Object.values(built)) expect(read(path)).toMatch(/keep-alive|default format/);
  // A line without a setting has nothing but such sentences; one with a setting has another beside them.
  for (const line of section9) {
    const own = sentences(line).filter((sentence) => !elsewhere.includes(sentence));
    expect(own.length > 0, line).toBe(line in lines);
  }
});
