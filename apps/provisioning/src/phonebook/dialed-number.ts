/** Marks without a width and marks of direction. */
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** What stands behind a number for the desk within a company: a phone would dial its digits as part of the number. */
const extension = /\s*(?:;\s*ext\s*=|[,;]?\s*(?:ext(?:ension)?\.?|x))\s*\d+\s*$/i;
/** The zero that callers from the same country dial, in brackets behind a country code. */
const trunkZero = /^((?:\+|00)\s*\d{1,3})[\s./-]*\(\s*0\s*\)/;
const separators = /[\s()./\u2212]|\p{Pd}/gu;

/**
 * Returns what a phone dials for a number as a directory writes it for people: digits, `*`, `#` and a leading `+`.
 * Returns undefined when it is no number.
 */
export function dialedNumber(written: string): string | undefined {
  const number = written
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace(extension, '')
    .replace(trunkZero, '$1')
    .replaceAll(separators, '');
  return /^\+?[\d*#]*\d[\d*#]*$/.test(number) ? number : undefined;
}
