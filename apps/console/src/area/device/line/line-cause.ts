import type { TextKey } from '../../../kit/text/key.ts';

type Cause = Extract<TextKey, `lineCause.${string}`>;
const byCode: Readonly<Record<number, Cause>> = {
  401: 'lineCause.password',
  403: 'lineCause.password',
  407: 'lineCause.password',
  404: 'lineCause.number',
  410: 'lineCause.number',
  604: 'lineCause.number',
  408: 'lineCause.silent',
};

/** Returns the sentence for the SIP status that refused a registration (RFC 3261, section 21). */
export const lineCause = (code: number): Cause =>
  byCode[code] ?? (code >= 500 && code < 600 ? 'lineCause.broken' : 'lineCause.other');

/** Returns whether the account, and not its server, is what to mend. */
export const isOfAccount = (code: number): boolean =>
  ['lineCause.password', 'lineCause.number'].includes(lineCause(code));
