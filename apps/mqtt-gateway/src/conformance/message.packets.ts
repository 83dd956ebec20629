import { secretOf } from '../testing/rig.ts';
import { connect, field, illFormed, own, packet, publish, subscribe, u16, unsubscribe, unwanted } from './bytes.ts';
import type { BadPacket } from './bytes.ts';

const row = (
  name: string,
  clause: string,
  bytes: BadPacket['bytes'],
  answer: BadPacket['answer'] = 'close',
): BadPacket => ({ when: 'connected', name, clause, bytes, answer });
const state = (mac: string): Buffer => field(`d/${mac}/state`);

/** Every place of a text, with a function that puts other bytes there. */
const places: [string, BadPacket['when'], (text: Buffer) => BadPacket['bytes']][] = [
  ['client id', 'first', (text) => (mac) => connect(mac, { fields: [field(text), field(mac), field(secretOf(mac))] })],
  ['user name', 'first', (text) => (mac) => connect(mac, { fields: [field(mac), field(text), field(secretOf(mac))] })],
  [
    'will topic',
    'first',
    (text) => (mac) =>
      connect(mac, { flags: 0xc6, fields: [field(mac), field(text), field('m'), field(mac), field(secretOf(mac))] }),
  ],
  ['topic of PUBLISH', 'connected', (text) => () => publish(0x32, field(text), 9)],
  ['filter of SUBSCRIBE', 'connected', (text) => () => subscribe(field(text), 1)],
  ['filter of UNSUBSCRIBE', 'connected', (text) => () => unsubscribe(field(text))],
];
const texts: BadPacket[] = places.flatMap(([place, when, bytes]) => [
  ...Object.entries(illFormed).map(([name, hex]): BadPacket => ({
    when,
    name: `${place} with a ${name}`,
    clause: 'MQTT-1.5.3-1',
    bytes: bytes(Buffer.from(hex, 'hex')),
    answer: 'close',
  })),
  ...['00', '6100', '006100', '610062'].map((hex): BadPacket => ({
    when,
    name: `${place} with U+0000 in ${hex}`,
    clause: 'MQTT-1.5.3-2',
    bytes: bytes(Buffer.from(hex, 'hex')),
    answer: 'close',
  })),
  ...Object.entries(unwanted).map(([name, hex]): BadPacket => ({
    when,
    name: `${place} with ${name}`,
    clause: 'MQTT 1.5.3, may',
    bytes: bytes(Buffer.from(`61${hex}`, 'hex')),
    answer: 'close',
  })),
]);

const misplaced = [
  'a#',
  '#a',
  '#/a',
  'a/#/b',
  'a/b#',
  '##',
  'a/##',
  '+a',
  'a+',
  'a/+b',
  'a/b+/c',
  '++',
  '+#',
  '#+',
  'a/+#',
  '/#/',
  '+/a+',
];
const foreign = [
  '#',
  '+',
  '/',
  '//',
  '+/+',
  '/#',
  'a',
  'd/#',
  'd/+/command',
  'd/+/+',
  '$SYS/#',
  '$share/g/#',
  'a/'.repeat(101),
  ' ',
  'd/00a859000000/command',
  'D/x/command',
];

