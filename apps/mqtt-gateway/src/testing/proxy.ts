/** Returns a PROXY header of version 2, as HAProxy's `send-proxy-v2-ssl-cn` writes it. */
export function proxyHeader(
  address: string,
  more: { commonName?: string; verified?: boolean; presented?: boolean } = {},
): Buffer {
  const v6 = address.includes(':');
  const source = v6
    ? Buffer.concat(expand(address).map((word) => Buffer.from(word, 'hex')))
    : Buffer.from(address.split('.').map(Number));
  const addresses = Buffer.concat([source, Buffer.alloc(source.length, 1), Buffer.from([0xc3, 0x50, 0x22, 0xb3])]);
  const tlv = (type: number, value: Buffer): Buffer =>
    Buffer.concat([Buffer.from([type, value.length >> 8, value.length & 255]), value]);
  const { commonName, verified = true, presented = true } = more;
  const ssl =
    commonName === undefined
      ? Buffer.alloc(0)
      : tlv(
          0x20,
          Buffer.concat([
            Buffer.from([presented ? 7 : 1, 0, 0, 0, verified ? 0 : 1]),
            tlv(0x21, Buffer.from('TLSv1.3')),
            tlv(0x22, Buffer.from(commonName)),
          ]),
        );
  const length = addresses.length + ssl.length;
  return Buffer.concat([
    Buffer.from('0d0a0d0a000d0a515549540a21', 'hex'),
    Buffer.from([v6 ? 0x21 : 0x11, length >> 8, length & 255]),
    addresses,
    ssl,
  ]);
}

function expand(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const words = (text: string): string[] => (text === '' ? [] : text.split(':').map((word) => word.padStart(4, '0')));
  const [front, back] = [words(head), words(tail)];
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => '0000'), ...back];
}
