import { randomBytes } from 'node:crypto';

export type SipTransport = 'udp' | 'tcp' | 'tls';

/** A NOTIFY outside of a dialog (RFC 3261, RFC 6665), as it asks a phone to fetch its configuration. */
export interface SipNotify {
  /** User part of the address of record; empty for a phone that is addressed by its IP address. */
  user: string;
  /** Host, and port if it is not the usual one, of the address of record. */
  domain: string;
  /** Value of the `Event` header. */
  event: string;
  /** Our address and port, as the other side can answer to. */
  from: string;
  transport: SipTransport;
  callId: string;
  tag: string;
  sequence: number;
  /** Header line with which an earlier refusal is answered. */
  authorization?: string | undefined;
}

/** An answer to a request. */
export interface SipAnswer {
  status: number;
  callId: string;
  sequence: number;
  /** Value of its header `WWW-Authenticate` or `Proxy-Authenticate`. */
  challenge?: string;
}

/** Largest answer that is read, in bytes. */
export const largestAnswer = 8_192;

/** Characters of a user part that stand for themselves (RFC 3261, section 25.1). */
const plainUser = /[^\w.!~*'()&=+$,;?/-]/g;
const hosts = /^(?:[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** Returns the URI of an address of record; undefined for a domain that is no host. */
export function sipUri(user: string, domain: string): string | undefined {
  if (!hosts.test(domain)) return undefined;
  const escaped = user.toWellFormed().replaceAll(plainUser, (letter) => encodeURIComponent(letter));
  return escaped === '' ? `sip:${domain}` : `sip:${escaped}@${domain}`;
}

/** Returns new identifiers for an exchange. */
export const newExchange = (): Pick<SipNotify, 'callId' | 'tag' | 'sequence'> => ({
  callId: randomBytes(12).toString('hex'),
  tag: randomBytes(6).toString('hex'),
  sequence: 1,
});

const newBranch = (): string => `z9hG4bK${randomBytes(9).toString('hex')}`;

/** Returns the text of a NOTIFY to this URI. */
export const notifyText = (uri: string, notify: Omit<SipNotify, 'user' | 'domain'>): string =>
  [
    `NOTIFY ${uri} SIP/2.0`,
    `Via: SIP/2.0/${notify.transport.toUpperCase()} ${notify.from};branch=${newBranch()};rport`,
    'Max-Forwards: 70',
    `From: <sip:carillon@${notify.from}>;tag=${notify.tag}`,
    `To: <${uri}>`,
    `Call-ID: ${notify.callId}`,
    `CSeq: ${notify.sequence} NOTIFY`,
    `Contact: <sip:carillon@${notify.from};transport=${notify.transport}>`,
    `Event: ${notify.event}`,
    'Subscription-State: terminated;reason=timeout',
    'User-Agent: Carillon',
    ...(notify.authorization === undefined ? [] : [notify.authorization]),
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');

/** Returns what an answer says; undefined for anything else. */
export function readAnswer(text: string): SipAnswer | undefined {
  const [head] = text.split('\r\n\r\n', 1);
  const [first, ...lines] = head!.split('\r\n');
  const status = Number(/^SIP\/2\.0 ([1-6]\d\d)(?: |$)/.exec(first!)?.[1]);
  const headers = new Map(
    lines.flatMap((line) => {
      const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), value!] as const];
    }),
  );
  const callId = headers.get('call-id') ?? headers.get('i');
  const sequence = Number(/^(\d{1,10})\s+NOTIFY\b/.exec(headers.get('cseq') ?? '')?.[1]);
  if (!status || callId === undefined || !sequence) return undefined;
  const challenge = headers.get(status === 407 ? 'proxy-authenticate' : 'www-authenticate');
  return { status, callId, sequence, ...(challenge === undefined ? {} : { challenge }) };
}
