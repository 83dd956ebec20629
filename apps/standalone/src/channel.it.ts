import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  activateByPassword,
  addChannel,
  addChannelAddress,
  addRole,
  addUser,
  audit,
  bindChannel,
  companyTypes,
  deleteUsers,
  disableUsers,
  editChannel,
  editChannelAccount,
  editRole,
  editUser,
  getChannel,
  getChannelRoom,
  getUser,
  listChannels,
  listCompanies,
  listUsers,
  offerChannel,
  orgCompany,
  permissionKeys,
  provisioningFcsUse,
  resendActivation,
  getChannelActivation,
  resendChannelActivation,
  setChannelStatus,
  setCompanyStatus,
  token,
  unbindChannel,
  type EventData,
  type PermissionKey,
} from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { authService } from '@carillon/auth/module';
import { orgService, seedCompany } from '@carillon/org/module';
import { envelope, fromRecord, toRecord, type PostgresBus } from '@carillon/messaging';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import type { ServiceDefinition } from '@carillon/service';
import {
  eventually,
  filterFaults,
  newActor,
  testBus,
  testService,
  violations,
  type Actor,
  type TestedService,
} from '@carillon/testing';

/**
 * A tree of channels with the real services: the installation's own company, a distributor below it, a reseller below
 * that with a customer, and the reseller's sibling.
 */
const key = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
const values = {
  tokenKey: key,
  passwordPepper: key,
  mailKey: key,
  clientId: 'web',
  clientSecret: 'web-secret-of-test',
};
const client = `Basic ${Buffer.from('web:web-secret-of-test').toString('base64')}`;

let bus: PostgresBus;
let auth: TestedService;
let org: TestedService;
const operator: Actor = { ...newActor(), permissions: permissionKeys };
const told: { companyId: string; data: EventData<typeof audit> }[] = [];
const companies = new Map<string, EventData<typeof orgCompany>>();

const md5 = (password: string) => createHash('md5').update(password).digest('hex');
const first = 'First-Secret-1';
const later = 'Later-Secret-1';
const grants = {
  addressId: null as string | null,
  createSubLimit: 0,
  fcsLimit: 0,
  licenseGranting: false,
  fcsEnabled: false,
  localSync: false,
  fcsUrl: '',
  fcsDomain: '',
};
type Grants = Partial<typeof grants>;
type More = Grants & { type?: (typeof companyTypes)[number]; username?: string; email?: string };
const body = (name: string, more: More = {}) => ({
  ...grants,
  name,
  type: 'reseller' as (typeof companyTypes)[number],
  organizationName: 'Head office',
  remarks: `about ${name}`,
  username: `${name.toLowerCase().replaceAll(' ', '.')}.chief`,
  nickname: `Chief of ${name}`,
  email: null as string | null,
  activation: 'password' as const,
  password: first,
  oldEnough: true,
  language: 'pt_BR' as const,
  timezoneId: 7,
  countryId: 2,
  ...more,
});
const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'none',
    (e: { error: string; fields: { path: string }[]; message: string }) => [e.error, ...e.fields.map((f) => f.path)],
  );

/** Adds a channel below `above`. Returns an actor with every permission in it. */
async function add(above: Actor, name: string, more: More = {}): Promise<Actor> {
  const made = await auth.as(above)(addChannel, { body: body(name, more) });
  await eventually(async () => {
    const channel = await org.as(above)(getChannel, { params: { id: made.id } });
    expect(channel.username).not.toBe('');
  });
  return { ...newActor(), companyId: made.id, orgId: made.orgId, userId: made.userId };
}
const channelOf = (above: Actor, { companyId }: Actor) => org.as(above)(getChannel, { params: { id: companyId } });
const names = async (of: Actor) => (await org.as(of)(listChannels, { query: {} })).records.map((c) => c.name);
async function edit(above: Actor, of: Actor, more: Grants & { name?: string }) {
  const c = await channelOf(above, of);
  const { id, name, type, remarks, addressId, createSubLimit, fcsLimit, fcsUrl, fcsDomain } = c;
  const { licenseGranting, fcsEnabled, localSync } = c;
  const limits = { createSubLimit, fcsLimit, licenseGranting, fcsEnabled, localSync, fcsUrl, fcsDomain };
  return org.as(above)(editChannel, { body: { id, name, type, remarks, addressId, ...limits, ...more } });
}
const login = async (username: string, password = later) => {
  const answer = await auth.raw(null, {
    method: 'POST',
    url: token.path,
    headers: { authorization: client, 'content-type': 'application/json' },
    payload: { grant_type: 'captcha', scope: 'all', username, password: md5(password) },
  });
  return answer.body as Record<string, unknown>;
};
const activate = (username: string) =>
  auth.raw(null, {
    method: 'POST',
    url: activateByPassword.path,
    headers: { authorization: client, 'content-type': 'application/json' },
    payload: { username, password: first, newPassword: later, confirmation: later },
  });
