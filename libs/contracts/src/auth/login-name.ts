/**
 * Login names by PRECIS UsernameCaseMapped (RFC 8265), except that they are stored as typed and compared in lower case:
 * letters, marks and digits of any script and the visible ASCII signs; no invisible characters, and no mix of scripts
 * with letters that look alike. Does not import the schema library, so that browser and server share it.
 */

/** Characters that the product's own form also forbids (AUTH-01). */
export const loginNamePattern = /^[^\s@<>"'\\]+$/;

const wide = /[\u3000\uFF01-\uFFEE]/g;
/** Returns the name with full-width and half-width forms as plain letters, in composed form (NFC). */
export const toLoginName = (text: string): string => text.replace(wide, (c) => c.normalize('NFKC')).normalize('NFC');

const hidden = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const allowed = /^[\x21-\x7e\p{L}\p{Nd}][\x21-\x7e\p{L}\p{M}\p{Nd}]*$/u;
/** Scripts with letters that look like letters of another script in this list. */
const alike = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];
/** Right-to-left scripts: mixed with others, the order on the screen differs from the stored order. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function loginNameFault(name: string): 'user.nameFormat' | 'user.nameHidden' | 'user.nameMixed' | undefined {
  if (hidden.test(name)) return 'user.nameHidden';
  // Compatibility forms of other letters are refused: ligatures, mathematical letters, Roman numerals.
  if (!loginNamePattern.test(name) || !allowed.test(name) || name !== name.normalize('NFKC')) return 'user.nameFormat';
  const scripts = alike.filter((script) => script.test(name)).length + (rightToLeft.test(name) ? 1 : 0);
  return scripts > 1 ? 'user.nameMixed' : undefined;
}
