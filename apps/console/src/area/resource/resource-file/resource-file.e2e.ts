import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { deleteResourceFile, listResourceFiles } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const folder = mkdtempSync('/tmp/carillon-upload-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, bytes: Buffer | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const find = async (search: string) => (await product.platform.call(listResourceFiles, { query: { search } })).records;
const forget = async (search: string) => {
  for (const { id } of await find(search)) await product.platform.call(deleteResourceFile, { query: { id } });
};
const bytesOf = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
};

it(
  'resource files are added, found, downloaded, edited, deleted and restored, with errors at each file',
  { tags: 'slow' },
  async () => {
    const { page } = await product.administrator('/resources/fileLists');
    const row = (name: string) => page.locator('[data-id]').filter({ hasText: name });
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    try {
      await page.getByRole('link', { name: 'Add resource file' }).first().click();
      await page.waitForURL('**/resources/fileLists/uploadResources');
      const form = page.locator('main form');
      await form.getByRole('button', { name: 'Add resource file' }).click();
      await form.getByText('Enter a name.').waitFor();
      await form.getByText('Choose a file.').waitFor();
      await form.getByLabel('Name').fill('Zz words');
      await form.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: 'Image' }).click();
      await form.getByLabel('Description').fill('For the hall');

      const choose = form.locator('input[type=file]');
      await choose.setInputFiles(file('program.exe', 'MZ'));
      await form.getByRole('alert').getByText('Wrong file type. Allowed: .bmp, .png').waitFor();
      // The server reports faults of the content, at the file.
      await choose.setInputFiles(file('logo.png', 'no picture'));
      await form.getByText('The content of logo.png is not that of a .png file. The file was not kept.').waitFor();
      await form.getByRole('button', { name: 'Add resource file' }).click();
      await form.getByText('Remove the file that was refused.').waitFor();
      await form.getByRole('button', { name: 'Remove logo.png' }).click();
      const words = randomBytes(40).toString('hex');
      await choose.setInputFiles([file('zz-one.txt', words), file('zz-two.cfg', 'a = 1\n')]);
      await form.getByText('Uploaded').nth(1).waitFor();
      await form.getByRole('button', { name: 'Add resource file' }).click();
      await row('Zz words').getByText('zz-one.txt;zz-two.cfg').waitFor();
      for (const name of ['zz-one', 'zz-two.CFG'])
        expect((await find(name)).map((r) => [r.name, r.type, r.description, r.fileNames])).toEqual([
          ['Zz words', 'image', 'For the hall', 'zz-one.txt;zz-two.cfg'],
        ]);

      const loaded = page.waitForEvent('download', (d) => d.suggestedFilename() === 'zz-one.txt');
      await act('Zz words', 'Download');
      expect((await bytesOf(await (await loaded).createReadStream())).toString()).toBe(words);

      await act('Zz words', 'Edit');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Now: zz-one.txt;zz-two.cfg.').waitFor();
      await dialog.getByLabel('Name').fill('Zz bell');
      await dialog
        .locator('input[type=file]')
        .setInputFiles(
          file('zz-bell.wav', Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1'), randomBytes(500)])),
        );
      await dialog.getByText('Uploaded').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row('Zz bell').getByText('zz-bell.wav').waitFor();

      await act('Zz bell', 'Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await row('Zz bell').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Resource file Zz bell restored').waitFor();
      await row('Zz bell').waitFor();
    } finally {
      await forget('Zz ');
    }
  },
);

it(
  'an upload resumes after a pause, and after a reload when the same file is chosen again',
  { tags: 'slow' },
  async () => {
    const { page } = await product.administrator('/resources/fileLists/uploadResources');
    const part = 8_388_608;
    const bytes = Buffer.alloc(part * 3 + 1_000, 'carillon ');
    const path = file('zz-long.txt', bytes);
    const offsets: number[] = [];
    let held: Promise<void> | undefined;
    await page.route('**/api/f/resource/resourceFile/upload/*', async (route) => {
      const request = route.request();
      if (request.method() === 'PATCH') {
        offsets.push(Number(request.headers()['upload-offset']));
        if (held && offsets.length > 1) await held;
      }
      await route.continue().catch(() => undefined);
    });
    try {
      const form = page.locator('main form');
      // The second part is held back, so that the pause happens during it.
      const gate = Promise.withResolvers<void>();
      held = gate.promise;
      await form.locator('input[type=file]').setInputFiles(path);
      await expect.poll(() => offsets, { timeout: 60_000 }).toEqual([0, part]);
      await form.getByRole('button', { name: 'Pause zz-long.txt' }).click();
      await form.getByText('Paused,').waitFor();
      held = undefined;
      gate.resolve();
      offsets.length = 0;
      // The page is reloaded before the upload is resumed.
      page.once('dialog', (dialog) => void dialog.accept());
      await page.reload();
      held = Promise.withResolvers<void>().promise;
      await form.locator('input[type=file]').setInputFiles(path);
      await expect.poll(() => offsets, { timeout: 60_000 }).toEqual([part, part * 2]);
      await form.getByRole('button', { name: 'Pause zz-long.txt' }).click();
      await form.getByText('Paused,').waitFor();
      held = undefined;
      await form.getByRole('button', { name: 'Resume zz-long.txt' }).click();
      await form.getByText('Uploaded').waitFor({ timeout: 60_000 });
      await form.getByLabel('Name').fill('Zz long');
      await form.getByRole('button', { name: 'Add resource file' }).click();
      await page.locator('[data-id]').filter({ hasText: 'Zz long' }).waitFor();
      const [made] = await find('Zz long');
      expect([made!.size, readFileSync(path).equals(bytes)]).toEqual([bytes.length, true]);
    } finally {
      await forget('Zz ');
    }
  },
);