export const messagePackets: BadPacket[] = [
  ...texts,
  ...[0x36, 0x37, 0x3e, 0x3f].map((first) =>
    row(`PUBLISH with QoS 3 in ${first.toString(16)}`, 'MQTT-3.3.1-4', (mac) => publish(first, state(mac), 9)),
  ),
  ...[0x34, 0x35, 0x3c, 0x3d].map((first) =>
    row(`PUBLISH with QoS 2 in ${first.toString(16)}`, 'link', (mac) => publish(first, state(mac), 9)),
  ),
  ...[0x38, 0x39].map((first) =>
    row(`PUBLISH with QoS 0 and DUP in ${first.toString(16)}`, 'MQTT-3.3.1-2', (mac) =>
      publish(first, state(mac), null),
    ),
  ),
  ...[0x32, 0x3a, 0x33, 0x3b].map((first) =>
    row(`PUBLISH with packet id 0 in ${first.toString(16)}`, 'MQTT-2.3.1-1', (mac) => publish(first, state(mac), 0)),
  ),
  row('PUBLISH without a body', 'MQTT-3.3.2-1', () => packet(0x32)),
  row('PUBLISH of one byte', 'MQTT-3.3.2-1', () => packet(0x32, Buffer.from([0]))),
  row('PUBLISH with QoS 0 and without a body', 'MQTT-3.3.2-1', () => packet(0x30)),
  row('PUBLISH whose topic is longer than the packet', 'MQTT-3.3.2-1', (mac) =>
    packet(0x32, u16(65_535), Buffer.from(mac)),
  ),
  row('PUBLISH whose topic is one byte longer than the packet', 'MQTT-3.3.2-1', (mac) =>
    packet(0x30, u16(19), Buffer.from(`d/${mac}/sta`)),
  ),
  row('PUBLISH with QoS 1 and without a packet id', 'MQTT-2.3.1-1', (mac) => packet(0x32, state(mac))),
  row('PUBLISH with QoS 1 and half a packet id', 'MQTT-2.3.1-1', (mac) => packet(0x32, state(mac), Buffer.from([1]))),
  ...[0x32, 0x30].map((first) =>
    row(`PUBLISH with an empty topic in ${first.toString(16)}`, 'MQTT-4.7.3-1', () =>
      publish(first, field(''), first === 0x32 ? 9 : null),
    ),
  ),
  ...['#', '+', 'd/+/state', 'd/#', 'a#', '+a'].map((topic) =>
    row(`PUBLISH to ${topic}`, 'MQTT-3.3.2-2', () => publish(0x32, field(topic), 9)),
  ),
  row('PUBLISH to the own topic with a wildcard behind', 'MQTT-3.3.2-2', (mac) =>
    publish(0x32, field(`d/${mac}/#`), 9),
  ),
  ...['a', '/', '$SYS/x', 'd', 'd/', 'd//state', 'd/00a859000000/state', 'x'.repeat(65_000)].map((topic) =>
    row(`PUBLISH to ${topic.slice(0, 24)}`, 'link', () => publish(0x32, field(topic), 9)),
  ),
  row('PUBLISH to its own commands', 'link', (mac) => publish(0x32, own(mac), 9)),
  row('PUBLISH of 64 KiB and one byte', 'link', (mac) => publish(0x32, state(mac), 9, 'x'.repeat(65_537))),
  row('PUBLISH of 70,000 bytes', 'link', (mac) => publish(0x32, state(mac), 9, 'x'.repeat(70_000))),
  row('SUBSCRIBE without a body', 'MQTT-3.8.3-3', () => packet(0x82)),
  row('SUBSCRIBE with half a packet id', 'MQTT-3.8.3-3', () => packet(0x82, Buffer.from([0]))),
  row('SUBSCRIBE with packet id 0', 'MQTT-2.3.1-1', (mac) => subscribe(own(mac), 1, 0)),
  row('SUBSCRIBE without a filter', 'MQTT-3.8.3-3', () => packet(0x82, u16(9))),
  row('SUBSCRIBE without a QoS', 'MQTT-3.8.3-1', (mac) => packet(0x82, u16(9), own(mac))),
  row('SUBSCRIBE whose filter is longer than the packet', 'MQTT-3.8.3-1', () =>
    packet(0x82, u16(9), u16(500), Buffer.from('abc')),
  ),
  row('SUBSCRIBE whose second filter is cut', 'MQTT-3.8.3-1', (mac) =>
    packet(0x82, u16(9), own(mac), Buffer.from([1, 0])),
  ),
  row('SUBSCRIBE whose second filter has no QoS', 'MQTT-3.8.3-1', (mac) =>
    packet(0x82, u16(9), own(mac), Buffer.from([1]), own(mac)),
  ),
  ...[3, 4, 5, 0x10, 0x40, 0x80, 0x81, 0xfc, 0xff].map((qos) =>
    row(`SUBSCRIBE with QoS byte ${qos.toString(16)}`, 'MQTT-3.8.3-4', (mac) => subscribe(own(mac), qos)),
  ),
  row('SUBSCRIBE with an empty filter', 'MQTT-4.7.3-1', () => subscribe(field(''), 1)),
  ...misplaced.map((filter) =>
    row(`SUBSCRIBE to ${filter}`, filter.includes('#') ? 'MQTT-4.7.1-2' : 'MQTT-4.7.1-3', () =>
      subscribe(field(filter), 1),
    ),
  ),
  row('SUBSCRIBE to the own commands and a misplaced wildcard', 'MQTT-4.7.1-2', (mac) =>
    packet(0x82, u16(9), own(mac), Buffer.from([1]), field('a#'), Buffer.from([1])),
  ),
  ...foreign.map((filter) =>
    row(
      `SUBSCRIBE to ${filter.slice(0, 24)}, which is not its own`,
      'MQTT-3.9.3-2',
      () => subscribe(field(filter), 1),
      { suback: [0x80] },
    ),
  ),
  row(
    'SUBSCRIBE to the own commands with QoS 2, of which 1 is granted',
    'MQTT-3.8.4-6',
    (mac) => subscribe(own(mac), 2),
    { suback: [1] },
  ),
  row(
    'SUBSCRIBE to one own and two foreign filters',
    'MQTT-3.8.4-5',
    (mac) =>
      packet(0x82, u16(9), field('#'), Buffer.from([0]), own(mac), Buffer.from([0]), field('a'), Buffer.from([2])),
    { suback: [0x80, 0, 0x80] },
  ),
  row('UNSUBSCRIBE without a body', 'MQTT-3.10.3-2', () => packet(0xa2)),
  row('UNSUBSCRIBE with half a packet id', 'MQTT-3.10.3-2', () => packet(0xa2, Buffer.from([0]))),
  row('UNSUBSCRIBE with packet id 0', 'MQTT-2.3.1-1', (mac) => unsubscribe(own(mac), 0)),
  row('UNSUBSCRIBE without a filter', 'MQTT-3.10.3-2', () => packet(0xa2, u16(9))),
  row('UNSUBSCRIBE whose filter is longer than the packet', 'MQTT-3.10.3-1', () =>
    packet(0xa2, u16(9), u16(500), Buffer.from('abc')),
  ),
  row('UNSUBSCRIBE whose second filter is cut', 'MQTT-3.10.3-1', (mac) =>
    packet(0xa2, u16(9), own(mac), Buffer.from([0])),
  ),
  row('UNSUBSCRIBE with an empty filter', 'MQTT-4.7.3-1', () => unsubscribe(field(''))),
  ...misplaced.map((filter) =>
    row(`UNSUBSCRIBE from ${filter}`, filter.includes('#') ? 'MQTT-4.7.1-2' : 'MQTT-4.7.1-3', () =>
      unsubscribe(field(filter)),
    ),
  ),
];
