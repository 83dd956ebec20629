import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addConfigTemplate,
  addDevice,
  deleteConfigTemplate,
  deleteDevices,
  getFirstAccess,
  type DeviceRecord,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const mac = '805ec0f1a001';
const name = `Zz lobby ${Date.now().toString(36)}`;
let device: DeviceRecord;
let template: string;
let server: string;

beforeAll(async () => {
  const { call } = product.platform;
  const body = { ...(await devicePlace(call)), mac, name, model: 'SIP-T46U', sn: 'ZF-0001' };
  ({ device } = (await call(addDevice, { body })) as { device: DeviceRecord });
  const values = { 'time.server': 'ntp.lobby.example' };
  const made = await eventually(() =>
    call(addConfigTemplate, { body: { name, description: '', level: 'device', target: device.id, values } }),
  );
  template = made.id;
  server = (await call(getFirstAccess, { params: { id: device.id } })).server!;
});
afterAll(async () => {
  const { call } = product.platform;
  await call(deleteConfigTemplate, { query: { id: template } });
  await call(deleteDevices, { query: { ids: [device.id] } });
});

/** Asks for a file like a phone at a site of its own. Returns the text, or the status of a refusal. */
const ask = (folder: string, agentMac = mac) =>
  new Promise<string>((resolve, reject) => {
    const headers = { 'user-agent': `Yealink SIP-T46U 108.86.0.90 ${agentMac}` };
    get(new URL(`${agentMac}.cfg`, folder), { headers, localAddress: '127.0.0.81', agent: false }, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => (text += part))
        .on('end', () => resolve(answer.statusCode === 200 ? text : String(answer.statusCode)))
        .on('error', reject);
    }).on('error', reject);
  });
const addressIn = (file: string): string => /server\.url = (\S+)/.exec(file)![1]!;

it('a phone that knows only the server waits in the list until it is let in [DEV-10/let in]', async () => {
  const first = addressIn(await ask(`${server}/`));
  expect(await ask(first)).toBe('404');
  const { page } = await product.administrator('/setting/index');
  await page.getByRole('button', { name: 'Waiting phones' }).click();
  const dialog = page.getByRole('dialog', { name: 'Waiting phones' });
  await dialog.getByText('127.0.0.81').waitFor();
  await dialog.getByRole('button', { name: `Let in ${name} at 127.0.0.81` }).click();
  await dialog.getByText('127.0.0.81').waitFor({ state: 'detached' });

  const file = await ask(first);
  expect(file).toContain('ntp.lobby.example');
  expect(await ask(addressIn(file))).toContain('ntp.lobby.example');
  expect(await ask(first)).toBe('404');
});

it('a device’s page opens and ends its first access, and shows who waits [EDGE-02/page]', async () => {
  const { page } = await product.administrator(`/device/deviceDetail?id=${device.id}`);
  const part = page.getByRole('region', { name: 'First access' });
  await part.getByText('Ended on').waitFor();
  await part.getByRole('button', { name: 'Open for 7 days' }).click();
  await part.getByText('the next phone with this MAC gets the configuration').waitFor();
  await part.getByText(server, { exact: true }).waitFor();
  await part.getByRole('button', { name: 'End' }).click();
  await part.getByText('Ended on').waitFor();

  await ask(addressIn(await ask(`${server}/`)));
  await page.reload();
  await part.getByText('A phone with this MAC waits.').waitFor();
  await part.getByRole('button', { name: 'Let in the phone at 127.0.0.81' }).click();
  await part.getByText('A phone with this MAC waits.').waitFor({ state: 'detached' });
  await part.getByText(/^Let in until .* from 127\.0\.0\.81/).waitFor();
});

it('the super administrator sees a phone that no company has [DEV-10/unclaimed]', async () => {
  const unknown = '805ec0f1a0ff';
  expect(await ask(addressIn(await ask(`${server}/`, unknown)), unknown)).toBe('404');
  const { page } = await product.administrator('/system/company');
  await page.getByRole('button', { name: 'Unclaimed phones' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unclaimed phones' });
  const row = dialog.getByRole('listitem').filter({ hasText: '80:5E:C0:F1:A0:FF' });
  await row.getByText('Asked from 127.0.0.81').waitFor();
});
