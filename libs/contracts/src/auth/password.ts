import { passwordMinimum } from '../define/constant.ts';

/** Spec, section 5 (AUTH-13). Without the schema library, so that the browser checks by the same rule as the server. */
export const passwordParts = ['length', 'upper', 'lower', 'digit', 'special'] as const;
export type PasswordPart = (typeof passwordParts)[number];
export { passwordMinimum };
export const passwordMaximum = 128;

const fits: Record<PasswordPart, (text: string) => boolean> = {
  length: (text) => [...text].length >= passwordMinimum,
  upper: (text) => /\p{Lu}/u.test(text),
  lower: (text) => /\p{Ll}/u.test(text),
  digit: (text) => /\p{Nd}/u.test(text),
  special: (text) => /[^\p{L}\p{N}\s]/u.test(text),
};

/** What a password lacks; nothing when it may be taken. */
export function missingParts(text: string): PasswordPart[] {
  return passwordParts.filter((part) => !fits[part](text));
}
