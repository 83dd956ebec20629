import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { dialog, fill, firstRow, instead, lastOfRow, type Screen } from './screen.ts';

const pickFirst = async (page: Page, nth: number) => {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Escape');
};

export const peopleScreens: Screen[] = [
  {
    name: 'lock',
    wide: true,
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-lock)').click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'locked',
    route: '/lock',
    open: async (p) => {
      await visit(p, '/404');
      await p.evaluate(() =>
        sessionStorage.setItem('carillon-lock', JSON.stringify({ type: 'boolean', value: true, time: 0 })),
      );
      // Not inside the page, which reads the lock when it loads.
      await p.goto('/lock?to=/wel/home');
      await p.locator('form').waitFor();
      await p.evaluate(() => sessionStorage.clear());
    },
  },
  {
    name: 'users',
    route: '/system/users',
    open: async (p) => {
      await visit(p, '/system/users');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'user-add',
    route: '/system/users/addUser',
    open: async (p) => {
      await visit(p, '/system/users/addUser');
      await p.locator('form').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'several-users',
    open: async (p) => {
      await visit(p, '/system/users/addUser');
      await p.locator('form').waitFor();
      await p.locator('form label[for$="-several"]').first().click();
      await p.locator('[name=addresses]').fill('clara.weber@example.com, Dan Diaz <dan@example.com>');
      await p.locator('form ul input').first().waitFor();
    },
  },
  {
    name: 'user-made',
    open: async (p) => {
      await visit(p, '/system/users');
      await p.locator('[data-id]').first().waitFor();
      const [made] = (
        (await (
          await p
            .waitForResponse((r) => r.url().includes('/api/f/auth/user/list'), { timeout: 1_000 })
            .catch(() => p.reload().then(() => p.waitForResponse((r) => r.url().includes('/api/f/auth/user/list'))))
        ).json()) as { data: { records: object[] } }
      ).data.records;
      await instead(p, 'POST', '/api/f/auth/user', { ...made, username: 'clara.weber', nickname: 'Clara Weber' }, 201);
      await visit(p, '/system/users/addUser');
      await p.locator('form').waitFor();
      await fill(p, { username: 'clara.weber', nickname: 'Clara Weber' });
      await pickFirst(p, 0);
      await pickFirst(p, 1);
      await p.locator('form label[for$="-password"]').last().click();
      await p.locator('[name=oldEnough]').check();
      await p.locator('button[type=submit]').click();
      await p.locator('main dl').waitFor();
    },
  },
  {
    name: 'user-edit',
    route: '/system/users/editUser',
    open: async (p) => {
      await visit(p, '/system/users');
      await p.locator('[data-id]').first().waitFor();
      const id = await p.locator('[data-id]').last().getAttribute('data-id');
      await visit(p, `/system/users/editUser?id=${id}`);
      await p.locator('dl').waitFor();
    },
  },
  {
    name: 'user-delete',
    wide: true,
    open: async (p) => {
      await visit(p, '/system/users');
      await p.locator('[data-id]').first().waitFor();
      await lastOfRow(p);
    },
  },
  {
    name: 'undo',
    open: async (p) => {
      await instead(p, 'DELETE', '/api/f/org/site', null);
      await visit(p, '/site/list');
      await firstRow(p);
      await lastOfRow(p);
      await dialog(p).locator('button[type=submit]').click();
      const toast = p.getByRole('alert').filter({ has: p.locator('[aria-keyshortcuts]') });
      await toast.waitFor();
      await toast.hover();
    },
  },
  {
    name: 'roles',
    route: '/system/roles',
    open: async (p) => {
      await visit(p, '/system/roles');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'role-add',
    route: '/system/users/addRole',
    open: async (p) => {
      await visit(p, '/system/users/addRole');
      await p.locator('fieldset input').first().waitFor();
      await p.locator('fieldset input').nth(1).check();
      await p.locator('fieldset input').last().check();
      await p.locator('section li').nth(1).waitFor();
    },
  },
];
