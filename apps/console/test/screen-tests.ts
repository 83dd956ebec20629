import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCompany, addTask, listChannels, listDevices, listTasks, nouns } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { lane, type useProduct } from './browser.ts';
import { exampleOf, type Example } from './example.ts';
import { fitsWidth, ScreenWalk, type Scheme } from './screen-walk.ts';
import { publicScreens, screens } from './screens.ts';
import type { Screen } from './screen/screen.ts';

type Product = ReturnType<typeof useProduct>;
export const allScreens = [...publicScreens, ...screens];
/** Portuguese has the longest texts. */
export const language = 'pt_BR';
/** Window widths in px. */
export const widths = { wide: 1440, narrow: 360 } as const;

/** Gives every list a row, for the tests of the calling file. */
export function withExamples(product: Product): void {
  const examples: Example[] = [];
  beforeAll(async () => {
    const { platform } = product;
    if ((await platform.call(listTasks, { query: {} })).total === 0) {
      const [device] = (await platform.call(listDevices, { query: { state: ['online'], limit: 1 } })).records;
      const { id } = await platform.call(addTask, {
        body: { name: 'Task of the screens', action: 'reboot', params: {}, target: { ids: [device!.id] } },
      });
      await platform.ended(id);
      await platform.allOnline(lane().online);
    }
    examples.push(...(await Promise.all(nouns.map((noun) => exampleOf(noun, platform)))));
    // A company cannot be deleted, so it exists when the tests run again.
    await platform
      .call(addCompany, {
        body: {
          name: 'Company of the screens',
          type: 'reseller',
          organizationName: 'Screens',
          remarks: '',
          username: 'screens.company',
          nickname: 'Screens',
          email: null,
          activation: 'password',
          oldEnough: true,
          password: 'First-Secret-1',
          language: 'en_US',
          timezoneId: null,
          countryId: 1,
        },
      })
      .catch((e: { error: string }) => expect(e.error).toBe('org.companyNameTaken'));
    await eventually(async () => {
      expect((await platform.call(listChannels, { query: {} })).total).toBeGreaterThan(0);
    });
  });
  afterAll(async () => {
    for (const { remove } of examples) await remove();
  });
}

/** Tests the screens that are assigned to this width by their name, each in the scheme given by its name. */
export function screenTests(product: Product, way: keyof typeof widths): void {
  describe('in one scheme and width', () => {
    const walks = new Map<string, Promise<ScreenWalk>>();
    afterAll(async () => {
      for (const walk of walks.values()) await (await walk).close();
    });

    /** Derives both from the name, so that half of the screens are narrow and half are dark. */
    const wayOf = (screen: Screen): { scheme: Scheme; width: number } => {
      const [first, second] = createHash('sha256').update(screen.name).digest();
      const width = first! % 2 === 0 ? widths.wide : widths.narrow;
      return {
        scheme: second! % 2 === 0 ? 'light' : 'dark',
        width: fitsWidth(screen, width) ? width : widths.wide + widths.narrow - width,
      };
    };
    const walkOf = (screen: Screen, width: number): Promise<ScreenWalk> => {
      const isPublic = publicScreens.includes(screen);
      const key = `${isPublic} ${width}`;
      const begin = async () =>
        ScreenWalk.begin(product.browser(), {
          url: product.platform.ready.url,
          language,
          width,
          schemes: ['light'],
          ...(isPublic ? {} : { session: await product.session() }),
          axe: true,
          sample: true,
          inside: true,
          keyboard: () => true,
          told: (line) => console.log(line),
        });
      if (!walks.has(key)) walks.set(key, begin());
      return walks.get(key)!;
    };

    const title = '$name passes axe and works by keyboard [SHELL-20/screen]';
    const look = async (screen: Screen) => {
      const { scheme, width } = wayOf(screen);
      const walk = await walkOf(screen, width);
      const before = walk.shown;
      const faults = await walk.look(screen, [scheme]);
      // The whole text is the message, because a comparison shortens it.
      expect(faults, faults.join('\n')).toEqual([]);
      expect(walk.shown - before).toBe(1);
    };
    const ofWidth = allScreens.filter((screen) => wayOf(screen).width === widths[way]);
    it.for(ofWidth.filter((screen) => !screen.alike))(title, look);
    it.for(ofWidth.filter((screen) => screen.alike))(title, { tags: 'slow' }, look);
  });
}
