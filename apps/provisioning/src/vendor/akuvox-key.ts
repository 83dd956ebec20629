import type { PhoneKeyType } from '@carillon/contracts';
import type { DesiredKey } from '../device-config/desired.ts';
import { unnamed, type Named } from './names.ts';

const types: Readonly<Record<PhoneKeyType, number>> = {
  none: 0,
  dnd: 1,
  phonebook: 5,
  forward: 6,
  speedDial: 10,
  redial: 13,
  line: 14,
  blf: 16,
  xml: 21,
  dtmf: 22,
  multicast: 24,
  voicemail: 26,
  callPark: 28,
  url: 32,
};
/** Functions that a key below the screen cannot have. */
const notSoft: ReadonlySet<PhoneKeyType> = new Set(['line', 'blf', 'dtmf', 'multicast', 'callPark']);
const mostSoft = 4;

/** Returns the name of a key; the numbers of the keys of an expansion module are not published. */
function placeOf({ area, number, type }: DesiredKey): string | undefined {
  if (area === 'side') return `Programable.LINEKEY${number}`;
  return area === 'soft' && number <= mostSoft && !notSoft.has(type) ? `Programable.SOFTKEY0${number}` : undefined;
}

export function akuvoxKey(key: DesiredKey): Named {
  const at = placeOf(key);
  if (at === undefined) return unnamed;
  return {
    [`${at}.Type`]: types[key.type],
    [`${at}.Label`]: key.label,
    [`${at}.Param1`]: key.value,
    [`${at}.Param2`]: key.line,
  };
}
