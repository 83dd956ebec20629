import { passwordMinimum } from '../define/constant.ts';
import { commonWords, keyRows } from './password.words.ts';

/**
 * Spec, section 5 (AUTH-13), and two more: it is none of those that are tried first, and none that follows from who it
 * is for. Without the schema library, so that the browser checks by the same rule as the server.
 */
export const passwordParts = ['length', 'upper', 'lower', 'digit', 'special', 'uncommon', 'unlike'] as const;
export type PasswordPart = (typeof passwordParts)[number];
export { passwordMinimum };
export const passwordMaximum = 128;

/** Names shorter than this are in too many words. */
const shortestName = 3;
/** So many letters or digits have to be left when all that is common is taken out. */
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
/** Letters that are written as digits or signs, as one letter; `l` and `i` are written alike. */
const fold = (text: string): string => [...text].map((c) => signs[c] ?? c).join('');
const shifted = '!@#$%^&*()';
/** What the same keys give without the shift key. */
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
/** Different letters and digits, a repeated one once. */
const left = (text: string): number => new Set(bare(text)).size;

/** Whether it is a common word with the ornaments that everybody adds. */
function isCommon(text: string): boolean {
  const word = plain(text);
  const undated = word.replace(/(?:19|20)\d\d|0?123\d*|234\d*|987\d*|321|(\d)\1{2,}/g, '\0');
  return (
    left(without(undated, stems)) < leastLeft ||
    left(without(fold(undated), foldedStems)) < leastLeft ||
    left(without(unshift(word), stems)) < leastLeft
  );
}

/** Whether one of the names stands in it, in whatever case and with digits for letters. */
function isLike(text: string, names: readonly (string | null | undefined)[]): boolean {
  const [word, folded] = [bare(plain(text)), bare(fold(plain(text)))];
  return [product, ...names].some((name) => {
    // Of an address what stands before the at sign.
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
 * What a password lacks; nothing when it may be taken. `names` are those that it must not contain: the login name, the
 * email, the company.
 */
export function missingParts(text: string, names: readonly (string | null | undefined)[] = []): PasswordPart[] {
  return passwordParts.filter((part) => !fits[part](text, names));
}

/** The error of the first part that is missing. */
export function passwordFault(
  text: string,
  names: readonly (string | null | undefined)[] = [],
): 'auth.passwordRule' | 'auth.passwordCommon' | 'auth.passwordUnlike' | undefined {
  const [first] = missingParts(text, names);
  if (first === undefined) return undefined;
  if (first === 'uncommon') return 'auth.passwordCommon';
  return first === 'unlike' ? 'auth.passwordUnlike' : 'auth.passwordRule';
}
