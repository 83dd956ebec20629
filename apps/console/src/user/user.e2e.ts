import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { activateByPassword, addUser, deleteUsers, listRoles, listUsers } from '@carillon/contracts';
import { startMailServer, type MailServer } from '@carillon/testing';
import { useProduct } from '../../test/browser.ts';
import { mailEnvironment } from '../../test/mail.ts';

let mail: MailServer;
const product = useProduct(async () => { mail = await startMailServer(); return { name: 'user', devices: 0, env: mailEnvironment(mail) }; });
afterAll(() => mail?.close());

const first = 'First-Secret-1';
const second = 'Second-Secret-2';
const wait = { timeout: 15_000 };
const chosen = { newPassword: second, confirmation: second };

const roleNamed = async (name: string): Promise<string> => (await product.platform.call(listRoles, { query: { search: name } })).records.find((r) => r.name === name)!.id;
/** An account that its owner has activated. */
async function person(username: string, role = 'viewer') {
  const user = await product.platform.call(addUser, { body: { username, nickname: username, email: `${username}@example.com`, activation: 'password', password: first, roleIds: [await roleNamed(role)], allOrgs: true, orgIds: [] } });
  await product.platform.plainClient()(activateByPassword, { body: { username, password: first, ...chosen } });
  return user;
}
/** As the console calls, with the session of its cookie; JSON and forms alike. */
async function ask(context: BrowserContext, method: string, path: string, data: object): Promise<{ status: number; error: string | undefined; fields: string[] }> {
  const answer = await context.request.fetch(path, { method, headers: { 'carillon-language': 'en_US', origin: product.platform.ready.url }, data });
  const body = await answer.json() as { error?: string; data: { fields?: { path: string }[] } | null };
  return { status: answer.status(), error: body.error, fields: (body.data?.fields ?? []).map((f) => f.path) };
}
/** One of the actions of a row. */
async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

it('a password needs 8 characters with upper and lower case letters, digits and special symbols, differs from the old one and is confirmed alike: the browser sends nothing else, and the server takes nothing else [AUTH-13]', async () => {
  const user = await person('greta');
  const { context, page } = await product.loggedIn('/info', { username: 'greta', password: second });
  const sent: string[] = [];
  page.on('request', (r) => { if (r.method() !== 'GET') sent.push(new URL(r.url()).pathname); });
  await page.getByRole('link', { name: 'Change password' }).click();
  await page.waitForURL('**/resetPassword');
  const change = '/api/f/auth/password/change';
  const save = async (newPassword: string, confirmation: string) => {
    for (const [name, value] of Object.entries({ oldPassword: second, newPassword, confirmation })) await page.locator(`[name=${name}]`).fill(value);
    await page.getByRole('button', { name: 'Save password' }).click();
  };
  const weak = { 'Sh0rt-a': '8 characters or more', 'lower-case-1': 'An upper case letter', 'UPPER-CASE-1': 'A lower case letter', 'No-digit-here': 'A digit', 'NoSpecial123': 'A special symbol' };
  for (const [password, lacks] of Object.entries(weak)) {
    await save(password, password);
    await page.getByText('The password lacks something from the list.').waitFor();
    expect(await page.locator('#password-rule li:not([data-has])').allInnerTexts()).toEqual([lacks]);
    expect(await ask(context, 'POST', change, { oldPassword: second, newPassword: password, confirmation: password })).toEqual({ status: 400, error: 'auth.passwordRule', fields: ['newPassword'] });
  }
  await save(second, second);
  await page.getByText('The new password equals the old one.').waitFor();
  expect(await ask(context, 'POST', change, { oldPassword: second, newPassword: second, confirmation: second })).toEqual({ status: 400, error: 'auth.passwordSame', fields: ['newPassword'] });
  await save('Third-Secret-3', 'Third-Secret-4');
  await page.getByText('The two passwords differ.').waitFor();
  expect(await ask(context, 'POST', change, { oldPassword: second, newPassword: 'Third-Secret-3', confirmation: 'Third-Secret-4' })).toEqual({ status: 400, error: 'auth.passwordsDiffer', fields: ['confirmation'] });
  expect(sent).not.toContain(change);
  await product.loggedIn('/wel/home', { username: 'greta', password: second });
  await save('Third-Secret-3', 'Third-Secret-3');
  await page.waitForURL('**/wel/home');
  await product.loggedIn('/wel/home', { username: 'greta', password: 'Third-Secret-3' });
  await product.platform.call(deleteUsers, { query: { ids: [user.id] } });
});

