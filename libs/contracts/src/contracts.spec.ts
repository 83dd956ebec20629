import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { expect, test } from 'vitest';
import { changes, releases, type Release } from './changelog.ts';
import { errorCatalogue, placeholder, type ErrorKey } from './errors.ts';
import { errorPage } from './errors.doc.ts';
import { errorHelp } from './errors.help.ts';
import { languages } from './define/language.ts';
import type { ErrorEntry } from './define/error.ts';
import { errorsOf, openApi } from './openapi.ts';
import { onlyReads, visitorMay } from './define/route.ts';
import { menuTree, neverVisiting, permissionKeys, seededRoles, type MenuDefinition } from './permissions.ts';
import { allRoutes } from './routes.ts';
import { deviceTarget } from './device/device.schemas.ts';
import { allTopics } from './topics.ts';

const schema = (type: z.ZodType | undefined, io: 'input' | 'output'): unknown =>
  type ? z.toJSONSchema(type, { io, unrepresentable: 'any' }) : undefined;

const routes = Object.fromEntries(
  allRoutes.map(({ name, owner, route: { params, query, body, response, summary: _, ...plain } }) => [
    name,
    {
      owner,
      ...plain,
      params: schema(params, 'input'),
      query: schema(query, 'input'),
      body: schema(body, 'input'),
      response: schema(response, 'output'),
    },
  ]),
);

/**
 * The contract that clients rely on. After an intended change, rewrite the file with `./carillon write` and review the
 * difference: additions are compatible; removing, renaming or narrowing breaks clients (a topic then needs a new
 * version beside the old one).
 */
test('routes, topics and the menu equal contracts.snap.json (to change it: ./carillon write)', async () => {
  const topics = Object.fromEntries(
    allTopics.map(({ events, ...plain }) => [
      plain.name,
      {
        ...plain,
        events: Object.fromEntries(Object.entries(events).map(([type, event]) => [type, schema(event, 'output')])),
      },
    ]),
  );
  await expect(`${JSON.stringify({ routes, topics, menu: menuTree }, null, 1)}\n`).toMatchFileSnapshot(
    '../contracts.snap.json',
  );
});

test('the changelog ends with this contract and keeps older versions (rewrite: ./carillon write)', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const [newest, ...older] = releases;
  const calls = Object.fromEntries(
    Object.entries(routes)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, route]) => [name, createHash('sha256').update(JSON.stringify(route)).digest('hex').slice(0, 12)]),
  );
  const same = newest?.version === version;
  const published: Release[] = [
    { version, date: same ? newest.date : new Date().toISOString().slice(0, 10), calls },
    ...(same ? older : releases),
  ];
  await expect(`${JSON.stringify(published, null, 1)}\n`).toMatchFileSnapshot('./changelog.json');
});

test('the changelog lists added, changed and removed calls of each version', () => {
  const list: Release[] = [
    { version: '0.2.0', date: '2026-02-01', calls: { a: '1', c: '3', d: '4' } },
    { version: '0.1.0', date: '2026-01-01', calls: { a: '1', b: '2', c: '2' } },
  ];
  expect(changes(list)).toEqual([
    { version: '0.2.0', date: '2026-02-01', added: ['d'], changed: ['c'], removed: ['b'] },
    { version: '0.1.0', date: '2026-01-01', added: ['a', 'b', 'c'], changed: [], removed: [] },
  ]);
});

test('every error has a text in each language with the same placeholders [SYS-07/languages]', () => {
  const holes = (text: string): string[] =>
    [...text.matchAll(placeholder)].flatMap(([, name, one]) => (one === undefined ? name! : [])).toSorted();
  for (const [key, entry] of Object.entries(errorCatalogue) as [string, ErrorEntry][]) {
    for (const language of languages) {
      expect(entry[language]?.trim().length, `${key} ${language}`).toBeGreaterThan(1);
      expect(holes(entry[language]), `${key} ${language}`).toEqual(holes(entry.en_US));
      // Braces hold nothing else; plural forms may only use a number that the text also names.
      expect(entry[language].replace(placeholder, ''), `${key} ${language}`).not.toMatch(/[{}]/);
    }
    expect(new Set(languages.map((l) => entry[l])).size, `${key} is translated`).toBe(languages.length);
  }
});

