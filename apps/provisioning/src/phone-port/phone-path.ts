import { loadDeviceConfig } from '@carillon/contracts';

const prefix = loadDeviceConfig.path.slice(0, loadDeviceConfig.path.indexOf('{'));
const rest = /^([\w-]{1,192})\/([^/?]{1,576})(?:\?.*)?$/;
const longestName = 64;

/** Returns token and file name of the path of a device's file; undefined for any other path. */
export function phonePath(url: string): { token: string; file: string } | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const [, token, encoded] = rest.exec(url.slice(prefix.length)) ?? [];
  if (token === undefined || encoded === undefined) return undefined;
  try {
    const file = decodeURIComponent(encoded);
    return file.length <= longestName ? { token, file } : undefined;
  } catch {
    return undefined;
  }
}
