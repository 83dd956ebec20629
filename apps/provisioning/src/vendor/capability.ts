import { overHttp } from '@carillon/contracts';
import type { Vendor } from './vendor.ts';

/**
 * Returns what phones of a maker can be made to do over HTTP and SIP, by the keys of the actions (EDGE-08). Unknown
 * counts as cannot: without a documented NOTIFY a phone is not restarted. It fetches its configuration in any case, at
 * the latest when it asks the next time.
 */
export const capabilitiesOf = (vendor: Vendor | undefined): string[] => [
  overHttp,
  'configUpdate',
  ...(vendor?.notify?.restart ? ['reboot'] : []),
];
