import { z } from 'zod';
import { hostName } from '../define/host.ts';
import { isZone } from '../time/user-place.ts';
import {
  fitsPhoneKey,
  fitsRawName,
  isPasswordKey,
  isPhoneKeyName,
  isRawSettingName,
  isSecretRawName,
  phoneKeyLengths,
  phoneKeyLine,
  phoneKeysMost,
  phoneKeyTypes,
  rawSettingLengths,
  rawSettingNames,
  rawSettingOf,
  rawSettingsMost,
  passwordKeys,
  settingKeys,
  settingPassword,
  settings,
  type PasswordKey,
  type PhoneKey,
  type PhoneKeyName,
  type RawSettingName,
  type SettingDefinition,
  type SettingKey,
  type SettingValue,
  siteZone,
  type SettingValues,
  type TemplateKey,
} from './setting.catalogue.ts';

function valueOf(setting: SettingDefinition): z.ZodType<string | number | boolean> {
  switch (setting.kind) {
    case 'choice':
      return z.enum(setting.values as readonly [string, ...string[]], 'configTemplate.settingValue');
    case 'whole':
      return z
        .number('configTemplate.settingValue')
        .int('configTemplate.settingValue')
        .min(setting.least, 'configTemplate.settingValue')
        .max(setting.most, 'configTemplate.settingValue');
    case 'switch':
      return z.boolean('configTemplate.settingValue');
    case 'host':
      return hostName;
    case 'zone':
      return z
        .string('configTemplate.settingValue')
        .max(64)
        .refine((zone) => zone === siteZone || isZone(zone), 'configTemplate.settingValue');
    case 'password':
      return z.uuid('configTemplate.settingValue');
  }
}

/** New texts of passwords. Each replaces the id that the values of the same call have for it. */
export const settingPasswords = z.partialRecord(
  z.enum(passwordKeys as unknown as readonly [PasswordKey, ...PasswordKey[]]),
  z.string('configTemplate.password').regex(settingPassword, 'configTemplate.password'),
);

/** What a key of the phone does. A line break or another control character has no place in a text on a screen. */
const phoneKey = z
  .strictObject({
    type: z.enum(phoneKeyTypes, 'configTemplate.keyType'),
    line: z.number().int().min(phoneKeyLine.least).max(phoneKeyLine.most).default(1),
    value: z.string().trim().max(phoneKeyLengths.value).default(''),
    label: z
      .string()
      .trim()
      .max(phoneKeyLengths.label)
      .regex(/^\P{Cc}*$/u, 'common.fieldValue')
      .default(''),
  })
  .refine(({ type, value }) => fitsPhoneKey(type, value), { message: 'configTemplate.keyValue', path: ['value'] });

/** The schema of each setting of the catalogue. */
export const settingSchemas = Object.fromEntries(
  Object.entries(settings).map(([key, setting]) => [key, valueOf(setting).optional()]),
) as Record<SettingKey, z.ZodOptional<z.ZodType<string | number | boolean>>>;

/** Values as a caller sends them: what a key leaves out is empty, and its line is the first one. */
type SentValues = Partial<Record<TemplateKey, SettingValue | (Partial<PhoneKey> & Pick<PhoneKey, 'type'>)>>;

/** The value of a raw setting. A line break or another control character could end it in the file. */
const rawSetting = z
  .string('configTemplate.rawValue')
  .max(rawSettingLengths.value, 'configTemplate.rawValue')
  .regex(/^\P{Cc}*$/u, 'configTemplate.rawValue');

/** The preview takes all values in its query. */
const isTooMuch = (raw: readonly (readonly [string, unknown])[]): boolean =>
  raw.length > rawSettingsMost || encodeURIComponent(JSON.stringify(raw)).length > rawSettingLengths.all;

/** Returns why a name is no setting of a template; undefined for one that is. */
function nameRefusal(key: string): string | undefined {
  if (isPhoneKeyName(key)) return undefined;
  if (!isRawSettingName(key) || !fitsRawName(rawSettingOf(key))) return 'configTemplate.settingName';
  return isSecretRawName(rawSettingOf(key)) ? 'configTemplate.rawSecret' : undefined;
}

/**
 * Values by setting: at least one, each of the type and range that the catalogue says. A key of the phone is a setting
 * named `key.<area>.<page>.<position>`, a raw setting one named `raw.<maker>.<name in the maker's files>`.
 */
export const settingValues = z
  .object(settingSchemas)
  .catchall(z.unknown())
  .transform((sent, context): SettingValues => {
    const values: Record<string, unknown> = { ...sent };
    const others = Object.keys(sent).filter((key) => !Object.hasOwn(settings, key) && sent[key] !== undefined);
    for (const key of others) {
      const message = nameRefusal(key);
      if (message !== undefined) context.addIssue({ code: 'custom', message, path: [key] });
      const read = (isPhoneKeyName(key) ? phoneKey : rawSetting).safeParse(sent[key]);
      if (read.success) values[key] = read.data;
      else if (message === undefined)
        for (const { path, message: told } of read.error.issues)
          context.addIssue({ code: 'custom', message: told, path: [key, ...path] });
    }
    const keys = others.filter((key) => isPhoneKeyName(key));
    if (keys.length > phoneKeysMost) context.addIssue({ code: 'custom', message: 'configTemplate.keysMany' });
    if (isTooMuch(rawSettingNames(values as SettingValues).map((key) => [key, values[key]])))
      context.addIssue({ code: 'custom', message: 'configTemplate.rawMany' });
    if (Object.values(values).every((value) => value === undefined))
      context.addIssue({ code: 'custom', message: 'configTemplate.empty' });
    return values as SettingValues;
  }) as unknown as z.ZodType<SettingValues, SentValues>;

/** A value of a template as it is returned; a key of the phone is an object. */
export const templateValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.object({ type: z.enum(phoneKeyTypes), line: z.number().int(), value: z.string(), label: z.string() }),
]);

export const templateValues = z.record(z.string(), templateValue) as unknown as z.ZodType<SettingValues, SettingValues>;

/**
 * Settings that win over every other template of the company, and over every template of the companies below it. Only
 * the template for all devices can have some, of those that it contains.
 */
export const lockedSettings = z
  .array(
    z.union([
      // A password is sealed with the key of its company: those below could not open it.
      z.enum(settingKeys.filter((key) => !isPasswordKey(key)) as [SettingKey, ...SettingKey[]]),
      z
        .string()
        .max(128)
        .refine((key) => nameRefusal(key) === undefined) as unknown as z.ZodType<PhoneKeyName | RawSettingName, string>,
    ]),
  )
  .max(settingKeys.length + phoneKeysMost + rawSettingsMost);
