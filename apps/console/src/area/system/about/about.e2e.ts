import { afterAll, expect, it } from 'vitest';
import {
  addChannel,
  addCompany,
  addUser,
  addUsers,
  editSysConfig,
  listCompanies,
  listOrganizationNames,
  listRoleNames,
  listUsers,
} from '@carillon/contracts';
import { noGrants } from '@carillon/testing';
import { allRoutes } from '@carillon/contracts/routes';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
afterAll(async () => {
  for (const configKey of ['terms', 'privacy'] as const)
    await product.platform.call(editSysConfig, { body: { configKey, value: null } });
});

const shapeOf = (schema: unknown): object => (schema as { shape?: object } | undefined)?.shape ?? {};

it('/about shows versions, manuals and legal texts, and new accounts confirm the age [SHELL-21]', async () => {
  const { platform } = product;
  const { page } = await product.loggedIn('/about');
  // The server's versions.
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
  // Manuals: topics on this page, and documents to open.
  await page.getByText('Manage many devices at once').click();
  await page.getByText('Filter the device list, select some devices').waitFor();
  for (const [name, begin] of [
    ['API reference', '<!doctype html>'],
    ['Calls (OpenAPI)', '{"openapi":'],
    ['Events (AsyncAPI)', '{"asyncapi":'],
  ] as const) {
    const answer = await page.request.get((await page.getByRole('link', { name }).getAttribute('href'))!);
    expect([answer.status(), (await answer.text()).toLowerCase().startsWith(begin)]).toEqual([200, true]);
  }
  // Release notes of the running version.
  expect(await page.locator(`[data-release="${version}"] li`).count()).toBeGreaterThan(2);

  // The texts open without a login, and the login links to them.
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
  // The operator replaces the texts in their languages.
  await page.goto('/system/config?tab=legal');
  const { page: korean } = await product.visit({ locale: 'ko-KR' });
  for (const [key, title, own, before, translated] of [
    ['terms', 'Terms of service', 'Ring twice.', 'An account belongs to one person.', '계정은 한 사람만 사용합니다'],
    ['privacy', 'Privacy policy', 'We keep nothing.', 'for people of at least 13 years', '만 13세 이상'],
  ] as const) {
    const form = page.getByRole('form', { name: title });
    const save = async (text: string) => {
      await form.locator('textarea').fill(text);
      await form.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${title} saved`).last().waitFor();
    };
    await save(`${own}\n\nAsk us.`);
    await stranger.goto(`/${key}`);
    await stranger.getByText(own).waitFor();
    expect(await stranger.getByText(before).count()).toBe(0);
    await korean.goto(`/${key}`);
    await korean.getByRole('combobox').selectOption('ko');
    await korean.getByText(translated).waitFor();
    await save('');
    await expect
      .poll(async () => {
        await stranger.reload();
        return stranger.getByText(before).count();
      })
      .toBe(1);
  }

  // Adding accounts: each form asks, and sends nothing before the answer.
  const sent: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'POST' && /\/auth\/(user|company|channel)\b/.test(r.url())) sent.push(r.url());
  });
  const asked = async (label: string, submit: string) => {
    await page.getByRole('checkbox', { name: label }).waitFor();
    await page.getByRole('button', { name: submit, exact: true }).last().click();
    await page.getByText('Confirm the person’s age.').waitFor();
  };
  await page.goto('/system/users/addUser');
  await page.locator('[name=username]').fill('too-young');
  await page.locator('[name=nickname]').fill('Too young');
  await page.locator('[name=email]').fill('too.young@example.com');
  await asked('The person is at least 13 years old.', 'Add user');
  await page.getByText('Several users', { exact: true }).click();
  await page.locator('[name=addresses]').fill('too.young@example.com');
  await asked('Everyone is at least 13 years old.', 'Add 1 user');
  await page.goto('/system/company');
  await page.getByRole('button', { name: 'Add company' }).click();
  await page.getByRole('dialog').locator('[name=name]').fill('Too young');
  await asked('The person is at least 13 years old.', 'Add company');
  await page.goto('/channel/addSubAccount');
  await page.locator('[name=name]').fill('Too young');
  await asked('The person is at least 13 years old.', 'Add sub-channel');
  expect(sent).toEqual([]);

  // Each call refuses a "no" and a missing answer at the field, and adds no user.
  const [[role], [org]] = await Promise.all([platform.call(listRoleNames), platform.call(listOrganizationNames)]);
  const person = { username: 'too-young', nickname: 'Too young', email: 'too.young@example.com' };
  const rights = { activation: 'email' as const, roleIds: [role!.id], allOrgs: false, orgIds: [org!.id] };
  const company = {
    ...person,
    name: 'Too young',
    type: 'enterprise' as const,
    organizationName: 'Head office',
    remarks: '',
    activation: 'email' as const,
    language: 'en_US' as const,
    timezoneId: 1,
    countryId: 1,
  };
  const grants = {
    ...noGrants,
  };
  // These are all calls that add an account: each of them takes the way of its activation.
  const making = allRoutes.filter(({ route }) => route.method === 'POST' && 'activation' in shapeOf(route.body));
  expect(making.map(({ name }) => name).toSorted()).toEqual(['addChannel', 'addCompany', 'addUser', 'addUsers']);
  const answer = (call: Promise<unknown>) => call.catch((e: { code: number; fields: object[] }) => [e.code, e.fields]);
  for (const no of [{ oldEnough: false }, {} as { oldEnough: boolean }])
    for (const call of [
      () => platform.call(addUser, { body: { ...person, ...rights, ...no } }),
      () => platform.call(addUsers, { body: { users: [person], ...rights, ...no } }),
      () => platform.call(addCompany, { body: { ...company, ...no } }),
      () => platform.call(addChannel, { body: { ...company, ...grants, ...no } }),
    ])
      expect(await answer(call())).toEqual([
        400,
        [
          {
            path: 'oldEnough',
            error: 'user.tooYoung',
            msg: 'Accounts are for people aged 13 or older. Confirm the person’s age.',
          },
        ],
      ]);
  expect((await platform.call(listUsers, { query: { search: 'too-young' } })).total).toBe(0);
  expect((await platform.call(listCompanies, { query: { search: 'Too young' } })).total).toBe(0);
});
