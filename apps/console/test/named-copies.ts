import * as c from '@carillon/contracts';
import { createClient, type Client, type NounDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { deliver, eventually } from '@carillon/testing';
import { testLdap } from '@carillon/testing/ldap';
import { logIn, type Platform } from '@carillon/testing/platform';
import { expect } from 'vitest';
import { exampleOf, uploadOf } from './example.ts';
import { publishMessage } from './publish.ts';

const six = [1, 2, 3, 4, 5, 6];
const kinds = [
  'user',
  'group',
  'site',
  'org',
  'server',
  'account',
  'token',
  'address',
  'notice',
  'hook',
  'order',
  'firmware',
  'file',
  'config',
  'template',
  'freeze',
  'baseline',
] as const;
/** What is prepared: the ids of the copies by kind, and how they are removed. */
interface Work {
  platform: Platform;
  ids: Record<(typeof kinds)[number], string[]>;
  undo: (() => Promise<unknown>)[];
}

/** A customer of the installation's own company, for settings that only a company with a parent has. */
export const customer = { username: 'walk.customer', password: 'Own-Secret-1' };
/** Creates the customer once; companies are not deleted, so it exists when the test runs again. */
async function makeCustomer(platform: Platform): Promise<Client> {
  const { call, ready } = platform;
  const first = 'First-Secret-1';
  const made = await call(c.addCompany, {
    body: {
      name: 'Company of the lists',
      type: 'enterprise',
      organizationName: 'Lists',
      remarks: '',
      username: customer.username,
      nickname: 'Lists',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: first,
      language: 'en_US',
      timezoneId: null,
      countryId: 1,
    },
  }).catch((e: { error: string }) => expect(e.error).toBe('org.companyNameTaken'));
  const chosen = { newPassword: customer.password, confirmation: customer.password };
  if (made)
    await eventually(() =>
      platform.plainClient()(c.activateByPassword, {
        body: { username: customer.username, password: first, ...chosen },
      }),
    );
  const token = await logIn({ ...ready, admin: customer });
  const asCustomer = createClient({ baseUrl: ready.url, headers: () => ({ 'carillon-auth': `bearer ${token}` }) });
  for (const hours of six) {
    const { id } = await eventually(() =>
      asCustomer(c.addSupportAccess, { body: { level: 'view', hours, reason: `Walk ${hours}` } }),
    );
    await asCustomer(c.endSupportAccess, { params: { id } });
  }
  return asCustomer;
}

/** Adds a copy of what users and devices belong to. */
async function addPlaces({ platform: { call }, ids }: Work, n: number, roleId: string): Promise<void> {
  const username = `walk.${n}`;
  const user = { username, nickname: `Walker ${n}`, email: null, roleIds: [roleId] };
  const first = { activation: 'password', oldEnough: true, password: 'First-Secret-1' } as const;
  ids.user.push((await call(c.addUser, { body: { ...user, ...first, allOrgs: true, orgIds: [] } })).id);
  ids.group.push((await call(c.addDeviceGroup, { body: { name: `Walk group ${n}`, description: '' } })).id);
  const site = { parentId: null, description: `Floor ${n}`, segments: '', autoAssign: n > 3 };
  ids.site.push((await call(c.addSite, { body: { name: `Walk site ${n}`, ...site } })).id);
  const place = { name: `Walk address ${n}`, parentId: null, description: `Floor ${n}` };
  ids.address.push((await call(c.addChannelAddress, { body: place })).id);
  const line = { mac: `0c383ef0000${n}`, model: c.suppliedModels[n]!.name, order: `Walk ${n}` };
  ids.order.push((await call(c.addChannelOrder, { body: line })).id);
  ids.org.push((await call(c.addOrganization, { body: { name: `Walk part ${n}`, description: '' } })).id);
}

/** Adds a copy of servers, accounts and settings of the company. */
async function addSettings({ platform: { call, ready }, ids }: Work, n: number): Promise<void> {
  const server = { address: `pbx${n}.example.com`, port: 5060 + n, transport: 'udp' } as const;
  const made = await call(c.addSipServer, {
    body: {
      name: `Walk server ${n}`,
      ...server,
      domain: '',
      proxyAddress: null,
      proxyPort: null,
      backupAddress: null,
      backupPort: null,
    } as never,
  });
  ids.server.push(made.id);
  const account = { name: `Walk account ${n}`, number: `70${n}`, serverId: made.id, authPassword: 'hidden-line' };
  ids.account.push((await call(c.addSipAccount, { body: account })).id);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const program = { name: `Walk ${n}`, scopes: ['device' as const], expiresAt, password: ready.admin.password };
  ids.token.push((await call(c.addApiToken, { body: program })).id);
  const notice = { title: `Walk notice ${n}`, emails: [`walk${n}@example.com`], roleIds: [], userIds: [] };
  const daily = {
    sendType: 'timed',
    time: `0${n}:00`,
    zone: 'UTC',
    level: 'high',
    enabled: false,
  } as const;
  ids.notice.push((await call(c.addEmailNotice, { body: { ...notice, ...daily, kinds: [] } })).id);
  // Nothing listens there, and only its test is sent.
  const hook = { name: `Walk hook ${n}`, url: `http://localhost:9/walk/${n}`, level: 'low', enabled: false } as const;
  const { id: hookId } = await call(c.addWebhook, { body: { ...hook, events: ['alarm.raised'], kinds: [] } });
  ids.hook.push(hookId);
  const days = { begin: `20${20 + n}-12-20T18:00`, end: `20${20 + n}-12-27T06:00`, timeZone: 'Etc/UTC' };
  ids.freeze.push((await call(c.addFreezePeriod, { body: { name: `Walk freeze ${n}`, siteIds: [], ...days } })).id);
}

/** Adds a copy of files, baselines and templates. */
async function addFiles({ platform, ids }: Work, n: number): Promise<void> {
  const { call } = platform;
  const upload = (noun: string, file: string) =>
    uploadOf({ name: noun }, { name: file, text: `\u0001 Walk ${n}` }, platform);
  const firmware = {
    models: ['X7A' as string],
    description: `Notes ${n}`,
    notice: { whom: 'nobody' as const, at: null },
  };
  const image = await upload('firmware', `walk${n}.bin`);
  const version = { name: 'Walk firmware', version: `1.${n}.0`, ...firmware, upload: image };
  const { id: firmwareId } = await call(c.addFirmware, { body: version });
  ids.firmware.push(firmwareId);
  const scope = { model: 'X7A', siteId: null, groupId: null, from: null, to: null, timeZone: null };
  const baseline = { name: `Walk baseline ${n}`, firmwareId, active: n % 2 === 0, ...scope };
  // Its service receives the firmware a moment later.
  ids.baseline.push((await eventually(() => call(c.addBaseline, { body: baseline }))).id);
  const uploads = [await upload('resourceFile', `walk${n}.bin`)];
  const file = { name: `Walk file ${n}`, type: 'image', description: `Hall ${n}`, uploads } as const;
  ids.file.push((await call(c.addResourceFile, { body: { ...file, uploads } })).id);
  const config = { name: `Walk configuration ${n}`, description: `Hall ${n}`, models: n % 2 ? ['X7A'] : [] };
  const text = await upload('configFile', `walk${n}.bin`);
  ids.config.push((await call(c.addConfigFile, { body: { ...config, upload: text } })).id);
  // Each is for a model of its own, which has no other one.
  const template = { name: `Walk template ${n}`, description: `Hall ${n}`, values: { 'phone.ringtone': n } };
  const target = { level: 'model' as const, target: `Walk model ${n}` };
  ids.template.push((await call(c.addConfigTemplate, { body: { ...template, ...target } })).id);
}

async function addCompany({ platform: { call } }: Work, n: number): Promise<void> {
  await call(c.addCompany, {
    body: {
      name: `Walk company ${n} ${Date.now().toString(36)}`,
      type: 'enterprise',
      organizationName: 'Part',
      remarks: `Remark ${n}`,
      username: `walk${n}.${Date.now().toString(36)}`,
      nickname: 'Boss',
      email: null,
      activation: 'password',
      oldEnough: true,
      password: 'First-Secret-1',
      language: 'en_US',
      timezoneId: 1,
      countryId: 1,
    },
  });
}

/** Delivers devices that wait for their owner. */
async function addDeliveries({ platform: { call }, undo }: Work): Promise<void> {
  const labels = six.map((n) => ({ mac: `0c383ef0001${n}`, sn: `Walk ${n}`, claimCode: `WALK-CODE-000${n}` }));
  await deliver(call, labels);
  const delivered = (await call(c.listDeliveries, { query: { mac: labels.map(({ mac }) => mac) } })).records;
  undo.push(() => call(c.deleteDeliveries, { query: { ids: delivered.map(({ id }) => id) } }));
}

/** Adds directories, of which the first is a real server with six people. */
async function addDirectories({ platform: { call }, undo }: Work): Promise<void> {
  const people = Object.fromEntries(
    six.map((n) => [`walk${n}`, { cn: `Walk person ${n}`, telephoneNumber: `60${n}` }]),
  );
  const ldap = await testLdap(people);
  type Directory = Extract<(typeof c.nouns)[number], { name: 'ldapServer' }>;
  const directory = c.nouns.find((noun): noun is Directory => noun.name === 'ldapServer')!.example;
  for (const n of six) {
    const { id } = await call(c.addLdapServer, {
      body: {
        ...directory,
        name: `Walk directory ${n}`,
        host: `ldap${n}.example.com`,
        password: 'hidden-line',
        ...(n === 1 ? { host: ldap.host, port: ldap.tlsPort, ca: ldap.ca, userName: ldap.user } : {}),
        ...(n === 1 ? { password: ldap.password, base: ldap.base } : {}),
      } as never,
    });
    if (n === 1) await call(c.syncLdapServer, { body: { id } });
    undo.push(() => call(c.deleteLdapServer, { query: { id } }));
  }
  undo.push(() => ldap.stop());
  await eventually(async () => expect((await call(c.listLdapAccounts, { query: {} })).total).toBe(6), 60_000);
}

/** Raises alarms, orders tasks and reports errors of a browser. */
async function addEvents({ platform }: Work): Promise<void> {
  const { call } = platform;
  for (const [type, objectName] of six.flatMap((n) => [
    [6, `Walk phone ${n}`] as const,
    [-2, `Walk model ${n}`] as const,
  ]))
    await publishMessage(platform, { type, objectName });
  const here = (await call(c.listDevices, { query: { state: ['online'], limit: 1 } })).records[0]!;
  for (const n of six)
    await call(c.addTask, { body: { name: `Walk task ${n}`, action: 'reboot', target: { ids: [here.id] } } });
  const entry = (n: number) => ({
    url: `/walk/${n}`,
    time: new Date().toISOString(),
    type: 'error',
    message: `Walk error ${n}`,
    stack: '',
    info: '',
  });
  await call(c.reportErrors, { body: { logs: six.map(entry) } });
}

/** Adds examples of the nouns without prepared rows. */
async function addExamples({ platform, undo }: Work): Promise<void> {
  const { call } = platform;
  for (const noun of c.nouns as readonly NounDefinition[]) {
    const { route } = allRoutes.find((r) => r.route.permission === noun.name && r.route.path.endsWith('/list'))!;
    const { total } = (await call(route as never, { query: {} } as never)) as { total: number };
    for (const n of six.slice(total)) {
      const example = { ...noun.example, name: `Walk ${noun.name} ${n}` };
      undo.push((await exampleOf({ ...noun, example }, platform)).remove);
    }
  }
}

const deletionsOf = ({ platform: { call }, ids }: Work, roleIds: string[]): (() => Promise<unknown>)[] => [
  async () => {
    const { records } = await call(c.listMessages, { query: { search: 'Walk', limit: 50 } });
    await call(c.deleteMessages, { body: records.map((m) => m.id) });
  },
  () => call(c.deleteSipAccounts, { query: { ids: ids.account } }),
  ...ids.server.map((id) => () => call(c.deleteSipServer, { query: { id } })),
  ...ids.freeze.map((id) => () => call(c.deleteFreezePeriod, { query: { id } })),
  ...ids.notice.map((id) => () => call(c.deleteEmailNotice, { query: { id } })),
  ...ids.hook.map((id) => () => call(c.deleteWebhook, { query: { id } })),
  ...ids.token.map((id) => () => call(c.revokeApiToken, { params: { id } })),
  ...ids.baseline.map((id) => () => call(c.deleteBaseline, { query: { id } })),
  ...ids.firmware.map((id) => () => eventually(() => call(c.deleteFirmware, { query: { id } }))),
  ...ids.file.map((id) => () => call(c.deleteResourceFile, { query: { id } })),
  ...ids.config.map((id) => () => call(c.deleteConfigFile, { query: { id } })),
  ...ids.template.map((id) => () => call(c.deleteConfigTemplate, { query: { id } })),
  () => call(c.closeApiAccess),
  () => call(c.deleteUsers, { query: { ids: ids.user } }),
  () => call(c.deleteRoles, { query: { ids: roleIds } }),
  ...ids.group.map((id) => () => call(c.deleteDeviceGroup, { query: { id } })),
  ...ids.site.map((id) => () => call(c.deleteSite, { query: { id } })),
  () => call(c.deleteChannelOrders, { query: { ids: ids.order } }),
  ...ids.address.map((id) => () => call(c.deleteChannelAddress, { query: { id } })),
  ...ids.org.map((id) => () => call(c.deleteOrganization, { body: { id } })),
];

/** Prepares six named copies of the rows of every list; `undo` gets what removes them. Returns the customer's client. */
export async function addCopies(platform: Platform, undo: Work['undo']): Promise<Client> {
  const asCustomer = await makeCustomer(platform);
  const { call } = platform;
  const work: Work = { platform, ids: Object.fromEntries(kinds.map((kind) => [kind, []])) as never, undo };
  const roles = await Promise.all(
    six.map((n) =>
      call(c.addRole, { body: { name: `Walk role ${n}`, description: `=${n}`, permissions: ['device'] } }),
    ),
  );
  await call(c.openApiAccess);
  await Promise.all(
    six.map(async (n) => {
      await addPlaces(work, n, roles[n - 1]!.id);
      await addSettings(work, n);
      await addFiles(work, n);
      await addCompany(work, n);
    }),
  );
  await addDeliveries(work);
  for (const id of work.ids.hook) await call(c.testWebhook, { params: { id } });
  await addDirectories(work);
  await addEvents(work);
  await addExamples(work);
  undo.push(
    ...deletionsOf(
      work,
      roles.map((r) => r.id),
    ),
  );
  await eventually(async () => {
    expect((await call(c.listTasks, { query: { search: 'Walk task', status: ['finished', 'success'] } })).total).toBe(
      6,
    );
  }, 60_000);
  return asCustomer;
}
