import { t } from './translate.ts';

const texts = { t };

/**
 * Texts of the language shown. It does not change while the page is open: choosing another loads the page anew
 * (SHELL-15).
 */
export const useText = () => texts;
