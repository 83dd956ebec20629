import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { deleteConfigFile, listConfigFiles, listOperationLog } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const folder = mkdtempSync('/tmp/carillon-config-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const find = async (search: string) => (await product.platform.call(listConfigFiles, { query: { search } })).records;
const forget = async (search: string) => {
  for (const { id } of await find(search)) await product.platform.call(deleteConfigFile, { query: { id } });
};

it(
  'a configuration file is uploaded, downloaded, replaced, deleted and restored, but never displayed',
  { tags: 'slow' },
  async () => {
    const { page } = await product.administrator('/resources/configFiles');
    const row = (name: string) => page.locator('[data-id]').filter({ hasText: name });
    const act = async (name: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    };
    try {
      await page.getByRole('link', { name: 'Add configuration file' }).first().click();
      await page.waitForURL('**/resources/configFiles/uploadConfigFile');
      const form = page.locator('main form');
      await form.getByRole('button', { name: 'Add configuration file' }).click();
      await form.getByText('Enter a name.').waitFor();
      await form.getByText('Choose a file.').waitFor();
      const choose = form.locator('input[type=file]');
      await choose.setInputFiles(file('program.exe', 'MZ'));
      await form.getByRole('alert').getByText('Wrong file type. Allowed: .cfg, .txt, .xml, .bin').waitFor();
      await choose.setInputFiles(file('binary.cfg', 'a = \0'));
      await form.getByText('The content of binary.cfg is not that of a .cfg file. The file was not kept.').waitFor();
      await form.getByRole('button', { name: 'Remove binary.cfg' }).click();
      const content = 'account.1.label = Hall\naccount.1.password = wallaby-93\n';
      await choose.setInputFiles(file('hall.cfg', content));
      await form.getByText('Uploaded').waitFor();
      await form.getByLabel('Name').fill('Zz hall');
      await form.getByLabel('Models').fill('X7A');
      await form.getByLabel('Models').press('Enter');
      await form.getByLabel('Description').fill('Ground floor');
      await form.getByRole('button', { name: 'Add configuration file' }).click();
      await row('Zz hall').getByText('hall.cfg').waitFor();
      expect((await find('Zz hall')).map((c) => [c.models, c.fileName, c.description, c.version])).toEqual([
        [['X7A'], 'hall.cfg', 'Ground floor', 1],
      ]);

      await row('Zz hall').click();
      await page.getByRole('dialog').getByText('Ground floor').waitFor();
      expect(await page.getByText('wallaby-93').count()).toBe(0);
      await page.keyboard.press('Escape');

      const loaded = page.waitForEvent('download');
      await act('Zz hall', 'Download');
      const download = await loaded;
      expect([download.suggestedFilename(), await text(await download.createReadStream())]).toEqual([
        'hall.cfg',
        content,
      ]);
      await eventually(async () => {
        const { records } = await product.platform.call(listOperationLog, {
          query: { action: ['configFile.download'], search: 'Zz hall' },
        });
        expect(records.map(({ objectName, result }) => [objectName, result])).toEqual([['Zz hall', 'success']]);
      });

      await act('Zz hall', 'Edit');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Now: hall.cfg, version 1.').waitFor();
      await dialog.locator('input[type=file]').setInputFiles(file('lobby.txt', 'account.1.label = Lobby\n'));
      await dialog.getByText('Uploaded').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row('Zz hall').getByText('lobby.txt').waitFor();
      expect((await find('Zz hall')).map(({ version }) => version)).toEqual([2]);

      await act('Zz hall', 'Delete');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await row('Zz hall').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Configuration file Zz hall restored').waitFor();
      await row('Zz hall').waitFor();
    } finally {
      await forget('Zz ');
    }
  },
);
