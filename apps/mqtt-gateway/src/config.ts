import { z } from 'zod';
import { defineConfig } from '@carillon/service/config';

const count = (fallback: number, text: string) => z.coerce.number().int().min(1).default(fallback).describe(text);

export const listenerKinds = ['tcp', 'tls', 'ws', 'wss'] as const;
export type ListenerKind = (typeof listenerKinds)[number];

const rate = (fallback: number, text: string) => z.coerce.number().int().min(0).default(fallback).describe(text);

/** Settings of one MQTT gateway process. Limits are per process unless stated otherwise. */
export const mqttGatewayConfig = defineConfig({
  host: z
    .string()
    .default('127.0.0.1')
    .describe(
      'Address of the plain TCP listener. Secrets and links travel on it unencrypted: leave it on loopback unless the network is trusted.',
    ),
  port: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(1883)
    .describe('Port of the plain TCP listener; 0 takes a free one.'),
  mqttListen: z
    .string()
    .default('tcp')
    .transform((text, issue) => {
      const kinds = text.split(',').map((kind) => kind.trim());
      return kinds.every((kind): kind is ListenerKind => (listenerKinds as readonly string[]).includes(kind))
        ? [...new Set(kinds)]
        : (issue.addIssue(`must be some of ${listenerKinds.join(', ')}, separated by commas`), z.NEVER);
    })
    .describe('Ways in, separated by commas: tcp, tls, ws (WebSocket), wss (WebSocket over TLS).'),
  tlsHost: z.string().default('0.0.0.0').describe('Address of tls and wss.'),
  tlsPort: z.coerce.number().int().min(0).max(65_535).default(8883).describe('Port of tls; 0 takes a free one.'),
  webSocketPort: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .default(8083)
    .describe('Port of ws, on the address of plain TCP.'),
  secureWebSocketPort: z.coerce.number().int().min(0).max(65_535).default(8084).describe('Port of wss.'),
  webSocketPath: z
    .string()
    .regex(/^\/[A-Za-z0-9/._-]*$/)
    .default('/mqtt')
    .describe('Path of ws and wss; sub-protocol `mqtt`.'),
  tlsCertificate: z
    .string()
    .default('')
    .describe(
      'File with the certificate and its chain, PEM; for tls and wss. Read anew when it changes, or on SIGHUP.',
    ),
  tlsKey: z.string().default('').describe('File with the key of the certificate, PEM.'),
  tlsClientCa: z
    .string()
    .default('')
    .describe(
      "File with the authorities that sign devices' certificates, PEM. A certificate whose common name is a MAC lets that device in without its secret, and no other.",
    ),
  tlsClient: z
    .enum(['optional', 'required'])
    .default('optional')
    .describe('Whether a device must bring a certificate once tlsClientCa is set.'),
  proxyFrom: z
    .string()
    .default('')
    .describe(
      'Addresses or networks of proxies in front, separated by commas. A connection from there has to begin with a PROXY header, version 1 or 2; from elsewhere one is refused.',
    ),
  proxyCertificates: z
    .enum(['ignore', 'trust'])
    .default('ignore')
    .describe(
      'Whether the name of a client certificate that such a proxy says it has checked (version 2) counts as one checked here. Whoever can connect from proxyFrom could then be any device.',
    ),
  shared: z
    .preprocess((v) => v === true || v === 'true', z.boolean())
    .default(false)
    .describe(
      'Whether other gateways of this machine listen on the same port, and the system spreads the devices over them.',
    ),
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .default('mqtt-gateway')
    .describe('Name of this process in presence, the same after a restart and unique among the gateways.'),
  era: z.coerce
    .number()
    .int()
    .min(1)
    .default(1)
    .describe('Era of the installation, raised at each restore from a backup; commands of a lower one are dropped.'),
  connections: count(15_000, 'Devices and half-open sockets together; a further socket is closed.'),
  halfOpen: count(5_000, 'Sockets that have not sent a valid CONNECT yet; a further socket is closed.'),
  halfOpenPerAddress: count(
    200,
    'Sockets of one address (IPv6: one /64) that have not sent a valid CONNECT after a second; the ones above are closed.',
  ),
  connectSeconds: count(10, 'A socket that has not sent its CONNECT after this is closed.'),
  connectsPerSecond: count(2_000, 'CONNECTs taken per second in the long run; the others get CONNACK 3 and come back.'),
  connectBurst: count(4_000, 'CONNECTs taken at once.'),
  deviceConnectsPerMinute: rate(
    12,
    'CONNECTs of one device taken per minute in the long run; the others get CONNACK 3. 0 is no limit.',
  ),
  deviceConnectBurst: count(12, 'CONNECTs of one device taken at once.'),
  deviceMessagesPerSecond: rate(
    20,
    'Messages of one device stored per second in the long run; one that sends more is closed. 0 is no budget for devices.',
  ),
  deviceBytesPerSecond: count(16 * 1024, 'The same in bytes.'),
  companyMessagesPerSecond: rate(
    5_000,
    'Messages of all devices of a company stored per second in the long run; the devices above are closed. 0 is no budget for companies.',
  ),
  companyBytesPerSecond: count(4 * 1024 * 1024, 'The same in bytes.'),
  budgetBurstSeconds: count(120, 'How many seconds of its budget a device or a company may send at once.'),
  inboundMessages: count(16, 'Unacknowledged publishes of one device that are handed on; more are held back.'),
  inboundBytes: count(256 * 1024, 'The same in bytes.'),
  heldBytes: count(64 * 1024, 'Bytes of held-back publishes at which a socket is no longer read.'),
  uplinkBytes: count(
    64 * 1024 * 1024,
    'Bytes of all devices that wait to be stored; above, each device has a window of one and new ones get CONNACK 3.',
  ),
  uplinkBatch: count(1_000, 'Records of one publish to the bus.'),
  uplinkBatchBytes: count(1024 * 1024, 'Bytes of one publish to the bus, but for a single record that is longer.'),
  gatherMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(2)
    .describe('Milliseconds in which messages of all devices are gathered before the bus gets them.'),
  outboundMessages: count(8, 'Commands written to a device and not acknowledged by it.'),
  outboundBytes: count(256 * 1024, 'Bytes queued or unacknowledged for a device at which it is closed.'),
  credentialStaleSeconds: count(
    60,
    'When the credential feed has not been confirmed for this long, new connections get CONNACK 3.',
  ),
  leaseSeconds: count(
    12,
    'Beside other gateways: one that gave no sign for so long is told gone, and its devices offline.',
  ),
  diskFolder: z
    .string()
    .default('')
    .describe(
      'A folder on the disk of PostgreSQL, where that is a disk of this machine. How full the disk of Kafka is, its brokers tell.',
    ),
  diskReservePercent: z.coerce
    .number()
    .int()
    .min(0)
    .max(90)
    .default(5)
    .describe(
      'Share of such a disk that must stay free; below, messages of devices are not acknowledged, and devices keep them. 0 is no guard.',
    ),
  drainPerSecond: count(1_000, 'Connections closed per second while draining.'),
  drainSeconds: count(20, 'Longest time of a drain; what is not stored by then is not acknowledged.'),
});
export type MqttGatewayConfig = z.output<typeof mqttGatewayConfig>;
