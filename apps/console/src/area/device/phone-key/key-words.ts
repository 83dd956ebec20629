import { phoneKeyPlace, type PhoneKey, type PhoneKeyName } from '@carillon/contracts/settings';
import { t } from '../../../kit/text/translate.ts';

/** Returns where a key is. */
export function keyPlaceWords(name: PhoneKeyName): string {
  const { area, page, position } = phoneKeyPlace(name);
  return t(`phoneKey.place.${area}`, { page, position });
}

/** Returns what a key does, with its value, line and label. */
export const keyWords = ({ type, line, value, label }: PhoneKey): string =>
  [
    type === 'line' ? `${t('phoneKey.type.line')} ${line}` : t(`phoneKey.type.${type}`),
    ...(value === '' ? [] : [value]),
    ...(type === 'line' || line === 1 ? [] : [t('phoneKey.onLine', { line })]),
    ...(label === '' ? [] : [`“${label}”`]),
  ].join(' · ');

/** Returns what a key shows in the picture: its label, or else its number or function. */
export const shortWords = ({ type, line, value, label }: PhoneKey): string =>
  label !== ''
    ? label
    : type === 'line'
      ? `${t('phoneKey.type.line')} ${line}`
      : value !== '' && !value.includes('/')
        ? value
        : t(`phoneKey.type.${type}`);
