export type Search = Record<string, string | string[]>;

/**
 * Parses `?state=online&state=offline` as `{ state: ['online', 'offline'] }`: repeated keys, like the server's calls
 * (SYS-06).
 */
export function readAddress(text: string): Search {
  const search: Search = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = search[key];
    search[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return search;
}

export function writeAddress(search: Record<string, unknown>): string {
  const out = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null && one !== '') out.append(key, String(one));
  }
  const text = out.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns one value of a parameter, the first when it is repeated. */
export const one = (value: unknown): string | undefined =>
  Array.isArray(value) ? (value[0] as string) : typeof value === 'string' && value !== '' ? value : undefined;
/** Returns all values of a parameter. */
export const several = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? (value as string[]) : typeof value === 'string' && value !== '' ? [value] : undefined;

/** Returns a path of this console: a link can neither lead to another site nor run a script. */
export function ownPath(to: string | null | undefined): string | undefined {
  const url = to ? URL.parse(to, location.origin) : null;
  return url?.origin === location.origin ? url.pathname + url.search + url.hash : undefined;
}

/** Returns the address of a device's page, to which several areas link. */
export const deviceHref = (device: { id: string }): string => `/device/deviceDetail?id=${device.id}`;
