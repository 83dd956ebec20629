import { expect, it } from 'vitest';
import {
  addDevice,
  addOrganization,
  deleteDevices,
  deleteOrganization,
  listDevices,
  listOrganizationNames,
} from '@carillon/contracts';
import { eventually, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';

const product = useProduct();

const words: Readonly<Record<string, string>> = {
  registered: 'Registered',
  unregistered: 'Not registered',
  failed: 'Registration failed',
  unassigned: 'Not assigned',
  calling: 'In a call',
  abnormal: 'Abnormal',
};
/** Counts how often each name occurs. */
const tally = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));

it('home shows live charts and a list whose numbers link to filtered lists [HOME-01]', async () => {
  const { platform } = product;
  const { page } = await product.administrator('/wel/home');
  await page.getByText('Live', { exact: true }).first().waitFor();
  for (const heading of [
    'Devices and lines over time',
    'Models',
    'Line registrations',
    'Firmware versions',
    'Running tasks',
  ])
    await page.getByRole('heading', { name: heading }).waitFor();
  const figure = async (name: string) =>
    Number(
      (
        await page
          .getByRole('link', { name: new RegExp(`^${name}`) })
          .locator('strong')
          .innerText()
      ).replaceAll(',', ''),
    );
  await expect.poll(() => figure('Online')).not.toBeNaN();
  // All four figures must be from one moment: a device that changes between two reads would be counted twice or not at
  // all.
  const all = ['Online', 'Offline', 'Abnormal', 'Not configured'];
  const figures = async () => {
    const tiles = await page.getByRole('list', { name: 'Devices by state' }).getByRole('listitem').allInnerTexts();
    return all.map((name) =>
      Number(
        tiles
          .find((tile) => tile.trim().startsWith(name))!
          .split('\n')[1]!
          .replaceAll(',', ''),
      ),
    );
  };
  const total = async () => (await figures()).reduce((a, b) => a + b);
  await expect.poll(total).toBe(260);
  // Counted in the list itself, and not by the call that the page makes.
  const inList = async () => {
    const pages = await Promise.all([1, 2].map((n) => platform.call(listDevices, { query: { limit: 200, page: n } })));
    const devices = pages.flatMap((p) => p.records);
    return {
      states: ['online', 'offline', 'abnormal', 'notConfigured'].map(
        (s) => devices.filter((d) => d.state === s).length,
      ),
      models: tally(devices.map((d) => d.model)),
      lines: tally(devices.flatMap((d) => d.lines.map((line) => words[line.status]!))),
    };
  };
  await expect
    .poll(async () => {
      const { states } = await inList();
      return (await figures()).map((n, i) => n - states[i]!);
    })
    .toEqual([0, 0, 0, 0]);
  // The drawn figures are right: a ring of models, and a bar for each state of lines.
  const part = (heading: string) => page.getByRole('heading', { name: heading }).locator('xpath=..');
  const figuresOf = async (heading: string) =>
    Object.fromEntries(
      (await part(heading).getByRole('listitem').allInnerTexts()).map((text) => {
        const lines = text.split('\n').map((line) => line.trim());
        return [lines[0]!, Number(lines.at(-1)!.replaceAll(',', ''))];
      }),
    );
  const counted = await inList();
  const shown = await figuresOf('Models');
  const named = Object.keys(shown).filter((name) => !/^\d+ others$/.test(name));
  const rest = Object.entries(counted.models).filter(([name]) => !named.includes(name));
  const more = rest.reduce((sum, [, n]) => sum + n, 0);
  expect(named.length).toBeGreaterThan(1);
  expect(rest.length).toBeGreaterThan(0);
  expect(shown).toEqual({
    ...Object.fromEntries(named.map((name) => [name, counted.models[name]])),
    [`${rest.length} others`]: more,
  });
  expect(Math.min(...named.map((name) => shown[name]!))).toBeGreaterThanOrEqual(Math.max(...rest.map(([, n]) => n)));
  const models = Object.values(shown);
  const arcs = await part('Models')
    .locator('svg circle')
    .evaluateAll((all) => all.map((arc) => arc.getAttribute('stroke-dasharray')!.split(' ').map(Number)));
  expect(arcs).toHaveLength(models.length);
  for (const [n, [length, round]] of arcs.entries())
    expect(Math.abs(length! / round! - models[n]! / 260)).toBeLessThan(0.02);
  expect(await figuresOf('Line registrations')).toEqual(counted.lines);
  const registered = Object.values(await figuresOf('Line registrations'));
  const widths = await part('Line registrations')
    .locator('li i')
    .evaluateAll((all) => all.map((bar) => Number.parseFloat((bar as HTMLElement).style.width)));
  expect(widths).toHaveLength(registered.length);
  for (const [n, width] of widths.entries())
    expect(Math.abs(width - (registered[n]! / Math.max(...registered)) * 100)).toBeLessThan(1);
  // Each number links to its list.
  for (const link of [
    page.getByRole('link', { name: /^Not configured/ }).first(),
    page.getByRole('heading', { name: 'Models' }).locator('xpath=..').getByRole('link').first(),
    page
      .getByRole('heading', { name: 'Models' })
      .locator('xpath=..')
      .getByRole('link', { name: /^\d+ others$/ }),
    page
      .getByRole('heading', { name: 'Line registrations' })
      .locator('xpath=..')
      .getByRole('link', { name: 'Registered', exact: true }),
  ]) {
    await page.goto('/wel/home');
    await link.waitFor();
    await link.click();
    await page.waitForURL('**/device/list?*');
    await page.locator('[data-id]').first().waitFor();
    const search = new URL(page.url()).searchParams;
    const { total } = await platform.call(listDevices, {
      query: Object.fromEntries([...search.keys()].map((k) => [k, search.getAll(k)])) as never,
    });
    await expect.poll(() => page.locator('main header').first().innerText()).toContain(String(total));
  }
  // Filtered by state and text, stored in the URL, and opened in full with the same filter.
  await page.goto('/wel/home');
  const rows = page.locator('tr[data-device]');
  for (const [n, state] of ['Offline', 'Abnormal', 'Not configured', 'Online'].entries()) {
    const count = counted.states[[1, 2, 3, 0][n]!]!;
    await page.getByRole('button', { name: state, exact: true }).click();
    await expect
      .poll(async () => (await rows.allInnerTexts()).filter((r) => r.startsWith(state)).length)
      .toBe(Math.min(8, count));
    expect(await rows.count()).toBe(Math.min(8, count));
  }
  await page.getByRole('textbox', { name: 'Name, MAC, SN or IP' }).fill('room');
  await page.waitForURL('**/wel/home?state=online&search=room');
  await expect
    .poll(async () => (await rows.allInnerTexts()).every((r) => /room/i.test(r) && r.startsWith('Online')))
    .toBe(true);
  await page.reload();
  await rows.first().waitFor();
  await page.getByRole('link', { name: 'Open in list' }).click();
  await page.waitForURL('**/device/list?state=online&search=room');
  // A failed line appears without a reload.
  await page.goto('/wel/home');
  await expect.poll(() => figure('Abnormal')).not.toBeNaN();
  const before = await figure('Abnormal');
  const failed = async () => (await figuresOf('Line registrations'))['Registration failed'] ?? 0;
  await expect.poll(failed).toBe(counted.lines['Registration failed'] ?? 0);
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 5, page: 4 } })).records;
  const lines = (status: string) => [{ line: 1, account: '2001', server: 'pbx.demo.example', status }];
  await platform.simulator('/state', { mac: device!.mac, lines: lines('failed') });
  await expect.poll(() => figure('Abnormal')).toBe(before + 1);
  await expect.poll(failed).toBe((counted.lines['Registration failed'] ?? 0) + 1);
  await platform.simulator('/state', { mac: device!.mac, lines: lines('registered') });
  await expect.poll(() => figure('Abnormal')).toBe(before);
  // The selected organization limits figures, charts and list, and new devices in it appear live.
  const branch = await platform.call(addOrganization, { body: { name: 'Home branch', description: '' } });
  await eventually(async () =>
    expect((await platform.call(listOrganizationNames)).map((o) => o.name)).toContain('Home branch'),
  );
  await page.reload();
  const choose = async (name: string) => {
    await page.getByRole('button', { name: /^Organization:/ }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  await choose('Home branch');
  await expect.poll(figures).toEqual([0, 0, 0, 0]);
  await page.getByText('No devices match.').or(page.getByText('No device.')).first().waitFor();
  for (const heading of ['Models', 'Line registrations'])
    expect(await page.getByRole('heading', { name: heading }).count()).toBe(0);
  const place = await devicePlace(platform.call);
  const { device: own } = await eventually(() =>
    platform.call(addDevice, {
      body: { ...place, mac: '0c383e55b0e2', name: 'Zz branch phone', model: 'X7A', sn: 'HB1', orgId: branch.id },
    }),
  );
  try {
    await expect.poll(figures).toEqual([0, 0, 0, 1]);
    await page.locator('tr[data-device]', { hasText: 'Zz branch phone' }).waitFor();
    expect(
      await page.getByRole('heading', { name: 'Models' }).locator('xpath=..').getByRole('link').allTextContents(),
    ).toEqual(['X7A']);
    await choose('All organizations');
    await expect.poll(total).toBe(261);
  } finally {
    await platform.call(deleteDevices, { query: { ids: [own.id] } });
    await eventually(() => platform.call(deleteOrganization, { body: { id: branch.id } }));
  }
});
