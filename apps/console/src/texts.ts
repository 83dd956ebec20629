import { readFileSync } from 'node:fs';
import type { Language } from '@carillon/contracts';
import { organizationTexts } from './area/organization/organization/organization.text.ts';
import { siteTexts } from './area/device/site/site.text.ts';
import { textsIn, type Flat } from './kit/text/define.ts';

/** Areas that keep their texts in their folder, by the word that their own keys begin with. */
const areas = { organization: organizationTexts, site: siteTexts } as const;

declare module './kit/text/key.ts' {
  interface AreaTexts extends Flat<(typeof areas)[keyof typeof areas]> {}
}

export const areaTexts = (language: Language): Record<string, string> =>
  Object.assign({}, ...Object.values(areas).map((texts) => textsIn(language, texts)));

/** Every text of a language, for the build, the checks and the tests: a browser loads them in parts. */
export const allTexts = (language: Language): Record<string, string> => ({
  ...(JSON.parse(readFileSync(new URL(`./kit/text/${language}.json`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >),
  ...areaTexts(language),
});

/** Whether only the screens of an area say this: they ask for `pageTexts` first. */
export const isAreaText = (key: string): boolean => key.slice(0, key.indexOf('.')) in areas;
