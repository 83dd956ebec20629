import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { mock, pathOf } from '../mock.ts';
import { withResourceFile } from './file.example.ts';
import { changed, device, dialog, fill, instead, list, offline, type Screen } from './screen.ts';

/** The device whose detail page is shown, per installation; looked up once. */
const known = new Map<string, Promise<string | null>>();
export const firstDevice = (page: Page) => {
  const { origin } = new URL(page.url());
  if (!known.has(origin))
    known.set(
      origin,
      list(page).then(() => page.locator('[data-id]').first().getAttribute('data-id')),
    );
  return known.get(origin)!;
};
/** Opens a device with doors, beside its list. */
const firstGate = async (page: Page) => {
  await list(page, '?model=i16SV&model=i23S&model=i33V&model=GDS3710&state=online');
  await page.locator('[data-id] [data-name], [data-id] button').first().click();
  await page.getByRole('dialog').getByRole('group').getByRole('button').first().waitFor();
};
/** Opens the lines of some devices as a sheet, with changes, a warning and an error. */
const lineSheet = async (page: Page) => {
  const account = (number: string) => ({
    ...{ id: `019a0000-0000-7000-8000-00000000${number}`, name: `Reception ${number}`, number, server: 'Main PBX' },
    ...{ ambiguous: false, closed: false, devices: 1 },
  });
  await mock(page, 'GET', pathOf('/api/f/device/line/sheet/account'), ({ url }) => {
    const texts = new URL(url).searchParams.getAll('text');
    const data = texts.map((text) => ({ text, accounts: text === '2999' ? [] : [account(text)] }));
    return { json: { code: 200, success: true, msg: '', data } };
  });
  await list(page);
  await page.locator('thead input').click();
  await page.locator('main [role=region] button:has(.tabler-icon-device-landline-phone)').click();
  await dialog(page).locator('td[data-active]').first().waitFor();
  await dialog(page).locator('td[data-active]').first().click();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '2001\t2002\n2003\t2001\n2004\t2999\n');
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await dialog(page).locator('td[aria-invalid]').first().waitFor();
};
/** Replaces a QR code. */
const chequered = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h1v1H0zM2 0h1v1H2zM1 1h1v1H1zM3 1h1v1H3zM0 2h1v1H0zM2 2h1v1H2zM1 3h1v1H1zM3 3h1v1H3z"/></svg>')}`;

