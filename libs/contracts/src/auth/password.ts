import { passwordMinimum } from '../define/constant.ts';
import { commonWords, keyRows } from './password.words.ts';

/**
 * The rule of AUTH-13 and two more: the password is not a commonly tried one, and does not
 * contain a name of its user. Does not import the schema library, so that the browser and the server check the same
 * rule.
 */
export const passwordParts = ['length', 'upper', 'lower', 'digit', 'special', 'uncommon', 'unlike'] as const;
export type PasswordPart = (typeof passwordParts)[number];
export { passwordMinimum };
export const passwordMaximum = 128;

/** Shorter names occur in too many words to forbid them. */
const shortestName = 3;
/** This many different letters or digits must be left when everything common is removed. */
const leastLeft = 4;
const product = 'carillon';

const signs: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  '3': 'e',
  '4': 'a',
  '@': 'a',
  '5': 's',
  $: 's',
  '7': 't',
  '+': 't',
  '8': 'b',
  '9': 'g',
  '6': 'g',
};
/** Replaces digits and signs that stand for letters; `l` and `i` become the same letter. */
const fold = (text: string): string => [...text].map((c) => signs[c] ?? c).join('');
const shifted = '!@#$%^&*()';
/** Returns what the same keys give without Shift. */
const unshift = (text: string): string =>
  [...text].map((c) => (shifted.includes(c) ? String((shifted.indexOf(c) + 1) % 10) : c)).join('');
const plain = (text: string): string => text.normalize('NFKC').toLowerCase();
const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

const runs = keyRows.flatMap((row) => {
  const both = [row, [...row].toReversed().join('')];
  return both.flatMap((keys) =>
    Array.from({ length: keys.length - 3 }, (_, length) => length + 4).flatMap((length) =>
      Array.from({ length: keys.length - length + 1 }, (_, from) => keys.slice(from, from + length)),
    ),
  );
});
const longestFirst = (words: readonly string[]): string[] =>
  [...new Set(words)].toSorted((a, b) => b.length - a.length);
const stems = longestFirst([...commonWords, ...runs]);
const foldedStems = longestFirst(stems.map(fold));

const without = (text: string, words: readonly string[]): string =>
  words.reduce((rest, word) => rest.replaceAll(word, '\0'), text);
/** Counts the different letters and digits. */
const left = (text: string): number => new Set(bare(text)).size;

/** Returns whether the text is a common word with the usual additions. */
function isCommon(text: string): boolean {
  const word = plain(text);
  const undated = word.replace(/(?:19|20)\d\d|0?123\d*|234\d*|987\d*|321|(\d)\1{2,}/g, '\0');
  return (
    left(without(undated, stems)) < leastLeft ||
    left(without(fold(undated), foldedStems)) < leastLeft ||
    left(without(unshift(word), stems)) < leastLeft
  );
}

/** Returns whether the text contains one of the names, in any case and with digits for letters. */
function isLike(text: string, names: readonly (string | null | undefined)[]): boolean {
  const [word, folded] = [bare(plain(text)), bare(fold(plain(text)))];
  return [product, ...names].some((name) => {
    // Only the part of an email address before the at sign counts.
    const own = bare(plain((name ?? '').split('@')[0]!));
    return own.length >= shortestName && (word.includes(own) || folded.includes(fold(own)));
  });
}

const fits: Record<PasswordPart, (text: string, names: readonly (string | null | undefined)[]) => boolean> = {
  length: (text) => [...text].length >= passwordMinimum,
  upper: (text) => /\p{Lu}/u.test(text),
  lower: (text) => /\p{Ll}/u.test(text),
  digit: (text) => /\p{Nd}/u.test(text),
  special: (text) => /[^\p{L}\p{N}\s]/u.test(text),
  uncommon: (text) => text !== '' && !isCommon(text),
  unlike: (text, names) => text !== '' && !isLike(text, names),
};

/**
 * Returns the parts of the rule that the password fails; empty when it is valid. `names` are those that it must not
 * contain: login name, email, company.
 */
export function missingParts(text: string, names: readonly (string | null | undefined)[] = []): PasswordPart[] {
  return passwordParts.filter((part) => !fits[part](text, names));
}

/** Returns the error of the first failed part. */
export function passwordFault(
  text: string,
  names: readonly (string | null | undefined)[] = [],
): 'auth.passwordRule' | 'auth.passwordCommon' | 'auth.passwordUnlike' | undefined {
  const [first] = missingParts(text, names);
  if (first === undefined) return undefined;
  if (first === 'uncommon') return 'auth.passwordCommon';
  return first === 'unlike' ? 'auth.passwordUnlike' : 'auth.passwordRule';
}
