/** How a line speaks with its server. No import, so that the browser takes nothing else. */
export const sipTransports = ['udp', 'tcp', 'tls'] as const;
export type SipTransport = (typeof sipTransports)[number];
