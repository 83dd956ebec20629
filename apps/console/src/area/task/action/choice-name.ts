import { hasText, t } from '../../../kit/text/translate.ts';

/** Returns the name of a parameter's choice, or the value itself when there is no text for it. */
export const choiceName = (action: string, param: string, value: string): string => {
  const text = `deviceAction.${action}.param.${param}.${value}`;
  return hasText(text) ? t(text as 'menu.home') : value;
};
