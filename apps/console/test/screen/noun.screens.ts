import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import type { NounDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import type { PageRoute } from '../routes.ts';
import { dialog, firstRow, instead, nothing, type Screen } from './screen.ts';

/**
 * Returns the screens of every noun's page: its list, the empty list, one record, and the dialogs that add and delete
 * one.
 */
export function screensOf({ name, menu }: NounDefinition, index: number): Screen[] {
  // One component shows the empty list of every noun, and another one asks before every deletion: one noun in four
  // stands for all.
  const alike = index % 4 !== 0;
  const many = menu.langKey.slice('menu.'.length);
  const { path } = allRoutes.find(({ route }) => route.permission === name && route.path.endsWith('/list'))!.route;
  // The menu cuts this end of a path (SHELL-02).
  const route = menu.path.replace(/\/index$/, '');
  const open = async (p: Page) => {
    await visit(p, route);
    await p.locator('main :is([data-id], h2)').first().waitFor();
  };
  return [
    { name: many, route, open },
    {
      name: `${many}-empty`,
      alike,
      open: async (p) => {
        await instead(p, 'GET', path, nothing);
        await open(p);
      },
    },
    {
      name: `${name}-drawer`,
      open: async (p) => {
        await open(p);
        await (await firstRow(p)).locator('[data-name], button').first().click();
        await dialog(p).locator('dl').waitFor();
      },
    },
    {
      name: `${name}-delete`,
      wide: true,
      alike,
      open: async (p) => {
        await open(p);
        await firstRow(p);
        await p.locator('main [data-id] button[aria-haspopup=menu]').last().click();
        await p.getByRole('menuitem').last().click();
        await dialog(p).locator('button').first().waitFor();
      },
    },
    {
      name: `${name}-dialog`,
      open: async (p) => {
        await open(p);
        // Other buttons of the header may appear before the one that needs a permission.
        await p.locator('main header > :is(a, button):has(.tabler-icon-plus)').click();
        await p.locator('form').waitFor();
      },
    },
  ];
}

/** Returns the screen of a page as it opens, for the first record of the list that its route names as example. */
export const screenOf = ({ path, parameters }: PageRoute): Screen => ({
  name: path.slice(1).replaceAll('/', '-').replaceAll('$', ''),
  open: async (page) => {
    let address = path;
    const query = new URLSearchParams();
    for (const { name, inPath, list: from } of parameters) {
      if (from === undefined) throw new Error(`The route ${path} needs an example of ${name} in its staticData`);
      await visit(page, from);
      await firstRow(page);
      const id = (await page.locator('main [data-id]').first().getAttribute('data-id'))!;
      if (inPath) address = address.replace(`$${name}`, encodeURIComponent(id));
      else query.set(name, id);
    }
    await visit(page, query.size === 0 ? address : `${address}?${query}`);
    await page.locator('h1, h2, form').first().waitFor();
  },
});
