/**
 * Every way in which a device can break the protocol, with the violated clause and the answer. By MQTT 3.1.1, 4.8.0-1,
 * the device is disconnected; only a CONNECT with an unsupported version or identifier is answered first. `link` stands
 * for docs/device-link.md, which allows less than MQTT.
 */
export const faults = {
  reservedType: { clause: 'MQTT-2.2.1' },
  headerFlags: { clause: 'MQTT-2.2.2-2' },
  remainingLength: { clause: 'MQTT-2.2.3' },
  packetTooLong: { clause: 'link' },
  notConnectFirst: { clause: 'MQTT-3.1.0-1' },
  secondConnect: { clause: 'MQTT-3.1.0-2' },
  serverPacket: { clause: 'MQTT-2.2.1' },
  malformed: { clause: 'MQTT-4.8.0-1' },
  text: { clause: 'MQTT-1.5.3-1' },
  nullCharacter: { clause: 'MQTT-1.5.3-2' },
  protocolName: { clause: 'MQTT-3.1.2-1' },
  protocolLevel: { clause: 'MQTT-3.1.2-2', connack: 1 },
  connectReservedFlag: { clause: 'MQTT-3.1.2-3' },
  willFlags: { clause: 'MQTT-3.1.2-11' },
  willQos: { clause: 'MQTT-3.1.2-14' },
  passwordWithoutUser: { clause: 'MQTT-3.1.2-22' },
  emptyClientId: { clause: 'MQTT-3.1.3-8', connack: 2 },
  dupQos0: { clause: 'MQTT-3.3.1-2' },
  qos3: { clause: 'MQTT-3.3.1-4' },
  qos2: { clause: 'link' },
  emptyTopic: { clause: 'MQTT-4.7.3-1' },
  packetIdZero: { clause: 'MQTT-2.3.1-1' },
  noFilter: { clause: 'MQTT-3.8.3-3' },
  noUnsubscribeFilter: { clause: 'MQTT-3.10.3-2' },
  subscribeQos: { clause: 'MQTT-3.8.3-4' },
  filter: { clause: 'MQTT-4.7.1-2' },
  qos2Answer: { clause: 'MQTT-4.3.2' },
  foreignTopic: { clause: 'link' },
  helloFirst: { clause: 'link' },
  badHello: { clause: 'link' },
  unstorable: { clause: 'link' },
  deviceBudget: { clause: 'link' },
  companyBudget: { clause: 'link' },
} as const satisfies Record<string, { clause: string; connack?: 1 | 2 }>;

export type Fault = keyof typeof faults;
