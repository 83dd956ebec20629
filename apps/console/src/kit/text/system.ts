import { later } from './text.ts';

/** Texts of the administration screens, which only their modules load. */
export const systemTexts = later({
  en_US: () => import('virtual:text/en_US/system'),
  zh_CN: () => import('virtual:text/zh_CN/system'),
  ko: () => import('virtual:text/ko/system'),
  pt_BR: () => import('virtual:text/pt_BR/system'),
});
