import type { TextKey } from './key.ts';

type Values = Readonly<Record<string, string | number | undefined>>;

let texts: Record<string, string> = {};
let plural = new Intl.PluralRules();

/** Sets the language, with the texts of its first page. */
export function startTexts(tag: string, first: Readonly<Record<string, string>>): void {
  texts = { ...first };
  plural = new Intl.PluralRules(tag);
}
/** Adds further texts. */
export function addTexts(part: Readonly<Record<string, string>>): void {
  Object.assign(texts, part);
}

export const hasText = (key: string): boolean => key in texts;
/** Returns the loaded keys; a text with plurals has one per form. */
export const textKeys = (): string[] => Object.keys(texts);

/**
 * Returns the text of a key with its values filled in (`{{name}}`) and in the plural form of `count`. A library would
 * add twelve kilobytes to the first page. Reports a missing key on the page's console, where the screenshot check finds
 * it.
 */
export function t(key: TextKey, values: Values = {}): string {
  const { count } = values;
  const counted = typeof count === 'number' ? texts[`${key}_${plural.select(count)}`] : undefined;
  const text = counted ?? texts[key];
  if (text === undefined) {
    console.error(`Missing text: ${key}`);
    return key;
  }
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
