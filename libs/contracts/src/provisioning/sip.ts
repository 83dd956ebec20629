/** Transports between a line and its server. This file imports nothing, so that the browser bundles nothing else. */
export const sipTransports = ['udp', 'tcp', 'tls'] as const;
export type SipTransport = (typeof sipTransports)[number];
