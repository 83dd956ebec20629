/**
 * Login names by PRECIS UsernameCaseMapped (RFC 8265), but that they are kept as they were typed and compared in lower
 * case: letters, marks and digits of any script and the visible signs of ASCII; nothing that is not seen, and no
 * letters of two scripts that look alike. Without the schema library, for browser and server.
 */

/** What the product's own form forbids beside (spec, section 8). */
export const loginNamePattern = /^[^\s@<>"'\\]+$/;

const wide = /[\u3000\uFF01-\uFFEE]/g;
/** Full-width and half-width forms as the letters that they are, and every letter composed. */
export const toLoginName = (text: string): string => text.replace(wide, (c) => c.normalize('NFKC')).normalize('NFC');

const hidden = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;
const allowed = /^[\x21-\x7e\p{L}\p{Nd}][\x21-\x7e\p{L}\p{M}\p{Nd}]*$/u;
/** Scripts that have letters which look like those of another one of them. */
const alike = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];
/** Written from right to left: mixed with others its order on the screen is not the one that is stored. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export function loginNameFault(name: string): 'user.nameFormat' | 'user.nameHidden' | 'user.nameMixed' | undefined {
  if (hidden.test(name)) return 'user.nameHidden';
  // A letter that is another one in disguise: ligatures, letters of mathematics, Roman numerals.
  if (!loginNamePattern.test(name) || !allowed.test(name) || name !== name.normalize('NFKC')) return 'user.nameFormat';
  const scripts = alike.filter((script) => script.test(name)).length + (rightToLeft.test(name) ? 1 : 0);
  return scripts > 1 ? 'user.nameMixed' : undefined;
}
