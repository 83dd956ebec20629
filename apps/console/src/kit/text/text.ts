import type { Language } from '@carillon/contracts';
import { keep } from '../browser/storage.ts';
import { currentLanguage, currentTag, languageTags } from '../browser/language.ts';
import { addTexts, startTexts } from './translate.ts';

const first = {
  en_US: () => import('virtual:text/en_US/first'),
  zh_CN: () => import('virtual:text/zh_CN/first'),
  ko: () => import('virtual:text/ko/first'),
  pt_BR: () => import('virtual:text/pt_BR/first'),
} satisfies Record<Language, () => Promise<{ default: Record<string, string> }>>;
const rest = {
  en_US: () => import('virtual:text/en_US/rest'),
  zh_CN: () => import('virtual:text/zh_CN/rest'),
  ko: () => import('virtual:text/ko/rest'),
  pt_BR: () => import('virtual:text/pt_BR/rest'),
} satisfies typeof first;

const link = {
  en_US: () => import('virtual:text/en_US/link'),
  zh_CN: () => import('virtual:text/zh_CN/link'),
  ko: () => import('virtual:text/ko/link'),
  pt_BR: () => import('virtual:text/pt_BR/link'),
} satisfies typeof first;

const page = {
  en_US: () => import('virtual:text/en_US/page'),
  zh_CN: () => import('virtual:text/zh_CN/page'),
  ko: () => import('virtual:text/ko/page'),
  pt_BR: () => import('virtual:text/pt_BR/page'),
} satisfies typeof first;

/** Loads the current language. */
export async function startText(): Promise<void> {
  const language = currentLanguage();
  document.documentElement.lang = languageTags[language];
  const { default: texts } = await first[language]();
  startTexts(languageTags[language], texts);
}

/** Loads a part on first use; once, and again after a failure. */
export function later(part: typeof first): () => Promise<void> {
  let loaded: Promise<void> | undefined;
  return () => {
    const language = currentLanguage();
    loaded ??= part[language]().then(({ default: texts }) => addTexts(texts));
    loaded.catch(() => {
      loaded = undefined;
    });
    return loaded;
  };
}
/** Further texts of the main layout. */
export const insideTexts = later(rest);
/** Texts of lazily loaded pages and dialogs, which await them. */
export const pageTexts = later(page);
const ofLinks = later(link);
/** Texts of the pages for links in mails, which also use those of the main layout and of the users' pages. */
export const linkTexts = (): Promise<void> =>
  Promise.all([insideTexts(), pageTexts(), ofLinks()]).then(() => undefined);

/** Stores the language and reloads the page (SHELL-15). */
export function chooseLanguage(language: Language): void {
  keep('language', language);
  location.reload();
}

export const count = (value: number) => new Intl.NumberFormat(currentTag()).format(value);
export const percent = (part: number, whole: number, digits = 1) =>
  new Intl.NumberFormat(currentTag(), { style: 'percent', maximumFractionDigits: digits }).format(
    whole === 0 ? 0 : part / whole,
  );
