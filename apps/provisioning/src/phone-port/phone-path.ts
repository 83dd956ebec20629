import { loadDeviceConfig } from '@carillon/contracts';
import { shortPrefix } from '../device-config/config-address.ts';
import { eventFolder, isPhoneEvent, postName, valuesIn } from '../phone-event/phone-event.ts';
import type { ActionUrlEvent } from '../phone-event/phone-events.service.ts';

const prefix = loadDeviceConfig.path.slice(0, loadDeviceConfig.path.indexOf('{'));
const rest = /^([\w-]{1,192})\/(event\/)?([^/?]{1,576})(?:\?(.*))?$/;
const longestName = 64;
/** A file at the server's own address. Names of files have only these characters. */
const topFile = /^\/[\w.-]{1,64}$/;

/**
 * The path of a file, without a token for a phone that has no address of its own, of an action URL, or of the address
 * to which events are posted.
 */
export type PhonePath = { token: string | null; file: string } | { token: string; isPost: true } | ActionUrlEvent;

/** The paths of the port, as metrics name them. */
export const routeOf = (asked: PhonePath | undefined): string =>
  asked === undefined
    ? 'none'
    : !('file' in asked)
      ? `${prefix}{token}/${eventFolder}{event}`
      : asked.token === null
        ? '/{file}'
        : loadDeviceConfig.path;

/** Returns what the path of a request asks for or tells; undefined for any other path, and for an unknown event. */
export function phonePath(url: string): PhonePath | undefined {
  const start = [prefix, shortPrefix].find((one) => url.startsWith(one));
  if (start === undefined) return topFile.test(url) ? { token: null, file: url.slice(1) } : undefined;
  const [, token, folder, encoded, query = ''] = rest.exec(url.slice(start.length)) ?? [];
  if (token === undefined || encoded === undefined) return undefined;
  if (folder !== undefined && encoded === postName) return { token, isPost: true };
  if (folder !== undefined)
    return isPhoneEvent(encoded) ? { token, event: encoded, values: valuesIn(query) } : undefined;
  try {
    const file = decodeURIComponent(encoded);
    return file.length <= longestName ? { token, file } : undefined;
  } catch {
    return undefined;
  }
}
