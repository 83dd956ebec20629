import {
  eventFolder,
  isCallEvent,
  phoneVariables,
  postName,
  type PhoneEvent,
  type PhoneVariable,
} from '../phone-event/phone-event.ts';
import { unnamed, type Named } from './names.ts';

/** The settings of a maker that hold the action URL of an event, and its names of the variables in such a URL. */
export interface EventUrls {
  settings: Partial<Record<PhoneEvent, string>>;
  /** The settings of its doors, from the first one. */
  doors?: readonly { open: string; closed: string }[];
  variables: Partial<Record<PhoneVariable, string | undefined>>;
  /** The setting of a URL to which the phones post all events, and the settings that make them post those. */
  post?: { setting: string; switches: Named };
}

/** Returns the action URLs of a device below the folder of its files, by the names of its maker. */
export function eventUrls({ settings, doors = [], variables, post }: EventUrls, folder: string): Named {
  const urlOf = (event: PhoneEvent, door?: number): string => {
    // Only a call has a name, and a door has no account.
    const values: EventUrls['variables'] =
      door === undefined
        ? { ...variables, call: isCallEvent(event) ? variables.call : undefined }
        : { ip: variables.ip, door: String(door) };
    const named = phoneVariables.filter((name) => values[name]);
    const query = named.map((name) => `${name}=${values[name]}`).join('&');
    return `${folder}${eventFolder}${event}${query === '' ? '' : `?${query}`}`;
  };
  return Object.fromEntries([
    ...Object.entries(settings).map(([event, setting]) => [setting, urlOf(event as PhoneEvent)]),
    ...doors.flatMap(({ open, closed }, index) => [
      [open, urlOf('door-open', index + 1)],
      [closed, urlOf('door-closed', index + 1)],
    ]),
    ...(post ? [[post.setting, `${folder}${eventFolder}${postName}`]] : []),
    ...Object.entries(post?.switches ?? unnamed),
  ]) as Named;
}
