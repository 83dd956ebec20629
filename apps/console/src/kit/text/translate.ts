import type { TextKey } from './key.ts';

type Values = Readonly<Record<string, string | number | undefined>>;

let texts: Record<string, string> = {};
let plural = new Intl.PluralRules();

/** The language that is shown, with what its first page says. */
export function startTexts(tag: string, first: Readonly<Record<string, string>>): void {
  texts = { ...first };
  plural = new Intl.PluralRules(tag);
}
/** Another part of its texts. */
export function addTexts(part: Readonly<Record<string, string>>): void {
  Object.assign(texts, part);
}

export const hasText = (key: string): boolean => key in texts;
/** Of what is loaded; a text that counts has one key for each form of the language. */
export const textKeys = (): string[] => Object.keys(texts);

/**
 * The text of a key with its values filled in: `{{name}}`. One that counts is taken in the form of `count`. Twelve
 * kilobytes of a library would do the same on the first page, which has no room for them. A key that is missing is an
 * error on the page's console: the pictures' check sees it.
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
