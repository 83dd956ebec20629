import { expect, it } from 'vitest';
import {
  addDevice,
  addOrganization,
  addUser,
  deleteDevices,
  deleteOrganization,
  deleteUsers,
  editDevice,
  editOrganization,
  getDevice,
  getOrganization,
  getUser,
  listOrganizationNames,
  listOrganizations,
  listOrganizationUsers,
  listRoles,
  organizationHasDevice,
  transferOrganization,
} from '@carillon/contracts';
import { eventually, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('organizations are managed by screen and calls; one in use is not deleted before a transfer [ORG-01]', async () => {
  const { platform } = product;
  // The screen and this test use the calls of section 7.
  expect(
    [
      listOrganizations,
      getOrganization,
      listOrganizationUsers,
      addOrganization,
      editOrganization,
      organizationHasDevice,
      deleteOrganization,
      transferOrganization,
      listOrganizationNames,
    ].map(({ method, path }) => `${method} ${path}`),
  ).toEqual([
    'GET /api/f/mc/org/list',
    'GET /api/f/mc/org/{id}',
    'GET /api/f/mc/org/users',
    'POST /api/f/mc/org/insert',
    'PUT /api/f/mc/org/edit',
    'POST /api/f/mc/org/hasDevice',
    'POST /api/f/mc/org/delete',
    'POST /api/f/mc/org/transferOrg',
    'GET /api/f/mc/org',
  ]);
  const { page } = await product.administrator('/system/organization');
  const called: string[] = [];
  page.on('request', (r) => {
    if (r.method() === 'POST') called.push(new URL(r.url()).pathname);
  });
  const head = (await platform.call(listOrganizationNames)).find((o) => o.name === 'Head office')!;
  const dialog = page.getByRole('dialog');
  const row = page.locator('[data-id]').filter({ hasText: 'Bell tower' });
  const act = async (action: string) => {
    await page.getByRole('button', { name: 'Actions for Bell tower', exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await page.getByRole('button', { name: 'Add organization' }).click();
  await dialog.getByRole('button', { name: 'Add organization' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('hEAD office');
  await dialog.getByRole('button', { name: 'Add organization' }).click();
  await dialog
    .getByText(/in use|exists|already/)
    .first()
    .waitFor();
  await dialog.getByLabel('Name').fill('Bell');
  await dialog.getByLabel('Description').fill('Above all');
  await dialog.getByRole('button', { name: 'Add organization' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Actions for Bell', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Name').fill('Bell tower');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await row.getByText('Above all').waitFor();
  await row.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/).waitFor();
  const [tower] = (await platform.call(listOrganizations, { query: { search: 'above' } })).records;
  expect(tower).toMatchObject({ name: 'Bell tower', description: 'Above all', users: 0, devices: 0 });
  expect(
    (await platform.call(editOrganization, { body: { id: tower!.id, name: 'Bell tower', description: 'Up there' } }))
      .description,
  ).toBe('Up there');

  const viewer = (await platform.call(listRoles, { query: { search: 'viewer' } })).records[0]!;
  const user = await eventually(() =>
    platform.call(addUser, {
      body: {
        username: 'ringer',
        nickname: 'Ringer',
        email: null,
        activation: 'password',
        oldEnough: true,
        password: 'First-Secret-1',
        roleIds: [viewer.id],
        allOrgs: false,
        orgIds: [tower!.id],
      },
    }),
  );
  /** Checks that the organization has these counts and cannot be deleted. */
  const kept = async (users: number, devices: number) => {
    const id = tower!.id;
    await eventually(async () =>
      expect(await platform.call(getOrganization, { params: { id } })).toMatchObject({ id, users, devices }),
    );
    const refused = await page.context().request.post('/api/f/mc/org/delete', {
      headers: { 'carillon-language': 'en_US', origin: platform.ready.url },
      data: { id },
    });
    const text = 'An organization with users or devices can’t be deleted.';
    expect(await refused.json()).toMatchObject({
      error: 'org.notEmpty',
      msg: `${text} Transfer its users (${users}) and devices (${devices}) first.`,
    });
  };
  await kept(1, 0);
  const place = await devicePlace(platform.call);
  const { device } = await eventually(() =>
    platform.call(addDevice, {
      body: { ...place, mac: '0c383e55b0e1', name: 'Zz tower', model: 'X7A', sn: 'TW1', orgId: tower!.id },
    }),
  );
  try {
    await kept(1, 1);
    expect(await platform.call(organizationHasDevice, { body: { id: tower!.id } })).toEqual({
      hasDevice: true,
      devices: 1,
      users: 1,
    });
    expect(
      (await platform.call(listOrganizationUsers, { query: { orgId: tower!.id } })).map((u) => u.username),
    ).toContain('ringer');
    await page.reload();
    await row.waitFor();
    const heads = (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());
    for (const title of ['Users', 'Devices']) {
      const shown = (await row.locator('td').nth(heads.indexOf(title)).innerText()).trim();
      expect([title, shown]).toEqual([title, '1']);
    }
    await act('Delete');
    await dialog.getByText('Transfer its users (1) and devices (1) first.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.getByText('Its users (1) and devices (1) move to another organization.').waitFor();
    await dialog
      .locator('[name=to]')
      .or(dialog.getByRole('combobox', { name: 'To' }))
      .first()
      .click();
    await page.getByRole('option', { name: 'Head office' }).click();
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () =>
      expect(await platform.call(organizationHasDevice, { body: { id: tower!.id } })).toEqual({
        hasDevice: false,
        devices: 0,
        users: 0,
      }),
    );
    const moved = await platform.call(getUser, { params: { id: user.id } });
    expect(moved.orgs).toEqual([{ id: head.id, name: 'Head office' }]);
    expect((await platform.call(getDevice, { params: { id: device.id } })).orgId).toBe(head.id);
    // A single device is enough to keep it, like a single user.
    await platform.call(editDevice, { body: { id: device.id, orgId: tower!.id } });
    await kept(0, 1);
    await platform.call(editDevice, { body: { id: device.id, orgId: head.id } });
    await eventually(async () =>
      expect(await platform.call(organizationHasDevice, { body: { id: tower!.id } })).toMatchObject({ devices: 0 }),
    );
    await page.reload();
    await act('Delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await platform.call(listOrganizationNames)).map((o) => o.name)).not.toContain('Bell tower');
    for (const did of ['insert', 'transferOrg', 'delete']) expect(called).toContain(`/api/f/mc/org/${did}`);
  } finally {
    await platform.call(deleteDevices, { query: { ids: [device.id] } });
    await platform.call(deleteUsers, { query: { ids: [user.id] } });
  }
});

it('a deleted organization is restored from the list, unless its name is taken since', { tags: 'slow' }, async () => {
  const { platform } = product;
  const ids = [(await platform.call(addOrganization, { body: { name: 'Zz foundry', description: 'Hot' } })).id];
  try {
    const { page } = await product.administrator('/system/organization');
    const row = page.locator('[data-id]').filter({ hasText: 'Zz foundry' });
    const remove = async () => {
      await page.getByRole('button', { name: 'Actions for Zz foundry', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Organization Zz foundry deleted').last().waitFor();
      await row.waitFor({ state: 'detached' });
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Organization Zz foundry restored').waitFor();
    await row.getByText('Hot').waitFor();
    expect(await platform.call(getOrganization, { params: { id: ids[0]! } })).toMatchObject({
      name: 'Zz foundry',
      description: 'Hot',
    });
    // Every service that assigns users to it knows it again.
    await eventually(async () => {
      const back = await platform.call(listOrganizationNames);
      expect(back.map((o) => o.id)).toContain(ids[0]);
    });
    await remove();
    ids.push((await platform.call(addOrganization, { body: { name: 'zZ FOUNDRY', description: '' } })).id);
    // The previous message may still be fading out.
    await page.getByRole('button', { name: 'Undo', disabled: false }).click();
    await page.getByText('An organization with this name already exists.').waitFor();
  } finally {
    for (const id of ids.toReversed()) await platform.call(deleteOrganization, { body: { id } }).catch(() => {});
  }
});
