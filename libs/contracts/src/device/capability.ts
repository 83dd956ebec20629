/**
 * The capability that phones have whose channel is HTTP: they load what the templates make, from their own address, and
 * are told so by SIP NOTIFY. This file imports nothing, so that simulated devices load nothing else.
 */
export const overHttp = 'channel.http';

/**
 * Returns the capability of a phone over HTTP whose maker documents a setting for this kind of resource file. Without
 * it the phone cannot be made to load one.
 */
export const loadsOverHttp = (kind: string): string => `${overHttp}.${kind}`;
