/** What a phone tells by calling an action URL (EDGE-03); the last part of the URL's path. */
export const phoneEvents = [
  'boot',
  'registered',
  'unregistered',
  'failed',
  'dnd-on',
  'dnd-off',
  'call-start',
  'call-end',
  'door-open',
  'door-closed',
] as const;
export type PhoneEvent = (typeof phoneEvents)[number];
export const isPhoneEvent = (name: string): name is PhoneEvent => (phoneEvents as readonly string[]).includes(name);
export const isCallEvent = (event: PhoneEvent): event is 'call-start' | 'call-end' => event.startsWith('call-');

/**
 * What a phone fills in: its IP address, user and host of the account that the event concerns, and what tells one call
 * from another. The number of the door is part of its URL.
 */
export const phoneVariables = ['ip', 'account', 'host', 'call', 'door'] as const;
export type PhoneVariable = (typeof phoneVariables)[number];
/** The values of an event; `line` is the number of the line, which phones name in a post instead of its account. */
export type PhoneValues = Partial<Record<PhoneVariable | 'line', string>>;

/** The last part of the path to which phones post their events instead. */
export const postName = 'post';

/** Folder of a device's action URLs, below that of its files. */
export const eventFolder = 'event/';

const longestValue = 128;
const control = /\p{Cc}/u;

/** Returns a value as it is meant; undefined when the phone had none and sent the name of its variable, or it is too long. */
export function textValue(text: string): string | undefined {
  const value = text.toWellFormed();
  return value === '' || value.startsWith('$') || value.length > longestValue || control.test(value)
    ? undefined
    : value;
}

function decoded(text: string): string | undefined {
  try {
    return textValue(decodeURIComponent(text));
  } catch {
    return undefined;
  }
}

/** Returns the known variables of a query. A plus sign stands for itself: phones do not encode the one of a number. */
export function valuesIn(query: string): PhoneValues {
  const values: PhoneValues = {};
  for (const part of query.split('&', phoneVariables.length)) {
    const [name, text = ''] = part.split('=');
    const variable = phoneVariables.find((one) => one === name);
    const value = variable && decoded(text);
    if (value !== undefined) values[variable!] = value;
  }
  return values;
}
