import { expect, it } from 'vitest';
import {
  addChannelOrder,
  createClient,
  deleteChannelOrders,
  listChannelOrders,
  listMacDisputes,
  type Client,
} from '@carillon/contracts';
import { addActiveChannel, eventually } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const stamp = Date.now().toString(36);

/** Adds a channel of the operator, and returns a client of its account. */
async function channel(name: string): Promise<Client> {
  const { call, ready } = product.platform;
  const admin = await addActiveChannel(call, `${name} ${stamp}`, `${name.toLowerCase()}.${stamp}`);
  const token = await logIn({ ...ready, admin });
  return createClient({ baseUrl: ready.url, headers: () => ({ 'carillon-auth': `bearer ${token}` }) });
}

it(
  'the super administrator gives a disputed MAC to one company, or leaves it [CHN-04/dispute]',
  { tags: 'slow' },
  async () => {
    const [harbor, lake] = [await channel('Harbor'), await channel('Lake')];
    const block = `0c38d0${(Date.now() % 0xfffff).toString(16).padStart(5, '0')}`;
    const macs = [`${block}1`, `${block}2`];
    for (const mac of macs) {
      await eventually(() => harbor(addChannelOrder, { body: { mac, model: 'X7A', order: 'H-1' } }));
      const second = lake(addChannelOrder, { body: { mac, model: 'X7A', order: 'L-1' } });
      await expect(second).rejects.toMatchObject({ error: 'device.macTaken' });
    }
    const { page } = await product.administrator('/system/company');
    await page.getByRole('button', { name: 'Disputed MACs' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disputed MACs' });
    const line = (mac: string) =>
      dialog.getByRole('listitem').filter({ hasText: mac.toUpperCase().match(/../g)!.join(':') });
    await line(macs[0]!)
      .getByRole('button', { name: `Give to Lake ${stamp}` })
      .click();
    await line(macs[0]!).waitFor({ state: 'detached' });
    await line(macs[1]!)
      .getByRole('button', { name: `Leave with Harbor ${stamp}` })
      .click();
    await line(macs[1]!).waitFor({ state: 'detached' });
    const has = async (client: Client) =>
      (await client(listChannelOrders, { query: { search: block } })).records.map((order) => order.mac);
    expect([await has(harbor), await has(lake)]).toEqual([[macs[1]], [macs[0]]]);
    expect(JSON.stringify(await product.platform.call(listMacDisputes, {}))).not.toContain(block);
    for (const company of [harbor, lake]) {
      const { records } = await company(listChannelOrders, { query: { search: block } });
      await company(deleteChannelOrders, { query: { ids: records.map((order) => order.id) } });
    }
  },
);
