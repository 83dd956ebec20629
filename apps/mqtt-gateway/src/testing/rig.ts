import { createHash } from 'node:crypto';
import { deviceCredential, linkCommand } from '@carillon/contracts';
import { linkTopic } from '@carillon/contracts/link';
import type { IConnackPacket, Packet } from 'mqtt-packet';
import { mqttGatewayConfig } from '../config.ts';
import { toRecord, uuidv7 } from '../uplink/envelope.ts';
import { MqttGateway } from '../mqtt-gateway.ts';
import type { MqttGatewayOptions } from '../mqtt-gateway.ts';
import { RawDevice } from './raw-device.ts';
import type { Way } from './raw-device.ts';
import { RecordingBus } from './recording-bus.ts';

export const company = '01920000-0000-7000-8000-00000000c001';
export const org = '01920000-0000-7000-8000-00000000a001';
export const macOf = (n: number): string => `00a859${n.toString(16).padStart(6, '0')}`;
export const deviceIdOf = (mac: string): string => `01920000-0000-7000-9000-${mac}`;
export const secretOf = (mac: string): string => `secret of ${mac}`;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

export const hello = {
  model: 'X6',
  sn: 'SN1',
  firmware: '2.4.1',
  ip: '10.0.0.7',
  uptime: 12,
  boot: 'power',
  capabilities: ['reboot'],
};
export const state = {
  at: 1_790_000_000_000,
  calls: 0,
  lines: [{ line: 1, account: '100', server: 'sip', status: 'registered' }],
};

/** A gateway on a free port, a bus under the test's control, and devices that know their secrets. */
export class Rig {
  readonly log: { level: string; fields: object; message: string }[] = [];
  readonly bus: RecordingBus;
  readonly gateway: MqttGateway;
  readonly devices: RawDevice[] = [];

  constructor(
    settings: Record<string, unknown> = {},
    options: Partial<MqttGatewayOptions> & { bus?: RecordingBus } = {},
  ) {
    this.bus = options.bus ?? new RecordingBus();
    const write = (level: string) => (fields: object, message: string) =>
      void this.log.push({ level, fields, message });
    const config = mqttGatewayConfig.parse({
      port: 0,
      tlsPort: 0,
      webSocketPort: 0,
      secureWebSocketPort: 0,
      tlsHost: '127.0.0.1',
      gatherMs: 1,
      credentialWaitMs: 20,
      deviceConnectsPerMinute: 0,
      deviceMessagesPerSecond: 0,
      companyMessagesPerSecond: 0,
      ...settings,
    });
    this.gateway = new MqttGateway({
      ...options,
      bus: this.bus,
      config,
      log: { info: write('info'), warn: write('warn'), error: write('error') },
    });
  }

  static async start(
    settings: Record<string, unknown> = {},
    options: Partial<MqttGatewayOptions> & { bus?: RecordingBus } = {},
  ): Promise<Rig> {
    const rig = new Rig(settings, options);
    await rig.gateway.start();
    return rig;
  }

  get port(): number {
    return this.gateway.listeners[0]!.address.port;
  }

  portOf(kind: string): number {
    return this.gateway.listeners.find((listener) => listener.kind === kind)!.address.port;
  }

  /** Makes a device known, or changes its credential. */
  async know(mac: string, more: Record<string, unknown> = {}, owner = company): Promise<void> {
    const data = {
      deviceId: deviceIdOf(mac),
      mac,
      orgId: org,
      ownerEpoch: 1,
      secretHash: sha256(secretOf(mac)),
      previousHash: null,
      enabled: true,
      ...more,
    };
    await this.bus.publish([
      toRecord(deviceCredential.name, 'credential', String(data.deviceId), JSON.stringify(data), Date.now(), 1, owner),
    ]);
  }

  async forget(mac: string): Promise<void> {
    await this.bus.publish([{ topic: deviceCredential.name, key: deviceIdOf(mac), headers: {}, value: null }]);
  }

  /** Connects to the first listener unless `kind` names another one. */
  async open({ kind, ...way }: Way & { kind?: string } = {}): Promise<RawDevice> {
    const device = await RawDevice.open(kind === undefined ? this.port : this.portOf(kind), way);
    this.devices.push(device);
    return device;
  }

  connectPacket(mac: string, more: Record<string, unknown> = {}): Packet {
    return {
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: mac,
      username: mac,
      password: Buffer.from(secretOf(mac)),
      keepalive: 120,
      ...more,
    } as Packet;
  }

  async connack(device: RawDevice): Promise<IConnackPacket> {
    return (await device.next('connack')) as IConnackPacket;
  }

  /** Returns a device that is known, connected, subscribed and welcomed. */
  async device(
    mac: string,
    more: Record<string, unknown> = {},
    way: Way & { kind?: string } = {},
    owner = company,
  ): Promise<RawDevice> {
    await this.know(mac, {}, owner);
    const device = await this.open(way);
    device.send(this.connectPacket(mac, more));
    await this.connack(device);
    device.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: linkTopic.command(mac), qos: 1 }] });
    device.send(up(mac, 'hello', hello, 1));
    await device.next('publish', (p) => payloadOf(p).action === 'welcome');
    await device.next('puback', (p) => p.messageId === 1);
    return device;
  }

  /** Publishes a command in the form of a task unless `write` changes it. Returns its id. */
  async command(
    mac: string,
    action = 'reboot',
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    write: (data: object) => string = JSON.stringify,
  ): Promise<string> {
    const id = uuidv7(Date.now());
    const data = {
      deviceId: deviceIdOf(mac),
      mac,
      ownerEpoch: 1,
      id,
      action,
      expiresAt: Date.now() + 60_000,
      args: {},
      ...more,
    };
    const record = toRecord(linkCommand.name, 'command', data.deviceId, write(data), Date.now(), 1, company);
    await this.bus.publish([{ ...record, headers: { ...record.headers, ...headers } }]);
    return id;
  }

  async say(mac: string, type: 'withdraw' | 'close', more: Record<string, unknown> = {}): Promise<void> {
    await this.bus.publish([
      toRecord(
        linkCommand.name,
        type,
        deviceIdOf(mac),
        JSON.stringify({ deviceId: deviceIdOf(mac), mac, ...more }),
        Date.now(),
        1,
        company,
      ),
    ]);
  }

  async stop(): Promise<void> {
    for (const device of this.devices) device.destroy();
    this.bus.hold = false;
    this.bus.storeNow();
    await this.gateway.stop();
  }
}

/** Returns a publish to one of the device's own topics with QoS 1. */
export const up = (
  mac: string,
  kind: string,
  payload: unknown,
  messageId: number,
  more: Record<string, unknown> = {},
): Packet =>
  ({
    cmd: 'publish',
    topic: `d/${mac}/${kind}`,
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    qos: 1,
    messageId,
    dup: false,
    retain: false,
    ...more,
  }) as Packet;

export const payloadOf = (packet: { payload: string | Buffer }): Record<string, unknown> =>
  JSON.parse(packet.payload.toString()) as Record<string, unknown>;
