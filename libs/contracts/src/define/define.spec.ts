import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { route } from './route.ts';
import { languages, toLanguage, type Language } from './language.ts';
import { defineErrors } from './error.ts';
import { toPage } from './list.ts';
import { errorCatalogue, errorText, type ErrorKey } from '../errors.ts';
import { actionRights } from '../device/action-rights.ts';
import { menuTree, permissionKeys, type MenuDefinition } from '../permissions.ts';
import { allRoutes } from '../routes.ts';
import { allTopics } from '../topics.ts';
import { deviceStateRules } from '../device/device.filter.ts';
import { mac, ownMac } from '../device/device.schemas.ts';

const placeholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!).sort();

describe('the error catalogue', () => {
  it.each(Object.keys(errorCatalogue) as ErrorKey[])(
    '%s has a text in four languages with the same placeholders [SYS-07/languages]',
    (key) => {
      const entry = errorCatalogue[key];
      for (const language of languages) {
        expect(entry[language].trim()).not.toBe('');
        expect(placeholders(entry[language])).toEqual(placeholders(entry.en_US));
      }
    },
  );

  it('answers 401 only for an invalid token, because the described client logs out on it', () => {
    expect(
      Object.entries(errorCatalogue)
        .filter(([, e]) => e.status === 401)
        .map(([key]) => key),
    ).toEqual(['common.tokenInvalid']);
  });

  it('fills placeholders and leaves unknown ones', () => {
    expect(errorText('common.forbidden', 'en_US', { permission: 'addTask' })).toBe(
      'You don’t have the permission “addTask”.',
    );
    expect(errorText('common.forbidden', 'en_US')).toContain('{permission}');
  });

  it('uses the plural form of the language for a count', () => {
    const said = (count: number, language: Language) => errorText('site.notEmpty', language, { count });
    expect([1, 2].map((count) => said(count, 'en_US'))).toEqual([
      'This site has 1 site below it. Move or delete it first.',
      'This site has 2 sites below it. Move or delete them first.',
    ]);
    expect([1, 2].map((count) => said(count, 'pt_BR'))).toEqual([
      'Este local tem 1 local abaixo dele. Mova-o ou exclua-o primeiro.',
      'Este local tem 2 locais abaixo dele. Mova-os ou exclua-os primeiro.',
    ]);
    expect(said(2, 'ko')).toContain('하위 사이트 2개');
  });

  it('does not compile with a language missing', () => {
    // @ts-expect-error pt_BR is missing
    expect(defineErrors('x', { y: { status: 400, en_US: '', zh_CN: '', ko: '' } })).toBeDefined();
  });
});

describe('a route', () => {
  it('does not compile without permission, audit word or errors', () => {
    const whole = {
      method: 'POST',
      path: '/api/f/x/y',
      summary: '',
      permission: 'addTask',
      audit: 'x.y',
      errors: [],
      response: z.null(),
    } as const;
    expect(route(whole)).toBe(whole);
    const { permission: _p, ...noPermission } = whole;
    const { audit: _a, ...noAudit } = whole;
    const { errors: _e, ...noErrors } = whole;
    // @ts-expect-error no permission
    route(noPermission);
    // @ts-expect-error no audit word
    route(noAudit);
    // @ts-expect-error no errors
    route(noErrors);
    // @ts-expect-error a change must be audited
    route({ ...whole, audit: 'none' });
    // @ts-expect-error an unknown right
    route({ ...whole, permission: 'doAnything' });
    // @ts-expect-error an unknown error
    route({ ...whole, errors: ['task.no'] });
  });

  it('has a path and a method that no other has', () => {
    const seen = allRoutes.map((r) => `${r.route.method} ${r.route.path}`);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('exists for every button key, so that every permission has an effect [ROLE-03]', () => {
    for (const key of ['deleteDevice', 'editSite', 'addTask', 'exportDevice', 'pushFirmware'])
      expect(permissionKeys).toContain(key);
    const entries = (tree: readonly MenuDefinition[]): MenuDefinition[] =>
      tree.flatMap((entry) => [entry, ...entries(entry.children ?? [])]);
    expect(
      entries(menuTree)
        .find(({ key }) => key === 'role')
        ?.children?.map(({ key }) => key),
    ).toEqual(['addRole', 'editRole', 'deleteRole']);

    // Permissions that a task's action or an override of freeze periods requires: the call that creates the task itself
    // requires addTask.
    const byAction: readonly string[] = [...actionRights, 'overrideFreeze'];
    // Menus that have no call yet, or whose entry itself is the permission.
    const menus = ['home', 'account', 'channels', 'resources', 'system', 'config'];
    const used = new Set<string>(allRoutes.map((r) => r.route.permission));
    expect(permissionKeys.filter((k) => !used.has(k) && ![...byAction, ...menus].includes(k))).toEqual([]);
  });
});

it('every topic is named once and gives each event a schema', () => {
  expect(new Set(allTopics.map((t) => t.name)).size).toBe(allTopics.length);
  for (const topic of allTopics) expect(Object.keys(topic.events).length).toBeGreaterThan(0);
});

it.each([
  ['zh-CN,zh;q=0.9', 'zh_CN'],
  ['zh-TW', 'zh_CN'],
  ['ko-KR', 'ko'],
  ['pt-BR', 'pt_BR'],
  ['pt', 'pt_BR'],
  ['de', 'en_US'],
  [undefined, 'en_US'],
  ['en_US', 'en_US'],
] as const)('reads %s as %s [SHELL-18/server]', (header, language) => {
  expect(toLanguage(header)).toBe(language);
});

it('accepts both spellings of a page and defaults to the first page of 20 [SYS-06/pages]', () => {
  expect(toPage({})).toEqual({ page: 1, limit: 20 });
  expect(toPage({ current: 3, size: 50 })).toEqual({ page: 3, limit: 50 });
  expect(toPage({ page: 2, limit: 5, current: 9, size: 9 })).toEqual({ page: 2, limit: 5 });
});

describe('a MAC [DEV-03/format]', () => {
  it.each(['0C:38:3E:55:7E:B1', '0c-38-3e-55-7e-b1', '0C383E557EB1', ' 0c383e557eb1 '])(
    'is one in the spelling %s',
    (text) => {
      expect(mac.parse(text)).toBe('0c383e557eb1');
    },
  );
  it.each(['0C:38:3E:55:7E:B', '0C:38:3E:55:7E:B1:00', '0C:38:3E:55:7E:G1', '', 'abc', '0C 38 3E 55 7E B1'])(
    'is none in %s',
    (text) => {
      expect(mac.safeParse(text).error?.issues[0]?.message).toBe('device.macFormat');
    },
  );
});

describe('a MAC that a device can have', () => {
  it.each(['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff', '01:00:5e:00:00:fb', '33:33:00:00:00:01', '0f:38:3e:55:7e:b1'])(
    'is not %s',
    (text) => {
      expect(mac.safeParse(text).success).toBe(true);
      expect(ownMac.safeParse(text).error?.issues.map((i) => i.message)).toEqual(['device.macNotOwn']);
    },
  );
  it.each(['00:00:00:00:00:01', '0c:38:3e:55:7e:b1', 'fe:ff:ff:ff:ff:ff', '02:00:00:00:00:00'])('is %s', (text) => {
    expect(ownMac.safeParse(text).success).toBe(true);
  });
});

it('every device has exactly one state: the last rule takes all that no other rule took', () => {
  expect(deviceStateRules.at(-1)!.when).toBe('true');
});
