import type { Fault } from './fault.ts';
import { textFault } from './text.ts';

/** Packet types of MQTT 3.1.1, section 2.2.1, that a device may send. */
export const CONNECT = 1,
  PUBLISH = 3,
  PUBACK = 4,
  PUBREC = 5,
  PUBREL = 6,
  PUBCOMP = 7,
  SUBSCRIBE = 8,
  UNSUBSCRIBE = 10,
  PINGREQ = 12,
  DISCONNECT = 14;

/** A CONNECT in the form of Aedes' hooks. A will is validated and ignored (device-link.md, "Connecting"). */
export interface Connect {
  cmd: 'connect';
  protocolVersion: 4;
  clientId: string;
  clean: boolean;
  /** Seconds, as sent. */
  keepalive: number;
  username: string | undefined;
  /** A copy, because all connections share the read buffer. */
  password: Buffer | undefined;
}

const u16 = (b: Buffer, at: number): number => (b[at]! << 8) | b[at + 1]!;

/**
 * Fixed-header flags that each type must have (MQTT-2.2.2-2). -1 stands for PUBLISH, which has its own rules, and for
 * types that no device sends.
 */
const wantedFlags = [-1, 0, -1, 0, 0, 0, 2, 0, 2, -1, 2, -1, 0, -1, 0, -1];

/** Returns the fault of a first byte, before anything of the packet is stored. */
export function headerFault(byte: number): Fault | null {
  const type = byte >> 4;
  if (type === 0 || type === 15) return 'reservedType';
  if (type === PUBLISH) {
    const qos = (byte >> 1) & 3;
    return qos === 3 ? 'qos3' : qos === 2 ? 'qos2' : qos === 0 && (byte & 8) !== 0 ? 'dupQos0' : null;
  }
  const flags = wantedFlags[type]!;
  return flags === -1 ? 'serverPacket' : flags === (byte & 15) ? null : 'headerFlags';
}

/** Returns the fault of the body length for packets with a fixed one (3.4.1, 3.12.1, 3.14.1 and others). */
export function lengthFault(type: number, length: number): Fault | null {
  if (type === PINGREQ || type === DISCONNECT) return length === 0 ? null : 'malformed';
  if (type >= PUBACK && type <= PUBCOMP) return length === 2 ? null : 'malformed';
  return null;
}

/** Reads a CONNECT's body, `buffer[start, end)`. */
export function decodeConnect(buffer: Buffer, start: number, end: number): Connect | Fault {
  let at = start;
  if (end - at < 2) return 'malformed';
  const nameEnd = at + 2 + u16(buffer, at);
  if (nameEnd + 4 > end) return 'malformed';
  const name = buffer.toString('latin1', at + 2, nameEnd);
  if (name !== 'MQTT' && name !== 'MQIsdp') return 'protocolName';
  const level = buffer[nameEnd]!;
  if (level !== 4 || name !== 'MQTT') return 'protocolLevel';
  const flags = buffer[nameEnd + 1]!;
  const keepalive = u16(buffer, nameEnd + 2);
  at = nameEnd + 4;
  if ((flags & 1) !== 0) return 'connectReservedFlag';
  const will = (flags & 4) !== 0;
  const willQos = (flags >> 3) & 3;
  if (!will && (willQos !== 0 || (flags & 0x20) !== 0)) return 'willFlags';
  if (willQos === 3) return 'willQos';
  const hasUser = (flags & 0x80) !== 0,
    hasPassword = (flags & 0x40) !== 0;
  if (hasPassword && !hasUser) return 'passwordWithoutUser';

  /** Skips one length-prefixed field; its bytes are then `buffer[from, at)`. */
  let from = 0;
  const field = (text: boolean): Fault | null => {
    if (at + 2 > end) return 'malformed';
    from = at + 2;
    at = from + u16(buffer, at);
    if (at > end) return 'malformed';
    return text ? textFault(buffer, from, at) : null;
  };
  let fault = field(true);
  if (fault !== null) return fault;
  const clientId = buffer.toString('utf8', from, at);
  if (will) {
    fault = field(true) ?? (at === from ? 'emptyTopic' : filterHasWildcard(buffer, from, at) ? 'filter' : field(false));
    if (fault !== null) return fault;
  }
  let username: string | undefined;
  let password: Buffer | undefined;
  if (hasUser) {
    fault = field(true);
    if (fault !== null) return fault;
    username = buffer.toString('utf8', from, at);
  }
  if (hasPassword) {
    fault = field(false);
    if (fault !== null) return fault;
    password = Buffer.from(buffer.subarray(from, at));
  }
  if (at !== end) return 'malformed';
  if (clientId === '') return 'emptyClientId';
  return { cmd: 'connect', protocolVersion: 4, clientId, clean: (flags & 2) !== 0, keepalive, username, password };
}

function filterHasWildcard(buffer: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (buffer[i] === 0x23 || buffer[i] === 0x2b) return true;
  return false;
}

/** Filters whose wildcards are where MQTT-4.7.1-2 and -3 allow them. */
const filterShape = /^(?:[^#+/]*|\+)(?:\/(?:[^#+/]*|\+))*$/;
const filterFault = (filter: string): Fault | null => {
  if (filter === '') return 'emptyTopic';
  const body = filter === '#' ? '' : filter.endsWith('/#') ? filter.slice(0, -2) : filter;
  return filterShape.test(body) ? null : 'filter';
};

export interface Filters {
  messageId: number;
  /** Topic filters, with the requested QoS in a SUBSCRIBE. */
  filters: { topic: string; qos: number }[];
}

/** Reads the body of a SUBSCRIBE (`withQos`) or an UNSUBSCRIBE. */
export function decodeFilters(buffer: Buffer, start: number, end: number, withQos: boolean): Filters | Fault {
  if (end - start < 2) return 'malformed';
  const messageId = u16(buffer, start);
  if (messageId === 0) return 'packetIdZero';
  const filters: Filters['filters'] = [];
  let at = start + 2;
  while (at < end) {
    if (at + 2 > end) return 'malformed';
    const from = at + 2;
    at = from + u16(buffer, at);
    if (at + (withQos ? 1 : 0) > end) return 'malformed';
    const topicFault = textFault(buffer, from, at);
    if (topicFault !== null) return topicFault;
    const topic = buffer.toString('utf8', from, at);
    const shape = filterFault(topic);
    if (shape !== null) return shape;
    let qos = 0;
    if (withQos) {
      qos = buffer[at++]!;
      if (qos > 2) return 'subscribeQos';
    }
    filters.push({ topic, qos });
  }
  if (filters.length === 0) return withQos ? 'noFilter' : 'noUnsubscribeFilter';
  return { messageId, filters };
}
