import { visit } from '../visit.ts';
import { dialog, instead, list, type Screen } from './screen.ts';

export const frameScreens: Screen[] = [
  {
    name: 'home',
    route: '/wel/home',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
    },
  },
  {
    name: 'home-first-device',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/device/count', { total: 0, state: {}, models: [], firmwares: [] });
      const orders = { total: 0, free: 0, inUse: 0, assigned: 0, channels: [], stock: [] };
      await instead(p, 'GET', '/api/f/device/channelOrder/count', orders);
      await visit(p, '/wel/home');
      await p.locator('main section > div > a[href="/device/addDevice"]').waitFor();
    },
  },
  {
    name: 'home-stock',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/device/count', { total: 0, state: {}, models: [], firmwares: [] });
      const orders = { total: 200, free: 200, inUse: 0, assigned: 0, channels: [], stock: [] };
      await instead(p, 'GET', '/api/f/device/channelOrder/count', orders);
      await visit(p, '/wel/home');
      await p.locator('main a[href="/channel/importToDevice"]').waitFor();
    },
  },
  {
    name: 'alarms',
    route: '/alarm',
    open: async (p) => {
      await visit(p, '/alarm');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  {
    name: 'alarm-drawer',
    open: async (p) => {
      await visit(p, '/alarm?state=open');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('[data-id] [data-name], [data-id] button').first().click();
      await p.getByRole('dialog').locator('section li').first().waitFor();
    },
  },
  {
    name: 'alarm-rules',
    open: async (p) => {
      await visit(p, '/alarm');
      await p.locator('[data-id], h2').first().waitFor();
      await p.locator('main button:has(.tabler-icon-adjustments)').click();
      await p.getByRole('dialog').locator('li').first().waitFor();
    },
  },
  {
    name: 'messages',
    open: async (p) => {
      await visit(p, '/alarm?tableCheck=message');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  {
    name: 'bell',
    open: async (p) => {
      await visit(p, '/about');
      await p.locator('dl').waitFor();
      await p.locator('header button[aria-haspopup=dialog]').click();
      await p.getByRole('dialog').locator('ul, p').first().waitFor();
    },
  },
  {
    name: 'palette',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await p.getByRole('dialog').locator('input').waitFor();
      await p.keyboard.type('room');
      await p
        .getByRole('dialog')
        .getByRole('option')
        .or(p.getByRole('dialog').locator('[data-action]'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'palette-actions',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await dialog(p).locator('[data-action]').last().waitFor();
      await dialog(p).locator('[data-action]').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'palette-users',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await dialog(p).locator('input').waitFor();
      await p.keyboard.type('admin');
      await dialog(p).locator('[data-action]:has(.tabler-icon-user)').first().waitFor();
    },
  },
  {
    name: 'palette-nothing',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await dialog(p).locator('input').waitFor();
      await p.keyboard.type('nothing is called so');
      await dialog(p).locator('[data-action]').first().waitFor({ state: 'detached' });
      await dialog(p).locator('.mantine-Spotlight-empty').waitFor();
    },
  },
  {
    name: 'menu',
    phone: true,
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-menu-2)').click();
      await dialog(p).locator('a').first().waitFor();
    },
  },
  {
    name: 'organization-menu',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-selector)').click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'zone-menu',
    wide: true,
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-world)').click();
      await p.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'tab-menu',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('button[aria-haspopup=menu]:has(.tabler-icon-dots)').first().click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'language-menu',
    wide: true,
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-language)').click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'colour-menu',
    wide: true,
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-palette)').click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'user-menu',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button[aria-haspopup=menu]').last().click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'logout',
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button[aria-haspopup=menu]').last().click();
      await p.getByRole('menuitem').last().click();
      await p.getByRole('dialog').locator('h2').waitFor();
    },
  },
];
