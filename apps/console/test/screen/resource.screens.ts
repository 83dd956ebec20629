import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import type { storageStates } from '@carillon/contracts';
import { configFile, firmware, resourceFile, withConfigFile, withResourceFile } from './file.example.ts';
import { dialog, firstRow, instead, nothing, type Screen } from './screen.ts';

const gigabyte = 1_073_741_824;
const openFirmware = async (page: Page, ...others: (typeof firmware)[]) => {
  const records = [firmware, ...others];
  await instead(page, 'GET', '/api/f/resource/firmware/list', { ...nothing, records, total: records.length });
  await visit(page, '/resources/firmwares');
  await (await firstRow(page)).locator('[data-name], button').first().click();
  await dialog(page).locator('tbody tr').first().waitFor();
};
/** Returns the list of a noun with this much used storage. */
const storage = (name: string, path: string, used: number, state: (typeof storageStates)[number]): Screen => ({
  name,
  open: async (page) => {
    await instead(page, 'GET', '/api/f/resource/storage', { used, quota: 50 * gigabyte, state });
    await visit(page, path);
    await page.locator('main [role=meter]').waitFor();
    await page.locator('main :is([data-id], h2)').first().waitFor();
  },
});

export const resourceScreens: Screen[] = [
  {
    name: 'config-file-drawer',
    open: async (p) => {
      await withConfigFile(p);
      await visit(p, `/resources/configFiles?config=${configFile.id}`);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'resource-file-drawer',
    open: async (p) => {
      await withResourceFile(p);
      await visit(p, `/resources/fileLists?resource=${resourceFile.id}`);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'config-add-fcs',
    route: '/system/config/addFcsSipServer',
    open: async (p) => {
      await visit(p, '/system/config/addFcsSipServer');
      await p.locator('form').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  { name: 'firmware-drawer', open: openFirmware },
  {
    name: 'firmware-delta-add',
    open: async (p) => {
      await openFirmware(p);
      await dialog(p).locator('section button:has(.tabler-icon-upload)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'firmware-delta-make',
    open: async (p) => {
      const id = '019a0000-0000-7000-8000-00000000f002';
      await openFirmware(p, { ...firmware, id, version: '2.12.14', deltas: [], deltaOrders: [] });
      await dialog(p).locator('section button:has(.tabler-icon-file-diff)').click();
      await dialog(p).locator('form .mantine-Select-input').click();
      await p.locator('.mantine-Select-option').first().waitFor();
    },
  },
  {
    name: 'firmware-delta-delete',
    wide: true,
    open: async (p) => {
      await openFirmware(p);
      await dialog(p).locator('tbody button').first().click();
      await dialog(p).locator('form').waitFor();
    },
  },
  storage('storage-low', '/resources/firmwares', 44 * gigabyte, 'low'),
  storage('storage-full', '/resources/fileLists', 50 * gigabyte, 'full'),
];
