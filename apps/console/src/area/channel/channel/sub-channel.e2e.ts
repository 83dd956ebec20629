import { afterAll, expect, it } from 'vitest';
import {
  activateByPassword,
  addChannel,
  addCompany,
  addSipAccount,
  bindChannel,
  editChannel,
  editSysConfig,
  getChannel,
  getFcs,
  listChannels,
  offerChannel,
  unbindChannel,
  type Client,
} from '@carillon/contracts';
import { eventually, noGrants } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const [first, own] = ['First-Secret-1', 'Own-Secret-1'];
const stamp = Date.now().toString(36);
const nameOf = (name: string) => `Zz ${name} ${stamp}`;
const usernameOf = (name: string) => `zz.${name.toLowerCase()}.${stamp}`;
const account = (name: string) => ({
  name: nameOf(name),
  type: 'reseller' as const,
  organizationName: 'Head office',
  remarks: '',
  username: usernameOf(name),
  nickname: name,
  email: null,
  activation: 'password' as const,
  password: first,
  oldEnough: true,
  language: 'en_US' as const,
  timezoneId: null,
  countryId: 1,
});
const flags = { licenseGranting: true, fcsEnabled: true, localSync: true };
/** Logs in the account of a channel, which has chosen its password. */
async function chiefOf(name: string, password = first): Promise<Client> {
  const { platform } = product;
  const username = usernameOf(name);
  await platform.plainClient()(activateByPassword, {
    body: { username, password, newPassword: own, confirmation: own },
  });
  const token = await logIn({ ...platform.ready, admin: { username, password: own } });
  return platform.client({ 'carillon-auth': `bearer ${token}` });
}
const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (e: { error: string }) => e.error,
  );
const fcs = (enabled: boolean, names: readonly string[]) =>
  product.platform.call(editSysConfig, {
    body: {
      configKey: 'fcs',
      value: {
        enabled,
        localConfigSync: false,
        servers: names.map((name) => ({
          name,
          address: 'fcs.example.com',
          port: 5061,
          transport: 'tls' as const,
          domain: '',
        })),
      },
    },
  });
afterAll(() => fcs(false, []));

