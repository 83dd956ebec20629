import type { Language } from '@carillon/contracts';
import { recall } from './storage.ts';

/** The four languages of the product with their own names and language tags. */
export const languageNames = {
  en_US: 'English',
  zh_CN: '中文',
  ko: '한국어',
  pt_BR: 'Português',
} as const satisfies Record<Language, string>;
export const languageCodes = { en_US: 'EN', zh_CN: '中文', ko: 'KO', pt_BR: 'PT' } as const satisfies Record<
  Language,
  string
>;
export const languageTags = { en_US: 'en', zh_CN: 'zh-CN', ko: 'ko', pt_BR: 'pt-BR' } as const satisfies Record<
  Language,
  string
>;

/** Returns the chosen language; by default Chinese for Chinese browsers and English for all others (SHELL-18). */
export function currentLanguage(): Language {
  const kept = recall<Language>('language');
  return kept !== undefined && kept in languageNames
    ? kept
    : navigator.language.toLowerCase().startsWith('zh')
      ? 'zh_CN'
      : 'en_US';
}
export const currentTag = () => languageTags[currentLanguage()];
