import type { DesiredKey } from '../device-config/desired.ts';
import { lineEnd } from '../device-config/desired.ts';
import { unnamed, type Named } from './names.ts';
import { xmlText } from './xml-text.ts';

/** Returns the function of a key as the phones write it; undefined for one that they do not have. */
function functionOf({ type, value }: DesiredKey): string | undefined {
  switch (type) {
    case 'none':
      return 'none';
    case 'line':
      return 'line';
    case 'speedDial':
      return `speed ${value}`;
    case 'blf':
      return `blf ${value}`;
    case 'callPark':
      return `orbit ${value}`;
    case 'dtmf':
      return `dtmf ${value}`;
    case 'multicast':
      return `multicast ${value}`;
    case 'url':
    case 'xml':
      return `url ${value}`;
    case 'forward':
      return value === '' ? undefined : `redirect ${value}`;
    case 'dnd':
      return 'keyevent F_DND';
    case 'voicemail':
      return value === '' ? 'keyevent F_VOICEMAIL_INFO' : `speed ${value}`;
    case 'phonebook':
      return 'keyevent F_DIRECTORY_SEARCH';
    case 'redial':
      return 'keyevent F_REDIAL';
  }
}

/**
 * Returns the setting of a key beside the screen, with its label as an attribute. The numbers of the keys of expansion
 * modules differ by model, and those below the screen have fixed functions.
 */
export function snomKey(key: DesiredKey): Named {
  const found = functionOf(key);
  if (key.area !== 'side' || found === undefined) return unnamed;
  const label = xmlText(key.label.replaceAll(lineEnd, ' '));
  return { [`fkey idx="${key.number - 1}" context="${key.line}" label="${label}"`]: found };
}
