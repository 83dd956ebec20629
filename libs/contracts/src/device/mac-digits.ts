/** Returns the hex digits of a MAC, or of a part of one, in any usual spelling (DEV-03): `0C-38:3e` is `0c383e`. */
export const macDigits = (text: string): string => text.replace(/[:.\s-]/g, '').toLowerCase();