export const deviceScreens: Screen[] = [
  {
    name: 'device-drawer',
    open: async (p) => {
      await visit(p, `/device/list?id=${await firstDevice(p)}`);
      await p.getByRole('dialog').locator('dl').waitFor();
    },
  },
  {
    name: 'device-shared-identity',
    open: async (p) => {
      const id = await firstDevice(p);
      const place = { address: '203.0.113.9', ip: '10.9.0.1', sn: 'X7A0C383E557EB1' };
      await changed<object>(p, `/api/f/device/device/${id}`, (data) => ({
        ...data,
        sharedIdentity: [place, { ...place, ip: '10.9.0.2', sn: 'X7A0C383E557EB2' }],
      }));
      await visit(p, `/device/deviceDetail?id=${id}`);
      await p.locator('main').getByText(place.sn).waitFor();
    },
  },
  { name: 'line-sheet', wide: true, open: lineSheet },
  { name: 'device-doors', open: firstGate },
  {
    name: 'door-ask',
    open: async (p) => {
      await firstGate(p);
      await p.getByRole('dialog').getByRole('group').getByRole('button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'door-task',
    open: async (p) => {
      await visit(p, '/task/addTask?action=doorControl');
      await p.locator('form input').first().waitFor();
    },
  },
  {
    name: 'action-dialog',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:not([aria-haspopup])').last().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'action-dialog-file',
    open: async (p) => {
      await withResourceFile(p);
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:has(.tabler-icon-file-download)').click();
      await dialog(p).locator('form button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'action-dialog-refused',
    refused: true,
    open: async (p) => {
      await mock(p, 'POST', pathOf('/api/f/task/task'), ({ headers }) => ({
        status: 409,
        json: {
          code: 409,
          success: false,
          error: 'device.offline',
          msg: offline[headers['carillon-language'] ?? 'en_US'],
          requestId: '7d3f0c52-5d1a-4f0e-9c5b-2f6a1f0b8e11',
          data: {},
        },
      }));
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:not([aria-haspopup])').last().click();
      await dialog(p).locator('form button[type=submit]').click();
      await dialog(p).locator('[role=alert] button').waitFor();
    },
  },
  {
    name: 'device',
    route: '/device/deviceDetail',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('dl').waitFor();
      await p.locator('main header nav a').nth(2).waitFor();
    },
  },
  {
    name: 'devices-all-by-filter',
    wide: true,
    open: async (p) => {
      await visit(p, '/device/list?limit=5&createdAt.from=2020-01-01T00%3A00%3A00.000Z');
      await p.locator('[data-id]').nth(4).waitFor();
      await p.locator('thead input[type=checkbox]').click();
      await p.locator('main [role=region] button[type=button]').first().click();
      await p.locator('main [role=region] strong').waitFor();
    },
  },
  {
    name: 'device-tasks',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?tab=tasks&id=${await firstDevice(p)}`);
      await p.locator('dl').waitFor();
    },
  },
  {
    name: 'device-log-tab',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?tab=log&id=${await firstDevice(p)}`);
      await p.locator('[role=group] tbody tr').first().waitFor();
    },
  },
  {
    name: 'device-log',
    route: '/device/deviceLog',
    open: async (p) => {
      await visit(p, '/device/deviceLog');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'add-device',
    route: '/device/addDevice',
    open: async (p) => {
      await visit(p, '/device/addDevice');
      await p.locator('form').waitFor();
      await p.locator('[name=mac]').fill('0C:38:3E');
      await p.locator('form input[type=checkbox]').first().check();
      await p.locator('button[type=submit]').click();
      await p.locator('[name=claimCode][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'add-first-device',
    open: async (p) => {
      for (const path of ['/api/f/device/site', '/api/f/device/line/server']) await instead(p, 'GET', path, []);
      await visit(p, '/device/addDevice');
      await p.locator('[name=siteName]').waitFor();
      await p.locator('[name=address]').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[name=address][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'device-added',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/site', [{ id: device.orgId, name: 'Hotel', path: ['Hotel'] }]);
      await instead(p, 'GET', '/api/f/device/line/server', [
        { id: device.orgId, name: 'PBX', address: 'pbx.example.com' },
      ]);
      await instead(p, 'POST', '/api/f/device/device', {
        device,
        secret: 'q8Zt3vXh2mKc7RrYw5Lp',
        connect: { address: 'mqtts://devices.example.com:8883', qr: chequered },
        also: [{ id: device.orgId, name: 'Lobby phone', line: 1 }],
      });
      await instead(p, 'GET', `/api/f/device/device/${device.id}`, device);
      await visit(p, '/device/addDevice');
      await p.locator('form').waitFor();
      await fill(p, { mac: device.mac, name: device.name, sn: device.sn });
      for (const name of ['model', 'siteId', 'serverId']) {
        await p.locator(`div:has(+ input[name=${name}]) input`).click();
        await p.getByRole('option').first().click();
      }
      await p.locator('button[type=submit]').click();
      await p.locator('main dl').waitFor();
    },
  },
  {
    name: 'replace-device',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button[aria-haspopup=menu]').click();
      await p.getByRole('menuitem').nth(-2).click();
      await dialog(p).locator('form').waitFor();
      await dialog(p).locator('[type=checkbox]').check();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('[name=claimCode][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'device-replaced',
    open: async (p) => {
      const id = await firstDevice(p);
      await instead(p, 'POST', `/api/f/device/device/${id}/replace`, {
        device,
        secret: 'q8Zt3vXh2mKc7RrYw5Lp',
        connect: { address: 'mqtts://devices.example.com:8883', qr: chequered },
      });
      await visit(p, `/device/deviceDetail?id=${id}`);
      await p.locator('main h1 ~ div button[aria-haspopup=menu]').click();
      await p.getByRole('menuitem').nth(-2).click();
      await dialog(p).locator('form').waitFor();
      await fill(p, { mac: device.mac, sn: device.sn });
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'edit-devices',
    wide: true,
    open: async (p) => {
      await visit(p, '/device/list');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('thead input[type=checkbox]').click();
      await p.locator('main [role=region] button:has(svg)').nth(0).waitFor();
      await p.locator('main [role=region] button:has(.tabler-icon-pencil)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'device-changes',
    wide: true,
    open: async (p) => {
      const change = {
        id: device.id,
        kind: 'edit',
        set: { model: 'X6U', site: 'Hotel', server: 'PBX' },
        status: 'done',
        total: 1284,
        done: 1271,
        unchanged: 10,
        failed: 3,
        createdAt: device.createdAt,
      };
      await instead(p, 'GET', '/api/f/device/change', [
        change,
        { ...change, id: device.orgId, kind: 'delete', set: {}, status: 'process', done: 400, unchanged: 0, failed: 0 },
      ]);
      await visit(p, '/device/list');
      // An export that another screen ordered may be under way.
      await p.locator('progress[max="1284"]').waitFor();
    },
  },
  {
    name: 'renew-secret',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:not([aria-haspopup])').first().click();
      await dialog(p).locator('button').first().waitFor();
    },
  },
  {
    name: 'site-dialog',
    open: async (p) => {
      await visit(p, '/site/list');
      await p.locator('[data-id], h2').first().waitFor();
      await p.locator('main header > button:has(.tabler-icon-plus)').click();
      await p.getByRole('dialog').locator('form').waitFor();
      await p.locator('[name=segments]').fill('127.0.0.1/32, 10.20.0.0/16');
      await p.locator('[name=downloadMbit]').fill('20');
      await p.getByRole('dialog').getByRole('status').waitFor();
    },
  },
  {
    name: 'assign-site',
    wide: true,
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-map-pin') })
        .click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'add-to-group',
    wide: true,
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-stack-push') })
        .click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'edit-tags',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-tag') })
        .click();
      await p.locator('[name=key0]:focus').waitFor();
      await p.locator('[name=key0]').fill('floor');
      await p.locator('[name=value0]').fill('4');
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'device-group-rule',
    open: async (p) => {
      await visit(p, '/device/group');
      await p.locator('[data-id], h2').first().waitFor();
      await p.locator('main header > button:has(.tabler-icon-plus)').click();
      await dialog(p).locator('form').waitFor();
      await p.locator('[name=name]').fill('Reception desks');
      await p.locator('[role=radiogroup] label').last().click();
      await dialog(p).locator('[role=group] button').first().waitFor();
    },
  },
  {
    name: 'rename',
    open: async (p) => {
      await visit(p, `/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      // The first entry leads to the page that edits everything.
      await p.getByRole('menuitem').nth(1).click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    // Own models come first, and supplied ones cannot be deleted.
    name: 'model-delete',
    wide: true,
    open: async (p) => {
      await visit(p, '/model/list');
      await p.locator('main [data-id] button[aria-haspopup=menu]').first().click();
      await p.getByRole('menuitem').last().click();
      await p.getByRole('dialog').locator('button').first().waitFor();
    },
  },
];
