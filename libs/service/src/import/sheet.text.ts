/** Characters of a cell that Excel takes at most. */
const longest = 32_767;
/** What no XML 1.0 document may hold, and no reader takes. */
const notXml = /[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g;
/** An underscore that a reader would take for the beginning of an escape, such as `_x0041_` for `A`. */
const escape = /_(?=x[0-9A-Fa-f]{4}_)/g;

/**
 * Returns a text as a cell of an .xlsx file holds it, so that each reader gets the same text back: what looks like an
 * escape is escaped, what XML does not allow is left out, and what is longer than a cell ends with `…`.
 */
export function writtenText(text: string): string {
  const whole = text.toWellFormed().replaceAll(notXml, '').replaceAll(escape, '_x005F_');
  return whole.length > longest ? `${whole.slice(0, longest - 1).toWellFormed()}…` : whole;
}

/** Marks without a width, and marks of direction, which web pages, chats and contact lists leave behind. */
const invisible = /[\u00AD\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Joiners belong to letters of some scripts and to emoji, but not to the ends of a text. */
const endJoiners = /^[\u200C\u200D]+|[\u200C\u200D]+$/g;
const otherSpaces = /[\u00A0\u2007\u202F]/g;

/** Returns a text without what nobody can see in it: invisible marks, and spaces at its ends. */
export const visibleText = (text: string): string =>
  text.replaceAll('\0', '').replaceAll(invisible, '').replaceAll(otherSpaces, ' ').replaceAll(endJoiners, '').trim();

const wide = /[\uFF01-\uFF5E]/g;

/**
 * Returns a number or code that was typed in full-width letters in usual ones, and any other text composed (Unicode
 * NFC).
 */
export function narrowText(text: string): string {
  const narrow = text.replaceAll(wide, (letter) => letter.normalize('NFKC'));
  return /^[\x20-\x7E]*$/.test(narrow) ? narrow : text.normalize('NFC');
}
