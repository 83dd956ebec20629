import type { IncomingHttpHeaders } from 'node:http';

/** RFC 9110 section 7.6.1: these belong to one connection, as do those that `Connection` lists. */
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
/** Headers that only the gateway may set; a client's are dropped, as are all that claim who the client is. */
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

/** Caches a pattern's result for frequent header names. */
function remembered(dropped: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const answer = known.get(name) ?? dropped(name);
    // Clients choose the names, so the cache is limited to about what honest clients use.
    if (known.size < 200) known.set(name, answer);
    return answer;
  };
}
const staysOut = remembered((name) => hopByHop.has(name) || inward.test(name));
const staysIn = remembered((name) => hopByHop.has(name) || outward.test(name));

/** Returns a client's headers for a service. */
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

/** Returns a service's headers for a client. */
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
