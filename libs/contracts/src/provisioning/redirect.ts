/** A maker's service that sends a factory-new phone to the server that its owner registered (EDGE-09). */
interface RedirectKind {
  /** Name of the service, the same in all languages. */
  label: string;
  /** The maker as the provisioning service names it. A company has one service for each maker. */
  maker: string;
  /** The public address of the service. */
  address: string;
}

export const redirectKinds = {
  fanvilFdps: { label: 'Fanvil FDPS', maker: 'Fanvil', address: 'https://fdps.fanvil.com/xmlrpc.php' },
  yealinkRps: { label: 'Yealink RPS', maker: 'Yealink', address: 'https://rps.yealink.com/xmlrpc' },
  yealinkYmcs: { label: 'Yealink YMCS', maker: 'Yealink', address: 'https://eu-api.ymcs.yealink.com/' },
  snomSraps: { label: 'Snom SRAPS', maker: 'Snom', address: 'https://api.sraps.snom.com/api/v1/' },
  snomXmlRpc: {
    label: 'Snom SRAPS (XML-RPC)',
    maker: 'Snom',
    address: 'https://secure-provisioning.snom.com:8083/xmlrpc/',
  },
} as const satisfies Record<string, RedirectKind>;
export type RedirectKindName = keyof typeof redirectKinds;
export const redirectKindNames = Object.keys(redirectKinds) as [RedirectKindName, ...RedirectKindName[]];

/**
 * State of a device at a service: `waiting` until the service knows what it is to know, `failed` when the last attempt
 * failed.
 */
export const redirectStates = ['waiting', 'registered', 'failed'] as const;
export type RedirectState = (typeof redirectStates)[number];
