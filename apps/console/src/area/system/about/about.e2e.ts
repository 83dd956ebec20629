import { afterAll, expect, it } from 'vitest';
import { addUser, editSysConfig, listOrganizationNames, listRoleNames, listUsers } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
afterAll(async () => {
  await product.platform.call(editSysConfig, { body: { configKey: 'privacy', value: null } });
});

it('/about shows versions, manuals and release notes; terms and privacy are pages that the operator replaces, and the age of 13 is confirmed where a sub-account is made [SHELL-21/pages]', async () => {
  const { platform } = product;
  const { page } = await product.loggedIn('/about');
  // Versions, as the server says them.
  const { version } = (await (await page.request.get('/carillon.json')).json()) as { version: string };
  const fact = (name: string) =>
    page
      .locator('dl div')
      .filter({ has: page.locator('dt', { hasText: name }) })
      .locator('dd')
      .innerText();
  await expect.poll(() => fact('Version')).toBe(version);
  await expect
    .poll(() => fact('Interface'))
    .toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(OpenAPI 3\\.\\d`));
  // Manuals: topics to read here, and documents that open.
  await page.getByText('Do something on many devices').click();
  await page.getByText('Filter the device list, select what you mean').waitFor();
  for (const [name, begin] of [
    ['API reference', '<!doctype html>'],
    ['Calls (OpenAPI)', '{"openapi":'],
    ['Events (AsyncAPI)', '{"asyncapi":'],
  ] as const) {
    const answer = await page.request.get((await page.getByRole('link', { name }).getAttribute('href'))!);
    expect([answer.status(), (await answer.text()).toLowerCase().startsWith(begin)]).toEqual([200, true]);
  }
  // Release notes of the version that runs.
  expect(await page.locator(`[data-release="${version}"] li`).count()).toBeGreaterThan(2);

  // The texts open without a login, and the login leads to them.
  const { page: stranger } = await product.visit();
  await stranger.goto('/login');
  for (const [link, title, words] of [
    ['Terms', 'Terms of service', 'An account belongs to one person.'],
    ['Privacy', 'Privacy policy', 'for people of at least 13 years'],
  ] as const) {
    const [opened] = await Promise.all([
      stranger.context().waitForEvent('page'),
      stranger.getByRole('link', { name: link, exact: true }).click(),
    ]);
    await opened.getByRole('heading', { name: title }).waitFor();
    await opened.getByText(words).waitFor();
    await opened.close();
  }
  // The operator puts his own in their place, in the languages that he has it in.
  await page.goto('/system/config?tab=legal');
  const form = page.getByRole('form', { name: 'Privacy policy' });
  await form.locator('textarea').fill('We keep nothing.\n\nAsk us.');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved.').waitFor();
  await stranger.goto('/privacy');
  await stranger.getByText('We keep nothing.').waitFor();
  expect(await stranger.getByText('for people of at least 13 years').count()).toBe(0);
  const { page: korean } = await product.visit({ locale: 'ko-KR' });
  await korean.goto('/privacy');
  await korean.getByRole('combobox').selectOption('ko');
  await korean.getByText('만 13세 이상').waitFor();
  await form.locator('textarea').fill('');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(async () => {
      await stranger.reload();
      return stranger.getByText('for people of at least 13 years').count();
    })
    .toBe(1);

  // A sub-account: the form asks, and the server refuses whoever says no.
  await page.goto('/system/users/addUser');
  await page.getByLabel('The person is at least 13 years old.').waitFor();
  await page.locator('[name=username]').fill('too-young');
  await page.locator('[name=nickname]').fill('Too young');
  await page.locator('[name=email]').fill('too.young@example.com');
  await page.locator('button[type=submit]').click();
  await page.getByText('Confirm the age of the person.').waitFor();
  const [[role], [org]] = await Promise.all([platform.call(listRoleNames), platform.call(listOrganizationNames)]);
  const young = {
    username: 'too-young',
    nickname: 'Too young',
    email: 'too.young@example.com',
    activation: 'email' as const,
    roleIds: [role!.id],
    allOrgs: false,
    orgIds: [org!.id],
    oldEnough: false,
  };
  const refused = await platform
    .call(addUser, { body: young })
    .catch((e: { fields: { error: string; msg: string }[] }) => e.fields);
  expect(refused).toEqual([
    { path: 'oldEnough', error: 'user.tooYoung', msg: 'Accounts are for people of at least 13 years: confirm it.' },
  ]);
  expect((await platform.call(listUsers, { query: { search: 'too-young' } })).total).toBe(0);
});
