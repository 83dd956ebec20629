import { eventFolder, phoneVariables, type PhoneEvent, type PhoneVariable } from '../phone-event/phone-event.ts';
import type { Named } from './names.ts';

/** The settings of a maker that hold the action URL of an event, and its names of the variables in such a URL. */
export interface EventUrls {
  settings: Partial<Record<PhoneEvent, string>>;
  variables: Partial<Record<PhoneVariable, string>>;
}

/** Returns the action URLs of a device below the folder of its files, by the names of its maker. */
export function eventUrls({ settings, variables }: EventUrls, folder: string): Named {
  const query = phoneVariables.flatMap((name) => (variables[name] ? [`${name}=${variables[name]}`] : [])).join('&');
  const end = query === '' ? '' : `?${query}`;
  return Object.fromEntries(
    Object.entries(settings).map(([event, setting]) => [setting, `${folder}${eventFolder}${event}${end}`]),
  );
}
