import { secretOf } from '../testing/rig.ts';
import { connect, field, packet, u16 } from './bytes.ts';
import type { BadPacket, ConnectParts } from './bytes.ts';

const mac0 = '00a859000001';
const first = (
  name: string,
  clause: string,
  parts: (mac: string) => ConnectParts,
  answer: BadPacket['answer'] = 'close',
): BadPacket => ({ name, when: 'first', clause, bytes: (mac) => connect(mac, parts(mac)), answer });
const identity = (mac: string): Buffer[] => [field(mac), field(mac), field(secretOf(mac))];
const will = (mac: string, topic: string | Buffer = 'w'): Buffer[] => [
  field(mac),
  field(topic),
  field('m'),
  field(mac),
  field(secretOf(mac)),
];
/** Returns the body of a valid CONNECT, to be cut. */
const whole = (mac: string): Buffer => connect(mac).subarray(2);

const names = ['', 'M', 'MQT', 'MQTTT', 'mqtt', 'MQTt', 'QMTT', 'MQIsdq', 'MQisdp', 'HTTP', ' MQTT', 'MQTT\0'];
const levels = [0, 1, 2, 3, 5, 6, 64, 127, 128, 132, 254, 255];

export const connectPackets: BadPacket[] = [
  ...names.map((name) =>
    first(`CONNECT of protocol ${JSON.stringify(name)}`, 'MQTT-3.1.2-1', () => ({ name: field(name) })),
  ),
  first('CONNECT whose protocol name is longer than the packet', 'MQTT-3.1.2-1', () => ({
    name: Buffer.concat([u16(65_535), Buffer.from('MQTT')]),
  })),
  ...levels.map((level) => first(`CONNECT of level ${level}`, 'MQTT-3.1.2-2', () => ({ level }), { connack: 1 })),
  ...[3, 4, 0x83].map((level) =>
    first(`CONNECT of MQIsdp level ${level}`, 'MQTT-3.1.2-2', () => ({ name: field('MQIsdp'), level }), { connack: 1 }),
  ),
  ...[0xc3, 0xc1, 0x03, 0x01, 0xff].map((flags) =>
    first(`CONNECT with the reserved flag in ${flags.toString(16)}`, 'MQTT-3.1.2-3', () => ({ flags })),
  ),
  ...[0xca, 0xd2, 0xda].map((flags) =>
    first(`CONNECT with will QoS ${(flags >> 3) & 3} and no will`, 'MQTT-3.1.2-13', () => ({ flags })),
  ),
  first('CONNECT with will retain and no will', 'MQTT-3.1.2-15', () => ({ flags: 0xe2 })),
  first('CONNECT with will retain, will QoS and no will', 'MQTT-3.1.2-11', () => ({ flags: 0xea })),
  ...[0xde, 0xfe, 0x1e].map((flags) =>
    first(`CONNECT with will QoS 3 in ${flags.toString(16)}`, 'MQTT-3.1.2-14', (mac) => ({ flags, fields: will(mac) })),
  ),
  ...[0x42, 0x40].map((flags) =>
    first(`CONNECT with a password and no user name in ${flags.toString(16)}`, 'MQTT-3.1.2-22', (mac) => ({
      flags,
      fields: [field(mac), field(secretOf(mac))],
    })),
  ),
  first('CONNECT that announces a user name and has none', 'MQTT-3.1.2-19', (mac) => ({
    flags: 0x82,
    fields: [field(mac)],
  })),
  first('CONNECT that has a user name and announces none', 'MQTT-3.1.2-18', (mac) => ({
    flags: 0x02,
    fields: [field(mac), field(mac)],
  })),
  first('CONNECT that announces a password and has none', 'MQTT-3.1.2-21', (mac) => ({
    flags: 0xc0,
    fields: [field(mac), field(mac)],
  })),
  first('CONNECT that has a password and announces none', 'MQTT-3.1.2-20', (mac) => ({
    flags: 0x82,
    fields: identity(mac),
  })),
  first('CONNECT that announces a will and has none', 'MQTT-3.1.2-9', (mac) => ({
    flags: 0xc6,
    fields: identity(mac),
  })),
  first('CONNECT that has a will and announces none', 'MQTT-3.1.2-11', (mac) => ({ fields: will(mac) })),
  first('CONNECT whose will has a topic and no message', 'MQTT-3.1.2-9', (mac) => ({
    flags: 0x06,
    fields: [field(mac), field('w')],
  })),
  first('CONNECT whose will topic is empty', 'MQTT-4.7.3-1', (mac) => ({ flags: 0xc6, fields: will(mac, '') })),
  ...['#', '+', 'a/#', 'a/+/b', 'a#'].map((topic) =>
    first(`CONNECT whose will topic is ${topic}`, 'MQTT-4.7.1-1', (mac) => ({ flags: 0xc6, fields: will(mac, topic) })),
  ),
  first('CONNECT without a client id', 'MQTT-3.1.3-3', () => ({ flags: 0x02, fields: [] })),
  first('CONNECT with an empty client id and clean=0', 'MQTT-3.1.3-8', () => ({ flags: 0x00, fields: [field('')] }), {
    connack: 2,
  }),
  first('CONNECT with an empty client id and clean=1', 'MQTT-3.1.3-9', () => ({ flags: 0x02, fields: [field('')] }), {
    connack: 2,
  }),
  first(
    'CONNECT with an empty client id beside user name and password',
    'MQTT-3.1.3-9',
    (mac) => ({ fields: [field(''), field(mac), field(secretOf(mac))] }),
    { connack: 2 },
  ),
  first('CONNECT without user name and password', 'link', (mac) => ({ flags: 0x02, fields: [field(mac)] }), {
    connack: 4,
  }),
  first('CONNECT without a password', 'link', (mac) => ({ flags: 0x82, fields: [field(mac), field(mac)] }), {
    connack: 4,
  }),
  first('CONNECT with an empty password', 'link', (mac) => ({ fields: [field(mac), field(mac), field('')] }), {
    connack: 4,
  }),
  first(
    'CONNECT with an empty user name',
    'link',
    (mac) => ({ fields: [field(mac), field(''), field(secretOf(mac))] }),
    { connack: 4 },
  ),
  ...['#', '+', 'd/+/command', '../x', "' or 1=1", 'x'.repeat(1_500)].map((id) =>
    first(`CONNECT of client id ${id.slice(0, 12)}`, 'link', () => ({ fields: [field(id), field(id), field('s')] }), {
      connack: 4,
    }),
  ),
  ...[1, 2, 3, 10, 100].map((n) => ({
    name: `CONNECT with ${n} bytes behind its end`,
    when: 'first' as const,
    clause: 'MQTT-3.1.3-1',
    bytes: (mac: string) => packet(0x10, whole(mac), Buffer.alloc(n, 0x61)),
    answer: 'close' as const,
  })),
  ...Array.from({ length: whole(mac0).length }, (_, n): BadPacket => ({
    name: `CONNECT cut to ${n} bytes`,
    when: 'first',
    clause: n < 10 ? 'MQTT-3.1.2-1' : 'MQTT-3.1.3-1',
    bytes: (mac) => packet(0x10, whole(mac).subarray(0, n)),
    answer: 'close',
  })),
  { name: 'second CONNECT', when: 'connected', clause: 'MQTT-3.1.0-2', bytes: (mac) => connect(mac), answer: 'close' },
  {
    name: 'second CONNECT of another device',
    when: 'connected',
    clause: 'MQTT-3.1.0-2',
    bytes: () => connect('00a859fffffe'),
    answer: 'close',
  },
  {
    name: 'second CONNECT that is empty',
    when: 'connected',
    clause: 'MQTT-3.1.0-2',
    bytes: () => Buffer.from([0x10, 0]),
    answer: 'close',
  },
  {
    name: 'second CONNECT of another version',
    when: 'connected',
    clause: 'MQTT-3.1.0-2',
    bytes: (mac) => connect(mac, { level: 5 }),
    answer: 'close',
  },
  {
    name: 'CONNECT of 4,097 bytes',
    when: 'first',
    clause: 'link',
    bytes: (mac) => connect(mac, { fields: [field(mac), field(mac), field('x'.repeat(4_097 - 3 - 10 - 14 - 14 - 2))] }),
    answer: 'close',
  },
  {
    name: 'CONNECT of 64 KiB',
    when: 'first',
    clause: 'link',
    bytes: (mac) => connect(mac, { fields: [field(mac), field(mac), field('x'.repeat(65_535))] }),
    answer: 'close',
  },
  {
    name: 'CONNECT that announces 200 MB',
    when: 'first',
    clause: 'link',
    bytes: () => Buffer.concat([Buffer.from([0x10, 0x80, 0x84, 0xaf, 0x5f]), Buffer.from('MQTT')]),
    answer: 'close',
  },
];
