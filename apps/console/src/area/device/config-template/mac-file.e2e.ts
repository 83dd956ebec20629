import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import {
  deleteConfigTemplate,
  deleteDevices,
  getDeviceConfig,
  listConfigTemplates,
  listOperationLog,
} from '@carillon/contracts';
import { passwordKeys, settingKeys } from '@carillon/contracts/settings';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { configDevice, type ConfigDevice } from '../../../../test/config-device.ts';

const product = useProduct();
const [mac, name] = ['0c383ea4d0d7', `Zz bar ${Date.now().toString(36)}`];
let phone: ConfigDevice | undefined;

afterEach(async () => {
  const { platform } = product;
  await phone?.client.endAsync().catch(() => undefined);
  const { records } = await platform.call(listConfigTemplates, { query: { search: '0C:38:3E:A4:D0:D7' } });
  for (const { id } of records) await platform.call(deleteConfigTemplate, { query: { id } });
  if (phone) await platform.call(deleteDevices, { query: { ids: [phone.device.id] } });
});

const fileOf = (name: string, text: string) => ({ name: name, mimeType: 'text/plain', buffer: Buffer.from(text) });

it('1,000 text files named by MAC are accepted or refused by name with the reason [CFG-02]', async () => {
  const { platform } = product;
  phone = await configDevice(platform, { mac, name, model: 'X7A', rejected: [] });
  const { page } = await product.administrator('/setting/index');
  await page.getByRole('button', { name: 'Upload MAC files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload MAC files' });
  const send = dialog.getByRole('button', { name: 'Upload MAC files' });
  expect(await send.isDisabled()).toBe(true);

  // The example is a file that can be uploaded.
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save an example' }).click();
  const example = await readFile(await (await saved).path(), 'utf8');
  expect(example).toContain('screen.backlight = 45');

  const field = page.locator('input[type=file]');
  const unknown = Array.from({ length: 996 }, (_, i) =>
    fileOf(`ffffff${i.toString(16).padStart(6, '0')}.txt`, 'time.format = 12'),
  );
  const files = [
    fileOf(`${mac}.txt`, example.replace('screen.backlight = 45', 'screen.backlight = 77')),
    fileOf(`${mac}.cfg`, 'time.format = 12'),
    fileOf('0C-38-3E-A4-D0-D7.txt', 'time.format = 12'),
    fileOf('long.txt', '#'.repeat(20_000)),
    ...unknown,
  ];
  await field.setInputFiles([...files, fileOf('one-too-many.txt', '')]);
  await dialog.getByText('At most 1,000 files can be uploaded at once; 1,001 were chosen.').waitFor();
  expect(await send.isDisabled()).toBe(true);
  await field.setInputFiles(files);
  await dialog.getByText('1,000 files chosen').waitFor();
  await send.click();

  await dialog.getByText('1 file accepted').waitFor();
  await dialog.getByText('999 files refused').waitFor();
  const rows = await dialog
    .locator('tbody')
    .evaluate((body) =>
      [...body.querySelectorAll('tr')].map((row) => [row.cells[0]!.textContent, row.cells[2]!.textContent]),
    );
  expect(rows).toHaveLength(1_000);
  expect(rows.map(([name]) => name).sort()).toEqual(files.map((file) => file.name).sort());
  expect(rows.filter(([, result]) => !result)).toEqual([]);
  expect(Object.fromEntries(rows)).toMatchObject({
    [`${mac}.cfg`]: 'The name must be a MAC followed by .txt, such as 0c383e112233.txt.',
    '0C-38-3E-A4-D0-D7.txt': `Another file of this upload is for the same device: ${mac}.txt.`,
    'long.txt': 'The file is longer than 4,096 characters.',
    'ffffff0003e3.txt': 'No device of this company has this MAC.',
    [`${mac}.txt`]: `${settingKeys.length - passwordKeys.length} settings`,
  });

  await eventually(async () => {
    const { values } = await platform.call(getDeviceConfig, { params: { id: phone!.device.id } });
    expect(values.find(({ key }) => key === 'screen.backlight')?.value).toBe(77);
  });
  const log = await eventually(async () => {
    const query = { action: ['configTemplate.macFile' as const], search: `${mac}.txt` };
    const { records } = await platform.call(listOperationLog, { query });
    expect(records).toHaveLength(1);
    return records[0]!;
  });
  expect(log.detail).toMatchObject({ count: 1, refused: 998, files: [`${mac}.txt`] });

  // The task for the device whose settings are others now.
  await dialog.getByRole('button', { name: 'Send to devices' }).click();
  await page.waitForURL('**/task/addTask?draft=*');
  await page.getByText('1 selected device').waitFor();
  expect(await dialog.count()).toBe(0);
});
