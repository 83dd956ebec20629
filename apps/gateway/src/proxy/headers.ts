import type { IncomingHttpHeaders } from 'node:http';

/** RFC 9110 section 7.6.1: these belong to one connection, as does what `Connection` names. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host']);
/** Only the services' own words may carry these inwards; a client's are dropped, as is whatever says who the client is. */
const inward = /^(carillon-|x-forwarded-|x-real-ip$|forwarded$|via$|cookie$|authorization$|traceparent$|tracestate$|baggage$|content-length$|sec-)/;
const outward = /^(carillon-|x-powered-by$|server$|via$|strict-transport-security$|content-security-policy|access-control-)/;

const named = (connection: string | string[] | undefined): Set<string> => new Set(String(connection ?? '').toLowerCase().split(',').map((s) => s.trim()));

/** A client's headers as a service may see them. */
export function inwardHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const listed = named(headers.connection);
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || listed.has(name) || inward.test(name)) continue;
    kept[name] = value;
  }
  return kept;
}

/** A service's headers as a client may see them. */
export function outwardHeaders(headers: IncomingHttpHeaders, mayTellCookies: boolean): Record<string, string | string[]> {
  const listed = named(headers.connection);
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || listed.has(name) || outward.test(name) || (name === 'set-cookie' && !mayTellCookies)) continue;
    kept[name] = value;
  }
  return kept;
}
