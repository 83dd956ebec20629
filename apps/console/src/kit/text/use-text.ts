import { t } from './translate.ts';

const texts = { t };

/**
 * Returns the texts of the current language. It does not change while the page is open: choosing another reloads the
 * page (SHELL-15).
 */
export const useText = () => texts;