/** Spec, section 8, line by line. */
const section8 = {
  Login: [
    'auth.accountLocked',
    'auth.notActivated',
    'auth.disabled',
    'auth.wrongCredentials',
    'auth.logonFailure',
    'auth.twoStepRequired',
    'auth.codeWrong',
    'auth.codeRequired',
    'auth.captchaRequired',
    'auth.captchaWrong',
    'auth.channelNotActive',
    'auth.channelLocked',
    'auth.channelDeactivated',
  ],
  'Account and channel': [
    'org.companyNameTaken',
    'channel.companyRegistered',
    'user.emailTaken',
    'user.emailSame',
    'channel.duplicateLogin',
    'channel.duplicateAccount',
    'user.missing',
    'channel.companyMissing',
    'channel.alreadySub',
    'channel.ownParent',
    'channel.superiorAddressEmpty',
  ],
  'Links and codes': [
    'link.activationInvalid',
    'link.resetInvalid',
    'auth.codeExpired',
    'link.resendExpired',
    'link.pageExpired',
    'auth.passwordsDiffer',
    'auth.passwordSame',
    'user.emailInvalid',
    'mail.sendFailure',
  ],
  'Devices and tasks': [
    'device.macFormat',
    'device.macNotFound',
    'device.pushTargetMissing',
    'device.hasRunningTask',
    'device.offline',
    'task.createFailed',
    'diagnosis.stateAbnormal',
    'diagnosis.queryAbnormal',
  ],
  Data: [
    'egs.cardTaken',
    'egs.nameTaken',
    'egs.passwordTaken',
    'egs.groupTaken',
    'file.taken',
    'file.importFormat',
    'file.tooLarge',
    'file.typeWrong',
    'org.notEmpty',
    'backup.failed',
    'backup.rollbackFailed',
    'backup.deleteFailed',
    'common.saveFailed',
    'common.deleteFailed',
    'common.updateFailed',
    'common.addFailed',
    'common.operationFailed',
    'license.notActivated',
  ],
  'Response handling': ['common.unknown', 'common.tokenInvalid', 'common.forbidden', 'common.notFound'],
} as const satisfies Record<string, readonly ErrorKey[]>;

