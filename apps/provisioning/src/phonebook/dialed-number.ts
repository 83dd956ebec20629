import { visibleText } from '@carillon/service';

/** The number of a desk within a company: a phone would dial its digits as part of the number. Without spaces. */
const extension = /(?:;ext=|[,;]?(?:ext(?:ension)?\.?|x))\d+$/i;
/** The zero that callers in the same country dial, in brackets behind a country code. Without spaces. */
const trunkZero = /^((?:\+|00)\d{1,3})[./-]*\(0\)/;
const separators = /[()./\u2212]|\p{Pd}/gu;

/**
 * Returns what a phone dials for a number as a directory writes it for people: digits, `*`, `#` and a leading `+`.
 * Returns undefined when it is no number.
 */
export function dialedNumber(written: string): string | undefined {
  const number = visibleText(written.normalize('NFKC'))
    .replaceAll(/\s/g, '')
    .replace(/^tel:/i, '')
    .replace(extension, '')
    .replace(trunkZero, '$1')
    .replaceAll(separators, '');
  return /^\+?[\d*#]+$/.test(number) && /\d/.test(number) ? number : undefined;
}
