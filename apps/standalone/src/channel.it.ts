import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  activateByPassword,
  addChannel,
  addChannelAddress,
  companyTypes,
  editChannel,
  editChannelAccount,
  getChannel,
  getChannelRoom,
  listChannels,
  listCompanies,
  listUsers,
  getChannelActivation,
  resendChannelActivation,
  setChannelStatus,
  setCompanyStatus,
  token,
  unbindChannel,
} from '@carillon/contracts';
import { companySession, currentSql, transaction } from '@carillon/persistence';
import { eventually, filterFaults, newActor, type Actor } from '@carillon/testing';
import { refusal, body, type More, type Grants, first, later, account, startChannels } from './testing/channel-tree.ts';

const { auth, org, companies, entries: logged, operator, add, channelOf, names, edit, placed } = await startChannels();
const client = `Basic ${Buffer.from('web:web-secret-of-test').toString('base64')}`;

const md5 = (password: string) => createHash('md5').update(password).digest('hex');
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
/** Reads the account status that a login checks. */
const statusInAuth = ({ companyId }: Actor) =>
  transaction(
    auth.database,
    companySession(companyId),
    async () => (await currentSql().query<{ status: string }>('select status from company_copy')).rows[0]!.status,
  );

/** Checks the messages of three refused channels in each language. */
async function expectMessages(addressId: string): Promise<void> {
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
        payload: { ...body('Again', { addressId }), ...more },
        headers: { 'carillon-language': language },
      });
      expect(answer.body['msg'], language).toBe(said[n]);
    }
}

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
  await expectMessages(place.id);
  const [vip, reseller] = ['Type vip', 'Type reseller'].map((name) => records.find((c) => c.name === name)!.id);
  const actor = { companyId: vip! } as Actor;
  expect(await refusal(edit(operator, actor, { name: 'type RESELLER' }))).toEqual(['org.companyNameTaken', 'name']);
  expect(await refusal(edit(operator, actor, { addressId: null }))).toEqual([
    'channel.superiorAddressEmpty',
    'addressId',
  ]);
  // The status follows the first login. The initial password stays until the owner sets another.
  const statusOf = async () => (await channelOf(operator, actor)).status;
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

it('a sub-account gets no limit that its parent lacks [CHN-02/add] [CHN-02/limits] [CHN-02/flags]', async () => {
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

it('an inactive, disabled or locked channel admits no user until a parent reopens it [AUTH-06] [AUTH-03]', async () => {
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
  const status = (actor: Actor, to: 'locked' | 'normal') =>
    org.as(operator)(setCompanyStatus, { body: { id: actor.companyId, status: to } });
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
  const change = (actor: Actor, by: Actor, email: string | null) =>
    refusal(auth.as(by)(editChannelAccount, { body: { ...account(actor), email } }));
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

it('each company lists and changes its direct channels and never sees its parents [CHN-02/list]', async () => {
  const all = { operator, distributor, reseller, neighbour, customer };
  const seen = Object.fromEntries(
    await Promise.all(Object.entries(all).map(async ([who, actor]) => [who, await names(actor)])),
  );
  expect(seen['operator']).toContain('Distributor');
  expect(seen['operator']).not.toContain('Reseller');
  expect(seen['distributor']).toEqual([expect.stringMatching(/^Last/), 'Neighbour', 'Reseller']);
  expect([seen['reseller'], seen['neighbour'], seen['customer']]).toEqual([['Customer'], [], []]);
  for (const [below, above] of [
    [distributor, operator],
    [reseller, distributor],
    [customer, reseller],
  ] as const) {
    const known = await channelOf(above, below);
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
    expect(await channelOf(above, below)).toEqual(known);
  }
  // The channel's own log shows the change without a name from its parent.
  const own = await eventually(() => {
    const entries = logged.filter((t) => t.companyId === reseller.companyId && t.data.objectId === reseller.companyId);
    expect(entries.map((e) => e.data.action)).toContain('channel.status');
    return JSON.stringify(entries);
  });
  for (const word of ['Distributor', distributor.companyId, distributor.userId, 'about Reseller', 'tester'])
    expect(own).not.toContain(word);
});
