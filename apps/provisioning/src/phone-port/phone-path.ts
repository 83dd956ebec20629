import { loadDeviceConfig } from '@carillon/contracts';
import { eventFolder, isPhoneEvent, valuesIn } from '../phone-event/phone-event.ts';
import type { ToldEvent } from '../phone-event/phone-events.service.ts';

const prefix = loadDeviceConfig.path.slice(0, loadDeviceConfig.path.indexOf('{'));
const rest = /^([\w-]{1,192})\/(event\/)?([^/?]{1,576})(?:\?(.*))?$/;
const longestName = 64;

/** The path of a device's file, or of one of its action URLs. */
export type PhonePath = { token: string; file: string } | ToldEvent;

/** The paths of the port, as metrics name them. */
export const routeOf = (asked: PhonePath | undefined): string =>
  asked === undefined ? 'none' : 'file' in asked ? loadDeviceConfig.path : `${prefix}{token}/${eventFolder}{event}`;

/** Returns what the path of a request asks for or tells; undefined for any other path, and for an unknown event. */
export function phonePath(url: string): PhonePath | undefined {
  if (!url.startsWith(prefix)) return undefined;
  const [, token, folder, encoded, query = ''] = rest.exec(url.slice(prefix.length)) ?? [];
  if (token === undefined || encoded === undefined) return undefined;
  if (folder !== undefined)
    return isPhoneEvent(encoded) ? { token, event: encoded, values: valuesIn(query) } : undefined;
  try {
    const file = decodeURIComponent(encoded);
    return file.length <= longestName ? { token, file } : undefined;
  } catch {
    return undefined;
  }
}
