/**
 * The helper checks (SYS-09). They do not import the schema library, so that the browser and
 * the server check the same rule.
 */

/**
 * Returns whether the text is a telephone number as people write it: 5 to 15 digits (E.164), with +, spaces, dots,
 * dashes and brackets between.
 */
export function isPhone(text: string): boolean {
  return /^\+?[\d\s().-]+$/.test(text) && /^\d{5,15}$/.test(text.replace(/\D/g, '')) && balanced(text);
}

/** Returns whether the text is 11 digits that start with 1. */
export const isMainlandMobile = (text: string): boolean => /^1\d{10}$/.test(text);

/** Returns whether the text is an http or https address that names a host. */
export function isHttpUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/?#]\S*$/i.test(text)) return false;
  try {
    return new URL(text).hostname !== '';
  } catch {
    return false;
  }
}

/** Returns whether the text is only lower-case Latin letters. */
export const isLowerCase = (text: string): boolean => /^[a-z]+$/.test(text);
/** Returns whether the text is only upper-case Latin letters. */
export const isUpperCase = (text: string): boolean => /^[A-Z]+$/.test(text);
/** Returns whether the text is only Latin letters of either case. */
export const isLetters = (text: string): boolean => /^[A-Za-z]+$/.test(text);

/** Returns whether the text is 2 to 4 Chinese characters. */
export const isChineseName = (text: string): boolean => /^\p{Script=Han}{2,4}$/u.test(text);

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const checkDigits = '10X98765432';

/**
 * Returns whether the text is an 18-character identity card number (GB 11643): area, existing date, sequence number and
 * matching check digit.
 */
export function isIdCard(text: string): boolean {
  const card = text.toUpperCase();
  const [, year, month, day] = /^[1-9]\d{5}((?:18|19|20)\d\d)(\d\d)(\d\d)\d{3}[\dX]$/.exec(card) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return false;
  return checkDigits[weights.reduce((sum, weight, i) => sum + weight * Number(card[i]), 0) % 11] === card[17];
}

/**
 * Returns whether the value is null, undefined or an empty string, array or object. A boolean or number is never empty.
 */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  const plain =
    typeof value === 'object' &&
    [Object.prototype, null].includes(Object.getPrototypeOf(value) as typeof Object.prototype | null);
  return plain && Object.keys(value).length === 0;
}

function balanced(text: string): boolean {
  let open = 0;
  for (const c of text) {
    if (c === '(') open += 1;
    else if (c === ')') open -= 1;
    if (open < 0 || open > 1) return false;
  }
  return open === 0;
}
