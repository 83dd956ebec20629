import { expect, it } from 'vitest';
import { dialogFiles } from '../dialogs.ts';
import { useProduct } from '../test/browser.ts';
import { keyboardFaults } from '../test/keyboard.ts';
import { allScreens, language, screenTests, widths, withExamples } from '../test/screen-tests.ts';
import { fitsWidth } from '../test/screen-walk.ts';
import type { Screen } from '../test/screen/screen.ts';
import { shots } from '../shots.ts';

const product = useProduct();

withExamples(product);
screenTests(product, 'wide');

it(
  'every screen passes axe wide and at 360 px, and works by keyboard [SHELL-08/screens] [SHELL-20]',
  { tags: 'slow', timeout: 2_400_000 },
  async () => {
    const { platform } = product;
    const one = {
      url: platform.ready.url,
      user: platform.ready.admin.username,
      password: platform.ready.admin.password,
      languages: [language],
      taken: false,
      told: (line: string) => console.log(line),
      out: `${platform.folder}/shots`,
    } as const;
    // Narrow, a drawer covers what it stands beside otherwise, and a menu is another one.
    const isOtherNarrow = ({ name, phone }: Screen) => phone === true || /-(?:drawer|menu)$/.test(name);
    const seen = await Promise.all([
      shots({ ...one, schemes: ['light', 'dark'], widths: [widths.wide], keyboard: true }),
      shots({ ...one, schemes: ['dark', 'light'], widths: [widths.narrow], keyboard: isOtherNarrow }),
    ]);
    expect(seen.flatMap((s) => s.faults).join('\n')).toBe('');
    // The build names each dialog and drawer by its file, so that a new one without a screen is found here.
    const shown = new Set(seen.flatMap((s) => s.dialogs));
    expect(dialogFiles().filter((file) => !shown.has(file))).toEqual([]);
    expect([...shown].filter((file) => !dialogFiles().includes(file))).toEqual([]);
    expect(seen.map((s) => s.pictures)).toEqual(
      [widths.wide, widths.narrow].map((w) => 2 * allScreens.filter((screen) => fitsWidth(screen, w)).length),
    );
  },
);

