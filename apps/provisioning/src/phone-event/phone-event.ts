/** What a phone tells by calling an action URL (EDGE-03); the last part of the URL's path. */
export const phoneEvents = ['boot', 'registered', 'unregistered', 'failed', 'dnd-on', 'dnd-off'] as const;
export type PhoneEvent = (typeof phoneEvents)[number];
export const isPhoneEvent = (name: string): name is PhoneEvent => (phoneEvents as readonly string[]).includes(name);

/** What a phone fills in: its IP address, and user and host of the account that the event concerns. */
export const phoneVariables = ['ip', 'account', 'host'] as const;
export type PhoneVariable = (typeof phoneVariables)[number];
export type PhoneValues = Partial<Record<PhoneVariable, string>>;

/** Folder of a device's action URLs, below that of its files. */
export const eventFolder = 'event/';

const longestValue = 128;
const control = /\p{Cc}/u;

/** Returns a value as it is meant; undefined when the phone had none and sent the name of its variable, or it is too long. */
function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text).toWellFormed();
    return value === '' || value.startsWith('$') || value.length > longestValue || control.test(value)
      ? undefined
      : value;
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