it('a user shows ERP ID, company, who made and edited him, his last login and his times; the contacts of the company and the ERP ID are edited in /info by the calls of the spec [USER-04]', async () => {
  const user = await person('ida', 'administrator');
  const { page } = await product.loggedIn('/info', { username: 'ida', password: second });
  const called: string[] = [];
  page.on('request', (r) => { if (r.method() !== 'GET') called.push(`${r.method()} ${new URL(r.url()).pathname}`); });
  const basic = page.getByRole('form', { name: 'Basic info' });
  await basic.getByLabel('ERP ID').fill('E-4711');
  await basic.getByRole('button', { name: 'Save' }).click();
  await expect.poll(async () => (await product.platform.call(listUsers, { query: { search: 'E-4711' } })).total, wait).toBe(1);
  const contacts = page.getByRole('form', { name: /^Contacts of/ });
  const facts = { contact: 'Ida Turm', phone: '+49 30 1', address: 'Turmweg 1', website: 'https://bells.example' };
  for (const [name, value] of Object.entries(facts)) await contacts.locator(`[name=${name}]`).fill(value);
  await contacts.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => called, wait).toEqual(expect.arrayContaining(['POST /api/f/mc/user/erpID', 'POST /api/f/mc/user/enterprise']));
  await expect.poll(() => contacts.getByRole('button', { name: 'Save' }).isDisabled(), wait).toBe(true);
  await page.reload();
  for (const [name, value] of Object.entries(facts)) expect(await contacts.locator(`[name=${name}]`).inputValue()).toBe(value);
  expect(await basic.getByLabel('ERP ID').inputValue()).toBe('E-4711');

  const { page: admin } = await product.loggedIn('/system/users');
  await act(admin, 'ida', 'Edit');
  await admin.locator('dl').waitFor();
  await admin.locator('[name=nickname]').fill('Ida T.');
  await admin.getByRole('button', { name: 'Save' }).click();
  await admin.waitForURL('**/system/users');
  const shown = async (place: Page) => Object.fromEntries(await place.locator('dl').last().evaluate((dl) => [...dl.querySelectorAll('dt')].map((dt) => [dt.textContent, dt.nextElementSibling?.textContent])) as [string, string][]);
  await act(admin, 'ida', 'Edit');
  await admin.locator('dl').waitFor();
  const [record] = (await product.platform.call(listUsers, { query: { search: 'E-4711' } })).records;
  const stamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
  expect(await shown(admin)).toMatchObject({ Status: 'Normal', Company: record!.companyName, 'Created by': 'admin', 'Edited by': 'admin', 'Last login': expect.stringMatching(stamp), Created: expect.stringMatching(stamp), Updated: expect.stringMatching(stamp) });
  expect(await admin.locator('[name=erpId]').inputValue()).toBe('E-4711');
  await page.reload();
  await page.locator('#info-facts').waitFor();
  expect(await shown(page)).toMatchObject({ Company: record!.companyName, 'Created by': 'admin', 'Edited by': 'admin', 'Last login': expect.stringMatching(stamp), Created: expect.stringMatching(stamp), Updated: expect.stringMatching(stamp) });
  await product.platform.call(deleteUsers, { query: { ids: [user.id] } });
});
