import i18next from 'i18next';
import type { Language } from '@carillon/contracts';
import { keep } from '../session/storage.ts';
import { currentLanguage, currentTag, languageTags } from './language.ts';
import type english from './en_US.json';

declare module 'i18next' {
  interface CustomTypeOptions { defaultNS: 'text'; resources: { text: typeof english }; keySeparator: false; nsSeparator: false; returnNull: false }
}

const load = {
  en_US: () => import('./en_US.json'),
  zh_CN: () => import('./zh_CN.json'),
  ko: () => import('./ko.json'),
  pt_BR: () => import('./pt_BR.json'),
} satisfies Record<Language, () => Promise<unknown>>;

/** Loads the one language that is shown. A key that is missing is an error on the page's console: the pictures' check sees it. */
export async function startText(): Promise<void> {
  const language = currentLanguage();
  document.documentElement.lang = languageTags[language];
  const { default: texts } = await load[language]();
  await i18next.init({
    lng: languageTags[language], ns: ['text'], defaultNS: 'text', resources: { [languageTags[language]]: { text: texts } },
    fallbackLng: false, keySeparator: false, nsSeparator: false, returnNull: false, interpolation: { escapeValue: false }, saveMissing: true,
    missingKeyHandler: (_languages, _ns, key) => console.error(`Missing text: ${key}`),
  });
}

/** Stores the language and loads the page anew (SHELL-15). */
export function chooseLanguage(language: Language): void {
  keep('language', language);
  location.reload();
}

export const count = (value: number) => new Intl.NumberFormat(currentTag()).format(value);
export const percent = (part: number, whole: number, digits = 1) => new Intl.NumberFormat(currentTag(), { style: 'percent', maximumFractionDigits: digits }).format(whole === 0 ? 0 : part / whole);