test('every message of section 8 is in the catalogue and in docs/errors [SYS-07/catalogue]', async () => {
  for (const key of Object.values(section8).flat())
    expect(new Set(languages.map((l) => errorCatalogue[key][l])).size, key).toBe(languages.length);
  for (const key of Object.values(section8).flat()) expect(errorHelp[key], key).toHaveLength(2);
  for (const [key, help] of Object.entries(errorHelp))
    for (const text of [key in errorCatalogue ? 'It is there.' : '', ...help])
      expect(text, key).toMatch(/^[A-Z`].*\.$/);
  await expect(errorPage()).toMatchFileSnapshot('../../../docs/errors/README.md');
});

test('no two routes share a method and path, and each declares its path parameters', () => {
  const seen = allRoutes.map(({ route }) => `${route.method} ${route.path.replace(/\{\w+\}/g, '{}')}`);
  expect(new Set(seen).size).toBe(seen.length);
  for (const { name, route } of allRoutes) {
    expect(Object.keys(route.params?.shape ?? {}).toSorted(), name).toEqual(
      [...route.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!).toSorted(),
    );
  }
});

test('every call names a permission key, and every change names its audit word', () => {
  for (const { name, route } of allRoutes) {
    expect(['public', 'session', ...permissionKeys], name).toContain(route.permission);
    if (!onlyReads(route)) expect(route.audit, name).toMatch(/^(session|[a-zA-Z]+\.[a-zA-Z]+)$/);
  }
  expect(new Set(permissionKeys).size).toBe(permissionKeys.length);
  for (const keys of Object.values(seededRoles)) for (const key of keys) expect(permissionKeys).toContain(key);
});

/** Returns the paths of all text fields in a response schema. */
function textNames(node: unknown, under = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, properties, ...rest } = node as { type?: string; properties?: Record<string, unknown> };
  return [
    ...(type === 'string' && under !== '' ? [under] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, value]) => textNames(value, `${under}.${name}`)),
    ...Object.values(rest).flatMap((value) => textNames(value, under)),
  ];
}

test('no call that answers a secret is open to a visitor of a customer’s company (CHN-07)', () => {
  const answering = allRoutes.filter(({ route }) => {
    const names = textNames(schema(route.response, 'output'));
    return names.some((name) => /secret|password|recovery|token$|links/i.test(name));
  });
  expect(answering.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['addDevice', 'renewDeviceSecret', 'getPhonebookLinks', 'addApiToken']),
  );
  const open = answering.filter(
    ({ route }) =>
      route.permission !== 'public' &&
      visitorMay(route) &&
      !(neverVisiting as readonly string[]).includes(route.permission),
  );
  expect(open.map(({ name }) => name)).toEqual([]);
});

/** Returns the paths of all fields in a request schema. */
function givenNames(node: unknown, under = ''): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties, ...rest } = node as { properties?: Record<string, unknown> };
  return [
    ...Object.entries(properties ?? {}).flatMap(([name, value]) => [
      `${under}.${name}`,
      ...givenNames(value, `${under}.${name}`),
    ]),
    ...Object.values(rest).flatMap((value) => givenNames(value, under)),
  ];
}

test('no call with a secret or an outside address is open to visitors, but for those of CHN-07', () => {
  /** Why each call may stay open. */
  const judged: Record<string, string> = {
    addLdapServer: 'it reads a directory that the visitor knows a password of, and sends nothing of the company there',
    addSipServer: 'phones register there and prove their password without telling it; it opens nothing here',
    editSipServer: 'the same',
    importSipServer: 'the same',
    addSipAccount: 'a password of another system, which replaces none that is stored and is never read back',
    addSipAccountRange: 'the same',
    editSipAccount: 'the same',
    importSipAccount: 'the same',
    addConfigTemplate: 'a visitor who sends a password is refused',
    editConfigTemplate: 'the same',
    importChannelOrder: 'stock of MACs without any secret, of which no device is made',
  };
  const open = allRoutes.filter(
    ({ route }) =>
      route.permission !== 'public' &&
      route.permission !== 'session' &&
      // An export takes the filters of its list, whose names equal what the list shows.
      route.audit !== 'list.export' &&
      visitorMay(route) &&
      !(neverVisiting as readonly string[]).includes(route.permission),
  );
  const takes = open.filter(({ route }) =>
    givenNames(schema(route.body, 'input')).some((name) => /(password|secret|host|address|emails?|url)$/i.test(name)),
  );
  // The fields of an import file are its columns.
  const imports = open
    .filter(({ route }) => route.permission.startsWith('import'))
    .map(({ route }) => route.permission);
  expect([...takes.map(({ name }) => name), ...new Set(imports)].toSorted()).toEqual(Object.keys(judged).toSorted());
});

test('every menu has a language key, a path and an icon', () => {
  for (const entry of menuTree as readonly MenuDefinition[]) {
    expect(entry.langKey).toMatch(/^menu\./);
    expect(entry.path ?? entry.children).toBeDefined();
    expect(entry.icon).toBeDefined();
  }
});

test('the OpenAPI document describes every call by its constant, with every error it may give', () => {
  const document = openApi({ title: 'Carillon', version: '1.2.3' });
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(operations.map((o) => o.operationId).toSorted()).toEqual(allRoutes.map((r) => r.name).toSorted());
  for (const { name, route } of allRoutes) {
    const { responses } = document.paths[route.path]![route.method.toLowerCase()]!;
    for (const key of errorsOf(route))
      expect(responses[errorCatalogue[key].status]?.description, `${name} ${key}`).toContain(`\`${key}\``);
  }
  const text = JSON.stringify(document);
  for (const [, reference] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    expect(document.components.schemas).toHaveProperty([reference!]);
  expect(text).not.toContain('$defs');
});

test.each([
  ['settleMac', 'device.macFormat'],
  ['addDeviceGroup', 'deviceGroup.ruleEmpty'],
  ['tagDevices', 'device.tagKey'],
  ['listCustody', 'device.macFormat'],
] as const)('the errors of %s include %s, which its schemas name', (called, key) => {
  const errorsNamed = (name: string) => errorsOf(allRoutes.find((r) => r.name === name)!.route);
  expect(errorsNamed(called)).toContain(key);
  expect(errorsNamed('listRoles')).not.toContain(key);
});

test('refuses a task whose filter is misspelt, empty in a field or beside ids', () => {
  const id = '01920000-0000-7000-8000-000000000001';
  for (const target of [
    { filter: { modell: ['X6'] } },
    { filter: { state: [] } },
    { filter: { state: ['online'], page: 1 } },
    { filter: {}, ids: [id] },
    { filter: {}, except: [id] },
    {},
    { ids: [] },
  ]) {
    expect(deviceTarget.safeParse(target).success, JSON.stringify(target)).toBe(false);
  }
  for (const target of [{ filter: {} }, { filter: { state: ['online'], search: 'x' }, exclude: [id] }, { ids: [id] }])
    expect(deviceTarget.safeParse(target).success, JSON.stringify(target)).toBe(true);
});
