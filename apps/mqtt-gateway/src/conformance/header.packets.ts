import { connect, field, packet, publish, subscribe, u16, unsubscribe } from './bytes.ts';
import type { BadPacket } from './bytes.ts';

const row = (
  when: BadPacket['when'],
  name: string,
  clause: string,
  bytes: BadPacket['bytes'],
  answer: BadPacket['answer'] = 'close',
): BadPacket => ({ when, name, clause, bytes, answer });
const both = ['first', 'connected'] as const;
const flagsBut = (right: number): number[] => Array.from({ length: 16 }, (_, n) => n).filter((n) => n !== right);

/** Valid packets that a device may send. */
const right: Record<string, (mac: string) => Buffer> = {
  PUBLISH: (mac) => publish(0x32, field(`d/${mac}/state`), 9),
  PUBACK: () => packet(0x40, u16(9)),
  PUBREC: () => packet(0x50, u16(9)),
  PUBREL: () => packet(0x62, u16(9)),
  PUBCOMP: () => packet(0x70, u16(9)),
  SUBSCRIBE: (mac) => subscribe(field(`d/${mac}/command`), 1),
  UNSUBSCRIBE: (mac) => unsubscribe(field(`d/${mac}/command`)),
  PINGREQ: () => packet(0xc0),
  DISCONNECT: () => packet(0xe0),
};
const fixedFlags: [string, number, number, (mac: string) => Buffer][] = [
  ['PUBACK', 0x40, 0, right.PUBACK!],
  ['PUBREC', 0x50, 0, right.PUBREC!],
  ['PUBREL', 0x60, 2, right.PUBREL!],
  ['PUBCOMP', 0x70, 0, right.PUBCOMP!],
  ['SUBSCRIBE', 0x80, 2, right.SUBSCRIBE!],
  ['UNSUBSCRIBE', 0xa0, 2, right.UNSUBSCRIBE!],
  ['PINGREQ', 0xc0, 0, right.PINGREQ!],
  ['DISCONNECT', 0xe0, 0, right.DISCONNECT!],
];
const withFirst = (bytes: Buffer, first: number): Buffer => Buffer.concat([Buffer.from([first]), bytes.subarray(1)]);
const overlong: [string, number[]][] = [
  ['ends in a fifth byte', [0x80, 0x80, 0x80, 0x80, 0x01]],
  ['is the largest in five bytes', [0xff, 0xff, 0xff, 0xff, 0x7f]],
  ['never ends', [0xff, 0xff, 0xff, 0xff, 0xff]],
  ['is zero in five bytes', [0x80, 0x80, 0x80, 0x80, 0x00]],
];

export const headerPackets: BadPacket[] = [
  ...both.flatMap((when) =>
    [0x00, 0xf0].flatMap((type) =>
      Array.from({ length: 16 }, (_, flags) =>
        row(when, `packet of reserved type ${type >> 4}, flags ${flags}`, 'MQTT-2.2.1', () =>
          Buffer.from([type | flags, 0]),
        ),
      ),
    ),
  ),
  ...both.flatMap((when) =>
    (
      [
        ['CONNACK', 0x20, u16(0)],
        ['SUBACK', 0x90, Buffer.from([0, 9, 1])],
        ['UNSUBACK', 0xb0, u16(9)],
        ['PINGRESP', 0xd0, Buffer.alloc(0)],
      ] as const
    ).map(([name, first, body]) =>
      row(when, `${name}, which only a server sends`, 'MQTT-2.2.1', () => packet(first, body)),
    ),
  ),
  ...Object.entries(right).map(([name, bytes]) => row('first', `${name} before CONNECT`, 'MQTT-3.1.0-1', bytes)),
  ...flagsBut(0).map((flags) =>
    row('first', `CONNECT with header flags ${flags}`, 'MQTT-2.2.2-2', (mac) => connect(mac, { first: 0x10 | flags })),
  ),
  ...fixedFlags.flatMap(([name, type, wanted, bytes]) =>
    flagsBut(wanted).map((flags) =>
      row('connected', `${name} with header flags ${flags}`, 'MQTT-2.2.2-2', (mac) =>
        withFirst(bytes(mac), type | flags),
      ),
    ),
  ),
  ...overlong.flatMap(([name, length]) => [
    row('first', `CONNECT whose length ${name}`, 'MQTT-2.2.3', () => Buffer.from([0x10, ...length])),
    ...(
      [
        ['PUBLISH', 0x30],
        ['SUBSCRIBE', 0x82],
        ['PINGREQ', 0xc0],
      ] as const
    ).map(([what, first]) =>
      row('connected', `${what} whose length ${name}`, 'MQTT-2.2.3', () => Buffer.from([first, ...length])),
    ),
  ]),
  row('connected', 'PUBLISH that announces 200 MB', 'link', () => Buffer.from([0x32, 0x80, 0x84, 0xaf, 0x5f, 0, 3])),
  row('connected', 'PUBLISH that announces the most there is', 'link', () =>
    Buffer.from([0x32, 0xff, 0xff, 0xff, 0x7f]),
  ),
  row('connected', 'SUBSCRIBE that announces 1 MB', 'link', () => Buffer.from([0x82, 0xc0, 0x84, 0x3d])),
  ...(['PUBACK', 'PUBREC', 'PUBREL', 'PUBCOMP'] as const).flatMap((name) => [
    row('connected', `${name} without a packet id`, 'MQTT-4.8.0-1', (mac) => packet(right[name]!(mac)[0]!)),
    row('connected', `${name} with half a packet id`, 'MQTT-4.8.0-1', (mac) =>
      packet(right[name]!(mac)[0]!, Buffer.from([0])),
    ),
    row('connected', `${name} with a byte too many`, 'MQTT-4.8.0-1', (mac) =>
      packet(right[name]!(mac)[0]!, Buffer.from([0, 9, 0])),
    ),
    row('connected', `${name} with packet id 0`, 'MQTT-2.3.1-1', (mac) => packet(right[name]!(mac)[0]!, u16(0))),
  ]),
  row('connected', 'PUBACK of a packet never sent', 'MQTT-4.3.2', () => packet(0x40, u16(4_711)), 'ignored'),
  ...(['PUBREC', 'PUBREL', 'PUBCOMP'] as const).map((name) =>
    row('connected', `${name}, though nothing goes with QoS 2`, 'MQTT-4.3.2', right[name]!),
  ),
  ...[1, 2, 100].flatMap((n) => [
    row('connected', `PINGREQ with a body of ${n} bytes`, 'MQTT-3.12.1', () => packet(0xc0, Buffer.alloc(n))),
    row('connected', `DISCONNECT with a body of ${n} bytes`, 'MQTT-3.14.1', () => packet(0xe0, Buffer.alloc(n))),
  ]),
  row('first', 'HTTP request', 'MQTT-3.1.0-1', () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')),
  row('first', 'TLS hello', 'MQTT-3.1.0-1', () => Buffer.from('16030100c8010000c40303', 'hex')),
  row('first', 'SSH greeting', 'MQTT-3.1.0-1', () => Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')),
  row('first', 'PROXY protocol header where none is expected', 'MQTT-3.1.0-1', () =>
    Buffer.from('PROXY TCP4 10.0.0.1 10.0.0.2 1 2\r\n'),
  ),
];
