import type { PhoneKeyType } from '@carillon/contracts';
import type { DesiredKey } from '../device-config/desired.ts';
import { unnamed, type Named } from './names.ts';

/** Modes by the word that the phones accept. None opens a web address. */
const modes: Readonly<Partial<Record<PhoneKeyType, string>>> = {
  none: 'None',
  line: 'Line',
  speedDial: 'SpeedDial',
  blf: 'BLF',
  callPark: 'CallPark',
  dtmf: 'DialDTMF',
  multicast: 'MulticastPaging',
  xml: 'XMLApp',
  dnd: 'DND',
  forward: 'Forward',
  voicemail: 'VoiceMail',
  phonebook: 'LDAPSearch',
  redial: 'Redial',
};

/** P-values of the mode, account, description and value of a key. */
type Places = readonly [mode: number, account: number, label: number, value: number];
/** The keys that the screen shows: the first six have numbers of their own. */
const shown = { first: 6, most: 48 } as const;
/** The buttons with a lamp: the last one has numbers of its own. */
const buttons = { most: 8 } as const;

function placesOf({ area, number: n }: DesiredKey): Places | undefined {
  if (area === 'side' && n <= shown.first) {
    const at = 2 * (n - 1);
    return [1_363 + at, 1_364 + at, 1_465 + at, 1_466 + at];
  }
  if (area === 'side' && n <= shown.most) {
    const at = 23_800 + 4 * (n - shown.first - 1);
    return [at, at + 1, at + 2, at + 3];
  }
  if (area === 'dss' && n < buttons.most) return [322 + n, 298 + 3 * n, 299 + 3 * n, 300 + 3 * n];
  return area === 'dss' && n === buttons.most ? [353, 354, 355, 356] : undefined;
}

/** Returns the P-values of a key. Those of the keys below the screen are not published. */
export function grandstreamKey(key: DesiredKey): Named {
  const [places, mode] = [placesOf(key), modes[key.type]];
  if (places === undefined || mode === undefined) return unnamed;
  const [ofMode, ofAccount, ofLabel, ofValue] = places;
  return {
    [`P${ofMode}`]: mode,
    [`P${ofAccount}`]: key.line - 1,
    [`P${ofLabel}`]: key.label,
    [`P${ofValue}`]: key.value,
  };
}
