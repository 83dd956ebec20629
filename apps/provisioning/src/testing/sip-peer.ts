import { createHash } from 'node:crypto';
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';

/** A request that a peer has got. */
export interface SipRequest {
  uri: string;
  headers: ReadonlyMap<string, string>;
}
interface Account {
  user: string;
  password: string;
}
export interface SipPeerOptions {
  transport: 'udp' | 'tcp' | 'tls';
  address?: string;
  port?: number;
  /** Certificate and key of a TLS server, PEM. */
  own?: { cert: string; key: string };
  /** Asks for this account, as a SIP server does. */
  account?: Account;
  /** Answers with this status instead of 200; null is silent. */
  status?: number | null;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const valueOf = (header: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="?([^",]*)"?`).exec(header)?.[1];

/** A phone or SIP server that takes NOTIFY, written from RFC 3261 and RFC 7616. */
export class SipPeer {
  readonly requests: SipRequest[] = [];
  readonly options: SipPeerOptions;
  private datagrams: DatagramSocket | undefined;
  private streams: Server | undefined;
  private readonly sockets = new Set<Socket>();
  port = 0;

  private constructor(options: SipPeerOptions) {
    this.options = options;
  }

  static async start(options: SipPeerOptions): Promise<SipPeer> {
    const peer = new SipPeer(options);
    await (options.transport === 'udp' ? peer.listenDatagrams() : peer.listenStreams());
    return peer;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      if (this.datagrams) this.datagrams.close(() => resolve());
      else this.streams!.close(() => resolve());
    });
  }

  private listenDatagrams(): Promise<void> {
    const { address = '127.0.0.1', port = 0 } = this.options;
    const socket = createSocket('udp4');
    this.datagrams = socket;
    socket.on('message', (message, from) => {
      const answer = this.answer(message.toString());
      if (answer !== null) socket.send(answer, from.port, from.address);
    });
    return new Promise((resolve) => {
      socket.bind(port, address, () => {
        this.port = socket.address().port;
        resolve();
      });
    });
  }

  private listenStreams(): Promise<void> {
    const { transport, own, address = '127.0.0.1', port = 0 } = this.options;
    const talk = (socket: Socket): void => {
      this.sockets.add(socket);
      socket
        .setEncoding('utf8')
        .on('error', () => undefined)
        .on('data', (text: string) => {
          const answer = this.answer(text);
          if (answer !== null) socket.write(answer);
        });
    };
    this.streams = transport === 'tls' ? createSecureServer(own!, talk) : createServer(talk);
    return new Promise((resolve) => {
      this.streams!.listen(port, address, () => {
        this.port = (this.streams!.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  private answer(text: string): string | null {
    const [first, ...lines] = text.split('\r\n\r\n', 1)[0]!.split('\r\n');
    const [, uri] = /^NOTIFY (\S+) SIP\/2\.0$/.exec(first!) ?? [];
    if (uri === undefined) return null;
    const headers = new Map(
      lines.map((line): [string, string] => {
        const [name, ...value] = line.split(': ');
        return [name!.toLowerCase(), value.join(': ')];
      }),
    );
    const { account, status = 200 } = this.options;
    const repeated = this.requests.some(({ headers: had }) => had.get('via') === headers.get('via'));
    if (!repeated) this.requests.push({ uri, headers });
    if (status === null) return null;
    const isKnown = account === undefined || isSigned(headers.get('proxy-authorization'), account);
    const copied = ['via', 'from', 'to', 'call-id', 'cseq'].map((name) => `${name}: ${headers.get(name)}`);
    return [
      `SIP/2.0 ${isKnown ? status : 407} Answer`,
      ...copied,
      ...(isKnown ? [] : ['Proxy-Authenticate: Digest realm="pbx", nonce="n1", qop="auth", algorithm=MD5']),
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n');
  }
}

function isSigned(header: string | undefined, { user, password }: Account): boolean {
  if (header === undefined || valueOf(header, 'username') !== user) return false;
  const [nonce, cnonce, uri] = [valueOf(header, 'nonce'), valueOf(header, 'cnonce'), valueOf(header, 'uri')];
  const expected = md5(`${md5(`${user}:pbx:${password}`)}:${nonce}:00000001:${cnonce}:auth:${md5(`NOTIFY:${uri}`)}`);
  return nonce === 'n1' && valueOf(header, 'response') === expected;
}
