import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import {
  activateByPassword,
  addChannel,
  addFirmware,
  deleteFirmware,
  deleteOfficialFirmware,
  getFirmware,
  getFirmwareUploadRules,
  getStorage,
  listFirmware,
  listMessages,
  type Client,
} from '@carillon/contracts';
import { resourceService } from '@carillon/resource/module';
import { readConfig } from '@carillon/service/config';
import { eventually, noGrants } from '@carillon/testing';
import { logIn } from '@carillon/testing/platform';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const folder = mkdtempSync('/tmp/carillon-firmware-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const stamp = Date.now().toString(36);
const name = `Zz desk ${stamp}`;

/** Adds another company and returns calls of its administrator. */
async function otherCompany(): Promise<Client> {
  const { platform } = product;
  const [first, own, username] = ['First-Secret-1', 'Own-Secret-1', `zz.firmware.${stamp}`];
  await platform.call(addChannel, {
    body: {
      name: `Zz firmware ${stamp}`,
      type: 'reseller',
      organizationName: 'Head office',
      remarks: '',
      username,
      nickname: 'Anna',
      email: null,
      activation: 'password',
      password: first,
      oldEnough: true,
      language: 'en_US',
      timezoneId: null,
      countryId: 1,
      ...noGrants,
    },
  });
  await platform.plainClient()(activateByPassword, {
    body: { username, password: first, newPassword: own, confirmation: own },
  });
  const token = await logIn({ ...platform.ready, admin: { username, password: own } });
  return platform.client({ 'carillon-auth': `bearer ${token}` });
}

/** Sends a request of the upload protocol, like a program. */
async function tus(method: string, path: string, headers: Record<string, string>, body?: Uint8Array<ArrayBuffer>) {
  const { ready, authorization } = product.platform;
  const answer = await fetch(ready.url + path, {
    method,
    headers: { 'carillon-auth': authorization, 'tus-resumable': '1.0.0', ...headers },
    ...(body ? { body } : {}),
  });
  const text = await answer.text();
  const error = text.startsWith('{') ? (JSON.parse(text) as { error?: string }).error : undefined;
  return { status: answer.status, error, at: answer.headers.get('location') ?? '' };
}
const begin = (file: string, size: number) =>
  tus('POST', '/api/f/resource/firmware/upload', {
    'upload-length': String(size),
    'upload-metadata': `filename ${Buffer.from(file).toString('base64')}`,
  });
/** Uploads like a program and returns the id. */
async function uploaded(file: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { at } = await begin(file, bytes.length);
  const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await tus('PATCH', at, headers, bytes)).status, file).toBe(204);
  return at.split('/').at(-1)!;
}

