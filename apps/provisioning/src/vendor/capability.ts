import { loadsOverHttp, overHttp } from '@carillon/contracts';
import type { Vendor } from './vendor.ts';

/**
 * Returns what phones of a maker can be made to do over HTTP and SIP, by the keys of the actions (EDGE-08). Unknown
 * counts as cannot: without a documented NOTIFY a phone is not restarted, and without a documented setting it loads
 * nothing but its configuration. It fetches that in any case, at the latest when it asks the next time.
 */
export function capabilitiesOf(vendor: Vendor | undefined): string[] {
  const { firmware, ...resources } = vendor?.loads ?? {};
  const kinds = Object.keys(resources);
  return [
    overHttp,
    'configUpdate',
    ...(vendor?.notify?.restart ? ['reboot'] : []),
    ...(firmware ? ['firmwareUpgrade'] : []),
    ...(kinds.length > 0 ? ['resourceUpgrade', ...kinds.map(loadsOverHttp)] : []),
  ];
}
