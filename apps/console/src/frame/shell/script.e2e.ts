import { afterAll, expect, it } from 'vitest';
import {
  addOrganization,
  addRole,
  addUser,
  deleteOrganization,
  deleteRoles,
  deleteUsers,
  editDevice,
  listDevices,
  listRoleNames,
} from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';
import { publishMessage } from '../../../test/publish.ts';

const product = useProduct();
const undo: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const one of undo.toReversed()) await one();
});

it('C12: a script in a name is text on every page, and the policy allows no inline script', async () => {
  const { call } = product.platform;
  const marks = [
    '<img src=x onerror="window.taken=1">',
    '<svg/onload=window.taken=2>',
    '"><script>window.taken=3</script>',
    'javascript:window.taken=4',
    '{{constructor.constructor("window.taken=5")()}}',
  ];
  const [device] = (await call(listDevices, { query: { limit: 5, sort: 'mac' } })).records;
  await call(editDevice, { body: { id: device!.id, name: marks[0]! } } as never);
  undo.push(() => call(editDevice, { body: { id: device!.id, name: device!.name } } as never));
  const role = await call(addRole, { body: { name: marks[1]!, description: marks[2]!, permissions: ['home'] } });
  undo.push(() => call(deleteRoles, { query: { ids: [role.id] } }));
  const org = await call(addOrganization, { body: { name: marks[2]!, description: marks[0]! } });
  // The organization is empty a moment after its user was deleted.
  undo.push(() => eventually(() => call(deleteOrganization, { body: { id: org.id } })));
  const [first] = await call(listRoleNames);
  const user = await call(addUser, {
    body: {
      username: 'marked',
      nickname: marks[4]!.slice(0, 64),
      email: null,
      activation: 'password',
      oldEnough: true,
      password: 'First-Secret-1',
      roleIds: [first!.id],
      allOrgs: true,
      orgIds: [],
    },
  });
  undo.push(() => call(deleteUsers, { query: { ids: [user.id] } }));
  await publishMessage(product.platform, { type: 6 });
  const { page } = await product.loggedIn('/wel/home');
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) blocked.push(message.text());
  });
  await eventually(async () => {
    expect((await call(listDevices, { query: { search: '<img' } })).total).toBe(1);
  });
  for (const [path, text] of [
    ['/device/list?search=%3Cimg', marks[0]],
    [`/device/deviceDetail?id=${device!.id}`, marks[0]],
    ['/system/roles', marks[1]],
    ['/system/organization', marks[2]],
    ['/system/users?search=marked', marks[4]!.slice(0, 30)],
    ['/system/operationLog', marks[1]],
    ['/alarm', undefined],
    [`/device/list?search=${encodeURIComponent(marks[2]!)}`, undefined],
  ] as const) {
    await page.goto(path);
    if (text === undefined) await page.locator('main h1, main h2').first().waitFor();
    else
      await page
        .getByText(text, { exact: false })
        .or(page.locator(`input[value=${JSON.stringify(text)}]`))
        .first()
        .waitFor();
    expect(
      await page.evaluate(() => [
        (window as { taken?: unknown }).taken,
        document.querySelectorAll('img[src="x"], [onload], [onerror], main script').length,
      ]),
      path,
    ).toEqual([undefined, 0]);
  }
  // Nothing got far enough for the policy to block it; an injected script is blocked.
  expect(blocked).toEqual([]);
  await page.evaluate(() => {
    const holder = document.body.appendChild(document.createElement('div'));
    holder.innerHTML =
      '<img src="x" onerror="window.taken=6"><a id="link-of-the-test" href="javascript:window.taken=7">x</a>';
    const script = document.createElement('script');
    script.textContent = 'window.taken = 8';
    holder.append(script);
  });
  await page.evaluate(() => {
    document.querySelector<HTMLAnchorElement>('#link-of-the-test')!.click();
  });
  await expect.poll(() => blocked.length).toBeGreaterThanOrEqual(3);
  expect(await page.evaluate(() => (window as { taken?: unknown }).taken)).toBeUndefined();
});

it('E13: after a logout the browser stores no token, name or data of the company', async () => {
  const { context, page } = await product.loggedIn('/device/list');
  await page.locator('[data-id]').first().waitFor();
  const [device] = (await product.platform.call(listDevices, { query: { limit: 5 } })).records;
  await page.getByRole('button', { name: 'User: admin' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('dialog', { name: 'Sign out?' }).getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
  await page.locator('[name=password]').waitFor();
  const kept = await page.evaluate(async () =>
    JSON.stringify({
      local: { ...localStorage },
      session: { ...sessionStorage },
      databases: (await indexedDB.databases()).map((d) => d.name),
      caches: await caches.keys(),
      cookie: document.cookie,
      name: window.name,
      state: history.state as unknown,
    }),
  );
  const cookies = (await context.cookies()).filter((c) => c.value !== '');
  expect(cookies).toEqual([]);
  const { companyId } = product.platform;
  for (const secret of [
    product.platform.ready.admin.username + '"',
    product.platform.ready.admin.password,
    companyId,
    device!.id,
    device!.mac,
    'access_token',
    'refresh_token',
  ])
    expect(kept, secret).not.toContain(secret);
});
