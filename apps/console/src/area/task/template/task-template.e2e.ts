// @module-tag slow
import { afterAll, expect, it } from 'vitest';
import { deleteTaskTemplate, listDevices, listTasks, listTaskTemplates } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const names = ['Zz nightly', 'Zz weekly', 'Zz from a task'];
const own = async () =>
  (await product.platform.call(listTaskTemplates)).records.filter(({ name }) => names.includes(name));
const field = (name: string) => `[name=${name}]`;

afterAll(async () => {
  for (const { id } of await own()) await product.platform.call(deleteTaskTemplate, { params: { id } });
});

it('a task is saved as a template, which fills the next form, and can be renamed, deleted and restored', async () => {
  const { platform } = product;
  const { records } = await platform.call(listDevices, { query: { state: ['online'], limit: 1, sort: 'name' } });
  const [device] = records;
  const { page } = await product.administrator('/task/addTask');
  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const dialog = page.getByRole('dialog');
  const save = async (name: string) => {
    await page.getByRole('button', { name: 'Save as template', exact: true }).click();
    await page.locator(field('templateName')).fill(name);
    await page.locator('form').getByRole('button', { name: 'Save as template', exact: true }).click();
    await page.locator(field('templateName')).waitFor({ state: 'detached' });
  };
  const { total } = await platform.call(listTasks, { query: {} });
  await choose('Action', 'Locate');
  await page.getByPlaceholder('Name, MAC, serial number or IP address').fill(device!.mac);
  await page.locator(field('sync')).fill('3');
  await page.locator(field('durationMinutes')).fill('45');
  await page.locator(field('inStages')).check({ force: true });
  await page.locator(field('stages')).fill('10, 100');
  await page.locator(field('pauseAt')).fill('7');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('1 device would run this now').waitFor();
  await save('Zz nightly');
  expect(await own()).toMatchObject([
    {
      name: 'Zz nightly',
      target: { filter: { search: device!.mac } },
      sync: 3,
      durationMinutes: 45,
      rollout: { stages: [10, 100], pauseAt: 7 },
    },
  ]);

  await page.goto('/task/addTask');
  await choose('From a template', 'Zz nightly');
  expect(await page.locator(field('sync')).inputValue()).toBe('3');
  expect(await page.locator(field('durationMinutes')).inputValue()).toBe('45');
  expect(await page.locator(field('stages')).inputValue()).toBe('10, 100');
  await page.getByText('1 device matches now').waitFor();
  expect((await platform.call(listTasks, { query: {} })).total).toBe(total);
  await page.locator(field('name')).fill('Zz of a template');
  await page.getByRole('button', { name: 'Review' }).click();
  await page.getByText('1 device would run this now').waitFor();
  await page.getByRole('button', { name: 'Create task' }).click();
  const drawer = page.getByRole('dialog', { name: 'Zz of a template' });
  await drawer.getByText(/^Ended \d{4}-/).waitFor({ timeout: 60_000 });
  await drawer.getByText('1 of 1 device finished').waitFor();
  await drawer.getByRole('button', { name: 'Save as template' }).click();
  await page.locator(field('templateName')).fill('Zz from a task');
  await page.locator('form').getByRole('button', { name: 'Save as template', exact: true }).click();
  await page.locator(field('templateName')).waitFor({ state: 'detached' });

  await page.goto('/task/addTask');
  await page.getByRole('button', { name: 'Manage templates' }).click();
  await dialog.getByRole('button', { name: 'Rename Zz nightly' }).click();
  await page.locator(field('templateName')).fill('ZZ FROM A TASK');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.getByText('A template with this name already exists.').waitFor();
  await page.locator(field('templateName')).fill('Zz weekly');
  await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.getByRole('button', { name: 'Delete Zz from a task' }).click();
  await dialog.getByRole('button', { name: 'Delete Zz from a task' }).click();
  await dialog.getByRole('button', { name: 'Delete Zz from a task' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Template Zz from a task restored').waitFor();
  await dialog.getByRole('button', { name: 'Rename Zz from a task' }).waitFor();
  await dialog.getByRole('button', { name: 'Delete Zz from a task' }).click();
  await dialog.getByRole('button', { name: 'Delete Zz from a task' }).click();
  await dialog.getByRole('button', { name: 'Delete Zz from a task' }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Rename Zz weekly' }).waitFor();
  expect((await own()).map(({ name }) => name)).toEqual(['Zz weekly']);
}, 900_000);
