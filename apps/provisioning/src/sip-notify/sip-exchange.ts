import { createSocket } from 'node:dgram';
import { isIP, isIPv6, connect, type Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { largestAnswer, readAnswer, type SipAnswer, type SipTransport } from './sip-message.ts';

/** Where a request is sent to. */
export interface SipTarget {
  /** IP address. */
  address: string;
  port: number;
  transport: SipTransport;
  /** Name that the certificate of a TLS server must have. */
  name: string;
}

/** First pause before a datagram is repeated; each later one is twice as long (RFC 3261, T1). */
const firstRepeatMs = 500;

const hostOf = ({ address, port }: { address: string; port: number }): string =>
  `${isIPv6(address) ? `[${address}]` : address}:${port}`;

/** A channel to one target, on which requests are sent one after the other. */
export interface SipChannel {
  /** Our address and port on this channel. */
  readonly from: string;
  /** Sends a request, and returns its final answer; undefined without one in `patienceMs`. */
  send(
    text: string,
    expected: Pick<SipAnswer, 'callId' | 'sequence'>,
    patienceMs: number,
  ): Promise<SipAnswer | undefined>;
  close(): void;
}

/** Opens a channel; undefined when the target cannot be reached in `patienceMs`. */
export const openChannel = (target: SipTarget, patienceMs: number): Promise<SipChannel | undefined> =>
  target.transport === 'udp' ? openDatagrams(target) : openStream(target, patienceMs);

/** Resolves with the answer to the expected request; other messages are dropped. */
class Waiting {
  private settle: ((answer: SipAnswer | undefined) => void) | undefined;
  private expected: Pick<SipAnswer, 'callId' | 'sequence'> | undefined;

  take(text: string): void {
    const answer = readAnswer(text);
    if (answer === undefined || answer.status < 200) return;
    if (answer.callId === this.expected?.callId && answer.sequence === this.expected.sequence) this.settle?.(answer);
  }

  end(): void {
    this.settle?.(undefined);
  }

  async for(expected: Pick<SipAnswer, 'callId' | 'sequence'>, patienceMs: number): Promise<SipAnswer | undefined> {
    this.expected = expected;
    const { promise, resolve } = Promise.withResolvers<SipAnswer | undefined>();
    this.settle = resolve;
    const timer = setTimeout(() => this.end(), patienceMs);
    const answer = await promise;
    clearTimeout(timer);
    return answer;
  }
}

async function openDatagrams({ address, port }: SipTarget): Promise<SipChannel | undefined> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const waiting = new Waiting();
  const opened = Promise.withResolvers<boolean>();
  socket
    .on('message', (message) => waiting.take(message.toString('utf8')))
    // Nobody listens there.
    .on('error', () => (opened.resolve(false), waiting.end()))
    // Only the target's datagrams arrive.
    .connect(port, address, () => opened.resolve(true));
  if (!(await opened.promise)) {
    socket.close();
    return undefined;
  }
  return {
    from: hostOf(socket.address()),
    async send(text, expected, patienceMs) {
      let timer: NodeJS.Timeout | undefined;
      const repeat = (pauseMs: number): void => {
        socket.send(text, () => undefined);
        timer = setTimeout(() => repeat(pauseMs * 2), pauseMs);
      };
      const answer = waiting.for(expected, patienceMs);
      repeat(firstRepeatMs);
      return answer.finally(() => clearTimeout(timer));
    },
    close: () => socket.close(),
  };
}

async function openStream(
  { address, port, transport, name }: SipTarget,
  patienceMs: number,
): Promise<SipChannel | undefined> {
  const waiting = new Waiting();
  const opened = Promise.withResolvers<boolean>();
  const socket: Socket =
    transport === 'tls'
      ? connectSecure({ host: address, port, ...(isIP(name) ? {} : { servername: name }) }, () => opened.resolve(true))
      : connect({ host: address, port }, () => opened.resolve(true));
  let got = '';
  socket
    .setEncoding('utf8')
    .setTimeout(patienceMs, () => socket.destroy())
    .on('data', (part: string) => {
      got += part;
      for (let end = got.indexOf('\r\n\r\n'); end >= 0; end = got.indexOf('\r\n\r\n')) {
        waiting.take(got.slice(0, end));
        // Bodies are dropped: what follows one is no answer of ours.
        got = got.slice(end + 4);
      }
      if (got.length > largestAnswer) socket.destroy();
    })
    .on('error', () => undefined)
    .on('close', () => (opened.resolve(false), waiting.end()));
  if (!(await opened.promise)) return undefined;
  return {
    from: hostOf({ address: socket.localAddress!, port: socket.localPort! }),
    async send(text, expected, patience) {
      const answer = waiting.for(expected, patience);
      socket.write(text);
      return answer;
    },
    close: () => socket.destroy(),
  };
}