it('the sidebar collapses, stays so after a reload, and closes after a click at 360 px [SHELL-08]', async () => {
  const { page } = await product.administrator('/wel/home');
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const width = async () => (await menu.boundingBox())?.width ?? 0;
  await menu.getByText('Activity log', { exact: true }).waitFor();
  const wide = await width();
  await menu.getByRole('button', { name: 'Collapse' }).click();
  await expect.poll(width).toBeLessThan(wide / 2);
  expect(await menu.getByText('Activity log', { exact: true }).count()).toBe(0);
  await page.reload();
  // The icons alone carry the names, also after a reload.
  await menu.getByRole('link', { name: 'Activity log' }).click();
  await page.waitForURL('**/system/operationLog');
  expect(await width()).toBeLessThan(wide / 2);
  await menu.getByRole('button', { name: 'Expand the menu' }).click();
  await expect.poll(width).toBe(wide);
  await page.setViewportSize({ width: 360, height: 780 });
  await expect.poll(() => menu.count()).toBe(0);
  await page.getByRole('banner').first().getByRole('button', { name: 'Menu', exact: true }).click();
  await menu.getByRole('link', { name: 'Tasks' }).click();
  await page.waitForURL('**/task/list');
  await expect.poll(() => menu.count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

it(
  'the keyboard walk finds unreachable elements, missing focus, pointer-only parts and open traps',
  { tags: 'slow' },
  async () => {
    const { page } = await product.visit();
    const faults = async (html: string) => {
      await page.setContent(`<h1>Page</h1><button>Before</button>${html}`);
      await page
        .locator('[role=dialog] button')
        .first()
        .focus({ timeout: 200 })
        .catch(() => {});
      return keyboardFaults(page);
    };
    expect(await faults('<button>After</button>')).toEqual([]);
    expect(await faults('<button tabindex="-1">Two</button>')).toEqual(['<button> "Two" is not reached by Tab']);
    expect(await faults('<button style="outline: none">Two</button>')).toEqual([
      '<button> "Two" does not show that it has the focus',
    ]);
    expect(await faults('<div style="cursor: pointer">Two</div>')).toEqual([
      '<div> "Two" can be pressed with a pointer only',
    ]);
    expect(await faults('<div role="button" tabindex="0">Two</div>')).toEqual([
      '<div> "Two" is no element that a key presses',
    ]);
    expect(
      await faults(
        '<table><tr data-id="1"><td><button tabindex="-1">One</button></td></tr><tr data-id="2"><td><button tabindex="-1">Two</button></td></tr></table>',
      ),
    ).toEqual(['no row of the list is reached by Tab']);
    expect(
      await faults(
        '<div role="dialog" onkeydown="if (event.key === \'Tab\') event.preventDefault()"><button>In</button></div>',
      ),
    ).toEqual(['Esc does not close the dialog']);
    expect(await faults('<div onclick="this.textContent += 1">Two</div>')).toEqual([
      '<div> "Two" can be pressed with a pointer only',
    ]);
    expect(await faults('<div role="dialog" aria-modal="true"><button disabled>In</button></div>')).toEqual([
      'the dialog does not take the focus',
    ]);
    expect(
      await faults('<div role="dialog" aria-modal="true"><button>In</button></div><button>After</button>'),
    ).toEqual(['the dialog lets the focus out', 'Esc does not close the dialog']);
    expect(
      await faults(
        '<table><tr data-id="1"><td><button>One</button><button tabindex="-1">Two</button></td></tr></table>',
      ),
    ).toEqual(['<button> "Two" in a row is not reached by Tab']);
    expect(
      await faults(
        '<input type="radio" name="a" aria-label="One" disabled><input type="radio" name="a" aria-label="Two" tabindex="-1">',
      ),
    ).toEqual(['<input> "Two" is not reached by Tab']);
  },
);

it('an administrator works without a pointer, and focus returns to its place [SHELL-20/journey]', async () => {
  const { page } = await product.visit();
  const { keyboard } = page;
  const name = () =>
    page.evaluate(() => {
      const e = document.activeElement!;
      return (
        e.getAttribute('aria-label') ?? (e as HTMLInputElement).labels?.[0]?.textContent ?? e.textContent?.trim() ?? ''
      );
    });
  /** Tab until the focus is there. */
  const to = async (wanted: string | RegExp) => {
    for (let i = 0; i < 150; i++) {
      const now = await name();
      if (typeof wanted === 'string' ? now === wanted : wanted.test(now)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Tab does not come to ${String(wanted)}`);
  };
  const inside = (role: string) =>
    page.waitForFunction((r) => document.activeElement?.closest(`[role=${r}]`) !== null, role);
  const { admin } = product.platform.ready;
  await page.goto('/login');
  await page.locator('form').waitFor();
  await to(/username/i);
  await keyboard.type(admin.username);
  await to('Password');
  await keyboard.type(admin.password);
  await to(/^I agree/);
  await keyboard.press('Space');
  await keyboard.press('Enter');
  await page.waitForURL('**/wel/home');
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await to('Skip to content');
  await keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await keyboard.type('organiz');
  await page.getByRole('dialog').locator('[data-action]').filter({ hasText: '/system/organization' }).waitFor();
  await keyboard.press('Enter');
  await page.waitForURL('**/system/organization');
  await page.locator('main [data-id]').first().waitFor();

  await to('Add organization');
  await keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('textbox').first().waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
  await keyboard.type('Aaa by keys');
  await keyboard.press('Enter');
  const row = page.locator('main [data-id]').filter({ hasText: 'Aaa by keys' });
  await row.waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await expect.poll(name).toBe('Add organization');
  await to(/^Actions for /);
  for (let i = 0; i < 50 && (await name()) !== 'Actions for Aaa by keys'; i++) {
    await keyboard.press('ArrowDown');
    await to(/^Actions for /);
  }
  await keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await keyboard.press('Escape');
  await expect.poll(name).toBe('Actions for Aaa by keys');
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor();
  await inside('menu');
  await keyboard.press('End');
  await expect.poll(name).toBe('Delete');
  await keyboard.press('Enter');
  await inside('dialog');
  await to('Delete organization Aaa by keys');
  await keyboard.press('Enter');
  await row.waitFor({ state: 'detached' });

  await to(/^User: /);
  await keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await inside('menu');
  await keyboard.press('End');
  await expect.poll(name).toBe('Sign out');
  await keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Sign out?' }).waitFor();
  await inside('dialog');
  await to('Sign out');
  await keyboard.press('Enter');
  await page.waitForURL('**/login');
});