const bind = (by: Actor, code: string, addressId: string | null = null) =>
  org.as(by)(bindChannel, { body: { code, addressId } });
const offer = async (by: Actor) => (await org.as(by)(offerChannel, { body: {} })).code;

beforeAll(async () => {
  bus = await testBus();
  auth = await testService(authService as unknown as ServiceDefinition, bus, values);
  org = await testService(orgService as unknown as ServiceDefinition, bus);
  await bus.fanout({
    topics: [audit.name, orgCompany.name],
    from: 'start',
    handle: ({ records }) => {
      for (const r of records) {
        if (r.topic === orgCompany.name) {
          const { data } = fromRecord(orgCompany, r)!;
          if (data) companies.set(r.key, data);
        } else {
          const { data, companyId } = fromRecord(audit, r)!;
          if (data) told.push({ companyId: companyId!, data });
        }
      }
    },
  });
  await seedCompany(org.database, {
    companyId: operator.companyId,
    name: 'Operator',
    orgId: operator.orgId,
    organizationName: 'Head office',
  });
  await eventually(async () => {
    // Wait until auth knows the limits of the installation's own company.
    await refusedOnlyByName();
  });
});
const refusedOnlyByName = async () => {
  const answer = await refusal(auth.as(operator)(addChannel, { body: { ...body('Operator', { createSubLimit: 1 }) } }));
  expect(answer).toEqual(['channel.companyRegistered', 'name']);
};
/** Reads the account status that a login checks. */
const statusInAuth = ({ companyId }: Actor) =>
  transaction(
    auth.database,
    companySession(companyId),
    async () => (await currentSql().query<{ status: string }>('select status from company_copy')).rows[0]!.status,
  );
/** Moves the code's expiry 24 hours into the past. */
const expire = (companyId: string) =>
  transaction(org.database, companySession(companyId), () =>
    currentSql().query(`update channel_code set expires_at = expires_at - interval '24 hours'`),
  );
afterAll(async () => {
  for (const service of [auth, org]) await service?.close();
  await bus?.close();
});

