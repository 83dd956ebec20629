import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { macOfName } from './listener.ts';
import type { LinkSocket, Reader, Taken } from './listener.ts';

/**
 * The header that a proxy sent before a connection. `address` is null when the proxy connects for itself, as in a
 * health check.
 */
export interface ProxyHeader {
  /** Length of the header in bytes. */
  used: number;
  address: string | null;
  /** Common name of the client certificate that the proxy has verified (version 2 only). */
  commonName: string | null;
}

const signature = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a]);
/** Longest header of version 1, with its end of line. Our limit for version 2 leaves room for certificates' names. */
const longestText = 107,
  longestBinary = 16 + 1_024;

/** Reads a PROXY protocol header, version 1 or 2, at the start of `buffer[0, length)`. */
export function readProxyHeader(buffer: Buffer, length: number): ProxyHeader | 'more' | 'bad' {
  if (length === 0) return 'more';
  if (buffer[0] === signature[0]) return readBinary(buffer, length);
  return buffer[0] === 0x50 ? readText(buffer, length) : 'bad';
}

function readText(buffer: Buffer, length: number): ProxyHeader | 'more' | 'bad' {
  const text = buffer.toString('latin1', 0, Math.min(length, longestText));
  const end = text.indexOf('\r\n');
  if (end === -1)
    return length >= longestText || !('PROXY '.startsWith(text.slice(0, 6)) || text.startsWith('PROXY '))
      ? 'bad'
      : 'more';
  const [word, family, source, target, sourcePort, targetPort, ...more] = text.slice(0, end).split(' ');
  if (word !== 'PROXY') return 'bad';
  if (family === 'UNKNOWN') return { used: end + 2, address: null, commonName: null };
  const is = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : null;
  const port = (text: string | undefined): boolean => /^(0|[1-9]\d{0,4})$/.test(text ?? '') && Number(text) < 65_536;
  if (
    is === null ||
    more.length > 0 ||
    !is(source ?? '') ||
    !is(target ?? '') ||
    !port(sourcePort) ||
    !port(targetPort)
  )
    return 'bad';
  return { used: end + 2, address: source!, commonName: null };
}

function readBinary(buffer: Buffer, length: number): ProxyHeader | 'more' | 'bad' {
  const seen = Math.min(length, signature.length);
  if (buffer.compare(signature, 0, seen, 0, seen) !== 0) return 'bad';
  if (length < 16) return 'more';
  const command = buffer[12]!,
    family = buffer[13]!;
  const used = 16 + buffer.readUInt16BE(14);
  if (command >> 4 !== 2 || (command & 15) > 1 || used > longestBinary) return 'bad';
  if (length < used) return 'more';
  const addresses = family >> 4 === 1 ? 12 : family >> 4 === 2 ? 36 : 0;
  if ((command & 15) === 0 || addresses === 0) return { used, address: null, commonName: null };
  if (16 + addresses > used) return 'bad';
  const address = addresses === 12 ? buffer.subarray(16, 20).join('.') : ipv6(buffer.subarray(16, 32));
  return { used, address, commonName: commonName(buffer, 16 + addresses, used) };
}

const ipv6 = (bytes: Buffer): string =>
  new URL(
    `http://[${Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(i * 2).toString(16)).join(':')}]`,
  ).hostname.slice(1, -1);

/** Types of the PROXY protocol, version 2, section 2.2: the client's TLS, and the name in its certificate. */
const SSL = 0x20,
  COMMON_NAME = 0x22;

/** Returns the name of a verified certificate in the type-length-values of `buffer[at, end)`. */
function commonName(buffer: Buffer, at: number, end: number): string | null {
  while (at + 3 <= end) {
    const type = buffer[at]!,
      from = at + 3;
    at = from + buffer.readUInt16BE(at + 1);
    if (at > end) return null;
    if (type === COMMON_NAME) return buffer.toString('utf8', from, at);
    // Client flags and the result of the verification, 0 for success, precede the nested values.
    if (type === SSL)
      return at - from >= 5 && (buffer[from]! & 6) !== 0 && buffer.readUInt32BE(from + 1) === 0
        ? commonName(buffer, from + 5, at)
        : null;
  }
  return null;
}

/**
 * The proxies that may send PROXY headers: a connection from there must begin with one; from elsewhere a header is a
 * broken packet.
 */
export class TrustedProxies {
  private readonly list = new BlockList();
  private readonly some: boolean;

  /** Takes addresses and networks, separated by commas. Throws with a sentence when one of them is neither. */
  constructor(
    addresses: string,
    private readonly certificates: boolean,
  ) {
    const all = addresses
      .split(',')
      .map((text) => text.trim())
      .filter((text) => text !== '');
    for (const text of all) {
      const [address = '', bits, ...more] = text.split('/');
      const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null;
      const most = family === 'ipv4' ? 32 : 128;
      if (
        family === null ||
        more.length > 0 ||
        (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most))
      )
        throw new Error(`${text} is neither an address nor a network`);
      this.list.addSubnet(address, bits === undefined ? most : Number(bits), family);
    }
    this.some = all.length > 0;
  }

  has(address: string): boolean {
    return this.some && this.list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }

  /** Applies the header to a connection. */
  apply(header: ProxyHeader, to: Taken): void {
    if (header.address !== null) to.setAddress(header.address);
    const mac = this.certificates ? macOfName(header.commonName ?? undefined) : null;
    if (mac !== null) to.setCertificateMac(mac);
  }
}

/** Removes the header from a plain connection and passes the bytes after it on. */
export class ProxyReader implements Reader {
  private rest: Buffer = Buffer.alloc(0);
  constructor(
    private readonly socket: LinkSocket,
    private readonly taken: Taken,
    private readonly proxies: TrustedProxies,
  ) {}

  feed(buffer: Buffer, length: number): boolean {
    const all =
      this.rest.length === 0 ? buffer.subarray(0, length) : Buffer.concat([this.rest, buffer.subarray(0, length)]);
    const header = readProxyHeader(all, all.length);
    if (header === 'bad') return (this.socket.destroy(), false);
    if (header === 'more') return ((this.rest = Buffer.from(all)), true);
    this.socket.reader = this.taken;
    this.proxies.apply(header, this.taken);
    const behind = all.subarray(header.used);
    return behind.length === 0 ? !this.taken.closed : this.taken.feed(behind, behind.length);
  }

  handleClose(error: Error | null): void {
    this.taken.handleClose(error);
  }
}
