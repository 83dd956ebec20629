import i18next from 'i18next';

const texts = { t: i18next.t.bind(i18next), i18n: i18next };

/**
 * Texts of the language shown. It does not change while the page is open: choosing another loads the page anew
 * (SHELL-15).
 */
export const useText = () => texts;
