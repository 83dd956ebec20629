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
    .describe('Listeners, separated by commas: tcp, tls, ws (WebSocket), wss (WebSocket over TLS).'),
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
      'File with the certificate and its chain, PEM; for tls and wss. It is read again when it changes, and on SIGHUP.',
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
    .describe('Whether a device must present a certificate when tlsClientCa is set.'),
  proxyFrom: z
    .string()
    .default('')
    .describe(
      'Addresses or networks of proxies, separated by commas. A connection from them must begin with a PROXY header, version 1 or 2. From any other address such a header is refused.',
    ),
  proxyCertificates: z
    .enum(['ignore', 'trust'])
    .default('ignore')
    .describe(
      'Whether to trust the name of a client certificate that such a proxy reports as verified (version 2). Anyone who can connect from proxyFrom could then act as any device.',
    ),
  shared: z
    .preprocess((v) => v === true || v === 'true', z.boolean())
    .default(false)
    .describe(
      'Whether other gateways on this machine listen on the same port, so that the system distributes the devices.',
    ),
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/)
    .default('mqtt-gateway')
    .describe('Name of this process. It stays the same after a restart and is unique among the gateways.'),
  era: z.coerce
    .number()
    .int()
    .min(1)
    .default(1)
    .describe('Era of the installation, raised at each restore from a backup. Commands of a lower era are dropped.'),
  connections: count(15_000, 'Most devices and half-open sockets together. Further sockets are closed.'),
  halfOpen: count(5_000, 'Most sockets that have not sent a valid CONNECT. Further sockets are closed.'),
  halfOpenPerAddress: count(
    200,
    'Most sockets of one address (IPv6: one /64) that have not sent a valid CONNECT after a second. The others are closed.',
  ),
  connectSeconds: count(10, 'A socket that has not sent its CONNECT after this is closed.'),
  connectsPerSecond: count(2_000, 'CONNECTs accepted per second on average. The others get CONNACK 3 and retry.'),
  connectBurst: count(4_000, 'CONNECTs accepted at once.'),
  deviceConnectsPerMinute: rate(
    12,
    'CONNECTs of one device accepted per minute on average. The others get CONNACK 3. 0 is no limit.',
  ),
  deviceConnectBurst: count(12, 'CONNECTs of one device accepted at once.'),
  deviceMessagesPerSecond: rate(
    20,
    'Messages of one device stored per second on average. A device that sends more is disconnected. 0 is no limit.',
  ),
  deviceBytesPerSecond: count(16 * 1024, 'The same in bytes.'),
  companyMessagesPerSecond: rate(
    5_000,
    'Messages of all devices of a company stored per second on average. Devices above that are disconnected. 0 is no limit.',
  ),
  companyBytesPerSecond: count(4 * 1024 * 1024, 'The same in bytes.'),
  budgetBurstSeconds: count(120, 'Seconds of its average that a device or a company may send at once.'),
  inboundMessages: count(
    16,
    'Unacknowledged publishes of one device that are processed at the same time. Further ones wait.',
  ),
  inboundBytes: count(256 * 1024, 'The same in bytes.'),
  heldBytes: count(64 * 1024, 'Bytes of waiting publishes of one device above which its socket is not read.'),
  uplinkBytes: count(
    64 * 1024 * 1024,
    'Bytes of all devices that wait to be stored. Above that each device has a window of one, and new ones get CONNACK 3.',
  ),
  uplinkBatch: count(1_000, 'Most records of one write to the bus.'),
  uplinkBatchBytes: count(1024 * 1024, 'Most bytes of one write to the bus, unless a single record is longer.'),
  gatherMs: z.coerce
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(2)
    .describe('Milliseconds during which messages of all devices are collected for one write to the bus.'),
  outboundMessages: count(8, 'Most commands that were sent to a device and not acknowledged.'),
  outboundBytes: count(256 * 1024, 'Bytes queued or unacknowledged for a device above which it is disconnected.'),
  credentialStaleSeconds: count(
    60,
    'When the credential feed was not confirmed for this long, new connections get CONNACK 3.',
  ),
  credentialWaitMs: count(
    500,
    'Milliseconds that a CONNECT with an unknown MAC or a wrong secret waits for a credential that was stored a moment ago.',
  ),
  leaseSeconds: count(
    12,
    'With several gateways: one that sent no sign of life for this long counts as gone, and its devices as offline.',
  ),
  diskFolder: z
    .string()
    .default('')
    .describe(
      "A folder on the disk of PostgreSQL, if that is a disk of this machine. Kafka's brokers report how full their disks are.",
    ),
  diskReservePercent: z.coerce
    .number()
    .int()
    .min(0)
    .max(90)
    .default(5)
    .describe(
      'Percentage of such a disk that must stay free. Below that, messages of devices are not acknowledged, and devices keep them. 0 disables the check.',
    ),
  drainPerSecond: count(1_000, 'Connections closed per second while draining.'),
  drainSeconds: count(20, 'Longest time for draining. Messages that are not stored by then are not acknowledged.'),
});
export type MqttGatewayConfig = z.output<typeof mqttGatewayConfig>;
