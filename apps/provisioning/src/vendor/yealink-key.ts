import type { PhoneKeyType } from '@carillon/contracts';
import type { DesiredKey } from '../device-config/desired.ts';
import { unnamed, type Named } from './names.ts';

/** Numbers of the functions. The phones have none that dials the last number again. */
const types: Readonly<Partial<Record<PhoneKeyType, number>>> = {
  none: 0,
  forward: 2,
  dnd: 5,
  callPark: 10,
  dtmf: 11,
  voicemail: 12,
  speedDial: 13,
  line: 15,
  blf: 16,
  url: 17,
  multicast: 24,
  xml: 27,
  phonebook: 61,
};
/** Functions that a key below the screen can have. */
const softTypes: ReadonlySet<PhoneKeyType> = new Set([
  'none',
  'forward',
  'dnd',
  'speedDial',
  'multicast',
  'xml',
  'phonebook',
]);
const most = { soft: 4, modules: 6, keysOfModule: 60 } as const;

/** Returns the name of a key: the DSS keys of a page are those of an expansion module. */
function placeOf({ area, page, position, number, type }: DesiredKey): string | undefined {
  switch (area) {
    case 'side':
      return `linekey.${number}`;
    case 'soft':
      return number <= most.soft && softTypes.has(type) ? `programablekey.${number}` : undefined;
    case 'dss':
      return page <= most.modules && position <= most.keysOfModule
        ? `expansion_module.${page}.key.${position}`
        : undefined;
  }
}

export function yealinkKey(key: DesiredKey): Named {
  const [at, type] = [placeOf(key), types[key.type]];
  if (at === undefined || type === undefined) return unnamed;
  const { line, value, label } = key;
  return { [`${at}.type`]: type, [`${at}.line`]: line, [`${at}.value`]: value, [`${at}.label`]: label };
}
