import type { PhoneKeyType } from '@carillon/contracts';
import type { DesiredKey } from '../device-config/desired.ts';
import { unnamed, type Named } from './names.ts';

const types: Readonly<Record<PhoneKeyType, number>> = {
  none: 0,
  line: 1,
  speedDial: 2,
  blf: 3,
  voicemail: 5,
  callPark: 8,
  dtmf: 10,
  xml: 14,
  phonebook: 15,
  forward: 18,
  dnd: 21,
  redial: 22,
  url: 35,
  multicast: 47,
};
/** Functions that a key below the screen can have. */
const softTypes: ReadonlySet<PhoneKeyType> = new Set(['none', 'speedDial', 'phonebook', 'forward', 'dnd', 'redial']);
/** The first line keys and those below the screen have numbers of their own. */
const most = { first: 4, side: 36, soft: 4 } as const;

/** P-values of the type, value, label and account of a key. */
type Places = readonly [type: number, value: number, label: number, account: number];
function placesOf({ area, number: n, type }: DesiredKey): Places | undefined {
  if (area === 'side' && n <= most.first) return [41_199 + n, 41_299 + n, 41_399 + n, 41_499 + n];
  if (area === 'side' && n <= most.side) {
    const at = 20_200 + 5 * (n - most.first - 1);
    return [at, at + 1, at + 2, at + 3];
  }
  return area === 'soft' && n <= most.soft && softTypes.has(type)
    ? [43_199 + n, 43_399 + n, 20_042 + n, 43_299 + n]
    : undefined;
}

export function htekKey(key: DesiredKey): Named {
  const places = placesOf(key);
  if (places === undefined) return unnamed;
  const [ofType, ofValue, ofLabel, ofAccount] = places;
  return {
    [`P${ofType}`]: types[key.type],
    [`P${ofValue}`]: key.value,
    [`P${ofLabel}`]: key.label,
    [`P${ofAccount}`]: key.line - 1,
  };
}
