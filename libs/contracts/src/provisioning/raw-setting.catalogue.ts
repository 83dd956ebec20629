/** Makers whose configuration files are known. */
export const makers = ['fanvil', 'yealink', 'grandstream', 'snom', 'poly', 'akuvox', 'htek'] as const;
export type Maker = (typeof makers)[number];

/** A setting by the name that it has in the files of a maker, for what the catalogue lacks. */
export type RawSettingName = `raw.${Maker}.${string}`;
export interface RawSetting {
  maker: Maker;
  name: string;
}

/** Most raw settings in one template. */
export const rawSettingsMost = 64;
/** Most characters; `all` are those of a template's raw settings, as an address contains them. */
export const rawSettingLengths = { name: 96, value: 256, all: 16_384 } as const;

const index = String.raw`(?:\[(?:0|[1-9]\d{0,2})\])?`;
const element = String.raw`[A-Za-z]\w{0,40}` + index;
/** The form of a name in the files of a maker, which can end nothing in them. An index stands in brackets. */
const nameForms: Readonly<Record<Maker, RegExp>> = {
  // A path of elements below the root.
  fanvil: new RegExp(`^${element}(?:/${element}){1,5}$`),
  yealink: /^[a-z]\w{0,40}(?:\.\w{1,40}){1,6}$/,
  grandstream: /^P[1-9]\d{0,5}$/,
  snom: new RegExp(`^[a-z]\\w{0,60}${index}$`),
  poly: /^[A-Za-z]\w{0,40}(?:\.[\w-]{1,40}){1,8}$/,
  akuvox: /^[A-Z]\w{0,40}(?:\.\w{1,40}){2}$/,
  htek: /^P[1-9]\d{0,5}$/,
};
/** A name that an installer can look at to see the form. */
export const rawSettingExamples: Readonly<Record<Maker, string>> = {
  fanvil: 'phone/display/ScreenSaverTime',
  yealink: 'features.power_saving.enable',
  grandstream: 'P1687',
  snom: 'call_waiting',
  poly: 'up.idleTimeout',
  akuvox: 'Settings.LCD.ScreenSaverTime',
  htek: 'P1687',
};

/** Administrator, user, accounts, and the file itself. */
const numberedSecrets: ReadonlySet<string> = new Set(
  [2, 196, 34, 406, 506, 606, 1_706, 1_806, 1_359, 1_361].map((number) => `P${number}`),
);
const secretWord =
  /pass(?:w(?:or)?d|wd|phrase|code)|pwd|pswd|psk|secret|(?:private|aes)_?key|(?:^|[._/])(?:pass|pin)(?:$|[._/[\d])/i;
/** As above, in names that put words together. */
const secretPart = /[a-z](?:Pass|Pin)(?![a-z])/;
/** Returns whether the value of a name is a password or a key, as far as the name says so. */
export const isSecretRawName = ({ name }: RawSetting): boolean =>
  numberedSecrets.has(name) || secretWord.test(name) || secretPart.test(name);

export const fitsRawName = ({ maker, name }: RawSetting): boolean =>
  name.length <= rawSettingLengths.name && nameForms[maker].test(name);

const rawName = new RegExp(`^raw\\.(${makers.join('|')})\\..`);
export const rawSettingName = ({ maker, name }: RawSetting): RawSettingName => `raw.${maker}.${name}`;
/** Returns whether this names a raw setting; its name in the maker's files can still have another form. */
export const isRawSettingName = (key: string): key is RawSettingName => rawName.test(key);
export function rawSettingOf(key: RawSettingName): RawSetting {
  const [, maker = ''] = key.split('.', 2);
  return { maker: maker as Maker, name: key.slice(`raw.${maker}.`.length) };
}
