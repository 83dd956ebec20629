import {
  fitsRawName,
  isPasswordKey,
  isSameValue,
  isSecretRawName,
  unsentPassword,
  passwordKeys,
  phoneKeyNames,
  phoneKeyOf,
  rawSettingName,
  rawSettingNames,
  rawSettingOf,
  settingKeys,
  templateKeys,
  type PasswordKey,
  type RawSetting,
  type SettingKey,
  type SettingValue,
  type SettingValues,
  type TemplateKey,
  type TemplateLevel,
} from '@carillon/contracts/settings';
import type { KeyDraft } from '../phone-key/key-moves.ts';
import type { ConfigTemplate, TemplateChange } from './config-template.calls.ts';

/** A password is the id that it has, or the text of a new one. */
export type SettingDraft = { [K in SettingKey]: SettingValue | undefined };

/** A raw setting in the form. */
export interface RawDraft extends RawSetting {
  value: string;
}

/** The form's values: those of settings under their keys, undefined for settings that it does not contain. */
export type TemplateDraft = SettingDraft & {
  name: string;
  description: string;
  reason: string;
  level: TemplateLevel;
  target: string;
  locked: TemplateKey[];
  /** The keys of the phone. */
  keys: KeyDraft;
  raw: readonly RawDraft[];
  /** Holds the fault of all settings together. */
  values: undefined;
};

/** Returns the form's values for a template, or for what a new one begins with. */
export const draftOf = (
  template: (Pick<ConfigTemplate, 'level' | 'target' | 'values'> & Partial<ConfigTemplate>) | undefined,
): TemplateDraft => ({
  name: template?.name ?? '',
  description: template?.description ?? '',
  reason: '',
  level: template?.level ?? 'general',
  target: template?.target ?? '',
  locked: templateKeys(template?.values ?? {}).filter((key) => template?.locked?.includes(key)),
  keys: keysIn(template?.values ?? {}),
  raw: rawIn(template?.values ?? {}),
  values: undefined,
  ...(Object.fromEntries(settingKeys.map((key) => [key, template?.values[key]])) as SettingDraft),
});
const keysIn = (values: SettingValues): KeyDraft =>
  Object.fromEntries(phoneKeyNames(values).map((key) => [key, phoneKeyOf(values, key)!]));
const rawIn = (values: SettingValues): RawDraft[] =>
  rawSettingNames(values).map((key) => ({ ...rawSettingOf(key), value: String(values[key]) }));
export const chosenKeys = (draft: TemplateDraft): SettingKey[] => settingKeys.filter((key) => draft[key] !== undefined);

const passwordId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Returns whether a password of the form is the text of a new one. A text is shorter than an id. */
export const isNewPassword = (value: SettingValue | undefined): boolean =>
  value !== undefined && !passwordId.test(String(value));

/** Returns the texts of new passwords in the form. */
export const passwordsOf = (draft: TemplateDraft): Partial<Record<PasswordKey, string>> =>
  Object.fromEntries(passwordKeys.filter((key) => isNewPassword(draft[key])).map((key) => [key, String(draft[key])]));

const trimmed = <V extends SettingValue>(value: V): V => (typeof value === 'string' ? (value.trim() as V) : value);

const valueIn = (draft: TemplateDraft, key: SettingKey): SettingValue =>
  isPasswordKey(key) && isNewPassword(draft[key]) ? unsentPassword : trimmed(draft[key]!);

/** Returns the values that the form has, without the texts of passwords. */
export function settingsOf(draft: TemplateDraft): SettingValues {
  const keys = phoneKeyNames(draft.keys).map((name) => {
    const { value, label, ...key } = draft.keys[name]!;
    return [name, { ...key, value: value.trim(), label: label.trim() }] as const;
  });
  return Object.fromEntries([
    ...chosenKeys(draft).map((key) => [key, valueIn(draft, key)] as const),
    ...keys,
    ...draft.raw.map((raw) => [rawKeyOf(raw), trimmed(raw.value)] as const),
  ]);
}

/** Returns the key of a raw setting of the form. */
export const rawKeyOf = ({ maker, name }: RawSetting) => rawSettingName({ maker, name: name.trim() });

/** What is wrong with a raw setting of the form. */
export type RawFault = 'name' | 'secret' | 'twice';

/** Returns what is wrong with a raw setting; undefined for nothing. */
export function rawFault(one: RawDraft, all: readonly RawDraft[]): RawFault | undefined {
  const setting = { maker: one.maker, name: one.name.trim() };
  if (!fitsRawName(setting)) return 'name';
  if (isSecretRawName(setting)) return 'secret';
  return all.some((other) => other !== one && rawKeyOf(other) === rawKeyOf(one)) ? 'twice' : undefined;
}

/** Returns what the form locks: nothing but in the template for all devices. */
export const locksOf = (draft: TemplateDraft) =>
  draft.level === 'general' ? { locked: draft.locked.filter((key) => settingsOf(draft)[key] !== undefined) } : {};

/** Returns what the form changes; undefined while it changes nothing. */
export function changeOf(template: ConfigTemplate | undefined, draft: TemplateDraft): TemplateChange | undefined {
  const values = settingsOf(draft);
  if (!template) {
    const target = draft.level === 'general' ? {} : { target: draft.target.trim() };
    return { level: draft.level, ...target, values, ...locksOf(draft) };
  }
  const { locked = [] } = locksOf(draft);
  const isSame = templateKeys(template.values, values).every(
    (key) => isSameValue(template.values[key], values[key]) && template.locked.includes(key) === locked.includes(key),
  );
  return isSame ? undefined : { id: template.id, values, ...locksOf(draft) };
}
