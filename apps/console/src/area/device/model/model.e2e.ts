import { expect, it } from 'vitest';
import { addDevice, deleteDevices, deleteModel, getModel, listModels, modelTypes } from '@carillon/contracts';
import { devicePlace, ico, jpg, png } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const typeNames = { general: 'General', video: 'Video', egs: 'EGS (door)', base: 'Base', ipct: 'IPCT' } as const;

it('a model is added with all fields and a picture, filtered by, edited, deleted and restored [CFG-03]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/model/list');
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const upload = (name: string, mimeType: string, buffer: Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
  const save = (name: string) => page.locator('main form').getByRole('button', { name, exact: true }).click();
  const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });
  const found = async () => (await platform.call(listModels, { query: { search: 'Zz series' } })).records;
  try {
    await page.getByRole('link', { name: 'Add model' }).click();
    await page.waitForURL('**/model/addModel');
    await save('Add model');
    await page.getByText('Enter a name.').waitFor();
    for (const [label, value] of [
      ['Name', 'Zz 100'],
      ['Display name', 'Zz One Hundred'],
      ['Internal name', 'f0Zz100hw1'],
      ['Series', 'Zz series'],
      ['SIP lines', '6'],
      ['Doors', '2'],
      ['Soft DSS keys', '101'],
      ['DSS keys per page', '12'],
      ['DSS key pages', '5'],
      ['Side keys per page', '4'],
      ['Side key pages', '3'],
    ] as const)
      await field(label).fill(value);
    await page.getByRole('combobox', { name: 'Type' }).click();
    await page.getByRole('option', { name: 'Video', exact: true }).click();
    await page.getByRole('combobox', { name: 'Reboot', exact: true }).click();
    await page.getByRole('option', { name: 'Supported', exact: true }).click();
    await page.getByRole('combobox', { name: 'Factory reset', exact: true }).click();
    await page.getByRole('option', { name: 'Not supported', exact: true }).click();
    await page.getByRole('combobox', { name: 'Hidden items' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Wi-Fi', exact: true }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Second screen' }).check({ force: true });
    await page.getByRole('checkbox', { name: 'Mutual authentication' }).check({ force: true });
    await save('Add model');
    await page.getByText('Enter a number from 0 to 100.').waitFor();
    await field('Soft DSS keys').fill('100');
    for (const wrong of [ico, Buffer.concat([jpg, Buffer.alloc(102_400)])]) {
      await upload('picture.jpg', 'image/jpeg', wrong);
      await save('Add model');
      await page.getByText('The picture must be a JPG or PNG under 100 KB.').first().waitFor();
    }
    expect(await found()).toEqual([]);
    await upload('picture.jpg', 'image/jpeg', jpg);
    await save('Add model');
    await page.getByText('Zz 100 added').waitFor();
    await page.waitForURL('**/model/list');
    const [made] = await found();
    expect(made).toEqual({
      id: made!.id,
      supplied: false,
      confirmed: true,
      name: 'Zz 100',
      showName: 'Zz One Hundred',
      internalName: 'f0Zz100hw1',
      series: 'Zz series',
      type: 'video',
      sipCount: 6,
      doorCount: 2,
      softDssKeys: 100,
      dssKeysPerPage: 12,
      dssKeyPages: 5,
      sideKeysPerPage: 4,
      sideKeyPages: 3,
      hiddenItems: ['wifi'],
      secondScreen: true,
      mutualAuth: true,
      capabilities: { reboot: true, factoryReset: false },
      picture: `/api/f/device/model/${made!.id}/picture?v=1`,
      devices: 0,
      updatedAt: made!.updatedAt,
    });

    await page.goto(`/model/editModel?id=${made!.id}`);
    const picture = page.getByRole('img', { name: 'Picture' });
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
    await upload('picture.png', 'image/png', png);
    await field('Soft DSS keys').fill('0');
    await save('Save');
    await page.getByText('Zz 100 saved').waitFor();
    const one = await platform.call(getModel, { params: { id: made!.id } });
    expect([one.softDssKeys, one.picture]).toEqual([0, `/api/f/device/model/${made!.id}/picture?v=2`]);

    // Fields of hidden items are left out.
    await page.goto(`/model/editModel?id=${made!.id}`);
    await field('Side keys per page').waitFor();
    await page.getByRole('combobox', { name: 'Hidden items' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Side keys', exact: true }).click();
    await field('Side keys per page').waitFor({ state: 'detached' });
    expect(await field('Side key pages').count()).toBe(0);
    expect(await field('DSS key pages').inputValue()).toBe('5');
    await page.keyboard.press('Escape');
    await save('Save');
    await page.waitForURL('**/model/list');

    for (const type of modelTypes.filter((t) => t !== 'video')) {
      await page.goto('/model/addModel');
      await field('Name').fill(`Zz ${type}`);
      await field('Series').fill('Zz series');
      await page.getByRole('combobox', { name: 'Type' }).click();
      await page.getByRole('option', { name: typeNames[type], exact: true }).click();
      await save('Add model');
      await page.waitForURL('**/model/list');
    }
    await page.goto('/model/list?series.contains=Zz+series');
    await expect.poll(() => page.locator('main [data-id]').count()).toBe(5);
    for (const word of Object.values(typeNames))
      await page.locator('main [data-id]').getByText(word, { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Actions for Zz 100', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete model Zz 100' }).click();
    await row('Zz 100').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Model Zz 100 restored').waitFor();
    await row('Zz 100').waitFor();

    // An action that the model does not support is not offered for its devices.
    const body = {
      ...(await devicePlace(platform.call)),
      mac: '0c383ecf0001',
      name: 'Zz able',
      model: 'Zz 100',
      sn: 'Z1',
    };
    const { device } = await platform.call(addDevice, { body });
    await page.goto(`/device/deviceDetail?id=${device.id}`);
    await page.locator('main').getByRole('button', { name: 'Reboot', exact: true }).waitFor();
    expect(await page.locator('main').getByRole('button', { name: 'Factory reset' }).count()).toBe(0);
    await page.goto('/device/list?search=Zz+able');
    await page.getByRole('button', { name: 'Actions for Zz able' }).click();
    await page.getByRole('menuitem', { name: 'Reboot', exact: true }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Factory reset' }).count()).toBe(0);
    await platform.call(deleteDevices, { query: { ids: [device.id] } });

    await page.goto('/model/list?search=X6U');
    await row('X6U').click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('Fanvil X6U').waitFor();
    const support = (action: string) => drawer.getByRole('row').filter({ hasText: action });
    await support('Reboot').getByText('Supported', { exact: true }).waitFor();
    await support('Locate').getByText('Unknown', { exact: true }).waitFor();
    expect(await drawer.getByRole('link', { name: 'Open page' }).count()).toBe(0);
    expect(await drawer.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0);
  } finally {
    for (const { id } of await found()) await platform.call(deleteModel, { query: { id } });
  }
});
