import type { DesiredLine } from '../device-config/desired.ts';

type Place = { address: string; port: number | null };

/** Returns a place as text, as `address:port`; an empty text for none. */
export const placeOf = (at: Place | null): string =>
  at === null ? '' : at.port === null ? at.address : `${at.address}:${at.port}`;

/** Where a line registers: the registrars and the outbound proxies, the first one and the one to use when it fails. */
export interface Registrar {
  servers: readonly [Place, Place | null];
  proxies: readonly [Place | null, Place | null];
}

/**
 * Returns where a line registers, for phones that have no setting for the domain: there the domain takes the place of
 * the registrar, and the servers become the proxies that requests go to.
 */
export function registrarOf({ server, port, domain, proxy, backup }: DesiredLine): Registrar {
  const own = { address: server, port };
  return domain === '' || domain === server
    ? { servers: [own, backup], proxies: [proxy, null] }
    : { servers: [{ address: domain, port }, null], proxies: [proxy ?? own, backup] };
}
