import type { DesiredKey } from '../device-config/desired.ts';
import type { Named } from './names.ts';

/** Numbers of the types in a file. */
const numbers = { none: 0, memory: 1, line: 2, event: 3, dtmf: 4, url: 7, multicast: 14, xml: 21 } as const;

/** Returns type and value of a key. */
function functionOf({ type, line, value }: DesiredKey): readonly [number: number, value: string] {
  switch (type) {
    case 'none':
      return [numbers.none, ''];
    case 'line':
      return [numbers.line, `SIP${line}`];
    case 'speedDial':
      return [numbers.memory, `${value}@${line}/f`];
    case 'blf':
      return [numbers.memory, `${value}@${line}/ba`];
    case 'callPark':
      return [numbers.memory, `${value}@${line}/c`];
    case 'forward':
      return value === '' ? [numbers.event, 'F_CFWD'] : [numbers.memory, `${value}@${line}/a`];
    case 'dtmf':
      return [numbers.dtmf, value];
    case 'multicast':
      return [numbers.multicast, `${value}/PCMU`];
    case 'url':
      return [numbers.url, value];
    case 'xml':
      return [numbers.xml, value];
    case 'dnd':
      return [numbers.event, 'F_DND'];
    case 'voicemail':
      return value === '' ? [numbers.event, 'F_MWI'] : [numbers.memory, `${value}@${line}/f`];
    case 'phonebook':
      return [numbers.event, 'F_LDAPCONTACTS:0'];
    case 'redial':
      return [numbers.event, 'F_REDIAL'];
  }
}

const places = {
  side: ({ page, position }: DesiredKey) => `dssSide index="${page}"/Fkey index="${position}"`,
  dss: ({ page, position }: DesiredKey) => `internal index="${page}"/Fkey index="${position}"`,
  soft: ({ number }: DesiredKey) => `dssSoft index="${number}"`,
} as const;

/** Returns the elements of a key. The phones count the keys of each page from 1. */
export function fanvilKey(key: DesiredKey): Named {
  const [number, value] = functionOf(key);
  const at = `dsskey/${places[key.area](key)}`;
  return { [`${at}/Type`]: number, [`${at}/Value`]: value, [`${at}/Title`]: key.label };
}
