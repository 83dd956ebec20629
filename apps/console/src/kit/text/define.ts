import type { Language, Text } from '@carillon/contracts';

/** The plural forms of a text, per language. */
type Counted = {
  en_US: { one: string; other: string };
  zh_CN: string;
  ko: string;
  pt_BR: { one: string; many: string; other: string };
};
export type AreaTexts = Readonly<Record<string, Text | Counted>>;

/** Declares the texts of an area in four languages. A missing language or plural form does not compile. */
export const defineTexts = <const T extends AreaTexts>(texts: T): T => texts;

/** A text with plurals has one key per form. */
type FlatKey<T> = T extends unknown
  ? { [K in keyof T & string]: T[K] extends Text ? K : `${K}_one` | `${K}_other` }[keyof T & string]
  : never;
export type Flat<T> = Record<FlatKey<T>, string>;

/** Returns one language of an area by key. */
export function textsIn(language: Language, texts: AreaTexts): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]): [string, string][] => {
      const own = text[language];
      if (typeof own !== 'string') return Object.entries(own).map(([form, words]) => [`${key}_${form}`, words]);
      // Chinese and Korean have one form for every number.
      return [[typeof text.en_US === 'string' ? key : `${key}_other`, own]];
    }),
  );
}
