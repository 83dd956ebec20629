import type { ProvisionedFile } from './maker.ts';
import type { Model } from './model.ts';

/** What a SIP NOTIFY makes a phone do; null: nothing. */
export type NotifyEffect = 'fetch' | 'restart' | null;
type Effects = (event: string, values: ProvisionedFile['values']) => NotifyEffect;

const mustRestart = (event: string): boolean => /;\s*reboot=true\b/.test(event);

/** What the phones do at an event, by maker. Written from what the makers document, not from the platform. */
const effects: Readonly<Record<Model['vendor'], Effects>> = {
  Fanvil: (event) => (event.startsWith('check-sync') ? (mustRestart(event) ? 'restart' : 'fetch') : null),
  // 1, the standard: at each one; 0: when it says so; 2: never, and nothing else either.
  Yealink: (event, { 'sip.notify_reboot_enable': when = '1' }) =>
    !event.startsWith('check-sync') || when === '2' ? null : when === '1' || mustRestart(event) ? 'restart' : 'fetch',
  Grandstream: (event) => (event === 'resync' ? 'fetch' : event.startsWith('check-sync') ? 'restart' : null),
  Snom: (event) => (event.startsWith('check-sync') ? (mustRestart(event) ? 'restart' : 'fetch') : null),
  Poly: (event) => (event === 'check-sync' ? 'fetch' : null),
  // No document says that it takes any.
  Akuvox: () => null,
  Htek: (event) => (event === 'resync' ? 'fetch' : event.startsWith('check-sync') ? 'restart' : null),
};

export interface Notified {
  effect: NotifyEffect;
  /** The answer to send back. */
  answer: string;
}

/** Returns what a datagram makes a phone do; undefined for anything that is no NOTIFY. */
export function readNotify(
  datagram: string,
  vendor: Model['vendor'],
  values: ProvisionedFile['values'],
): Notified | undefined {
  const [first, ...lines] = datagram.split('\r\n\r\n', 1)[0]!.split('\r\n');
  if (!/^NOTIFY \S+ SIP\/2\.0$/.test(first!)) return undefined;
  const event = lines.find((line) => /^event:/i.test(line))?.replace(/^event:\s*/i, '') ?? '';
  const effect = effects[vendor](event, values);
  const copied = lines.filter((line) => /^(via|from|to|call-id|cseq):/i.test(line));
  const status = effect === null ? '489 Bad Event' : '200 OK';
  return { effect, answer: [`SIP/2.0 ${status}`, ...copied, 'Content-Length: 0', '', ''].join('\r\n') };
}
