import { textValue, type PhoneEvent, type PhoneValues } from './phone-event.ts';

/** The elements of events that Poly's phones post; a change of a call is a start or an end by its state. */
const events: Readonly<Record<string, PhoneEvent>> = {
  LineRegistrationEvent: 'registered',
  LineUnregistrationEvent: 'unregistered',
};
const callElement = 'CallStateChangeEvent';
const callStates: Readonly<Record<string, PhoneEvent>> = {
  Connected: 'call-start',
  Disconnected: 'call-end',
  Free: 'call-end',
};

/** Longest body that is read. The events of a phone with a call on each line are shorter. */
export const longestPost = 8_192;

const child = (text: string, name: string): string | undefined =>
  textValue((new RegExp(`<${name}>([^<>]{1,256})</${name}>`).exec(text)?.[1] ?? '').trim());

/** Returns the event of an XML body that a phone posts; undefined for any other one. */
export function postedEvent(text: string): { event: PhoneEvent; values: PhoneValues } | undefined {
  const [, name, attributes = ''] =
    /<(LineRegistrationEvent|LineUnregistrationEvent|CallStateChangeEvent)(\s[^<>]{0,256})?>/.exec(text) ?? [];
  if (name === undefined) return undefined;
  const attribute = (key: string) => new RegExp(`\\s${key}="([^"<>]{1,64})"`).exec(attributes)?.[1];
  const event = name === callElement ? callStates[attribute('CallState') ?? ''] : events[name];
  if (event === undefined) return undefined;
  const found: Record<string, string | undefined> = {
    ip: child(text, 'PhoneIP'),
    line: child(text, 'LineNumber'),
    call: textValue(attribute('CallReference') ?? ''),
  };
  return { event, values: Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) };
}