it('a channel account adds sub-channels within its limits and binds a company [CHN-02]', async () => {
  const { platform } = product;
  const root = platform.call;
  await fcs(true, ['Bell Cloud']);
  const partner = await root(addChannel, {
    body: { ...account('Partner'), ...noGrants, ...flags, createSubLimit: 2, fcsLimit: 3 },
  });
  const chief = await chiefOf('Partner');
  const listed = async () =>
    new Map((await chief(listChannels, { query: {} })).records.map((c) => [c.name.split(' ')[1]!, c]));
  /** Edits a channel directly below the caller's company. */
  const edit = async (by: Client, id: string, more: object) => {
    const c = await by(getChannel, { params: { id } });
    const { name, type, remarks, addressId, createSubLimit, fcsLimit, fcsUrl, fcsDomain } = c;
    const given = { createSubLimit, fcsLimit, fcsUrl, fcsDomain };
    const { licenseGranting, fcsEnabled, localSync } = c;
    const kept = { licenseGranting, fcsEnabled, localSync };
    return by(editChannel, { body: { id, name, type, remarks, addressId, ...given, ...kept, ...more } });
  };

  // Adds a sub-account by the form, with every flag and a part of the FCS accounts.
  const { page } = await product.loggedIn('/channel/boundChannelList', {
    username: usernameOf('Partner'),
    password: own,
  });
  const row = (name: string) => page.locator('tr[data-id]').filter({ hasText: nameOf(name) });
  await page.getByText('Sub-channels left: 2 of 2').waitFor();
  await page.getByRole('link', { name: 'Add sub-channel' }).first().click();
  await page.waitForURL('**/channel/addSubAccount');
  await page.locator('[name=name]').fill(nameOf('Below'));
  await page.locator('[name=username]').fill(usernameOf('Below'));
  await page.locator('[name=nickname]').fill('Berta');
  await page.getByText('By password', { exact: true }).click();
  await page.locator('[name=fcsLimit]').fill('2');
  for (const flag of Object.keys(flags)) await page.locator(`[name=${flag}]`).check();
  await page.locator('[name=oldEnough]').check();
  await page.getByRole('button', { name: 'Add sub-channel', exact: true }).click();
  await page.getByText('Share these details with the user.').waitFor();
  const [, , password] = await page.locator('dl code').allTextContents();
  await page.getByRole('button', { name: 'Done' }).click();
  await row('Below').waitFor();
  await page.getByText('Sub-channels left: 1 of 2').waitFor();

  // Adds another one without flags; a third one exceeds the limit.
  const plain = await chief(addChannel, { body: { ...account('Plain'), ...noGrants } });
  await row('Plain').waitFor();
  await page.getByText('Sub-channels left: 0 of 2').waitFor();
  expect(await refusal(chief(addChannel, { body: { ...account('Third'), ...noGrants } }))).toBe('channel.subLimit');
  const two = await listed();
  expect([...two.keys()].toSorted()).toEqual(['Below', 'Plain']);
  expect(two.get('Below')).toMatchObject({ ...flags, fcsLimit: 2, nickname: 'Berta' });
  expect(two.get('Plain')).toMatchObject({ licenseGranting: false, fcsEnabled: false, localSync: false, fcsLimit: 0 });

  // Each flag can be given only by an account that has it, and revoking it applies to the whole subtree.
  for (const flag of ['licenseGranting', 'fcsEnabled', 'localSync'] as const) {
    expect(await edit(chief, plain.id, { [flag]: true })).toMatchObject({ [flag]: true });
    expect((await listed()).get('Below')).toMatchObject(flags);
    await edit(root, partner.id, { [flag]: false });
    const now = await listed();
    expect([now.get('Below')![flag], now.get('Plain')![flag]]).toEqual([false, false]);
    expect(await refusal(edit(chief, plain.id, { [flag]: true }))).toBe('channel.flagNotHeld');
    await edit(root, partner.id, { [flag]: true });
    await edit(chief, two.get('Below')!.id, { [flag]: true });
    expect((await listed()).get('Plain')).toMatchObject({ [flag]: false });
  }

  // FCS accounts: the child gets what it was given, the parent the rest, and the other child none.
  const berta = await chiefOf('Below', password);
  const [paula] = [await chiefOf('Plain')];
  const accounts = async (client: Client, limit: number): Promise<void> => {
    const serverId = await eventually(async () => {
      const room = await client(getFcs);
      expect([room.enabled, room.limit]).toEqual([true, limit]);
      return room.servers[0]!.id;
    });
    const add = (n: number) => client(addSipAccount, { body: { name: `FCS ${n}`, number: `700${n}`, serverId } });
    for (let n = 1; n <= limit; n++) await add(n);
    expect(await refusal(add(limit + 1))).toBe('fcs.limit');
    expect(await refusal(paula(addSipAccount, { body: { name: 'Theirs', number: '1', serverId } }))).toBe(
      'common.notFound',
    );
  };
  await accounts(berta, 2);
  await accounts(chief, 1);
  expect(await paula(getFcs)).toMatchObject({ enabled: false, limit: 0, servers: [] });
  expect(await refusal(edit(chief, plain.id, { fcsLimit: 2 }))).toBe('channel.fcsLimit');

  // Binding an existing company fails without an address, for itself, and for a company that is bound already.
  const free = await root(addCompany, { body: account('Free') });
  const frida = await chiefOf('Free');
  const { code } = await eventually(() => frida(offerChannel, { body: {} }));
  const bind = (by: Client, given: string) => by(bindChannel, { body: { code: given, addressId: null } });
  expect(await refusal(bind(chief, code))).toBe('channel.subLimit');
  await page.getByRole('button', { name: `Actions for ${nameOf('Plain')}`, exact: true }).click();
  await page.getByRole('menuitem', { name: 'Unbind', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Unbind ${nameOf('Plain')}` })
    .click();
  await row('Plain').waitFor({ state: 'detached' });
  expect(await refusal(bind(frida, code))).toBe('channel.ownParent');
  expect(await refusal(bind(root, code))).toBe('channel.alreadySub');
  await page.getByRole('button', { name: 'Bind company' }).click();
  const dialog = page.getByRole('dialog', { name: 'Bind company' });
  await dialog.getByLabel('Code').fill(code);
  await dialog.getByRole('button', { name: 'Bind company' }).click();
  await row('Free').waitFor();
  expect([...(await listed()).keys()].toSorted()).toEqual(['Below', 'Free']);
  expect((await listed()).get('Free')).toMatchObject({ id: free.id, licenseGranting: false, fcsEnabled: false });
  expect(await refusal(frida(offerChannel, { body: {} }))).toBe('channel.bound');
  expect(await refusal(bind(chief, code))).toBe('channel.companyMissing');
  await chief(unbindChannel, { body: { id: free.id } });
  await row('Free').waitFor({ state: 'detached' });
  expect([...(await listed()).keys()]).toEqual(['Below']);
});
