import { defaultLanguage as language } from './constant.ts';

/** The four languages (SHELL-18). */
export const languages = ['en_US', 'zh_CN', 'ko', 'pt_BR'] as const;
export type Language = (typeof languages)[number];

/** A text for users. A missing language does not compile. */
export type Text = Record<Language, string>;

export const defaultLanguage: Language = language;

/**
 * Parses the language header of clients: `zh_CN`, `zh-CN`, `zh-CN,zh;q=0.9`. Returns the default for an unknown
 * language.
 */
export function toLanguage(header: string | undefined): Language {
  const first = (header ?? '').split(',')[0]!.trim().replace('-', '_').toLowerCase();
  return (
    languages.find((l) => l.toLowerCase() === first) ??
    (first.startsWith('zh')
      ? 'zh_CN'
      : first.startsWith('ko')
        ? 'ko'
        : first.startsWith('pt')
          ? 'pt_BR'
          : defaultLanguage)
  );
}