it('a channel account has all fields in each of the nine company types and refuses duplicates [CHN-01]', async () => {
  const place = await org.as(operator)(addChannelAddress, {
    body: { name: 'Iberia', parentId: null, description: '' },
  });
  for (const type of companyTypes) {
    const name = `Type ${type}`;
    const made = await eventually(() =>
      add(operator, name, {
        type,
        addressId: place.id,
        email: `${type}@example.com`,
        createSubLimit: 3,
        fcsLimit: 4,
        licenseGranting: true,
        fcsEnabled: true,
        localSync: true,
        fcsUrl: 'https://fcs.example.com:8443',
        fcsDomain: 'fcs.example.com',
      }),
    );
    expect(await channelOf(operator, made)).toEqual({
      id: made.companyId,
      name,
      type,
      status: 'inactive',
      addressId: place.id,
      address: ['Iberia'],
      createSubLimit: 3,
      subs: 0,
      fcsLimit: 4,
      licenseGranting: true,
      fcsEnabled: true,
      localSync: true,
      fcsUrl: 'https://fcs.example.com:8443',
      fcsDomain: 'fcs.example.com',
      username: `type.${type}.chief`,
      nickname: `Chief of ${name}`,
      email: `${type}@example.com`,
      accountStatus: 'inactive',
      language: 'pt_BR',
      timezoneId: 7,
      countryId: 2,
      remarks: `about ${name}`,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  }
  const { checked, faults } = await filterFaults(listChannels, (query) =>
    org.as(operator)(listChannels, { query } as never),
  );
  expect(faults).toEqual([]);
  expect(checked.length).toBeGreaterThan(20);
  // A channel can only have an address of its parent's company.
  const at = (addressId: string | null) =>
    refusal(auth.as(operator)(addChannel, { body: body('Nowhere', { addressId }) }));
  expect(await at(null)).toEqual(['channel.superiorAddressEmpty', 'addressId']);
  expect(await at(newActor().orgId)).toEqual(['common.notFound']);
  const { records } = await org.as(operator)(listCompanies, { query: { 'name.contains': ['Type'] } });
  expect(records.map((c) => [c.superior, c.createSubLimit, c.fcsEnabled])).toEqual(
    companyTypes.map(() => ['Operator', 3, true]),
  );
  // Company names and login names must be unique, when added and when changed.
  const again = (more: More & { name?: string }) =>
    refusal(auth.as(operator)(addChannel, { body: { ...body('Again', { addressId: place.id }), ...more } }));
  expect(await again({ name: 'tYPE VIP' })).toEqual(['channel.companyRegistered', 'name']);
  expect(await again({ username: 'type.vip.chief' })).toEqual(['channel.duplicateAccount', 'username']);
  // The message is in the caller's language.
  const words = {
    en_US: [
      'The company is already registered.',
      'The superior address can’t be empty.',
      'This account already exists.',
    ],
    zh_CN: ['该公司已注册。', '上级地址不能为空。', '账号重复。'],
    ko: ['이미 등록된 회사입니다.', '상위 주소를 입력하세요.', '이미 있는 계정입니다.'],
    pt_BR: ['A empresa já está registrada.', 'O endereço superior não pode ficar vazio.', 'Esta conta já existe.'],
  };
  for (const [language, said] of Object.entries(words))
    for (const [n, more] of [{ name: 'Type vip' }, { addressId: null }, { username: 'type.vip.chief' }].entries()) {
      const answer = await auth.raw(operator, {
        method: addChannel.method,
        url: addChannel.path,
        payload: { ...body('Again', { addressId: place.id }), ...more },
        headers: { 'carillon-language': language },
      });
      expect(answer.body['msg'], language).toBe(said[n]);
    }
  const [vip, reseller] = ['Type vip', 'Type reseller'].map((name) => records.find((c) => c.name === name)!.id);
  const of = { companyId: vip! } as Actor;
  expect(await refusal(edit(operator, of, { name: 'type RESELLER' }))).toEqual(['org.companyNameTaken', 'name']);
  expect(await refusal(edit(operator, of, { addressId: null }))).toEqual(['channel.superiorAddressEmpty', 'addressId']);
  // The status follows the first login. The initial password stays until the owner sets another.
  const statusOf = async () => (await channelOf(operator, of)).status;
  expect(await statusOf()).toBe('inactive');
  expect((await activate('type.vip.chief')).status).toBe(200);
  await eventually(async () => expect(await statusOf()).toBe('normal'));
  expect(await login('type.vip.chief')).toMatchObject({ companyId: vip, countryId: 2, timezoneId: 7 });
  for (const status of ['disabled', 'locked', 'normal'] as const) {
    await org.as(operator)(setChannelStatus, { body: { id: vip!, status } });
    expect(await statusOf()).toBe(status);
  }
  expect((await channelOf(operator, { companyId: reseller! } as Actor)).status).toBe('inactive');
  for (const { id } of (await org.as(operator)(listChannels, { query: {} })).records)
    await edit(operator, { companyId: id } as Actor, { createSubLimit: 0, addressId: place.id });
});

let distributor: Actor;
let reseller: Actor;
let neighbour: Actor;
let customer: Actor;
const placed = async () => (await org.as(operator)(listChannels, { query: {} })).records[0]!.addressId!;

it('a sub-account is added within createSubLimit and gets no limit or flag that its parent lacks [CHN-02/add] [CHN-02/limits] [CHN-02/flags]', async () => {
  distributor = await eventually(async () =>
    add(operator, 'Distributor', {
      type: 'distributor',
      addressId: await placed(),
      createSubLimit: 5,
      fcsLimit: 10,
      licenseGranting: true,
      fcsEnabled: true,
    }),
  );
  // Auth must have received the channel from org.
  reseller = await add(distributor, 'Reseller', { createSubLimit: 2, fcsLimit: 6, fcsEnabled: true });
  neighbour = await add(distributor, 'Neighbour');
  expect(await org.as(distributor)(getChannelRoom, {})).toEqual({
    createSubLimit: 5,
    subsLeft: 1,
    fcsLimit: 10,
    fcsLeft: 4,
    licenseGranting: true,
    fcsEnabled: true,
    localSync: false,
    top: false,
    addresses: false,
  });
  const tried = (more: Grants) => refusal(auth.as(distributor)(addChannel, { body: body('Too much', more) }));
  expect(await tried({ createSubLimit: 1 })).toEqual(['channel.subLimit', 'createSubLimit']);
  expect(await tried({ fcsLimit: 5 })).toEqual(['channel.fcsLimit', 'fcsLimit']);
  expect(await tried({ localSync: true })).toEqual(['channel.flagNotHeld', 'localSync']);
  expect(await refusal(edit(distributor, neighbour, { createSubLimit: 2 }))).toEqual([
    'channel.subLimit',
    'createSubLimit',
  ]);
  expect(await refusal(edit(distributor, neighbour, { fcsLimit: 5 }))).toEqual(['channel.fcsLimit', 'fcsLimit']);
  expect(await refusal(edit(distributor, neighbour, { localSync: true }))).toEqual([
    'channel.flagNotHeld',
    'localSync',
  ]);
  // Two parallel calls compete for the last place.
  const both = await Promise.all(
    ['Last one', 'Last two'].map((name) => refusal(auth.as(distributor)(addChannel, { body: body(name) }))),
  );
  expect(both.filter((b) => b === 'none')).toHaveLength(1);
  expect(both).toContainEqual(['channel.subLimit', 'createSubLimit']);
  customer = await add(reseller, 'Customer', { type: 'enterprise', fcsLimit: 1, fcsEnabled: true });
  // A limit cannot fall below what the channel has given on.
  expect(await refusal(edit(distributor, reseller, { createSubLimit: 0 }))).toEqual([
    'channel.limitInUse',
    'createSubLimit',
  ]);
  expect(await refusal(edit(distributor, reseller, { fcsLimit: 0 }))).toEqual(['channel.limitInUse', 'fcsLimit']);
  // The sums cover the whole subtree.
  await eventually(async () => expect((await channelOf(operator, distributor)).subs).toBe(4));
  expect((await channelOf(distributor, reseller)).subs).toBe(1);
  // Taking a feature away applies to the subtree, and provisioning receives the new state.
  expect(companies.get(customer.companyId)).toMatchObject({ fcsEnabled: true, fcsLimit: 1 });
  expect(companies.get(reseller.companyId)).toMatchObject({ fcsEnabled: true, fcsLimit: 5, fcsTotal: 6 });
  await edit(distributor, reseller, { fcsEnabled: false });
  expect((await channelOf(reseller, customer)).fcsEnabled).toBe(false);
  await eventually(() => expect(companies.get(customer.companyId)).toMatchObject({ fcsEnabled: false }));
  await edit(distributor, reseller, { fcsEnabled: true });
});

/** Waits until auth and org know all changes of earlier tests. */
const settled = (of: Actor) =>
  eventually(async () => {
    const [known, is] = await Promise.all(
      (
        [
          [auth, 'select version from company_copy', 'select id from channel_address_copy'],
          [org, 'select version from company', 'select id from channel_address'],
        ] as const
      ).map(([service, ...statements]) =>
        transaction(service.database, companySession(of.companyId), async () => {
          const rows = [];
          for (const sql of statements) rows.push((await currentSql().query(sql)).rows);
          return rows;
        }),
      ),
    );
    expect(known).toEqual(is);
  });

it('a company cannot give on FCS accounts that it uses, nor get a limit below its own use', async () => {
  /** Publishes the number of FCS accounts in use, like the provisioning service. */
  const tell = (used: number, version: number) => {
    const { companyId } = reseller;
    const data = { companyId, used };
    return bus.publish([toRecord(provisioningFcsUse, companyId, data, envelope('use', { companyId, version }))]);
  };
  const uses = async (used: number, version: number) => {
    await tell(used, version);
    const fcsLeft = 6 - 1 - used;
    await eventually(async () => expect(await org.as(reseller)(getChannelRoom, {})).toMatchObject({ fcsLeft }));
    await settled(reseller);
  };
  await uses(4, 1);
  const tried = (fcsLimit: number) =>
    refusal(auth.as(reseller)(addChannel, { body: body('Too much of FCS', { fcsLimit }) }));
  expect(await tried(2)).toEqual(['channel.fcsLimit', 'fcsLimit']);
  const given = (of: Actor, by: Actor, fcsLimit: number) => refusal(edit(by, of, { fcsLimit }));
  expect(await given(customer, reseller, 3)).toEqual(['channel.fcsLimit', 'fcsLimit']);
  expect(await given(reseller, distributor, 4)).toEqual(['channel.limitInUse', 'fcsLimit']);
  // Amounts that fit are accepted.
  expect(await given(customer, reseller, 2)).toBe('none');
  expect(await given(customer, reseller, 1)).toBe('none');
  // An event with an older version changes nothing.
  await uses(3, 3);
  await tell(0, 2);
  await uses(5, 4);
  expect(await given(customer, reseller, 2)).toEqual(['channel.fcsLimit', 'fcsLimit']);
  await uses(0, 5);
});

it('company names, login names and emails are unique, and the refusal names the duplicate', async () => {
  const tried = (more: object) =>
    refusal(auth.as(reseller)(addChannel, { body: { ...body('Fresh', { username: 'fresh.one' }), ...more } }));
  expect(await tried({ name: 'dISTRIBUTOR' })).toEqual(['channel.companyRegistered', 'name']);
  expect(await tried({ username: 'Customer.Chief' })).toEqual(['channel.duplicateAccount', 'username']);
  expect(await tried({ username: 'neighbour.chief' })).toEqual(['channel.duplicateLogin', 'username']);
  await auth.as(reseller)(editChannelAccount, {
    body: { ...account(customer), email: 'customer@example.com' },
  });
  expect(await tried({ email: 'CUSTOMER@example.com' })).toEqual(['user.emailTaken', 'email']);
  expect(await refusal(edit(reseller, customer, { name: 'Neighbour' }))).toEqual(['org.companyNameTaken', 'name']);
  await eventually(async () => expect((await channelOf(reseller, customer)).email).toBe('customer@example.com'));
});
const account = ({ companyId }: Actor) => ({
  id: companyId,
  nickname: 'Carla',
  email: null as string | null,
  language: 'ko' as const,
  timezoneId: 3,
  countryId: 4,
});

it('an inactive, disabled or locked channel admits nobody, its children go on, and a parent reopens it [AUTH-06] [AUTH-03]', async () => {
  const chief = 'reseller.chief';
  expect((await login(chief, first))['error']).toBe('auth.channelNotActive');
  expect((await login(chief, 'Wrong-Secret-1'))['error']).toBe('auth.wrongCredentials');
  for (const name of [chief, 'customer.chief']) expect((await activate(name)).status).toBe(200);
  expect(await login(chief)).toMatchObject({ createSubLimit: 2, fcsLimit: 6, companyId: reseller.companyId });
  await eventually(async () => {
    expect(await channelOf(distributor, reseller)).toMatchObject({ status: 'normal', accountStatus: 'normal' });
  });
  for (const [status, error] of [
    ['disabled', 'auth.channelDeactivated'],
    ['locked', 'auth.channelLocked'],
  ] as const) {
    await org.as(distributor)(setChannelStatus, { body: { id: reseller.companyId, status } });
    const since = Date.now();
    await eventually(async () => expect(await statusInAuth(reseller)).toBe(status));
    expect(Date.now() - since).toBeLessThan(1_000);
    expect((await login(chief))['error']).toBe(error);
    expect((await login('customer.chief'))['error']).toBeUndefined();
    await org.as(distributor)(setChannelStatus, { body: { id: reseller.companyId, status: 'normal' } });
    await eventually(async () => expect((await login(chief))['error']).toBeUndefined());
  }
  // A channel that was closed from further above stays closed for its parent.
  await org.as(operator)(setCompanyStatus, { body: { id: reseller.companyId, status: 'locked' } });
  const open = (by: Actor) =>
    refusal(org.as(by)(setChannelStatus, { body: { id: reseller.companyId, status: 'normal' } }));
  expect(await open(distributor)).toEqual(['channel.closedAbove']);
  await org.as(operator)(setCompanyStatus, { body: { id: reseller.companyId, status: 'normal' } });
  expect(await open(distributor)).toBe('none');
  // A channel that was never activated is inactive again when it is reopened.
  await org.as(distributor)(setChannelStatus, { body: { id: neighbour.companyId, status: 'locked' } });
  const opened = await org.as(distributor)(setChannelStatus, { body: { id: neighbour.companyId, status: 'normal' } });
  expect(opened.status).toBe('inactive');
});

it('changing companies while their accounts change does not deadlock', { tags: 'slow' }, async () => {
  const status = (of: Actor, to: 'locked' | 'normal') =>
    org.as(operator)(setCompanyStatus, { body: { id: of.companyId, status: to } });
  const rename = (n: number) =>
    refusal(
      auth.as(reseller)(editChannelAccount, {
        body: { ...account(customer), email: 'customer@example.com', nickname: `Carla ${n}` },
      }),
    );
  for (let n = 1; n <= 20; n++) {
    const [changed] = await Promise.all([rename(n), status(customer, 'locked'), status(neighbour, 'locked')]);
    expect(changed).toBe('none');
    await Promise.all([status(reseller, 'locked'), status(customer, 'normal'), status(neighbour, 'normal')]);
    await status(reseller, 'normal');
  }
  await eventually(async () => expect((await channelOf(reseller, customer)).nickname).toBe('Carla 20'));
});

it("a parent changes only its channel's account, and its email only until activation [USER-02/below]", async () => {
  // After the activation only the owner changes the address.
  const change = (of: Actor, by: Actor, email: string | null) =>
    refusal(auth.as(by)(editChannelAccount, { body: { ...account(of), email } }));
  expect(await change(customer, reseller, 'other@example.com')).toEqual(['channel.activated', 'email']);
  expect(await change(customer, reseller, 'customer@example.com')).toBe('none');
  await eventually(async () =>
    expect(await channelOf(reseller, customer)).toMatchObject({
      nickname: 'Carla',
      language: 'ko',
      timezoneId: 3,
      countryId: 4,
    }),
  );
  // Only the direct parent may change it: no grandparent, child or sibling, and not the channel itself.
  for (const by of [operator, distributor, neighbour, customer])
    expect(await change(customer, by, 'customer@example.com')).toEqual(['common.notFound']);
  for (const by of [operator, distributor, neighbour, customer])
    for (const route of [resendChannelActivation, getChannelActivation])
      expect(await refusal(auth.as(by)(route, { params: { id: customer.companyId } }))).toEqual(['common.notFound']);
  expect(await refusal(auth.as(reseller)(resendChannelActivation, { params: { id: customer.companyId } }))).toEqual([
    'user.notInactive',
  ]);
  expect((await auth.as(reseller)(listUsers, { query: {} })).records.map((u) => u.username)).toEqual([
    'reseller.chief',
  ]);
});

it('a user sees only users of the own company and direct channel accounts, and grants no excess rights [USER-02]', async () => {
  const role = (by: Actor, name: string, permissions: PermissionKey[]) =>
    auth.as(by)(addRole, { body: { name, description: '', permissions } });
  const may: PermissionKey[] = ['home', 'user', 'editUser', 'addUser', 'addRole', 'editRole'];
  const plain = await role(reseller, 'Desk', may);
  const user = (by: Actor, username: string, roleIds: string[]) =>
    auth.as(by)(addUser, {
      body: {
        username,
        nickname: username,
        email: null,
        activation: 'password',
        password: first,
        oldEnough: true,
        roleIds,
        allOrgs: true,
        orgIds: [],
      },
    });
  const made = await user(reseller, 'reseller.desk', [plain.id]);
  const { id, username, email, roles, allOrgs, orgs } = await auth.as(reseller)(getUser, { params: { id: made.id } });
  const edited = { id, username, email, roleIds: roles.map((r) => r.id), allOrgs, orgIds: orgs.map((o) => o.id) };
  const rename = (by: Actor, to: string) => refusal(auth.as(by)(editUser, { body: { ...edited, nickname: to } }));
  const seen = async (by: Actor) => (await auth.as(by)(listUsers, { query: {} })).records.map((u) => u.username);
  // Users of the own company are visible and can be changed.
  expect((await seen(reseller)).toSorted()).toEqual(['reseller.chief', 'reseller.desk']);
  expect(await rename(reseller, 'Desk one')).toBe('none');
  // Companies above, beside and below cannot reach them by any call.
  for (const stranger of [operator, distributor, neighbour, customer]) {
    expect(await seen(stranger)).not.toContain('reseller.desk');
    for (const attempt of [
      refusal(auth.as(stranger)(getUser, { params: { id } })),
      rename(stranger, 'Taken'),
      refusal(auth.as(stranger)(deleteUsers, { query: { ids: [id] } })),
      refusal(auth.as(stranger)(disableUsers, { body: { ids: [id] } })),
      refusal(auth.as(stranger)(resendActivation, { body: { id, password: later } })),
    ])
      expect(await attempt).toEqual(['user.missing']);
    expect(JSON.stringify((await org.as(stranger)(listChannels, { query: {} })).records)).not.toContain('desk');
  }
  expect(await auth.as(reseller)(getUser, { params: { id } })).toMatchObject({
    nickname: 'Desk one',
    status: 'inactive',
  });
  // The direct parent can change the account of its channel.
  const chief = { ...account(reseller), nickname: 'Rita', email: (await channelOf(distributor, reseller)).email };
  for (const stranger of [operator, neighbour, customer])
    expect(await refusal(auth.as(stranger)(editChannelAccount, { body: chief }))).toEqual(['common.notFound']);
  expect(await refusal(auth.as(distributor)(editChannelAccount, { body: chief }))).toBe('none');
  await eventually(async () =>
    expect(await channelOf(distributor, reseller)).toMatchObject({ username: 'reseller.chief', nickname: 'Rita' }),
  );
  // Nobody can put more permissions into a role than they hold, assign such a role, or change a user who has more.
  const desk: Actor = { ...reseller, userId: id, permissions: may };
  const strong = await role(reseller, 'Doors', ['home', 'user', 'deleteDevice']);
  const boss = await user(reseller, 'reseller.boss', [strong.id]);
  expect(await refusal(role(desk, 'More', ['home', 'deleteDevice']))).toEqual(['user.beyondOwnRights']);
  expect(
    await refusal(
      auth.as(desk)(editRole, {
        body: { id: plain.id, name: 'Desk', description: '', permissions: [...may, 'deleteDevice'] },
      }),
    ),
  ).toEqual(['user.beyondOwnRights']);
  expect(await refusal(user(desk, 'reseller.second', [strong.id]))).toEqual(['user.beyondOwnRights']);
  expect(
    await refusal(
      auth.as(desk)(editUser, {
        body: { ...edited, id: boss.id, username: 'reseller.boss', nickname: 'Taken', roleIds: [strong.id] },
      }),
    ),
  ).toEqual(['user.beyondOwnRights']);
  expect(await refusal(user(desk, 'reseller.third', [plain.id]))).toBe('none');
});

it('each company lists and changes only its direct channels and learns nothing of its parents [CHN-02/list]', async () => {
  const all = { operator, distributor, reseller, neighbour, customer };
  const seen = Object.fromEntries(
    await Promise.all(Object.entries(all).map(async ([who, actor]) => [who, await names(actor)])),
  );
  expect(seen['operator']).toContain('Distributor');
  expect(seen['operator']).not.toContain('Reseller');
  expect(seen['distributor']).toEqual([expect.stringMatching(/^Last/), 'Neighbour', 'Reseller']);
  expect([seen['reseller'], seen['neighbour'], seen['customer']]).toEqual([['Customer'], [], []]);
  for (const [of, above] of [
    [distributor, operator],
    [reseller, distributor],
    [customer, reseller],
  ] as const) {
    const known = await channelOf(above, of);
    const { id, name, type, remarks, addressId, createSubLimit, fcsLimit, fcsUrl, fcsDomain } = known;
    const flags = { licenseGranting: false, fcsEnabled: false, localSync: false };
    for (const other of Object.values(all).filter((a) => a !== above)) {
      expect(await refusal(org.as(other)(getChannel, { params: { id } }))).toEqual(['common.notFound']);
      expect(await refusal(org.as(other)(setChannelStatus, { body: { id, status: 'locked' } }))).toEqual([
        'common.notFound',
      ]);
      expect(await refusal(org.as(other)(unbindChannel, { body: { id } }))).toEqual(['common.notFound']);
      expect(
        await refusal(
          org.as(other)(editChannel, {
            body: { id, name, type, remarks, addressId, createSubLimit, fcsLimit, fcsUrl, fcsDomain, ...flags },
          }),
        ),
      ).toEqual(['common.notFound']);
    }
    expect(await channelOf(above, of)).toEqual(known);
  }
  // The channel's own log shows the change without a name from its parent.
  const own = await eventually(() => {
    const entries = told.filter((t) => t.companyId === reseller.companyId && t.data.objectId === reseller.companyId);
    expect(entries.map((e) => e.data.action)).toContain('channel.status');
    return JSON.stringify(entries);
  });
  for (const word of ['Distributor', distributor.companyId, distributor.userId, 'about Reseller', 'tester'])
    expect(own).not.toContain(word);
});

it('a company is bound by its own code once within a day, and unbinding takes back what it was given [CHN-02/bind] [CHN-02/unbind]', async () => {
  const free = await eventually(async () => add(operator, 'Free', { addressId: await placed(), createSubLimit: 1 }));
  const below = await add(free, 'Below free');
  const replaced = await offer(free);
  const code = await offer(free);
  expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/);
  for (const wrong of [replaced, 'AAAA-BBBB-CCCC-DDDD', code.slice(0, -1)])
    expect(await refusal(bind(distributor, wrong))).toEqual(['channel.companyMissing']);
  // The parent must have room for the company and its whole subtree.
  expect(await refusal(bind(neighbour, code))).toEqual(['channel.subLimit', 'createSubLimit']);
  // A company cannot be bound to itself or to its own child.
  expect(await refusal(bind(free, code))).toEqual(['channel.ownParent']);
  expect(await refusal(bind(below, code))).toEqual(['channel.ownParent']);
  expect(await refusal(bind(operator, code, await placed()))).toEqual(['channel.alreadySub']);
  await edit(operator, distributor, { createSubLimit: 8 });
  const bound = await bind(distributor, ` ${code.toLowerCase().replaceAll('-', '')} `);
  expect(bound).toMatchObject({
    id: free.companyId,
    name: 'Free',
    createSubLimit: 1,
    subs: 1,
    remarks: '',
    address: [],
  });
  expect(await refusal(bind(distributor, code))).toEqual(['channel.companyMissing']);
  expect(await names(operator)).not.toContain('Free');
  await eventually(() =>
    expect(companies.get(below.companyId)!.path).toBe(
      `/${operator.companyId}/${distributor.companyId}/${free.companyId}/${below.companyId}/`,
    ),
  );
  // A bound company cannot create a code, nor can the installation's own company.
  expect(await refusal(offer(free))).toEqual(['channel.bound']);
  expect(await refusal(offer(operator))).toEqual(['channel.ownParent']);

  await org.as(distributor)(unbindChannel, { body: { id: free.companyId } });
  expect(await names(distributor)).not.toContain('Free');
  // It keeps what it has given on and loses what it was given.
  expect(await channelOf(operator, free)).toMatchObject({ createSubLimit: 1, subs: 1, fcsEnabled: false, remarks: '' });
  expect(await refusal(org.as(operator)(unbindChannel, { body: { id: free.companyId } }))).toEqual(['channel.top']);
  const old = await offer(free);
  await expire(free.companyId);
  expect(await refusal(bind(distributor, old))).toEqual(['channel.companyMissing']);
  // After several wrong codes in an hour the user's codes are no longer looked up, right or wrong.
  const guesser = { ...distributor, userId: newActor().userId };
  const right = await offer(free);
  for (let i = 0; i < 20; i++) expect(await refusal(bind(guesser, `AAAA-BBBB-CCCC-${1000 + i}`))).not.toBe('none');
  expect(await refusal(bind(guesser, right))).toEqual(['common.tooMany']);
  await bind(distributor, right);
  await eventually(() => expect(JSON.stringify(told)).toContain('channel.bind'));
  for (const secret of [code, right, right.replaceAll('-', '')]) expect(JSON.stringify(told)).not.toContain(secret);
});

it('companies that bind each other at once, or three in a circle, form no cycle', async () => {
  const [one, two, three] = await Promise.all(
    [4, 2, 0].map(async (createSubLimit, n) =>
      add(operator, `Circle ${n}`, { addressId: await placed(), createSubLimit }),
    ),
  );
  const parents = async () => {
    await eventually(() => {
      for (const of of [one!, two!, three!]) expect(companies.get(of.companyId)).toBeDefined();
    });
    return [one!, two!, three!].map((of) => companies.get(of.companyId)!.path.split('/').slice(1, -1));
  };
  const [codeOfOne, codeOfTwo, codeOfThree] = [await offer(one!), await offer(two!), await offer(three!)];
  const answers = await Promise.all([refusal(bind(one!, codeOfTwo)), refusal(bind(two!, codeOfOne))]);
  expect(answers[0]).toBe('none');
  expect(answers[1]).not.toBe('none');
  await bind(two!, codeOfThree);
  expect(await refusal(bind(three!, codeOfOne))).toEqual(['channel.ownParent']);
  await eventually(async () =>
    expect(await parents()).toEqual([
      [operator.companyId, one!.companyId],
      [operator.companyId, one!.companyId, two!.companyId],
      [operator.companyId, one!.companyId, two!.companyId, three!.companyId],
    ]),
  );
});

it(
  'no call of org or auth reads or changes anything up, beside or two steps down the tree [CHN-04]',
  { tags: 'slow', timeout: 300_000 },
  async () => {
    const place = await org.as(distributor)(addChannelAddress, {
      body: { name: 'Place-Of-Distributor', parentId: null, description: '' },
    });
    const rowsOf = async (service: TestedService, { companyId }: Actor, tables: readonly string[]) =>
      JSON.stringify(
        await transaction(service.database, companySession(companyId), async () => {
          const found = [];
          for (const table of tables)
            found.push(
              (await currentSql().query(`select to_jsonb(x) from ${table} x order by to_jsonb(x)::text`)).rows,
            );
          return found;
        }),
      );
    const facts = 'id, company_id, name, type, status, remarks, create_sub_limit, fcs_limit, fcs_enabled, address_id';
    // A parent's copy of its channel follows the channel's account, so those rows belong to the caller and do not
    // count.
    const stateOf = async (of: Actor, by: Actor) =>
      (await rowsOf(org, of, [
        'company',
        'organization',
        `(select ${facts} from channel where id <> '${by.companyId}')`,
        'channel_address',
        'channel_code',
      ])) + (await rowsOf(auth, of, ['user_account', 'role', 'company_copy', 'channel_address_copy']));
    const own = ({ companyId, userId }: Actor) => [companyId, userId];
    // Changes of a user's own account reach the parent some moments later.
    const nobody = newActor().userId;
    /** Caller, victim, names that must not appear, and ids of the victim beside its own. */
    const cases: readonly (readonly [who: string, by: Actor, of: Actor, marks: readonly string[], more: string[]])[] = [
      ['a child of its parent', reseller, distributor, ['Distributor', 'distributor.chief'], [place.id]],
      ['a grandchild of its grandparent', customer, distributor, ['Distributor', 'distributor.chief'], [place.id]],
      ['a child of its parent, further down', customer, reseller, ['Reseller', 'reseller.chief'], []],
      ['a sibling of its sibling', neighbour, reseller, ['Reseller', 'reseller.chief'], []],
      ['a sibling of the child of its sibling', neighbour, customer, ['Customer', 'customer.chief'], []],
      ['a grandparent of its grandchild', distributor, customer, ['Customer', 'customer.chief'], []],
    ];
    for (const [, , of] of cases) await settled(of);
    for (const [who, by, of, marks, more] of cases)
      for (const [name, service] of [
        ['org', org],
        ['auth', auth],
      ] as const) {
        // A company names the parent that it lets in there (docs/adr/0023-visits.md).
        const named = who.startsWith('a child of its parent')
          ? ['getSupportAccess', 'addSupportAccess', 'listSupportAccess', 'endSupportAccess']
          : [];
        const routes = allRoutes.filter(
          (r) => r.owner === name && r.route.permission !== 'public' && !named.includes(r.name),
        );
        const found = await violations({
          routes,
          ids: [...own(of), ...more],
          marks: [...marks, ...(more.length > 0 ? ['Place-Of-Distributor'] : [])],
          state: () => stateOf(of, by),
          ask: async (one) => {
            const { status, body: answer } = await service.raw(
              { ...by, userId: nobody },
              {
                method: one.method,
                url: one.url,
                ...(one.body === undefined
                  ? {}
                  : { payload: one.body, headers: { 'content-type': 'application/json' } }),
              },
            );
            return { status, text: JSON.stringify(answer) };
          },
        });
        expect(found.map((f) => f.slice(0, 600)).join('\n'), `${who}: ${name}`).toBe('');
      }
  },
);
