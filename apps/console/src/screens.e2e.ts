import { inject, expect, it } from 'vitest';
import { listDevices, listTasks } from '@carillon/contracts';
import { useProduct } from '../test/browser.ts';
import { publicScreens, screens } from '../test/screens.ts';
import { shots } from '../shots.ts';

const product = useProduct();

/** The other languages, and the narrow ones of this, by `./carillon shots`. */
it('every screen, light and wide, dark and narrow, passes axe, and nothing in it is cut, missing or an error in the longest language [SHELL-20/axe]', async () => {
  const { platform } = product;
  if ((await platform.call(listTasks, { query: {} })).total === 0) {
    const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 5 } })).records;
    const { page } = await product.administrator(`/device/deviceDetail?id=${device!.id}`);
    await page.getByRole('button', { name: 'Reboot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reboot' }).click();
    await page.getByText('1 of 1 device finished').waitFor();
    await platform.allOnline(inject('product').online);
  }
  const one = { url: platform.ready.url, user: platform.ready.admin.username, password: platform.ready.admin.password, languages: ['pt_BR'], out: `${platform.folder}/shots` } as const;
  const all = [...publicScreens, ...screens];
  const both = await Promise.all([shots({ ...one, schemes: ['light'], widths: [1440] }), shots({ ...one, schemes: ['dark'], widths: [390] })]);
  expect(both.flatMap((s) => s.faults)).toEqual([]);
  expect(both.map((s) => s.pictures)).toEqual([all.length, all.filter((s) => !s.wide).length]);
}, 300_000);