it('firmware up to 1 GB is uploaded with pause and resume, listed, and announced by a notice [STORE-01]', async () => {
  const { platform } = product;
  const { call } = platform;
  const other = await otherCompany();
  const { page } = await product.administrator('/resources/firmwares');
  const row = (text: string) => page.locator('[data-id]').filter({ hasText: text });
  const form = page.locator('main form');
  const part = 8_388_608;
  // An image: neither text, nor a picture, nor a program.
  const image = Buffer.concat([Buffer.from([0, 1, 2, 3]), randomBytes(part * 2 + 5_000)]);
  const path = join(folder, 'zz-desk.img');
  writeFileSync(path, image);
  const offsets: number[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route('**/api/f/resource/firmware/upload/*', async (route) => {
    if (route.request().method() === 'PATCH') {
      offsets.push(Number(route.request().headers()['upload-offset']));
      // Paused while it is held back. Nothing of it may reach the server, which would continue from there.
      if (offsets.length === 2) {
        await gate.promise;
        return route.abort().catch(() => undefined);
      }
    }
    return route.continue().catch(() => undefined);
  });
  try {
    // Official firmware, in the browser.
    await page.getByRole('link', { name: 'Upload firmware' }).first().click();
    await page.waitForURL('**/resources/firmwares/uploadFirmWare');
    await form.getByText('.bin, .z, .zip, .img. Up to 1 GB each.').waitFor();
    await form.getByRole('button', { name: 'Upload firmware' }).click();
    for (const missing of ['Choose a file.', 'Enter a name.', 'Enter a version.', 'Enter at least one model.'])
      await form.getByText(missing).waitFor();
    // A file with another checksum than the maker's is not sent at all.
    await form.getByLabel('SHA-256 checksum').fill('cd'.repeat(32));
    await form.locator('input[type=file]').setInputFiles(path);
    await form.getByText('The file has another checksum than the maker’s.').waitFor();
    await form.getByText(`SHA-256 ${createHash('sha256').update(image).digest('hex')}`).waitFor();
    expect(offsets).toEqual([]);
    await form.getByRole('button', { name: 'Remove zz-desk.img' }).click();
    await form.getByLabel('SHA-256 checksum').fill('');
    await form.locator('input[type=file]').setInputFiles(path);
    // The first part has arrived, the second is held back.
    await expect.poll(() => offsets, { timeout: 60_000 }).toEqual([0, part]);
    await form.getByText(/^8(\.\d)? MB of 16 MB$/).waitFor();
    const bar = form.getByRole('progressbar', { name: 'zz-desk.img' });
    expect(await bar.evaluate((e: HTMLProgressElement) => [e.value, e.max])).toEqual([
      expect.any(Number),
      image.length,
    ]);
    expect(await bar.evaluate((e: HTMLProgressElement) => e.value)).toBeGreaterThanOrEqual(part);
    await form.getByRole('button', { name: 'Pause zz-desk.img' }).click();
    await form.getByText('Paused,').waitFor();
    gate.resolve();
    await form.getByRole('button', { name: 'Resume zz-desk.img' }).click();
    await form.getByText('Uploaded').waitFor({ timeout: 60_000 });
    await form.getByLabel('SHA-256 checksum').fill('ab'.repeat(32));
    // The upload continued where it had stopped.
    expect(offsets.slice(0, 3)).toEqual([0, part, part]);
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Version', { exact: true }).fill('2.10.0');
    for (const model of ['X7A', 'X6U']) {
      await form.getByRole('combobox', { name: 'Models' }).or(form.locator('[name=models]')).first().fill(model);
      await page.keyboard.press('Enter');
    }
    await form.getByLabel('Minimum version').fill('2.4');
    await form.getByLabel('Release notes').fill('Mends the clock');
    await form.getByLabel('Official firmware').check();
    await form.getByRole('combobox', { name: 'When' }).waitFor();
    await form.getByRole('button', { name: 'Upload firmware' }).click();
    await form.getByText('The file has another checksum than the maker’s.').waitFor();
    await form.getByLabel('SHA-256 checksum').fill(createHash('sha256').update(image).digest('hex'));
    await form.getByRole('button', { name: 'Upload firmware' }).click();
    for (const shown of ['2.10.0', 'X7A', 'X6U', '16 MB', 'Official', 'Mends the clock', 'All companies'])
      await row(name).getByText(shown).first().waitFor();

    const [official] = (await other(listFirmware, { query: { name: [name] } })).records;
    expect(official).toMatchObject({
      name,
      version: '2.10.0',
      least: '2.4',
      models: ['X7A', 'X6U'],
      description: 'Mends the clock',
      path: 'official',
      size: image.length,
      fileName: 'zz-desk.img',
    });
    const notices = async (client: Client, version: string) =>
      (await client(listMessages, { query: { type: [-2], limit: 200 } })).records.filter((m) =>
        m.content.includes(version),
      );
    for (const company of [other, call])
      await eventually(async () => {
        const [notice] = await notices(company, '2.10.0');
        expect([notice?.type, notice?.title, notice?.content]).toEqual([
          -2,
          'New firmware version',
          'Version 2.10.0 is available for X7A, X6U.',
        ]);
      });

    // Own firmware with every extension, each with its own notice.
    const own = { models: ['X7A'], description: '' };
    const soon = new Date(Date.now() + 86_400_000).toISOString();
    const zip = Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64');
    for (const [file, version, bytes, notice] of [
      ['a.bin', '3.1.0', image.subarray(0, 100), { whom: 'nobody', at: null }],
      ['a.z', '3.2.0', image.subarray(0, 101), { whom: 'company', at: null }],
      ['a.zip', '3.3.0', zip, { whom: 'company', at: soon }],
      ['a.img', '3.4.0', image.subarray(0, 102), { whom: 'nobody', at: null }],
    ] as const)
      await call(addFirmware, {
        body: { ...own, name, version, notice, upload: await uploaded(file, new Uint8Array(bytes)) },
      });
    const seen = async (client: Client) =>
      (await client(listFirmware, { query: { name: [name], sort: 'version' } })).records.map(
        (f) => `${f.path} ${f.version}`,
      );
    expect(await seen(call)).toEqual(['official 2.10.0', 'mine 3.1.0', 'mine 3.2.0', 'mine 3.3.0', 'mine 3.4.0']);
    expect(await seen(other)).toEqual(['official 2.10.0']);
    // The own company is notified at once, tomorrow's notice is not sent yet, and other companies get none.
    await eventually(async () => expect(await notices(call, '3.2.0')).toHaveLength(1));
    for (const version of ['3.1.0', '3.3.0', '3.4.0']) expect(await notices(call, version), version).toEqual([]);
    expect(await notices(other, '3.2.0')).toEqual([]);

    // 1 GB is allowed, and not a byte more.
    expect(await begin('large.img', 1_073_741_825)).toMatchObject({ status: 413, error: 'file.tooLarge' });
    const largest = await begin('large.img', 1_073_741_824);
    expect(largest.status).toBe(201);
    expect((await tus('DELETE', largest.at, {})).status).toBe(204);
    // The default list of extensions, and one that an operator sets instead.
    expect(await call(getFirmwareUploadRules)).toEqual({
      extensions: ['.bin', '.z', '.zip', '.img'],
      maximum: 1_073_741_824,
    });
    expect(await begin('a.rom', 5)).toMatchObject({ status: 415, error: 'file.typeWrong' });
    const keys = { signingKey: randomBytes(32), dataKey: randomBytes(32) };
    const set = readConfig(resourceService.config, { filesFolder: folder, ...keys } as never, {
      CARILLON_FIRMWARE_EXTENSIONS: '.bin, rom',
    });
    expect(set).toMatchObject({ firmwareExtensions: ['.bin', '.rom'] });

    await page.getByRole('button', { name: `Actions for ${name} 3.1.0`, exact: true }).click();
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Version', { exact: true }).fill('3.1.1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('3.1.1').waitFor();
    for (const [version, whom] of [
      ['3.1.1', 'Nobody'],
      ['3.2.0', 'My company'],
    ] as const)
      for (const shown of ['Mine', 'X7A', whom]) await row(version).getByText(shown).first().waitFor();
  } finally {
    for (const { id, path: whose } of (await call(listFirmware, { query: { name: [name] } })).records)
      await call(whose === 'mine' ? deleteFirmware : deleteOfficialFirmware, { query: { id } });
  }
}, 900_000);

it('a delta package is added and deleted in the drawer of its firmware [STORE-02/screen]', async () => {
  const { call } = product.platform;
  const called = `${name} delta`;
  const body = { name: called, version: '4.2', models: ['X7A'], description: '', notice: { whom: 'nobody', at: null } };
  const image = new Uint8Array([0, 1, 2, ...randomBytes(50)]);
  const { id } = await call(addFirmware, { body: { ...body, upload: await uploaded('a.bin', image) } as never });
  // An empty archive with a random comment, so that no other file is identical.
  const zip = Buffer.concat([Buffer.from('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==', 'base64'), randomBytes(100)]);
  zip.writeUInt16LE(100, 20);
  const path = join(folder, 'zz-4.1-to-4.2.zip');
  writeFileSync(path, zip);
  const wrong = join(folder, 'zz-4.1.bin');
  writeFileSync(wrong, zip);
  try {
    const { page } = await product.administrator(`/resources/firmwares?firmware=${id}`);
    const drawer = page.getByRole('dialog', { name: `${called} 4.2` });
    await drawer.getByText('None yet.').waitFor();
    const { used } = await call(getStorage);
    await page.getByText(/ of 50 GB used$/).waitFor();
    await drawer.getByRole('button', { name: 'Upload package' }).click();
    const dialog = page.getByRole('dialog', { name: `Upload package for ${called} 4.2` });
    await dialog.getByText('.zip. Up to 900 MB each.').waitFor();
    await dialog.getByRole('button', { name: 'Upload package' }).click();
    for (const missing of ['Choose a file.', 'Enter a version.']) await dialog.getByText(missing).waitFor();
    await dialog.locator('input[type=file]').setInputFiles(wrong);
    await dialog.getByText('Wrong file type. Allowed: .zip.').waitFor();
    await dialog.locator('input[type=file]').setInputFiles(path);
    await dialog.getByText('Uploaded').waitFor();
    await dialog.getByLabel('From version').fill('4.2');
    await dialog.getByRole('button', { name: 'Upload package' }).click();
    await dialog.getByText('A differential package must be from another version than 4.2').waitFor();
    await dialog.getByLabel('From version').fill('4.1');
    await dialog.getByRole('button', { name: 'Upload package' }).click();
    const row = drawer.getByRole('row', { name: /4\.1 zz-4\.1-to-4\.2\.zip 122 B/ });
    await row.waitFor();
    expect((await call(getStorage)).used).toBe(used + zip.length);
    await row.getByRole('button', { name: 'Delete package from 4.1' }).click();
    await page
      .getByRole('dialog', { name: 'Delete package from 4.1' })
      .getByRole('button', { name: /^Delete/ })
      .click();
    await drawer.getByText('None yet.').waitFor();
    expect((await call(getFirmware, { params: { id } })).deltas).toEqual([]);
  } finally {
    await call(deleteFirmware, { query: { id } });
  }
});

it(
  'a differential package is made from another version with progress, deleted, and restored by Undo',
  { tags: 'slow' },
  async () => {
    const { call } = product.platform;
    const called = `${name} made`;
    const shared = randomBytes(3_000_000);
    const versions = ['5.1', '5.2', '5.3'];
    const ids: string[] = [];
    try {
      for (const version of versions) {
        // The last one has nothing in common with the others.
        const image = version === '5.3' ? randomBytes(400_000) : Buffer.concat([randomBytes(2_000), shared]);
        const upload = await uploaded('a.bin', new Uint8Array([0, 1, 2, ...image]));
        const body = {
          name: called,
          version,
          models: ['X7A'],
          description: '',
          notice: { whom: 'nobody', at: null },
          upload,
        } as const;
        ids.push((await call(addFirmware, { body: { ...body, models: ['X7A'] } })).id);
      }
      const { page } = await product.administrator(`/resources/firmwares?firmware=${ids[1]}`);
      const drawer = page.getByRole('dialog', { name: `${called} 5.2` });
      const make = async (version: string) => {
        await drawer.getByRole('button', { name: 'Create package' }).click();
        const dialog = page.getByRole('dialog', { name: `Create package for ${called} 5.2` });
        await dialog.getByRole('button', { name: 'Create package' }).click();
        await dialog.getByText('Choose a version.').waitFor();
        const from = dialog.getByRole('combobox', { name: 'From version' });
        // A version is no source for itself.
        await from.fill(`${called} 5.2`);
        await page.getByText('No firmware matches.').waitFor();
        await from.fill(`${called} ${version}`);
        await page.getByRole('option', { name: `${called} ${version}` }).click();
        await dialog.getByRole('button', { name: 'Create package' }).click();
      };
      await make('5.1');
      const row = drawer.getByRole('row', { name: /5\.1 5\.1-to-5\.2\.delta [\d.]+ KB 9\d%/ });
      await row.waitFor();
      await make('5.3');
      await drawer.getByRole('row', { name: /^5\.3/ }).getByText('The two versions differ too much').waitFor();
      const remove = async (from: string) => {
        await drawer.getByRole('button', { name: `Delete package from ${from}` }).click();
        await page
          .getByRole('dialog', { name: `Delete package from ${from}` })
          .getByRole('button', { name: /^Delete/ })
          .click();
        await drawer
          .getByRole('row', { name: new RegExp(`^${from.replace('.', '\\.')} `) })
          .waitFor({ state: 'detached' });
      };
      await remove('5.1');
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
      await remove('5.3');
      await remove('5.1');
      await drawer.getByText('None yet.').waitFor();
      expect(await call(getFirmware, { params: { id: ids[1]! } })).toMatchObject({ deltas: [], deltaOrders: [] });
    } finally {
      for (const id of ids) await call(deleteFirmware, { query: { id } });
    }
  },
);
