import { hasText, t } from '../../../kit/text/translate.ts';

/** What an action calls the value of a parameter that is a choice; the value itself where nobody has words for it. */
export const choiceName = (action: string, param: string, value: string): string => {
  const text = `deviceAction.${action}.param.${param}.${value}`;
  return hasText(text) ? t(text as 'menu.home') : value;
};
