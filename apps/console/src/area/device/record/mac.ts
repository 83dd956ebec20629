/** Returns the hex digits of a MAC in any spelling, and whether it is valid (DEV-03). */
export function macDigits(text: string): { digits: string; valid: boolean } {
  const digits = text
    .trim()
    .replace(/[:.\-\s]/g, '')
    .toLowerCase();
  return { digits, valid: /^[0-9a-f]{12}$/.test(digits) };
}
