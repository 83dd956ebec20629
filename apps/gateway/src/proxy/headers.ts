import type { IncomingHttpHeaders } from 'node:http';

/** RFC 9110 section 7.6.1: these belong to one connection, as does what `Connection` names. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
]);
/**
 * Only the services' own words may carry these inwards; a client's are dropped, as is whatever says who the client is.
 */
const inward =
  /^(carillon-|x-forwarded-|x-real-ip$|forwarded$|via$|cookie$|authorization$|traceparent$|tracestate$|baggage$|content-length$|sec-)/;
const outward =
  /^(carillon-|x-powered-by$|server$|via$|strict-transport-security$|content-security-policy|access-control-)/;

const none: ReadonlySet<string> = new Set();
const named = (connection: string | string[] | undefined): ReadonlySet<string> =>
  connection === undefined || connection === 'keep-alive'
    ? none
    : new Set(
        String(connection)
          .toLowerCase()
          .split(',')
          .map((s) => s.trim()),
      );

/** What a pattern says of a header's name, remembered for the names that come again and again. */
function remembered(dropped: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const answer = known.get(name) ?? dropped(name);
    // Strangers choose names: no more of them than honest clients use.
    if (known.size < 200) known.set(name, answer);
    return answer;
  };
}
const staysOut = remembered((name) => hopByHop.has(name) || inward.test(name));
const staysIn = remembered((name) => hopByHop.has(name) || outward.test(name));

/** A client's headers as a service may see them. */
export function inwardHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const listed = named(headers.connection);
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || staysOut(name) || listed.has(name)) continue;
    kept[name] = value;
  }
  return kept;
}

/** A service's headers as a client may see them. */
export function outwardHeaders(
  headers: IncomingHttpHeaders,
  mayTellCookies: boolean,
): Record<string, string | string[]> {
  const listed = named(headers.connection);
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || staysIn(name) || listed.has(name) || (name === 'set-cookie' && !mayTellCookies))
      continue;
    kept[name] = value;
  }
  return kept;
}
