import type { DesiredKey } from '../device-config/desired.ts';
import { unnamed, type Named } from './names.ts';

const mostSoft = 10;

/**
 * Returns the parameters of a key. A monitored number stands in a list, in the order of the keys, and the phone puts
 * the list on the keys of its category. A number to dial needs a second file beside the screen, but not below it.
 */
export function polyKey({ area, number, type, line, value, label }: DesiredKey): Named {
  const at = `lineKey.${number}`;
  const assigned: Named = { 'lineKey.reassignment.enabled': 1 };
  if (area === 'soft' && type === 'speedDial' && number <= mostSoft)
    return {
      'feature.enhancedFeatureKeys.enabled': 1,
      [`softkey.${number}.enable`]: 1,
      [`softkey.${number}.use.idle`]: 1,
      [`softkey.${number}.label`]: label === '' ? value : label,
      [`softkey.${number}.action`]: `${value}$Tinvite$`,
    };
  if (area === 'soft' && type === 'none' && number <= mostSoft) return { [`softkey.${number}.enable`]: 0 };
  if (area !== 'side') return unnamed;
  switch (type) {
    case 'none':
      return { ...assigned, [`${at}.category`]: 'Unassigned', [`${at}.index`]: '' };
    case 'line':
      return { ...assigned, [`${at}.category`]: 'Line', [`${at}.index`]: line };
    case 'blf':
      return {
        ...assigned,
        [`${at}.category`]: 'BLF',
        [`${at}.index`]: 0,
        [`attendant.resourceList.${number}.address`]: value,
        [`attendant.resourceList.${number}.label`]: label,
        [`attendant.resourceList.${number}.type`]: 'normal',
      };
    default:
      return unnamed;
  }
}
