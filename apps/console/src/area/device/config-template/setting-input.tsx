import { useState, type ReactNode } from 'react';
import { NumberInput, PasswordInput, Select, TextInput } from '@mantine/core';
import { siteZone, type SettingKey, type SettingValue } from '@carillon/contracts/settings';
import { passwordEye } from '../../../kit/part/password-eye.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { definitionOf, limitsOf, settingName, valueWords } from './setting-words.ts';
import { isNewPassword } from './template-draft.ts';
import css from './config-template.module.css';

/** Asks for the value of a setting with the field of its kind. A number that is not entered yet is empty. */
export function SettingInput({
  setting,
  value,
  error,
  onValue,
}: {
  setting: SettingKey;
  value: SettingValue;
  error: ReactNode;
  onValue: (value: SettingValue) => void;
}) {
  const { t } = useText();
  const [stored] = useState(value);
  const definition = definitionOf(setting);
  const shared = {
    name: setting,
    label: settingName(setting),
    description: (
      <>
        <span className={css.hint}>{t(`setting.${setting}.text`)}</span>
        {definition.kind === 'whole' && <>{t('setting.range', limitsOf(definition))} </>}
        {definition.kind !== 'password' && t('setting.standard', { value: valueWords(setting, definition.standard) })}
      </>
    ),
    error,
  };
  switch (definition.kind) {
    case 'whole':
      return (
        <NumberInput
          {...shared}
          min={definition.least}
          max={definition.most}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          value={value as number | ''}
          onChange={(n) => onValue(n === '' ? '' : Number(n))}
        />
      );
    case 'password':
      return (
        <PasswordInput
          {...shared}
          maxLength={30}
          placeholder={isNewPassword(stored) ? undefined : valueWords(setting, stored)}
          value={isNewPassword(value) ? String(value) : ''}
          // Emptied again, the field keeps the password that the template has.
          onChange={(e) => onValue(e.currentTarget.value || stored)}
          autoComplete="new-password"
          visibilityToggleButtonProps={passwordEye()}
          classNames={{ innerInput: 'mono' }}
        />
      );
    case 'host':
      return (
        <TextInput
          {...shared}
          maxLength={253}
          value={value as string}
          onChange={(e) => onValue(e.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          classNames={{ input: 'mono' }}
        />
      );
    case 'zone':
      return (
        <Select
          {...shared}
          data={[
            { value: siteZone, label: valueWords(setting, siteZone) },
            ...zonesWith([value as string, definition.standard]),
          ]}
          value={value as string}
          onChange={(zone) => onValue(zone ?? definition.standard)}
          allowDeselect={false}
          searchable
          openOnFocus={false}
        />
      );
    case 'choice':
      return (
        <Select
          {...shared}
          data={definition.values.map((choice) => ({ value: choice, label: valueWords(setting, choice) }))}
          value={value as string}
          onChange={(choice) => onValue(choice ?? definition.standard)}
          allowDeselect={false}
          openOnFocus={false}
        />
      );
    case 'switch':
      return (
        <Select
          {...shared}
          data={[true, false].map((on) => ({ value: String(on), label: valueWords(setting, on) }))}
          value={String(value)}
          onChange={(choice) => onValue(choice === 'true')}
          allowDeselect={false}
          openOnFocus={false}
        />
      );
  }
}

/** Returns the names of time zones, also such that the browser does not know and the server does. */
const zonesWith = (others: readonly string[]): string[] =>
  [...new Set([...others, ...Intl.supportedValuesOf('timeZone')])].filter((zone) => zone !== siteZone).sort();
