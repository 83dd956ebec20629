/**
 * The capability that phones have whose channel is HTTP: they load what the templates make, from their own address, and
 * are told so by SIP NOTIFY. This file imports nothing, so that simulated devices load nothing else.
 */
export const overHttp = 'channel.http';
